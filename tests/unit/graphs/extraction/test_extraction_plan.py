"""Notes cut into parts, and what reading them would take."""

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.extraction.chunking import PART_CHARS, read_parts
from graphs.extraction.estimate import CALLS_PER_PART, estimate, preview, prompt_tokens
from graphs.extraction.plan import Pending, Plan, chosen_folders, make_plan
from tools.base.domain import DateOrigin
from tools.base.errors import InputError
from tools.graph.extraction.store import ATTEMPTS, InferredStore, NoteVersion, Rate
from tools.settings.settings import Settings
from tools.vault.catalog.catalog import Catalog
from tools.vault.catalog.records import NoteRecord, Passage
from tools.vault.disk.files import scan
from tools.vault.notes.chunks import chunk_note
from tools.vault.notes.notes import parse_note
from tools.vault.storage.entries import entry

CREATED, MODIFIED = datetime(2020, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)


def record(origin: DateOrigin = "frontmatter") -> NoteRecord:
    return NoteRecord(
        path="a.md",
        title="Title",
        content_hash="hash",
        created=CREATED,
        modified=MODIFIED,
        date_origin=origin,
        building_block=None,
        note_type=None,
    )


def passage(text: str, line: int, heading: tuple[str, ...] = ()) -> Passage:
    return Passage(
        chunk_id=line,
        note_path="a.md",
        note_title="Title",
        vector_id="v",
        text=text,
        line_start=line,
        line_end=line,
        heading_path=heading,
        block_id=None,
    )


def plan(*sizes: int) -> Plan:
    pending = tuple(
        Pending(version=NoteVersion(path=f"{n}.md", content_hash="h", parts=1), parts=((0, size),))
        for n, size in enumerate(sizes)
    )
    return Plan(folders=("",), pending=pending, read=1, given_up=2, unindexed=3)


@given(st.lists(st.integers(min_value=1, max_value=1_500), max_size=30))
def test_every_passage_is_in_one_part_that_fits(lengths: list[int]) -> None:
    passages = [passage("x" * length, line) for line, length in enumerate(lengths, start=1)]
    parts = read_parts(record(), passages)
    assert [part.part for part in parts] == list(range(len(parts)))
    assert sum(part.text.count("x") for part in parts) >= sum(n for n in lengths if n >= 12)
    for part in parts:
        assert part.text.count("x") <= PART_CHARS
    assert [part.line for part in parts] == sorted({part.line for part in parts})


def test_a_part_says_the_title_and_each_heading_once() -> None:
    passages = [
        passage("First words here.", 3),
        passage("Second words here.", 5, ("Work", "Now")),
        passage("Third words here.", 6, ("Work", "Now")),
    ]
    (part,) = read_parts(record(), passages)
    assert part.text == (
        "Title\nFirst words here.\n\nWork › Now\nSecond words here.\nThird words here."
    )


@pytest.mark.parametrize(
    ("origin", "spoken"),
    [("frontmatter", CREATED), ("filename", CREATED), ("git", MODIFIED), ("mtime", MODIFIED)],
)
def test_a_note_speaks_from_the_date_it_states_or_else_as_it_last_was(
    origin: DateOrigin, spoken: datetime
) -> None:
    (part,) = read_parts(record(origin), [passage("Some words that say something.", 1)])
    assert part.valid_at == spoken


def test_a_measured_model_gives_the_time_and_the_questions() -> None:
    found = estimate(
        plan(1_000, 4_000), model="m", rate=Rate(seconds=30, calls=4.5), seconds_per_call=None
    )
    assert (found.notes, found.parts, found.calls, found.seconds) == (2, 2, 9, 60.0)
    assert found.measured_on == "earlier parts"
    assert (found.read, found.given_up, found.unindexed) == (1, 2, 3)
    assert found.tokens == prompt_tokens(1_000, calls=4.5) + prompt_tokens(4_000, calls=4.5)


def test_one_question_gives_the_time_of_all() -> None:
    found = estimate(plan(1_000), model="m", rate=None, seconds_per_call=5.0)
    assert (found.seconds, found.measured_on) == (5.0 * CALLS_PER_PART, "one question")


def test_without_any_measure_the_time_is_unknown() -> None:
    found = estimate(plan(1_000), model="m", rate=None, seconds_per_call=None)
    assert (found.seconds, found.measured_on) == (None, "nothing")


@given(st.integers(0, PART_CHARS), st.floats(2, 40))
def test_more_text_and_more_questions_take_more_tokens(size: int, calls: float) -> None:
    least = prompt_tokens(size, calls=calls)
    assert least >= (2 * size) // 4
    assert prompt_tokens(size + 400, calls=calls) >= least + 200
    assert prompt_tokens(size, calls=calls + 1) > least


async def test_the_model_is_asked_only_where_nothing_is_known(tmp_path: Path) -> None:
    store = InferredStore(tmp_path / "inferred.db", model="m")
    asked: list[str] = []

    async def measure(text: str) -> float | None:
        asked.append(text)
        return 2.0

    nothing = replace(plan(), pending=())
    for todo in (plan(900), nothing):
        await preview(todo, model="m", store=store, first_text="the text", measure=measure)
    assert asked == ["the text"]


_STEP = st.sampled_from(["edit", "fail", "read"])


@given(st.lists(st.tuples(_STEP, st.sampled_from(["a.md", "b.md"])), max_size=12))
def test_every_note_is_either_pending_or_read_or_given_up(steps: list[tuple[str, str]]) -> None:
    with TemporaryDirectory() as folder:
        here = Settings(vault=Path(folder) / "vault", data_dir=Path(folder) / "data")
        here.vault.mkdir()
        store = InferredStore(here.inferred_path, model="m")
        with closing(Catalog(here.index_path)) as catalog:
            failed: dict[str, int] = dict.fromkeys(("a.md", "b.md"), 0)
            done: set[str] = set()
            for number, (step, path) in enumerate([*(("edit", one) for one in failed), *steps]):
                if step == "edit":
                    index(here, catalog, path, f"Words that say something, number {number}.")
                    failed[path] = 0
                    done.discard(path)
                elif path not in done and failed[path] < ATTEMPTS:
                    version = version_of(catalog, path)
                    if step == "fail":
                        failed[path] += 1
                        store.fail(version, "It was too slow.")
                    else:
                        done.add(path)
                        store.finish(version, at=MODIFIED)
                found = make_plan(here, catalog, store, ("",))
                given_up = sum(times == ATTEMPTS for times in failed.values())
                known = len(catalog.paths())
                assert (found.read, found.given_up) == (len(done), given_up)
                assert len(found.pending) == known - len(done) - given_up


def index(settings: Settings, catalog: Catalog, path: str, text: str) -> None:
    (settings.vault / path).write_text(text, "utf-8")
    (file,) = (one for one in scan(settings.vault, max_bytes=9_999).files if one.path == path)
    note = parse_note(path, text.encode(), mtime=MODIFIED)
    catalog.write([entry(note, chunk_note(note), file, catalog.texts.packing())])


def version_of(catalog: Catalog, path: str) -> NoteVersion:
    content = catalog.records([path])[path].content_hash
    return NoteVersion(path=path, content_hash=content, parts=1)


def test_folders_are_named_from_the_vault_or_from_anywhere(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / "notes" / "deep").mkdir(parents=True)
    here = Settings(vault=vault, data_dir=tmp_path / "data")
    given = ["notes", "notes/", "./notes/deep", str(vault / "notes" / "deep"), "."]
    assert chosen_folders(here, given) == ("notes", "notes/deep", "")


@pytest.mark.parametrize("folder", ["..", "notes/../..", "/", "nowhere", "a\0b", "note.md"])
def test_what_is_no_folder_of_the_vault_is_refused_in_one_line(tmp_path: Path, folder: str) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "note.md").touch()
    here = Settings(vault=vault, data_dir=tmp_path / "data")
    with pytest.raises(InputError) as caught:
        chosen_folders(here, [folder])
    assert "\n" not in str(caught.value)
