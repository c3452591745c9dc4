"""What tools do to notes, and at once add to what their session has written.

Each is one step, to be done ``whole``: what is done must be told of.
"""

import asyncio

from graphs.ingest.new_notes import forget_staged, put_into_vault, remove_from_vault, stage
from graphs.ingest.staging import agree, resolving
from graphs.toolkit.tool import Session
from tools.graph.store import GraphStore
from tools.vault.storage.added_notes import AddedNote


async def keep_staged(
    session: Session, store: GraphStore, note: AddedNote
) -> tuple[AddedNote, bool]:
    """Stage a note, in the list and in the graph or in neither; see ``stage``."""
    settings = session.brain.settings
    kept, is_new = await asyncio.to_thread(stage, settings, note)
    try:
        await agree(store, settings, lambda: resolving(session.deps.catalog))
    except BaseException:
        if is_new:  # what the database did not take must not wait either
            await asyncio.shield(asyncio.to_thread(forget_staged, settings, kept))
        raise
    if is_new:
        session.written.append(kept.path)
    return kept, is_new


async def keep_in_vault(session: Session, note: AddedNote) -> tuple[AddedNote, bool]:
    """Put a note into the vault; see ``put_into_vault``."""
    kept, is_new = await asyncio.to_thread(put_into_vault, session.brain.settings, note)
    if is_new:
        session.written.append(kept.path)
    return kept, is_new


async def remove_added(session: Session, known: AddedNote) -> bool:
    """Take a note out of the vault again; False where it was gone."""
    removed = await asyncio.to_thread(remove_from_vault, session.brain.settings, known)
    if removed:
        session.written.append(known.path)
    return removed


async def unstage(session: Session, store: GraphStore, known: AddedNote) -> bool:
    """Take a staged note back; False where it was gone."""
    await store.remove([known.path])  # asked first: the database says who may
    removed = await asyncio.to_thread(forget_staged, session.brain.settings, known)
    if removed:
        session.written.append(known.path)
    return removed
