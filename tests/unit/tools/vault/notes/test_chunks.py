import hashlib
from datetime import UTC, datetime
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.base.domain import Chunk, Note
from tools.vault.notes.chunks import MOST_LINES, chunk_note, estimate_tokens
from tools.vault.notes.notes import parse_note

LIMIT = 240
SENTENCE = "The river carries words that nobody has counted yet. "
WORDS = ("word", "sözcük", "long-winded", "日本語", "x_y", "[[A|b]]", "**bold**", "`code`", "end.")
LINES = (
    *("# One", "## Two", "### Three", "", "", "- item", "  - deep item", "1. first", "> quote"),
    *("```", "~~~", "| a | b |", "|---|---|", "| 1 | 2 |", "para one. para two!", "^block", "---"),
    *(
        "text ^id",
        "<!-- hidden",
        "-->",
        "%%",
        "    indented",
        "===",
        "$$",
        "\t",
        "<div>",
        "x" * 300,
    ),
    *(SENTENCE * 12, "[r]: http://x.y", "k:: [[v]]", "![[e.png]]", "[^1]: note", "\u2028", "\x0c"),
)
random_text = st.one_of(st.text(), st.lists(st.sampled_from(LINES), max_size=40).map("\n".join))
prose = st.lists(st.sampled_from(WORDS), max_size=600).map(" ".join)


def parse(text: str, path: str = "n/Name.md") -> Note:
    raw = text.replace("\0", "").encode(errors="ignore")
    return parse_note(path, raw, mtime=datetime(2024, 1, 1, tzinfo=UTC))


def chunks(text: str) -> tuple[Chunk, ...]:
    return chunk_note(parse(text), limit=LIMIT)


def check(note: Note, found: tuple[Chunk, ...], *, limit: int = LIMIT) -> None:
    lines = note.text.split("\n")
    covered: set[int] = set()
    for number, chunk in enumerate(found):
        assert chunk.ordinal == number
        assert chunk.note_path == note.path
        assert 1 <= chunk.line_start <= chunk.line_end <= len(lines)
        standing = "\n".join(lines[chunk.line_start - 1 : chunk.line_end])
        assert chunk.text.strip()
        assert chunk.text in standing
        assert chunk.text.count("\n") == chunk.line_end - chunk.line_start
        digest = hashlib.sha256(chunk.embedding_text.encode()).hexdigest()
        assert chunk.vector_id == digest[:32]
        names = " > ".join((note.title, *chunk.heading_path))
        assert estimate_tokens(chunk.embedding_text) <= limit + estimate_tokens(names)
        covered.update(range(chunk.line_start, chunk.line_end + 1))
    for one, other in pairwise(found):
        assert one.line_start <= other.line_start
        assert one.line_end <= other.line_end
        assert one.line_end <= other.line_start
    body = range(note.body_line, len(lines) + 1)
    assert covered >= {line for line in body if lines[line - 1].strip()}


@given(random_text)
@settings(deadline=None)
def test_every_line_of_any_text_stands_in_a_chunk_that_fits(text: str) -> None:
    note = parse(text)
    found = chunk_note(note, limit=LIMIT)
    check(note, found)
    assert found == chunk_note(note, limit=LIMIT)


@given(st.lists(prose, max_size=4).map("\n\n".join), st.integers(40, 300))
@settings(deadline=None)
def test_prose_fits_any_limit(text: str, limit: int) -> None:
    note = parse(text)
    check(note, chunk_note(note, target=limit * 4 // 5, limit=limit), limit=limit)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=900).map(" ".join))
@settings(deadline=None)
def test_a_long_line_is_split_without_losing_a_letter(line: str) -> None:
    found = chunks(line)
    assert "".join("".join(chunk.text.split()) for chunk in found) == "".join(line.split())


@given(prose.filter(str.strip), prose.filter(str.strip), prose.filter(str.strip))
@settings(deadline=None)
def test_what_is_written_under_one_heading_leaves_the_passages_of_others(
    text: str, other: str, changed: str
) -> None:
    def ids(*, first: str) -> list[str]:
        found = chunks(f"# First\n\n{first}\n\n# Second\n\n{other}")
        return [chunk.vector_id for chunk in found if chunk.heading_path == ("Second",)]

    assert ids(first=text) == ids(first=changed) != []


def test_a_passage_has_bounded_lines_however_little_they_say() -> None:
    for text in ("# Heading\n" * 20_000, "%%\n" + "hidden\n" * 20_000 + "%%\nshown"):
        found = chunks(text)
        assert max(chunk.text.count("\n") for chunk in found) < 2 * MOST_LINES


def test_headings_lead_and_name_their_passages() -> None:
    found = chunks(
        "intro\n\n# Alpha\n\n## Beta **b**\ntext [[x|y]]\n\n## Gamma\n\n# Delta\nlast\n\n# End"
    )
    assert [(c.line_start, c.line_end, c.heading_path) for c in found] == [
        (1, 1, ()),
        (3, 6, ("Alpha", "Beta b")),
        (8, 11, ("Delta",)),
        (13, 13, ("End",)),
    ]
    assert found[1].text == "# Alpha\n\n## Beta **b**\ntext [[x|y]]"
    assert found[1].embedding_text == "Alpha > Beta b\ntext y"
    assert found[2].embedding_text == "Alpha > Delta\nGamma\nlast"


def test_embedding_text_holds_words_not_markup() -> None:
    (found,) = chunks(
        "---\ntitle: T\n---\n"
        "> [!note] Heed **this** and _that_ but not snake_case or 2 * 3\n\n"
        "- [ ] see [[f/Page#Part|the page]], [[f/Other]] and [site](https://a.b/c?d) https://e.f/g\n"
        "1. <!-- hid --> kept %% hid %% `a_b*c*` $x_i$ &amp; <b>bold</b> ==mark== ~~gone~~ ^blk\n"
        "\n| h1 | h2 |\n|----|----|\n| [[a\\|c1]] | c2 |\n\n<!--\nhid\n\nhid\n-->\n%%\nhid\n%%\n"
        "\n```py\n# code **kept**\n```\nkey:: value[^1] \\*star\\*\n***\n"
    )
    assert found.embedding_text.split("\n") == [
        "T",
        "Heed this and that but not snake_case or 2 * 3",
        "see the page, Other and site",
        "kept a_b*c* x_i & bold mark gone",
        "h1 h2",
        "c1 c2",
        "# code **kept**",
        "key: value *star*",
    ]


def test_equal_passages_share_a_vector_and_others_do_not() -> None:
    one, two = chunks("# T\n## A\nsame ^a\n## A\n**same**")
    assert (one.vector_id, one.block_id, two.block_id) == (two.vector_id, "a", None)
    assert chunks("# T\n## B\nsame")[0].vector_id != one.vector_id


def test_blocks_stay_whole_where_they_fit() -> None:
    paragraph = SENTENCE * 10
    listing = "\n".join(f"- {SENTENCE}" for _ in range(12))
    table = "| a | b |\n|---|---|\n" + "\n".join(f"| {SENTENCE} | 2 |" for _ in range(9))
    code = "```\n" + "\n".join(f"call(argument)  # {SENTENCE}" for _ in range(8)) + "\n```"
    blocks = [paragraph, listing, table, code]
    assert [chunk.text for chunk in chunks("\n\n".join(blocks))] == blocks


def test_what_does_not_fit_is_split_between_items_rows_and_lines() -> None:
    item = f"- {SENTENCE}\n  - {SENTENCE}\n  - {SENTENCE}"
    for unit, units in ((item, 3), (f"| {SENTENCE} | 2 |", 1), (f"    call(a)  # {SENTENCE}", 1)):
        head = ["| a | b |", "|---|---|"] if unit.startswith("|") else []
        found = chunks("\n".join([*head, *[unit] * 30]))
        assert 1 < len(found) < 15
        assert sum(chunk.text.count("river") for chunk in found) == 30 * units
        for chunk in found[1:]:
            assert chunk.text == "\n".join([unit] * (chunk.text.count("river") // units))


def test_a_long_paragraph_is_split_after_sentences() -> None:
    found = chunks(SENTENCE * 60)
    assert len(found) > 2
    assert all(chunk.text.startswith("The river") for chunk in found)
    assert all(chunk.text.endswith("yet.") for chunk in found)
    sizes = [estimate_tokens(chunk.text) for chunk in found[:-1]]
    assert all(150 <= size <= 220 for size in sizes)
    wrapped = chunks("\n".join(["The river carries words", "that nobody has counted yet."] * 60))
    assert all(chunk.text.endswith("yet.") for chunk in wrapped)


def test_a_line_of_two_megabytes_is_split_hard_and_soon() -> None:
    note = parse("# T\n" + "x" * 2_000_000 + "\nafter")
    found = chunk_note(note, limit=LIMIT)
    assert sum(chunk.text.count("x") for chunk in found) == 2_000_000
    assert max(len(chunk.text) for chunk in found) < 2000
    assert found[-1].text.endswith("after")
    check(note, found)


def test_a_tiny_rest_joins_the_passage_before_it() -> None:
    body = [SENTENCE * 3] * 6
    found = chunks("\n\n".join([*body, "The end."]))
    assert found[-1].text.endswith("The end.")
    assert estimate_tokens(found[-1].text) > 30
    apart = chunks("\n\n".join([*body, "# Other", "The end."]))
    assert apart[-1].text == "# Other\n\nThe end."


def test_the_block_id_is_the_first_that_overlaps() -> None:
    long = SENTENCE * 15
    found = chunks(f"{long}\n\n{long} ^one\n\nshort ^two\n\nshort ^three\n\n# H\nnone")
    assert [chunk.block_id for chunk in found] == [None, "one", None]


def test_a_note_without_a_body_is_found_by_its_names() -> None:
    (found,) = chunks("---\ndate: 2024-05-20\ntitle: Only a title\naliases: [OT, other]\n---\n\n")
    assert (found.text, found.line_start, found.line_end) == ("title: Only a title", 3, 3)
    assert found.embedding_text == "Only a title\nOT, other"
    (heading,) = chunks("---\naliases: OT\n---\n# Only a title\n")
    assert (heading.text, heading.line_start) == ("# Only a title", 4)
    assert heading.embedding_text == "Only a title\nOT"
    assert chunks("") == chunks("---\ndate: 2024-05-20\n---\n") == chunks(" \n\n") == ()


def test_a_note_without_a_body_is_found_by_its_properties_as_far_as_they_fit() -> None:
    head = "---\ntags: [person]\nborn: 1990-02-03\nid: 7\nrole: plumber\n"
    (chunk,) = chunks(f"{head}---\n")
    assert (chunk.text, chunk.line_start, chunk.line_end) == (
        "born: 1990-02-03\nid: 7\nrole: plumber",
        3,
        5,
    )
    assert chunk.embedding_text.startswith("Name")
    (fitting,) = chunks(f"{head}story: {'long ' * 2000}\n---\n")
    assert fitting.text == chunk.text


def test_the_token_count_can_be_the_encoders() -> None:
    def letters(text: str) -> int:
        return len(text)

    note = parse("\n\n".join([SENTENCE] * 20))
    found = chunk_note(note, count_tokens=letters, target=150, limit=200)
    assert max(len(chunk.embedding_text) for chunk in found) <= 200
    assert {chunk.text.count("river") for chunk in found} == {2}


def test_long_titles_and_headings_leave_room_for_the_passage() -> None:
    title = "very long title " * 100
    found = chunks(f'---\ntitle: "{title}"\n---\n# {title}\n## {title}\n{SENTENCE * 30}')
    assert all(estimate_tokens(chunk.embedding_text) < 2 * LIMIT for chunk in found)
    said = [chunk.embedding_text.count("river") for chunk in found]
    assert sum(said) == 30
    assert max(said) >= 8


def test_the_estimate_is_near_what_word_piece_makes() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("the cat sat.") == 4
    assert 5 <= estimate_tokens("internationalisation of 2024") <= 9
    assert estimate_tokens("日本語") == 3
