"""Made-up notes: things of one kind with names that share words, and what is said of them."""

import random
from dataclasses import dataclass
from pathlib import Path

_FIRST = ["Amber", "Birch", "Cedar", "Dune", "Ember", "Frost", "Glade", "Harbor", "Iron", "Juniper"]
_SECOND = ["Grove", "Hill", "Lake", "Mill", "Point", "Ridge", "Run", "Spring", "Vale", "Watch"]
_OWNERS = ["Mira", "Tom", "Selin", "Oskar", "Ines", "Paul", "Rana", "Lev", "Nora", "Jan"]
_RARE = [
    "zylophane",
    "quorrid",
    "brevantic",
    "oskelune",
    "tramvore",
    "pellucine",
    "hirudesk",
    "morvander",
]
_COMMON: tuple[str, ...] = (
    "The meeting about the room was short and the budget stayed as it was.",
    "Somebody asked who owns the bike shed; nobody knew.",
    "The deadline moved again, and the status call with it.",
    "We walked to the lake and talked about projects.",
)
QUESTIONS = {
    "owner": "What is the owner of project {}?",
    "deadline": "What is the deadline of project {}?",
    "status": "What is the status of project {}?",
    "budget": "What is the budget of project {}?",
    "room": "Where does the team of project {} meet?",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeUp:
    """What was written: of each project its ``facts`` by attribute, and where each rare word is."""

    facts: dict[str, dict[str, str]]
    rare: dict[str, tuple[str, str]]


def write(vault: Path, *, seed: int) -> MadeUp:
    """Projects with four of five attributes each, in notes of their own or in logs, and a diary."""
    rng = random.Random(seed)  # noqa: S311
    names = [f"{first} {second}" for first in _FIRST for second in _SECOND]
    rng.shuffle(names)
    facts: dict[str, dict[str, str]] = {}
    for at, name in enumerate(names[:60]):
        told = {
            "owner": f"The owner of project {name} is {rng.choice(_OWNERS)}.",
            "deadline": f"The deadline of project {name} is {rng.randint(1, 28)} June 2025.",
            "status": f"Project {name} has the status {rng.choice(('green', 'amber', 'red'))}.",
            "budget": f"Project {name} has a budget of {rng.randint(10, 99)},000 euros.",
            "room": f"The team of project {name} meets in room {rng.randint(1, 40)}.",
        }
        facts[name] = {one: told[one] for one in rng.sample(list(told), 4)}
        said = "\n".join(
            ("We talked about other things.", *facts[name].values(), "More next week.")
        )
        log = vault / "logs" / f"Log {at // 3}.md"
        note = vault / "projects" / f"{name}.md" if rng.random() < 0.7 else log
        note.parent.mkdir(parents=True, exist_ok=True)
        with note.open("a", encoding="utf-8") as file:
            file.write(f"{said}\n\n")
    rare: dict[str, tuple[str, str]] = {}
    for day in range(1, 61):
        lines = rng.sample(list(_COMMON), 3)
        if day <= len(_RARE):
            word = _RARE[day - 1]
            lines[1] = f"Bought a {word} for the budget of the room."
            rare[word] = (f"diary/Day {day}.md", lines[1])
        file = vault / "diary" / f"Day {day}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n\n".join(lines) + "\n", encoding="utf-8")
    return MadeUp(facts=facts, rare=rare)
