"""What ``brain link review`` does."""

import asyncio
import hashlib
import shlex
from pathlib import Path

from graphs.app import open_brain
from graphs.brain import Brain
from graphs.cli.output import console
from graphs.cli.output.exit_codes import OK
from graphs.cli.output.lines import read_line
from graphs.cli.output.link_review import in_words, show_end, show_proposal
from graphs.links.find import find_note
from graphs.links.reviewing.reviewer import ReviewStep
from graphs.operations.link_review import reply_to_review
from tools.base.domain import SourceWarning
from tools.links.places import SPOTS
from tools.links.review import Proposal, ReviewOptions
from tools.links.rules import OTHER_SIDE

_KEYS = "[y]es  [n]o  [e]dit  [s]kip  [u]ndo  [q]uit: "


async def review(
    note: str | None,
    *,
    options: ReviewOptions,
    anew: bool,
    vault: Path | None,
    data_dir: Path | None,
) -> int:
    """Show suggested links one after the other until all are decided, or the input ends."""
    async with open_brain(vault, data_dir=data_dir) as brain:
        step = await _first(brain, note, options, anew=anew)
        told: set[SourceWarning] = set()
        while True:
            console.show_warnings(one for one in step.warnings if one not in told)
            told.update(step.warnings)
            if step.proposal is None:
                break
            show_proposal(step, step.proposal)
            try:
                said = await _heard(step.proposal)
            except EOFError:
                said = None
            if said is None:
                console.show_line("")
                command = "brain link review" + (f" {shlex.quote(note)}" if note else "")
                console.show_remark(
                    f"So far {in_words(step.tally)}. `{command}` goes on from here."
                )
                return OK
            step = await reply_to_review(brain, step, said)
    show_end(step)
    return OK


async def _first(
    brain: Brain, note: str | None, options: ReviewOptions, *, anew: bool
) -> ReviewStep:
    """The review that waits, or a new one."""
    thread = "link-review"
    if note is not None:  # by whatever name of it
        path = (await asyncio.to_thread(find_note, brain.deps, note, alone=True)).path
        thread += f"-{hashlib.sha256(path.encode()).hexdigest()[:8]}"
    waiting = None if anew else await brain.links.review.waiting(thread)
    if waiting is not None:
        console.show_remark(
            f"Going on with the review as it was begun: {in_words(waiting.tally)}. "
            "--anew begins again."
        )
        return waiting
    return await brain.links.review.begin(note, options=options, thread=thread)


async def _heard(proposal: Proposal) -> object:
    """What the person replies; None to stop here."""
    key = (await read_line(_KEYS)).strip().casefold()
    if key in ("q", "quit"):
        return None
    if key in ("e", "edit") or (key in ("y", "yes") and proposal.wanted.relation is None):
        return await _edited(proposal)
    return key


async def _edited(proposal: Proposal) -> dict[str, str]:
    """What the link is to be; an empty line keeps what it is."""
    wanted = proposal.wanted
    asked = {"relation": (f"Type, of {', '.join(OTHER_SIDE)}", wanted.relation or "")}
    asked["context"] = ("Why, in a sentence", wanted.context)
    asked["spot"] = (f"Where, of {', '.join(SPOTS)}", wanted.spot)
    if wanted.spot == "section":
        asked["section"] = ("Heading of the section", wanted.section)
    said = {"answer": "edit"}
    for name, (question, now) in asked.items():
        if line := (await read_line(f"  {question} [{now}]: ")).strip():
            said[name] = line
    return said
