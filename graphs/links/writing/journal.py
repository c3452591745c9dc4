"""The journal of links, to read or to change.

What a killed process left is ended by the next that opens it: each link is in both its notes or in
neither.
"""

from graphs.links.writing.settle import settle
from graphs.stores.vault_journal import VaultJournal
from tools.settings.settings import Settings
from tools.vault.storage.link_journal import LinkJournal, LinkWrite


def _end(settings: Settings, journal: LinkJournal, write: LinkWrite) -> str:
    ended = settle(settings, journal, write, may_finish=True)
    has = ended is not None and ended.state == "applied"
    doing = "put the link in" if write.state == "begun" else "took the link out"
    now = "it is there now" if has else "it is not there"
    both = " on both sides" * (len(write.edits) > 1)
    return f"{write.notes}: the process that {doing} was killed; {now}{both}."


def _name(_: Settings, write: LinkWrite) -> str:
    return f"half the link in {write.notes}"


_JOURNAL = VaultJournal(
    path=lambda settings: settings.link_journal_path,
    opened=LinkJournal,
    unfinished=LinkJournal.unfinished,
    busy="Another program puts links into the vault just now: try again.",
    end=_end,
    name=_name,
)
changing, reading = _JOURNAL.changing, _JOURNAL.reading
left_unfinished, recover = _JOURNAL.left_unfinished, _JOURNAL.recover


def written(settings: Settings, write: LinkWrite) -> LinkWrite | None:
    """The write that was planned with this one, if it is in its notes; it blocks.

    Raises StorageError.
    """
    with reading(settings) as journal:
        return None if journal is None else journal.same(write)
