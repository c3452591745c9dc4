"""What an evaluation reads: JSON lines, each checked on its own, one clear error for a bad one."""

from pathlib import Path
from typing import Annotated, ClassVar, get_args

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from tools.base.domain import Intent
from tools.base.errors import InputError

Text = Annotated[str, StringConstraints(pattern=r"\S")]
"""Kept as it is, blanks at its ends too, so that a prediction can be joined to its question."""


class Record(BaseModel):
    """One line of a file; fields nobody asked for are passed over. ``example`` is shown of one."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    example: ClassVar[str] = '{"query": "What is Zettelkasten?"}'


def read_lines[T: Record](path: Path, kind: type[T]) -> list[T]:
    """The file's records in order; blank lines are passed over.

    Raises InputError naming the first line that is none, and for a file that is missing, empty or
    not UTF-8 text.
    """
    return [
        record(line, kind, where=f"{path.name}, line {number}")
        for number, line in numbered_lines(
            path, example=f"one JSON object a line, for example {kind.example}"
        )
    ]


def numbered_lines(path: Path, *, example: str) -> list[tuple[int, str]]:
    """The file's lines that are not blank, counted from 1, without their ends.

    Raises InputError for a file that is missing, empty (``example`` says what to write) or not
    UTF-8 text.
    """
    try:
        with path.open(encoding="utf-8-sig") as file:
            # Not splitlines(): it would also cut at U+2028, which may stand inside a JSON string.
            lines = [
                (at, line.rstrip("\n")) for at, line in enumerate(file, start=1) if line.strip()
            ]
    except FileNotFoundError:
        raise InputError(f"The file {path.name!r} does not exist: check its path.") from None
    except IsADirectoryError:
        raise InputError(f"{path.name!r} is a folder: give a file of lines.") from None
    except UnicodeDecodeError:
        raise InputError(f"The file {path.name!r} is not UTF-8 text: save it as UTF-8.") from None
    except OSError as error:
        raise InputError(
            f"The file {path.name!r} cannot be read ({error.strerror}): check its rights."
        ) from None
    if not lines:
        raise InputError(f"The file {path.name!r} is empty: write {example}.")
    return lines


def record[T: Record](line: str, kind: type[T], *, where: str) -> T:
    """One line as a record. Raises InputError, in one line, naming ``where`` it stands."""
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    match first["type"]:
        case "json_invalid":
            raise InputError(f"{where}: this is no JSON; write one JSON object a line.")
        case "missing":
            raise InputError(f"{where}: {field!r} is missing: add it to the line.")
        case "string_pattern_mismatch":
            raise InputError(
                f"{where}: {field!r} is empty: write some text there, or drop the line."
            )
        case "literal_error" if field.split(".")[0] in ("intent", "also"):
            given = repr(first["input"])[:40]
            known = ", ".join(get_args(Intent))
            raise InputError(f"{where}: the intent {given} is unknown; there are {known}.")
        case _:
            detail = first["msg"].removeprefix("Value error, ")
            raise InputError(f"{where}: {f'{field!r}: ' if field else ''}{detail}.")
