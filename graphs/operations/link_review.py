"""Replies of the person to a review of links, whose writes are in the audit log."""

import asyncio

from graphs.brain import Brain
from graphs.links.reviewing.reviewer import ReviewStep
from graphs.links.writing.journal import written
from graphs.operations.decisions import audited_decision
from graphs.operations.links import arguments_of
from graphs.toolkit.tools.create_link import create_link
from graphs.toolkit.tools.undo_link import undo_link
from tools.links.review import Reply


async def reply_to_review(brain: Brain, step: ReviewStep, said: object) -> ReviewStep:
    """Go on with a review by what the person said to the proposal that it shows.

    Raises as ``LinkReviewer.reply``, and StorageError where what it would write cannot be logged.
    """
    review, thread = brain.links.review, step.thread_id
    reply, proposal = Reply.read(said), step.proposal
    answer, write = reply.answer, proposal.write if proposal else None
    # What the reply itself changes is shown first, and writes nothing.
    as_shown = proposal is not None and reply.changed(proposal.wanted) == proposal.wanted
    if answer == "accept" and write is not None and as_shown:
        deciding = audited_decision(
            brain.settings, create_link.name, arguments_of(write), rules=create_link.rules
        )
        async with deciding as record:
            try:
                return await review.reply(thread, said)
            finally:
                if done := await asyncio.to_thread(written, brain.settings, write):
                    record.written.extend(done.paths)
    if answer == "undo" and step.undoes is not None:
        undoing = audited_decision(
            brain.settings, undo_link.name, {"number": step.undoes.id}, rules=undo_link.rules
        )
        async with undoing as record:
            try:
                return await review.reply(thread, said)
            finally:
                if not await asyncio.to_thread(written, brain.settings, step.undoes):
                    record.written.extend(step.undoes.paths)
    return await review.reply(thread, said)
