"""The project's own data: where it stands, and the moment at which its questions are asked."""

from datetime import UTC, datetime
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"
QUESTIONS = (DATA / "intents/test/en.jsonl", DATA / "intents/test/tr.jsonl")
PARAMETERS = (DATA / "parameters.jsonl", DATA / "phrases/test.jsonl")
CLAIMS = DATA / "claims.jsonl"
DATES = (DATA / "dates.jsonl", DATA / "dates_more.jsonl")
VAULT = Path(__file__).parents[2] / "examples" / "vault"
SEARCHES = DATA / "retrieval.jsonl"
FOUND = DATA / "retrieval_qrels.tsv"
NOW = datetime(2026, 3, 18, 10, tzinfo=UTC)
"""The moment at which the questions are asked: "last May" must mean the same on every day."""
