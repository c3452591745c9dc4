"""What a note says of its subject, by attribute: sections, fields, properties, statements. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tools.base.domain import Heading, Json, Note
from tools.claims.assertions import extract_claims
from tools.evidence.citations import Citation
from tools.text.markdown.links import leaves_open, unlinked
from tools.text.markdown.properties import TECHNICAL
from tools.text.markdown.sentences import Sentence, sentences
from tools.text.normalize import flatten, fold
from tools.text.stopwords import word_set
from tools.text.tokens import words_of

IN_SHORT = "in short"
"""The name of what a note says first."""
_CELL_WORDS = 3
"""Words that a sentence needs to say something; in a list, one does."""
_CELL_LENGTH = 160
_READ_LINES = 400
"""Lines of a note in which statements are looked for."""
_OPENING_SENTENCES = 6
_DEFINING = word_set("is are was means refers describes denotes consists defines")
_DEFINED_WITHIN = 3
"""Words behind a name within which a definition has its verb."""
_FOLDERS = re.compile(r"\[\[(?=[^\]|#\n]*[\]#])[^\]|#\n]*/")
"""The folders in a link that shows them: one with an alias does not."""
_REFERRING = word_set("references sources related footnotes bibliography kaynaklar ilgili")
_HOUSEKEEPING = TECHNICAL - {"type"} | word_set("day description author source tarih")
"""Properties about the note, not about what the note is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A value as the note has it, and where."""

    text: str
    citation: Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """A value under the name that the note, or its kind of statement, gives it."""

    label: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of statement: headings that announce it, and words by which a sentence is one."""

    label: str
    headings: frozenset[str]
    words: re.Pattern[str]


_KINDS = (
    _Kind(
        "Purpose",
        word_set("purpose goal goals aim amac amaci"),
        re.compile(
            r"\b(?:exists? to|is (?:used|meant|designed|built) (?:to|for)|(?:aims?|seeks?) to"
            r"|the (?:goal|aim|purpose|point) (?:is|of)|amaci)\b"
        ),
    ),
    _Kind(
        "Strengths",
        word_set("advantages benefits pros strengths upsides avantajlar faydalar"),
        re.compile(
            r"\b(?:advantages?|benefits? (?:is|are|of)|helps?|allows?|enables?|guarantees?"
            r"|makes it (?:easy|easier|possible)|avantaji?|faydasi|saglar)\b"
        ),
    ),
    _Kind(
        "Limits",
        word_set("limits limitations drawbacks disadvantages cons problems weaknesses downsides "
                 "criticism objections dezavantajlar sinirlar sorunlar"),
        re.compile(
            r"\b(?:drawbacks?|disadvantages?|limitations?|downsides?|weakness(?:es)?|objections?"
            r"|problems? (?:is|are|with)|cannot|can't|fails? to|suffers? from|trade-?offs?"
            r"|dezavantaji?|sorunu|yetersiz)\b"
        ),
    ),
    _Kind(
        "Example",
        word_set("example examples ornek ornekler"),
        re.compile(r"\b(?:for example|for instance|ornegin|mesela)\b"),
    ),
)  # fmt: skip


def attributes(note: Note, asserted: Iterable[Cell]) -> dict[str, Attribute]:
    """Folded name → attribute: what it is in short, its sections, fields, properties, kinds.

    Of two with one name the first counts; no sentence stands under two names. ``asserted`` are the
    note's ``assertions``.
    """
    found: dict[str, Attribute] = {}
    lines = note.text.split("\n")
    if opening := _opening(note, lines):
        found[IN_SHORT] = Attribute(label="In short", cell=opening)
    for heading in note.headings:
        name = fold(heading.text)
        if heading.level > 1 and name != fold(note.title) and name not in _REFERRING:
            cell = next(_sentences(note, lines, heading), None)
            if cell is not None:
                key = next((k.label.lower() for k in _KINDS if name in k.headings), name)
                found.setdefault(key, Attribute(label=heading.text, cell=cell))
    for key, value, line in (*_fields(note), *_properties(note, lines)):
        found.setdefault(fold(key), Attribute(label=key, cell=cited_cell(note, value, line, None)))
    said = {attribute.cell.text for attribute in found.values()}
    for label, cell in _statements(asserted):
        if cell.text not in said and label.lower() not in found:
            found[label.lower()] = Attribute(label=label, cell=cell)
            said.add(cell.text)
    return found


def tags(note: Note) -> Cell | None:
    """The note's tags and the line of the first."""
    if not note.tags:
        return None
    lines = note.text.split("\n")
    first = fold(note.tags[0])
    line = next((n for n, text in enumerate(lines, start=1) if first in fold(text)), 1)
    return cited_cell(note, ", ".join(f"#{tag}" for tag in note.tags), line, None)


# --- sentences -----------------------------------------------------------------------------


def _opening(note: Note, lines: Sequence[str]) -> Cell | None:
    """What the note says first: the first of its opening sentences that names it, else the first.

    What it quotes of others comes last.
    """
    titles = [heading for heading in note.headings if heading.level == 1]
    start = titles[0].line + 1 if titles else note.body_line
    cells = list(_sentences(note, lines, None, start=start))[:_OPENING_SENTENCES]
    own = [cell for cell in cells if not _quoted(lines, cell)]
    names = (note.title, *note.aliases)
    named = [(rest, c) for c in own if (rest := _behind(c.text, names)) is not None]
    defining = [cell for rest, cell in named if _DEFINING.intersection(rest[:_DEFINED_WITHIN])]
    return next(iter((*defining, *(cell for _, cell in named), *own, *cells)), None)


def _behind(text: str, names: Sequence[str]) -> list[str] | None:
    """The folded words behind the name that a sentence begins with; None if it does not."""
    words = [*words_of(text)]
    words = words[1:] if words[:1] in (["a"], ["an"], ["the"]) else words
    for name in names:
        called = [*words_of(name)]
        if called and words[: len(called)] == called:
            return words[len(called) :]
    return None


def _quoted(lines: Sequence[str], cell: Cell) -> bool:
    line = lines[cell.citation.line - 1].lstrip("-*+ ")
    return line.startswith((">", '"', "“"))


def _sentences(
    note: Note, lines: Sequence[str], heading: Heading | None, *, start: int | None = None
) -> Iterator[Cell]:
    """The sentences between a heading, or the line ``start``, and the next heading."""
    first = heading.line + 1 if heading else start or 1
    end = min((h.line for h in note.headings if h.line >= first), default=len(lines) + 1)
    section = short_links("\n".join(lines[first - 1 : end - 1]))
    for found in sentences(section):
        if _says(found, section):
            # A comment before the sentence's first word belongs to its span, not to its words.
            word = section.find(found.text.split()[0], found.start, found.end)
            line = first + section.count("\n", 0, max(word, found.start))
            yield cited_cell(note, found.text, line, heading)


def _says(found: Sentence, section: str) -> bool:
    """Whether a sentence says something by itself: no question, announcement or list of links."""
    beside = unlinked(section[found.start : found.end])
    least = 1 if found.kind == "item" else _CELL_WORDS
    return (
        found.kind in {"prose", "item"}
        and not leaves_open(found.text)
        and len(words_of(beside)) >= min(least, len(words_of(found.text)))
        and any(map(str.isalpha, beside))
    )


def assertions(note: Note) -> Iterator[Cell]:
    """The sentences of the note that assert something, each in full."""
    body = short_links("\n".join(note.text.split("\n")[note.body_line - 1 :][:_READ_LINES]))
    for claim in extract_claims(
        body, line_start=note.body_line, note_path=note.path, note_title=note.title
    ):
        text = " ".join(one.text for one in sentences(claim.text))
        above = [heading for heading in note.headings if heading.line <= claim.line]
        yield cited_cell(note, text, claim.line, above[-1] if above else None)


def short_links(text: str) -> str:
    """The text with links to notes in folders by the notes' names; its lines stay as many."""
    return _FOLDERS.sub("[[", text)


def _statements(asserted: Iterable[Cell]) -> Iterator[tuple[str, Cell]]:
    """The first assertion of each kind."""
    wanted = list(_KINDS)
    for cell in asserted:
        flat = flatten(cell.text)
        for kind in [kind for kind in wanted if kind.words.search(flat)][:1]:
            wanted.remove(kind)
            yield kind.label, cell


# --- fields and properties -----------------------------------------------------------------


def _fields(note: Note) -> Iterator[tuple[str, str, int]]:
    """Inline fields with a plain value; one that is a link is a relation of the graph."""
    for field in note.fields:
        if field.value and "[[" not in field.value:
            yield field.key, field.value, field.line


def _properties(note: Note, lines: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """Properties of the frontmatter that say something of the subject."""
    for key, value in _plain(note.frontmatter):
        pattern = re.compile(rf"[\"']?{re.escape(key)}[\"']?\s*:")
        line = next(
            (n for n, text in enumerate(lines[: note.body_line], 1) if pattern.match(text)), None
        )
        if line is not None:
            yield key, value, line


def _plain(properties: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    for key, value in properties.items():
        values = value if isinstance(value, list) else [value]
        texts = [str(one) for one in values if isinstance(one, str | int | float)]
        known = fold(key).replace("_", " ").replace("-", " ").split()
        if texts and len(texts) == len(values) and not _HOUSEKEEPING.intersection(known):
            text = ", ".join(texts)
            if text.strip() and "[[" not in text and "://" not in text:
                yield key.replace("_", " "), text


def cited_cell(note: Note, text: str, line: int, heading: Heading | None) -> Cell:
    short = text if len(text) <= _CELL_LENGTH else text[:_CELL_LENGTH].rsplit(" ", 1)[0] + " …"
    return Cell(
        text=short,
        citation=Citation(
            note_path=note.path,
            note_title=note.title,
            line=line,
            heading=heading.text if heading else None,
        ),
    )
