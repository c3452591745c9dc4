"""The JSON schema of an answer: written to docs/answer.schema.json, checked against it."""

import json
import sys
from pathlib import Path
from typing import Any, cast

from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

from tools.base.domain import Answer

PUBLISHED = Path(__file__).parent.parent.parent / "docs" / "answer.schema.json"
_ANSWER = TypeAdapter(Answer)


def generated() -> dict[str, object]:
    """The schema of what the program prints now."""
    return _ANSWER.json_schema(mode="serialization")


def as_json(answer: Answer) -> bytes:
    """An answer as the command line prints it."""
    return _ANSWER.dump_json(answer)


def schema_errors(document: object) -> list[str]:
    """What in the document does not fit the published schema."""
    # jsonschema types what it takes more narrowly than what it can say is wrong.
    validator = cast("Any", Draft202012Validator(json.loads(PUBLISHED.read_text("utf-8"))))
    return [error.message for error in validator.iter_errors(document)]


if __name__ == "__main__":
    json.dump(generated(), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")
