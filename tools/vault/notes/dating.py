"""A note's dates: what it says itself, then its file name, then git, then the file's time."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from tools.base.domain import DateOrigin, Json
from tools.text.normalize import fold
from tools.vault.git.log import GitDates

CREATED_KEYS = (
    *("created", "created at", "created on", "date created", "creation date", "created date"),
    *("date", "olusturma", "olusturulma", "olusturma tarihi", "olusturulma tarihi", "tarih"),
)
PUBLISHED_KEYS = (
    *("published", "publish date", "date published"),
    *("yayim tarihi", "yayin tarihi", "yayimlanma tarihi", "yayinlanma tarihi"),
)
"""In a note about a book these date the book: they count after the file name."""
MODIFIED_KEYS = (
    *("updated", "updated at", "modified", "modified at", "last modified", "lastmod"),
    *("last updated", "date modified", "date updated", "modification date", "modified date"),
    *("guncelleme", "guncelleme tarihi", "son guncelleme", "degistirilme tarihi"),
    *("degisiklik tarihi", "son degisiklik"),
)
EARLIEST, LATEST = 1900, 2100
"""Years in which a note can have been written."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_TIME = r"(?:\s*(?:[T,]|at)?\s*(?P<H>\d{1,2}):(?P<M>\d{2})(?::(?P<S>\d{2}))?\s*(?P<half>[ap]m)?)?"
_FORMS = tuple(
    re.compile(rf"(?:[^\W\d]{{2,9}}\.?,?\s+)?{day}{_TIME}", re.IGNORECASE)
    for day in (
        r"(?P<y>\d{4})(?P<separator>[-/._])(?P<m>\d{1,2})(?P=separator)(?P<d>\d{1,2})",
        r"(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})",
        r"(?P<d>\d{1,2})(?:st|nd|rd|th)?\.?(?:\s+of)?\s+(?P<month>[a-z]{3,9})\.?,?\s+(?P<y>\d{4})",
        r"(?P<month>[a-z]{3,9})\.?\s+(?P<d>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<y>\d{4})",
        r"(?P<y>\d{4})-(?P<m>\d{1,2})",
    )
)
_MONTH_NAMES = re.compile(
    r"jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?"
    r"|oct(ober)?|nov(ember)?|dec(ember)?"
)
_NAME_FORMS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<!\d)(?P<y>\d{4})(?P<separator>[-._])(?P<m>\d{2})(?P=separator)(?P<d>\d{2})(?!\d)",
        r"(?<!\d)(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})(?:(?P<H>\d{2})(?P<M>\d{2})(?P<S>\d{2})?)?(?!\d)",
        r"^(?P<y>\d{4})[-_.](?P<m>\d{2})(?![-_.]?\d)",
    )
)
_WRITTEN_DATE = re.compile(
    r"\d{1,2}\W+[^\W\d]{3,}\W+(?:19|20)\d\d|[^\W\d]{3,}\W+\d{1,2}\W+(?:19|20)\d\d"
)
_LANGUAGES = ("tr", "en", "de", "fr", "es")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteDates:
    """When a note came to be and last changed; the origins say where the two were found.

    That of a note created when it says that it was changed is still its file. The ``stated`` dates
    are those of the note itself or its file name.
    """

    created: datetime
    modified: datetime
    origin: DateOrigin
    modified_origin: DateOrigin
    stated_created: datetime | None
    stated_modified: datetime | None
    warning: str | None = None


def note_dates(
    frontmatter: Mapping[str, Json], path: str, *, mtime: datetime, git: GitDates | None
) -> NoteDates:
    """Zoned dates of one note; ``modified`` is never before ``created``.

    A date without a zone is local. The warning names a date that cannot be read. Where the note
    does not say when it was written, its first commit or its file's modification time stands in,
    and ``origin`` says so; neither is later than the day on which it says that it was changed.
    """
    named = {_key(key): value for key, value in frontmatter.items()}
    created, unread = _first(named, CREATED_KEYS)
    modified, unread_modified = _first(named, MODIFIED_KEYS)
    warning = " ".join(filter(None, (unread, unread_modified))) or None
    origin: DateOrigin = "frontmatter"
    if created is None:
        created, origin = name_date(path), "filename"
    if created is None:
        (created, unread_published), origin = _first(named, PUBLISHED_KEYS), "frontmatter"
        unread = unread or unread_published
    stated_created, stated_modified = created, modified
    if created is None and git is not None:
        created, origin = min(git.first, modified or git.first), "git"
    if created is None:
        created, origin = min(mtime, modified or mtime), "mtime"
    modified_origin: DateOrigin = "frontmatter"
    if modified is None and git is not None:
        modified, modified_origin = git.last, "git"
    elif modified is None:
        modified, modified_origin = mtime, "mtime"
    if stated_modified is not None and stated_modified < created:
        clash = "The note says that it was changed before it was created: the later date counts."
        warning = f"{warning} {clash}" if warning else clash
    return NoteDates(
        created=created,
        modified=max(created, modified),
        origin=origin,
        modified_origin=modified_origin,
        stated_created=stated_created,
        stated_modified=max(stated_created or stated_modified, stated_modified)
        if stated_modified
        else None,
        warning=warning,
    )


def read_date(value: Json) -> datetime | None:
    """A property's value as a zoned date: ISO and common written forms, or a Unix time."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _number_date(value)
    if not isinstance(value, str) or not 4 <= len(value) <= 80:
        return None
    text = value.strip().removeprefix("[[").removesuffix("]]").strip()
    return _iso_date(text) or _form_date(text) or _written_date(text)


def name_date(path: str) -> datetime | None:
    """The date in a file name: ``2024-05-20 …``, ``2024_05_20``, ``20240520``, ``2024-05``."""
    stem = path.rpartition("/")[2].removesuffix(".md")
    for form in _NAME_FORMS:
        for match in form.finditer(stem):
            if found := _match_date(match):
                return found
    return None


def _key(name: str) -> str:
    return " ".join(fold(name).replace("_", " ").replace("-", " ").split())


def _first(named: Mapping[str, Json], keys: tuple[str, ...]) -> tuple[datetime | None, str | None]:
    unread: str | None = None
    for key in keys:
        value = named.get(key)
        if found := read_date(value):
            return found, None
        if value not in (None, "", []) and unread is None:
            unread = f"The property {key!r} is not a date this program reads (like 2024-05-20)."
    return None, unread


def _number_date(value: float) -> datetime | None:
    """A year, a date in eight digits, or a Unix time in seconds or milliseconds."""
    if EARLIEST <= value <= LATEST:
        return _zoned(datetime(int(value), 1, 1))  # noqa: DTZ001
    if 19_000_101 <= value <= 21_001_231:
        return name_date(str(int(value)))
    seconds = value / 1000 if value >= 1e11 else value
    if not 1e8 <= seconds <= 4.1e9:
        return None
    return datetime.fromtimestamp(seconds, tz=UTC).astimezone()


def _iso_date(text: str) -> datetime | None:
    if text.isdigit():
        return _number_date(int(text))
    try:
        return _zoned(datetime.fromisoformat(text))
    except ValueError:
        return None


def _form_date(text: str) -> datetime | None:
    matches: Iterator[re.Match[str] | None] = (form.fullmatch(text) for form in _FORMS)
    return next((found for match in matches if match and (found := _match_date(match))), None)


def _written_date(text: str) -> datetime | None:
    """Month names of other languages; asked only for a day, a word and a year."""
    if not _WRITTEN_DATE.search(text):
        return None
    import dateparser

    settings = {"STRICT_PARSING": True}
    found = dateparser.parse(text, languages=list(_LANGUAGES), settings=settings)  # pyright: ignore[reportArgumentType]
    return _zoned(found) if found else None


def _match_date(match: re.Match[str]) -> datetime | None:
    part = match.groupdict()
    month = part.get("month")
    if month and not _MONTH_NAMES.fullmatch(month.casefold()):
        return None
    hour = int(part.get("H") or 0)
    if half := part.get("half"):
        hour = hour % 12 + (12 if half.casefold() == "pm" else 0)
    try:
        return _zoned(
            datetime(  # noqa: DTZ001
                int(part["y"]),
                _MONTHS.index(month.casefold()[:3]) + 1 if month else int(part["m"]),
                int(part.get("d") or 1),
                hour,
                int(part.get("M") or 0),
                int(part.get("S") or 0),
            )
        )
    except ValueError:
        return None


def _zoned(moment: datetime) -> datetime | None:
    if not EARLIEST <= moment.year <= LATEST:
        return None
    return moment if moment.tzinfo else moment.astimezone()
