"""What a vault's catalog lists, on a small one written by the real parser."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.vaults.catalogs import written_catalog
from tools.base.domain import Period
from tools.base.vault_query import ListedItem, VaultQuery
from tools.vault.catalog.catalog import Catalog
from tools.vault.catalog.listing import Narrowing, listed

SAVED = datetime(2024, 5, 20, tzinfo=UTC)

NOTES = {
    "work/Kafka.md": (
        "---\ntags: [tool, Pattern/queue]\ncreated: 2022-03-01\n---\n# Kafka\n\n"
        "See [[Streams]] and [[Nowhere]], again [[Streams|those]].\n\n"
        "- [ ] upgrade the broker #urgent\n- [x] read the manual\n- [-] dropped\n"
    ),
    "work/Streams.md": (
        "---\ncreated: 2023-06-01\ntags: tool\n---\n# Streams\n\n"
        "Back to [[Kafka]] and [[Streams]].\n\n"
        "```\n- [ ] no task in code\n#nor-tag [[Nor link]]\n```\n"
    ),
    "home/garden/Beans.md": (
        "---\ncreated: 2023-05-02\n---\n# Beans\n\n#pattern\n\n1. [ ] sow\n   - [X] buy seeds\n\n"
        "Long are the words of this note, longer than those of any other note here, by far.\n"
    ),
    "home/Alone.md": "# Alone\n\nNobody knows me, and I know [[Nobody]].\n",
    "a.b.c.md": "Only [[Beans]].\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    catalog = written_catalog(tmp_path_factory.mktemp("data"), NOTES, saved=SAVED)
    yield catalog
    catalog.close()


def ask(
    library: Catalog, query: VaultQuery, to: Narrowing | None = None, *, about: str = ""
) -> list[ListedItem]:
    to = to or Narrowing()
    return listed(query, to, library.inventory, lambda task: about in task.text.lower())


def paths(items: Sequence[ListedItem]) -> list[str | None]:
    return [item.note_path for item in items]


def test_a_tag_counts_for_those_it_lies_below(library: Catalog) -> None:
    tagged = ask(library, VaultQuery(subject="notes"), Narrowing(tags=[{"pattern"}]))
    assert paths(tagged) == ["home/garden/Beans.md", "work/Kafka.md"]
    both = Narrowing(tags=[{"pattern"}, {"tool"}])
    assert paths(ask(library, VaultQuery(subject="notes"), both)) == ["work/Kafka.md"]


def test_tags_are_listed_as_written_with_their_notes_the_most_frequent_first(
    library: Catalog,
) -> None:
    tags = ask(library, VaultQuery(subject="tags"))
    assert [(tag.name, tag.count) for tag in tags] == [
        *(("tool", 2), ("pattern", 1), ("Pattern/queue", 1), ("urgent", 1)),
    ]
    least = ask(library, VaultQuery(subject="tags", order="least"))
    assert least[-1].name == "tool"


def test_tasks_by_state_and_place(library: Catalog) -> None:
    every = ask(library, VaultQuery(subject="tasks"))
    assert [(task.note_path, task.line, task.done) for task in every] == [
        ("home/garden/Beans.md", 8, False),
        ("home/garden/Beans.md", 9, True),
        ("work/Kafka.md", 9, False),
        ("work/Kafka.md", 10, True),
    ]
    done = ask(library, VaultQuery(subject="tasks", state="done"), Narrowing(folders={"home"}))
    assert [task.name for task in done] == ["buy seeds"]


def test_tasks_are_of_a_tag_by_their_own_line_where_one_has_it(library: Catalog) -> None:
    urgent = ask(library, VaultQuery(subject="tasks"), Narrowing(tags=[{"urgent"}]))
    assert [task.line for task in urgent] == [9]
    tool = ask(library, VaultQuery(subject="tasks"), Narrowing(tags=[{"tool"}]))
    assert [task.line for task in tool] == [9, 10]


def test_tasks_on_a_topic(library: Catalog) -> None:
    own = ask(library, VaultQuery(subject="tasks", topics=("broker",)), about="broker")
    assert [task.line for task in own] == [9]


CHANGES = {
    "says.md": "---\nupdated: 2024-03-05\n---\nIt says so itself.\n",
    "written.md": "---\ncreated: 2024-02-01\n---\nNever changed since.\n",
    "edited.md": "---\ncreated: 2024-01-01\n---\nEdited after the vault was copied.\n",
    "2024-04-01.md": "A day.\n",
    **{f"undated {number}.md": "Nothing tells.\n" for number in range(16)},
}
DATED = ["2024-04-01.md", "says.md", "written.md"]


def changed(
    place: Path, edited: Mapping[str, datetime], to: Narrowing, *, committed: bool = False
) -> list[str | None]:
    written = written_catalog(place, CHANGES, saved=SAVED, edited=edited, committed=committed)
    with closing(written) as catalog:
        return paths(ask(catalog, VaultQuery(subject="notes", order="changed"), to))


@pytest.mark.parametrize("committed", [False, True])
def test_a_note_changed_when_it_says_so_or_was_saved_unless_by_copying_the_vault(
    tmp_path: Path, *, committed: bool
) -> None:
    edited = {"edited.md": datetime(2024, 5, 22, tzinfo=UTC)}
    every = changed(tmp_path / "all", edited, Narrowing(), committed=committed)
    assert every == ["edited.md", *DATED]
    spring = Period(start=datetime(2024, 3, 3, tzinfo=UTC), end=datetime(2024, 4, 3, tzinfo=UTC))
    within = Narrowing(period=spring)
    assert changed(tmp_path / "spring", edited, within, committed=committed) == DATED[:2]


def test_where_files_were_saved_one_by_one_that_is_when_they_changed(tmp_path: Path) -> None:
    days = {path: SAVED + timedelta(days=day) for day, path in enumerate(CHANGES)}
    assert changed(tmp_path, days, Narrowing()) == [*reversed([*CHANGES][1:]), "says.md"]


def test_of_a_few_notes_saved_together_nobody_says_that_they_were_copied(tmp_path: Path) -> None:
    notes = {f"{letter}.md": "Written today.\n" for letter in "abc"}
    later = {"b.md": SAVED + timedelta(minutes=5)}
    with closing(written_catalog(tmp_path, notes, saved=SAVED, edited=later)) as catalog:
        found = ask(catalog, VaultQuery(subject="notes", order="changed"))
    assert paths(found)[0] == "b.md"


def test_links_there_and_back_once_each(library: Catalog) -> None:
    back = Narrowing(notes={"work/Streams.md"})
    assert [
        (item.note_path, item.line) for item in ask(library, VaultQuery(subject="backlinks"), back)
    ] == [("work/Kafka.md", 7)]
    away = ask(library, VaultQuery(subject="links"), Narrowing(notes={"work/Kafka.md"}))
    assert paths(away) == ["work/Streams.md"]


def test_notes_by_what_links_them(library: Catalog) -> None:
    assert paths(ask(library, VaultQuery(subject="orphans"))) == ["home/Alone.md"]
    assert paths(ask(library, VaultQuery(subject="unreferenced"))) == ["a.b.c.md", "home/Alone.md"]
    assert paths(ask(library, VaultQuery(subject="dead_ends"))) == [
        "home/Alone.md",
        "home/garden/Beans.md",
    ]
    broken = ask(library, VaultQuery(subject="broken"))
    assert [(one.note_path, one.name, one.line) for one in broken] == [
        ("home/Alone.md", "Nobody", 3),
        ("work/Kafka.md", "Nowhere", 7),
    ]
    most = ask(library, VaultQuery(subject="notes", order="most_linked"))
    assert {one.note_path for one in most[:3]} == {
        *("work/Kafka.md", "work/Streams.md", "home/garden/Beans.md"),
    }


def test_a_period_takes_notes_by_their_own_dates(library: Catalog) -> None:
    year = Period(start=datetime(2023, 1, 1, tzinfo=UTC), end=datetime(2024, 1, 1, tzinfo=UTC))
    items = ask(library, VaultQuery(subject="notes"), Narrowing(period=year))
    assert paths(items) == ["home/garden/Beans.md", "work/Streams.md"]
    later = Period(start=datetime(2024, 1, 1, tzinfo=UTC))
    assert not ask(library, VaultQuery(subject="notes"), Narrowing(period=later))


def test_orders(library: Catalog) -> None:
    newest = ask(library, VaultQuery(subject="notes", order="newest"))
    assert paths(newest) == ["work/Streams.md", "home/garden/Beans.md", "work/Kafka.md"]
    assert paths(ask(library, VaultQuery(subject="notes", order="oldest")))[0] == "work/Kafka.md"
    longest = ask(library, VaultQuery(subject="notes", order="longest"))
    assert longest[0].note_path == "home/garden/Beans.md"
    assert paths(ask(library, VaultQuery(subject="notes", order="shortest")))[0] == "a.b.c.md"


def test_folders_with_what_lies_below_them(library: Catalog) -> None:
    folders = ask(library, VaultQuery(subject="folders", order="most"))
    assert [(one.name, one.count) for one in folders] == [
        *(("home", 2), ("work", 2), ("home/garden", 1)),
    ]
    inside = ask(library, VaultQuery(subject="notes"), Narrowing(folders={"a.b"}))
    assert paths(inside) == ["a.b.c.md"]


def test_what_has_no_tag(library: Catalog) -> None:
    assert paths(ask(library, VaultQuery(subject="untagged"))) == ["a.b.c.md", "home/Alone.md"]
