"""What a note states as key and value: properties, fields, and lines with a label. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.text.markdown.sentences import shown_lines
from tools.text.normalize import fold
from tools.text.stopwords import word_set
from tools.text.tokens import words_of

TECHNICAL = word_set(
    "title tags tag aliases alias created updated modified date id uid uuid cssclass cssclasses "
    "publish draft permalink slug lastmod image cover banner kind layout type etiketler baslik"
)
"""Keys that serve the notes' keeper and not what a note is about."""

PROVENANCE = ("created_by", "source_type", "confidence")
"""Properties that say where a note comes from, and nothing of what it is about."""

_BESIDE = word_set("at on by last first note file")
"""Words of such keys that say nothing by themselves: ``created at``."""
_MOST_LINES = 20
"""Lines of a value that is a list."""
_FENCE = re.compile(r"---[ \t]*")
_LAST_FENCE = re.compile(r"(?:---|\.\.\.)[ \t]*")
_PROPERTY = re.compile(r"(?P<quote>[\"']?)(?P<key>[^\W_][^:\"'#]*+)(?P=quote)[ \t]*:(?P<value>.*)")
_PART = re.compile(r"[ \t]+\S.*|-[ \t].*")
_LABELLED = re.compile(
    r"[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?"
    r"(?P<said>[\[(]?(?:\*\*|__)?(?P<key>[^\W\d_][\w .'’/()-]{0,39})(?:\*\*|__)?[ \t]*::?+"
    r"(?:\*\*|__)?(?P<value>(?:[ \t].*)?))"
)
_ITEM = re.compile(r"[ \t>]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?!\[.\])\S.*")
_MARKER = re.compile(r"^[ \t>]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_MARKED = re.compile(r"[\[(]?(?:\*\*|__)|[^:]*::")
_CAMEL = re.compile(r"(?<=[a-zçğıöşü])(?=[A-ZÇĞİÖŞÜ])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """A key and its value, and both as they stand in the note from ``line`` (1-based) on."""

    key: str
    value: str
    text: str
    line: int

    @property
    def words(self) -> tuple[str, ...]:
        """The folded words of the key: those of ``dueDate`` are two."""
        return _words(self.key)

    @property
    def parts(self) -> tuple[str, ...]:
        """The value, each entry of a list by itself."""
        entries = (_MARKER.sub("", line).strip() for line in self.value.split("\n"))
        return tuple(entry for entry in entries if entry)

    @property
    def technical(self) -> bool:
        """Whether it is about the note and not about what the note is about."""
        return is_technical(self.key)


def _words(key: str) -> tuple[str, ...]:
    return words_of(_CAMEL.sub(" ", key))


def is_technical(key: str) -> bool:
    """Whether a key is about the note and not about what the note is about."""
    words = _words(key)
    if words in _PROVENANCE_WORDS:
        return True
    return not TECHNICAL.isdisjoint(words) and set(words) <= TECHNICAL | _BESIDE


_PROVENANCE_WORDS = frozenset(map(_words, PROVENANCE))


def label_of(line: str) -> str | None:
    """The key of a line ``Key: value`` or ``key:: value``; None of any other line."""
    found = _label(line)
    return found["key"].strip() if found and found["value"].strip("*_ \t") else None


def properties(lines: Sequence[str]) -> Iterator[Property]:
    """Everything that the note says as key and value, in order; what has no value says nothing.

    A label that comes again is no property: it is a speaker, or one entry of a log.
    """
    body = _body_start(lines)
    yield from _frontmatter(lines[:body])
    labelled = [*_labelled(lines, body)]
    count = Counter(fold(one.key) for one in labelled)
    yield from (one for one in labelled if count[fold(one.key)] == 1)


def marked(lines: Sequence[str]) -> Iterator[Property]:
    """The properties that are written as such: ``key: …`` above the body, ``key::``, ``**Key:**``.

    Any other line with a colon may be a sentence.
    """
    body = _body_start(lines)
    return (one for one in properties(lines) if one.line <= body or _MARKED.match(one.text))


def opening(lines: Sequence[str], *, most: int) -> str:
    """The first lines of the body that are no headings."""
    said = (line for line in lines[_body_start(lines) :] if line.strip())
    own = [line for line in said if not line.lstrip().startswith("#")]
    return "\n".join(own[:most])


def _body_start(lines: Sequence[str]) -> int:
    """The line (from 0) behind the frontmatter."""
    if not lines or not _FENCE.fullmatch(lines[0]):
        return 0
    ends = (at for at, line in enumerate(lines[1:], 1) if _LAST_FENCE.fullmatch(line))
    return next(ends, -1) + 1


def _frontmatter(lines: Sequence[str]) -> Iterator[Property]:
    for at, line in enumerate(lines):
        if found := _PROPERTY.fullmatch(line):
            yield from _property(found, line, at, _below(lines, at, _PART))


def _labelled(lines: Sequence[str], body: int) -> Iterator[Property]:
    if not any(map(_label, lines[body:])):  # as in most notes: none needs to be known as shown
        return
    shown = shown_lines("\n".join(lines))
    for at, line in enumerate(shown[body:], body):
        if not (found := _label(line)):
            continue
        below = () if found["value"].strip("*_ \t") else _below(shown, at, _ITEM)
        yield from _property(found, found["said"], at, below)


def _label(line: str) -> re.Match[str] | None:
    return _LABELLED.fullmatch(line) if ":" in line else None


def _property(found: re.Match[str], said: str, at: int, below: Sequence[str]) -> Iterator[Property]:
    value = "\n".join((found["value"], *below)).strip(" \t\n\"'*_")
    if any(map(str.isalnum, value)):
        text = "\n".join((said, *below)).strip()
        yield Property(key=found["key"].strip(), value=value, text=text, line=at + 1)


def _below(lines: Sequence[str], at: int, part: re.Pattern[str]) -> list[str]:
    """The lines that go on with the value of the line ``at``."""
    found: list[str] = []
    for line in lines[at + 1 : at + 1 + _MOST_LINES]:
        if not part.fullmatch(line):
            break
        found.append(line)
    return found
