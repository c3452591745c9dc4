"""How often the nearest paragraph answers: ``python -m evals.retrieval.xquad FOLDER``.

XQuAD (Artetxe et al. 2020) has the same questions and paragraphs in English and Turkish; FOLDER
holds both as ``xquad_en.jsonl`` and ``xquad_tr.jsonl``. Printed is R@1 among all its paragraphs,
for questions and paragraphs in either language.
"""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from evals.datasets.records import Record, Text, read_lines
from tools.semantic import e5
from tools.semantic.encoder import load_encoder

LANGUAGES = ("en", "tr")


class XquadQuestion(Record):
    """A question about a passage; both languages call it by the same id."""

    id: Text
    q: Text
    passage: Text
    paragraph: Text
    answer: str
    start: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--encoder", default=e5.NAME)
    options = parser.parse_args()
    encoder = load_encoder(options.encoder, ollama_url="")
    asked = {
        own: read_lines(options.folder / f"xquad_{own}.jsonl", XquadQuestion) for own in LANGUAGES
    }
    passages = {
        own: list(dict.fromkeys(one.passage for one in rows)) for own, rows in asked.items()
    }
    vectors = {own: encoder.encode(texts) for own, texts in passages.items()}
    questions = {
        own: encoder.encode_questions([one.q for one in rows]) for own, rows in asked.items()
    }
    for own in LANGUAGES:
        for other in LANGUAGES:
            answers: Mapping[str, str] = {one.id: one.passage for one in asked[other]}
            nearest = (questions[own] @ vectors[other].T).argmax(1)
            right = [
                passages[other][int(at)] == answers[one.id]
                for one, at in zip(asked[own], nearest, strict=True)
                if one.id in answers
            ]
            share = sum(right) / len(right)
            sys.stdout.write(f"{own} questions, {other} paragraphs: {share:.3f} of {len(right)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
