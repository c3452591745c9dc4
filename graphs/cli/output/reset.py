"""What a reset would delete, in words, and whether the user agrees."""

from collections.abc import Iterable, Iterator

from graphs.cli.output.agreement import ask, require_person
from graphs.operations.reset import Part, Reset
from tools.base.errors import InputError


def in_words(plan: Reset) -> Iterator[str]:
    """A line for each thing to know before agreeing."""
    again = [part for part in plan.deleted if not part.lost]
    gone = [part for part in plan.deleted if part.lost]
    yield f"Deletes {_sizes(again) or 'nothing'}: the next `brain index` makes that again."
    if gone:
        yield f"Deletes for good {_sizes(gone)}: {'; '.join(part.lost for part in gone)}."
    if plan.kept:
        yield (
            f"Keeps {_sizes(plan.kept)}: {'; '.join(part.lost for part in plan.kept)}. "
            "--everything deletes them too."
        )
    for store in plan.deleted_there:
        yield f"Deletes this vault's {store.name} on the server of {store.setting}, no other's."
    for store in plan.kept_there:
        yield (
            f"Keeps this vault's {store.name} on the server of {store.setting}. --everything "
            "deletes them too."
        )
    if plan.others:
        yield f"Leaves what is not of this program: {', '.join(plan.others)}."
    yield "The notes are not touched."


async def require_agreement(name: str) -> None:
    """Have the user type the vault's name. Raises InputError where that is not what is typed."""
    require_person("Nothing was deleted: add --yes to delete without being asked.")
    typed = await ask(f"Type the vault's name ({name}) to delete: ")
    if typed.strip() != name:
        raise InputError("Nothing was deleted.")


def _sizes(parts: Iterable[Part]) -> str:
    return ", ".join(f"{part.name} ({part.bytes / 1e6:.1f} MB)" for part in parts)
