"""The best passages for some words, against what FTS5 says when it scores every one of them."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from tools.base.domain import NoteFile
from tools.vault.catalog.best_passages import any_of, best_passages, term_statistics
from tools.vault.catalog.catalog import Catalog
from tools.vault.notes.chunks import chunk_note
from tools.vault.notes.notes import parse_note
from tools.vault.storage.entries import Entry, entry

WORDS = {"flow": 0.6, "pressure": 0.4, "layer": 0.3, "cone": 0.08, "knudsen": 0.02, "lichen": 0.005}
"""By word the share of the passages that have it."""
NOTES = 1500


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    chance = random.Random("passages")  # noqa: S311
    catalog = Catalog(tmp_path_factory.mktemp("data") / "index.db")
    entries: list[Entry] = []
    for number in range(NOTES):
        said = [f"filler{chance.randrange(40)}" for _ in range(chance.randrange(4, 60))]
        for word, share in WORDS.items():
            if chance.random() < share:
                said += [word] * chance.choice([1, 1, 1, 2, 5])
        chance.shuffle(said)
        text = f"# Note {number}\n\n{' '.join(said)}.\n"
        note = parse_note(f"{number}.md", text.encode(), mtime=datetime(2024, 5, 20, tzinfo=UTC))
        file = NoteFile(path=note.path, size=len(text), mtime_ns=1)
        entries.append(entry(note, chunk_note(note), file, catalog.texts.packing()))
    catalog.write(entries)
    yield catalog
    catalog.close()


@pytest.mark.parametrize("limit", [1, 10, 60])
@pytest.mark.parametrize(
    "words",
    [
        ["flow"],
        ["flow", "knudsen"],
        ["knudsen", "flow", "pressure"],
        ["lichen", "cone", "flow"],
        ["flow", "pressure", "layer"],
        ["cone", "flow", "unheard"],
        ["lichen", "knudsen", "cone", "layer", "pressure", "flow"],
    ],
)
def test_the_best_of_all_that_match_are_found(
    library: Catalog, words: list[str], limit: int
) -> None:
    terms = term_statistics(library, words)

    best = best_passages(library, terms, limit=limit)

    scored = dict(library.words.match(any_of(terms), limit=NOTES))
    ranked = sorted(scored, key=lambda row: (-scored[row], row))[:limit]
    assert sorted(best, key=lambda row: (-best[row], row)) == ranked
    assert best == pytest.approx({row: scored[row] for row in ranked})


def test_where_rare_words_decide_those_with_common_ones_alone_are_not_scored(
    library: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    match = library.words.match

    def heard(expression: str, *, limit: int) -> list[tuple[int, float]]:
        asked.append(expression)
        return match(expression, limit=limit)

    monkeypatch.setattr(library.words, "match", heard)

    best_passages(library, term_statistics(library, ["flow", "cone"]), limit=20)

    assert asked == ["cone", "(cone) AND (flow)"]


def test_no_words_find_nothing(library: Catalog) -> None:
    assert best_passages(library, term_statistics(library, []), limit=10) == {}
