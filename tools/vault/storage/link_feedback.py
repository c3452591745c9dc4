"""What a person decided on suggested links: a JSON file that they may read, change and delete.

It has paths of notes and numbers, and no text. Each decision stands in a line of its own.
"""

import json
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, cast

from pydantic import AwareDatetime, Field, TypeAdapter, ValidationError

from tools.base.domain import SourceWarning
from tools.base.errors import BusyError, StorageError, StoreVersionError
from tools.base.output_files import write_private
from tools.runtime.server_process import locked
from tools.runtime.sqlite import reason, set_file_aside
from tools.text.voice import counted

VERSION = 1
MOST_DECISIONS = 5_000
"""Of more the oldest go: who links does so otherwise by then."""
_MOST_BYTES = 50_000_000
_MOST_NAMED = 3
_PATIENCE_SECONDS = 5.0
_DIGITS = 4
_LEFT_OUT = "Suggestions go on without it"
"""What still works while the file cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkDecision:
    """A suggested link that was accepted or rejected.

    ``source`` and ``target`` are paths of notes, ``suggested`` is the type that the link was
    suggested with and ``chosen`` the one that it was made with, None where there was none.
    ``probability`` is what was promised, ``features`` what spoke for the link, by name, among the
    candidates of that moment.
    """

    at: AwareDatetime
    source: str
    target: str
    accepted: bool
    probability: Annotated[float, Field(ge=0.0, le=1.0)]
    suggested: str | None = None
    chosen: str | None = None
    features: Mapping[str, Annotated[float, Field(ge=-1e6, le=1e6)]] = field(
        default_factory=dict[str, float]
    )


class DamagedFeedbackError(StorageError):
    """The file is no list of decisions; the message says where and what to do."""


_DECISION = TypeAdapter(LinkDecision)


class LinkFeedback:
    """The file. Safe to use from many threads and processes.

    An entry that is no decision, as after an edit by hand, is told of and stays in the file. A file
    that is no list of decisions is set aside once there is one to keep, so that whoever edits it
    may still mend it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> tuple[tuple[LinkDecision, ...], tuple[SourceWarning, ...]]:
        """The decisions, the oldest first, and what of the file cannot be used; never raises."""
        try:
            entries = self._entries()
        except (StorageError, StoreVersionError) as error:
            return (), (_warning(str(error), f"{_LEFT_OUT}."),)
        decisions: list[LinkDecision] = []
        unusable: list[int] = []
        for number, entry in enumerate(entries, 1):
            try:
                decisions.append(_DECISION.validate_python(entry))
            except ValidationError:
                unusable.append(number)
        return tuple(decisions), self._unusable(unusable)

    def add(self, decisions: Iterable[LinkDecision]) -> tuple[SourceWarning, ...]:
        """Keep decisions behind those that are there; say where a damaged file was set aside.

        One that is there already, as when two reviews of one link went on, is kept once.
        Raises StorageError, StoreVersionError and BusyError; nothing is changed then.
        """
        added = [_entry_of(one) for one in decisions]
        if not added:
            return ()
        with self._alone():
            aside = self._set_aside_if_damaged()
            known = self._entries()
            new = [one for one in added if one not in known]
            self._write([*known, *new][-MOST_DECISIONS:])
        return () if aside is None else (aside,)

    def withdraw(self, source: str, target: str, *, accepted: bool) -> bool:
        """Forget the last time that this link was so decided; whether there was such a decision.

        Raises StorageError, StoreVersionError and BusyError; nothing is changed then.
        """
        if not self._path.exists():
            return False
        with self._alone():
            entries = self._entries()
            for place in reversed(range(len(entries))):
                if _is_decision(entries[place], source, target, accepted):
                    self._write([*entries[:place], *entries[place + 1 :]])
                    return True
        return False

    def set_aside_if_damaged(self) -> tuple[SourceWarning, ...]:
        """Rename a file that is no list of decisions; say what it is named now.

        Raises StorageError, StoreVersionError and BusyError.
        """
        with self._alone():
            aside = self._set_aside_if_damaged()
        return () if aside is None else (aside,)

    def _set_aside_if_damaged(self) -> SourceWarning | None:
        try:
            self._entries()
        except DamagedFeedbackError:
            aside = set_file_aside(self._path)
            return _warning(
                f"{self._path.name} was damaged and is kept as {aside.name}.",
                "What was decided before is not learned from; new decisions are.",
            )
        return None

    def _entries(self) -> list[object]:
        """What the file lists. Raises StorageError and StoreVersionError."""
        name = self._path.name
        try:
            if self._path.stat().st_size > _MOST_BYTES:
                raise DamagedFeedbackError(f"{name} is too large to be ours: delete it.")
            raw = self._path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StorageError(
                f"{name} in the data directory cannot be read ({reason(error)}): check its "
                "permissions."
            ) from error
        return _listed(raw, name) if raw.strip() else []

    def _write(self, entries: Sequence[object]) -> None:
        lines = ",\n".join(f"    {json.dumps(entry, ensure_ascii=False)}" for entry in entries)
        listed = f"[\n{lines}\n  ]" if entries else "[]"
        text = f'{{\n  "version": {VERSION},\n  "decisions": {listed}\n}}\n'
        write_private(self._path, text.encode("utf-8", "surrogatepass"))

    @contextmanager
    def _alone(self) -> Generator[None]:
        lock = self._path.with_suffix(".lock")
        try:
            with locked(lock, patience=_PATIENCE_SECONDS) as taken:
                if taken is None:
                    raise BusyError(
                        f"Another program writes {self._path.name} just now: try again."
                    )
                yield
        except OSError as error:
            raise StorageError(
                f"{self._path.name} in the data directory cannot be written ({reason(error)}): "
                "free some space or check its permissions."
            ) from error

    def _unusable(self, numbers: Sequence[int]) -> tuple[SourceWarning, ...]:
        if not numbers:
            return ()
        first = ", ".join(map(str, numbers[:_MOST_NAMED])) + ", …" * (len(numbers) > _MOST_NAMED)
        what = counted(len(numbers), "decision")
        return (
            _warning(
                f"{what} in {self._path.name} cannot be used (number {first}).",
                "Suggestions learn from the others; mend or delete those lines.",
            ),
        )


def _listed(raw: bytes, name: str) -> list[object]:
    """Raises DamagedFeedbackError and StoreVersionError."""
    try:
        content = json.loads(raw)
    except (ValueError, RecursionError) as error:
        line = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise DamagedFeedbackError(f"{name} is no JSON{line}: mend it or delete it.") from error
    if isinstance(content, dict):
        given = cast("dict[str, object]", content)
        version, decisions = given.get("version"), given.get("decisions")
        if isinstance(version, int) and version > VERSION:
            raise StoreVersionError(
                f"{name} was written by a newer version of this program: update, or delete it."
            )
        if version == VERSION and isinstance(decisions, list):
            return cast("list[object]", decisions)
    raise DamagedFeedbackError(f"{name} has no list of decisions: mend it or delete it.")


def _entry_of(decision: LinkDecision) -> dict[str, object]:
    entry = cast("dict[str, object]", _DECISION.dump_python(decision, mode="json"))
    return {
        **entry,
        "probability": round(decision.probability, _DIGITS),
        "features": {name: round(value, _DIGITS) for name, value in decision.features.items()},
    }


def _is_decision(entry: object, source: str, target: str, accepted: bool) -> bool:
    if not isinstance(entry, dict):
        return False
    given = cast("dict[str, object]", entry)
    pair = given.get("source"), given.get("target")
    return pair == (source, target) and given.get("accepted") is accepted


def _warning(error: str, impact: str) -> SourceWarning:
    return SourceWarning(source="link feedback", error=error, impact=impact)
