"""What ``brain link batch-approve`` does."""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from graphs.app import open_brain
from graphs.brain import Brain
from graphs.cli.output import console
from graphs.cli.output.agreement import require_agreement, require_person
from graphs.cli.output.exit_codes import BAD_INPUT, INCOMPLETE, OK
from graphs.cli.output.links import show_link, show_plan
from graphs.links.learn import learn
from graphs.links.suggesting.suggest import LinkQuery
from graphs.links.writing.apply import Outcome
from graphs.links.writing.batch import chosen_from, decisions_on, paths_of
from graphs.operations.decisions import TERMINAL
from graphs.operations.link_batch import write_batch
from tools.base.errors import InputError
from tools.links.planned import LinkRequest
from tools.links.rules import MOST_SUGGESTIONS
from tools.links.suggestion import LinkSuggestions
from tools.text.voice import counted
from tools.vault.editing.places import DEFAULT_SECTION

STANDARD_INPUT = "-"
_MOST_BYTES = 10_000_000


@with_config(ConfigDict(extra="forbid"))  # a misspelled context would be lost without a word
@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A link in a file of approvals."""

    source: str
    target: str
    relation: str
    context: str = ""
    spot: str = "section"
    section: str = DEFAULT_SECTION
    one_way: bool = False

    def request(self) -> LinkRequest:
        """What is asked of the planner. Raises InputError for a place that there is not."""
        return LinkRequest.at_spot(
            self.source,
            self.target,
            relation=self.relation,
            context=self.context,
            spot=self.spot,
            section=self.section,
            one_way=self.one_way,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which links of one note are approved, and what all of them have."""

    note: str
    others: Sequence[str]
    least: float
    relation: str | None
    context: str
    spot: str
    section: str
    one_way: bool


async def approve_file(
    file: str, *, yes: bool, as_json: bool, vault: Path | None, data_dir: Path | None
) -> int:
    """Write the links of a file of approvals."""
    requests = [one.request() for one in await asyncio.to_thread(_read, file)]
    if file == STANDARD_INPUT and not yes:
        raise InputError("Nothing was written: --yes is needed where the links come from a pipe.")
    async with open_brain(vault, data_dir=data_dir) as brain:
        outcome = await _approved(brain, requests, yes=yes, as_json=as_json)
    return _shown(outcome, as_json=as_json)


async def approve(
    wanted: Wanted, *, yes: bool, as_json: bool, vault: Path | None, data_dir: Path | None
) -> int:
    """Write links of one note: to the notes named, or to those suggested that are likely."""
    async with open_brain(vault, data_dir=data_dir) as brain:
        found = await brain.links.suggest(LinkQuery(note=wanted.note, limit=MOST_SUGGESTIONS))
        console.show_warnings(found.warnings)
        others = await asyncio.to_thread(paths_of, brain.deps, wanted.others)
        requests = _requests(replace(wanted, others=others), found)
        outcome = await _approved(brain, requests, yes=yes, as_json=as_json)
        decisions = decisions_on(found, outcome.writes, at=brain.deps.clock())
        console.show_warnings(await asyncio.to_thread(learn, brain.settings, decisions))
    return _shown(outcome, as_json=as_json)


def _requests(wanted: Wanted, found: LinkSuggestions) -> list[LinkRequest]:
    chosen = chosen_from(found, wanted.others, least=wanted.least, relation=wanted.relation)
    return [
        LinkRequest.at_spot(
            found.source_note,
            target,
            relation=relation,
            context=wanted.context,
            spot=wanted.spot,
            section=wanted.section,
            one_way=wanted.one_way,
        )
        for target, relation in chosen
    ]


async def _approved(
    brain: Brain, requests: Sequence[LinkRequest], *, yes: bool, as_json: bool
) -> Outcome:
    """Plan, show, ask, write."""
    if not yes:
        require_person("Nothing was written: add --yes to have it written without being asked.")
    planned = await brain.links.plan_all(requests, by=TERMINAL)
    for link in () if yes and as_json else planned.links:
        show_plan(link)
    if not planned.links:
        return Outcome(writes=(), refused=planned.refused)
    for refused in () if yes else planned.refused:
        console.show_remark(refused)
    if not yes:
        question = f"Write {counted(len(planned.links), 'link')} into the notes?"
        await require_agreement(question, otherwise="Nothing was written.")
    outcome, warnings = await write_batch(brain, planned.links)
    console.show_warnings(warnings)
    return replace(outcome, refused=(*planned.refused, *outcome.refused))


def _shown(outcome: Outcome, *, as_json: bool) -> int:
    if as_json:
        console.show_json(outcome)
    for one in () if as_json else outcome.writes:
        show_link(one)
    for refused in outcome.refused:
        console.show_remark(refused)
    if outcome.writes:
        console.show_remark(f"`brain link undo {len(outcome.writes)}` takes out what was written.")
    if not outcome.writes and not outcome.refused and not as_json:
        console.show_remark("There was no link to write.")
    if outcome.refused:
        return INCOMPLETE if outcome.writes else BAD_INPUT
    return OK


def _read(file: str) -> list[Approval]:
    """The approvals of a file of JSON. Raises InputError for another."""
    name = "standard input" if file == STANDARD_INPUT else Path(file).name
    try:
        raw = sys.stdin.buffer.read(_MOST_BYTES + 1) if file == STANDARD_INPUT else _bytes(file)
        if len(raw) > _MOST_BYTES:
            raise InputError(f"{name!r} is larger than {_MOST_BYTES:,} bytes: split it.")
        return TypeAdapter(list[Approval]).validate_json(raw)
    except OSError as error:
        raise InputError(f"{name!r} cannot be read: {error.strerror}.") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = " in ".join(str(part) for part in reversed(first["loc"])) or "the whole"
        raise InputError(
            f"{name!r} is no list of links: {where}: {first['msg']}. Each has source, target and "
            "relation, and may have context, spot, section and one_way."
        ) from None


def _bytes(file: str) -> bytes:
    with Path(file).open("rb") as opened:
        return opened.read(_MOST_BYTES + 1)
