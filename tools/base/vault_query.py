"""What a question about the vault itself asks for, and what the catalog answers. Values."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

Subject = Literal[
    "notes", "tags", "tasks", "backlinks", "links", "orphans", "unreferenced", "dead_ends",
    "broken", "folders", "untagged",
]  # fmt: skip
TaskState = Literal["open", "done", "any"]
Order = Literal[
    "newest", "oldest", "longest", "shortest", "changed", "most_linked", "least_linked", "most",
    "least",
]  # fmt: skip
SUBJECTS: tuple[Subject, ...] = get_args(Subject)
STATES: tuple[TaskState, ...] = get_args(TaskState)
ORDERS: tuple[Order, ...] = get_args(Order)
NameKind = Literal["tag", "folder", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultQuery:
    """What of the vault is listed or counted, and what narrows it down.

    ``notes`` of the subjects ``backlinks`` and ``links`` are the notes that are linked to, or that
    link; otherwise it is within them. ``orphans`` have no links at all, ``unreferenced`` notes none
    that lead to them, ``dead_ends`` none that lead away; ``broken`` are links without their note.
    With ``mentions`` a note need not be about the ``topics``, only name them.
    The period of time is the plan's; ``most`` items at most are asked for.
    """

    subject: Subject
    counts: bool = False
    state: TaskState = "any"
    order: Order | None = None
    tags: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    mentions: bool = False
    most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedItem:
    """A note, tag, folder, task or link.

    ``name`` is a note's title, a tag, a folder's path, what a task says or where a link leads.
    ``line`` is 1-based. ``count`` is what the order or the subject counts: the notes of a tag or
    folder, the links to a note, its words.
    """

    name: str
    note_path: str | None = None
    line: int | None = None
    heading: str | None = None
    done: bool | None = None
    count: int | None = None
    dated: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownName:
    """A tag, folder or note that a question names and the vault lacks; ``near`` may be meant."""

    kind: NameKind
    name: str
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """All that the catalog says to a ``query``, in its order.

    Where a name is ``unknown`` there are no items. ``undated`` notes are left out of a period
    only since they have no date but their file's.
    """

    query: VaultQuery
    items: tuple[ListedItem, ...] = ()
    unknown: tuple[UnknownName, ...] = ()
    undated: int = 0
