import json

from tests.contract.answer_schema import PUBLISHED, generated, schema_errors

PROMISED = {
    "status", "query", "thread_id", "plan", "clarification", "format", "answer", "results",
    "contradictions", "changes", "warnings", "sources_available", "sources_failed", "timings_ms",
    "checklist", "answerable", "confidence", "listing",
}  # fmt: skip


def test_the_published_schema_is_what_the_program_prints() -> None:
    assert json.loads(PUBLISHED.read_text("utf-8")) == generated()


def test_every_promised_field_is_there() -> None:
    assert set(generated()["properties"]) == PROMISED  # pyright: ignore[reportArgumentType]


def test_a_document_that_breaks_the_contract_is_noticed() -> None:
    assert schema_errors({"status": "maybe"}) != []
