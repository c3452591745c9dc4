"""The text of a file beside the bytes it came from, to be written back exactly as it is. Pure."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tools.base.errors import InputError
from tools.vault.notes.notes import decode

_LINE_END = re.compile(r"\r\n|\r|\n")
_ENCODINGS = (
    (codecs.BOM_UTF8, "utf-8", "surrogateescape"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "surrogatepass"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "surrogatepass"),
    (b"", "utf-8", "surrogateescape"),
    (b"", "cp1252", "strict"),
    (b"", "latin-1", "strict"),
)
"""Byte order marks, the encoding that each announces, and what carries broken bytes through it."""
_DAMAGE = re.compile("[\ud800-\udfff\ufffd]+")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text: the characters ``start`` to ``end``, without its line end."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedText:
    """A file's characters, its own line ends among them, and how they become its bytes again."""

    text: str
    mark: bytes
    encoding: str
    errors: str

    def encoded(self, text: str) -> bytes:
        """The bytes of another text in this file's encoding, without its mark.

        Raises InputError for letters that the encoding does not have.
        """
        try:
            return text.encode(self.encoding, self.errors)
        except UnicodeEncodeError:
            raise InputError(
                "The note is not Unicode and lacks a letter of what was to be put in: "
                "save it as UTF-8."
            ) from None

    def offset(self, character: int) -> int:
        """Where a character begins, in bytes from the start of the file."""
        return len(self.mark) + len(self.encoded(self.text[:character]))

    def lines(self) -> Iterator[Line]:
        """All lines; line n of the parsed note is the n-th."""
        start = 0
        for end in _LINE_END.finditer(self.text):
            yield Line(start, end.start())
            start = end.end()
        yield Line(start, len(self.text))

    def of(self, line: Line) -> str:
        """What stands in a line."""
        return self.text[line.start : line.end]

    @property
    def line_end(self) -> str:
        r"""How the first line ends; ``\n`` where there is only one."""
        first = _LINE_END.search(self.text)
        return first[0] if first else "\n"


def read_encoded(raw: bytes) -> EncodedText:
    """A file's text as the parser reads it, but for line ends.

    Raises InputError for bytes that are no text, or that no encoding gives back as they are.
    """
    read = _without_damage(decode(raw)[0])
    for mark, encoding, errors in _ENCODINGS:
        if raw.startswith(mark):
            found = _as(raw, mark, encoding, errors)
            if found and _without_damage(_LINE_END.sub("\n", found.text)) == read:
                return found
    raise InputError("Some bytes of the note are damaged; nothing can be put into it.")


def _without_damage(text: str) -> str:
    """A text without what stands for bytes that cannot be read, in whichever way."""
    return _DAMAGE.sub("", text)


def _as(raw: bytes, mark: bytes, encoding: str, errors: str) -> EncodedText | None:
    try:
        text = raw[len(mark) :].decode(encoding, errors)
    except UnicodeDecodeError:
        return None
    found = EncodedText(text=text, mark=mark, encoding=encoding, errors=errors)
    return found if mark + found.encoded(text) == raw else None
