"""Whether the catalog is whole: a run that did not end, words that are missing, doubted notes."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tools.base.errors import StorageError
from tools.runtime.sqlite import is_damage
from tools.text.normalize import fold
from tools.vault.storage.database import Database
from tools.vault.storage.packed_texts import PackedTexts

_RUN = "run"
"""The key in ``meta`` of the run that is under way, or did not end."""
_WORD = re.compile(r"(?<![^\W_])[a-z]{4,}(?![^\W_])")
_WORDS_ASKED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsFound:
    """How the full-text index fits the passages: counts of passages.

    ``lacking`` are not in it, ``unused`` are in it and nowhere else; of ``asked`` ones, ``lost``
    were not found by their own words. ``damaged`` says that SQLite finds the index itself broken.
    """

    lacking: int
    unused: int
    asked: int
    lost: int
    damaged: bool

    @property
    def whole(self) -> bool:
        return not (self.lacking or self.unused or self.lost or self.damaged)


class Soundness:
    """The part of the catalog's file that tells whether the rest can be trusted."""

    def __init__(self, db: Database, *, texts: PackedTexts) -> None:
        self._db = db
        self._texts = texts

    # --- runs that did not end -------------------------------------------------------------

    def begin_run(self, at: datetime) -> bool:
        """Note that an indexing run is under way; return whether the one before never ended."""
        interrupted = self.interrupted()
        if not interrupted:
            with self._db.transaction() as db:
                db.execute("INSERT INTO meta VALUES (?, ?)", (_RUN, at.isoformat()))
        return interrupted

    def began(self) -> datetime | None:
        """When the run that is under way began, or the first of those that it completes."""
        rows = self._db.texts("SELECT value FROM meta WHERE key = ?", (_RUN,))
        with self._db.decoding():
            return datetime.fromisoformat(rows[0][0]) if rows else None

    def end_run(self) -> None:
        """Note that the run came to its end."""
        with self._db.transaction() as db:
            db.execute("DELETE FROM meta WHERE key = ?", (_RUN,))

    def interrupted(self) -> bool:
        """Whether a run is under way, or ended before its work did."""
        return bool(self._db.rows("SELECT 1 FROM meta WHERE key = ?", (_RUN,)))

    # --- notes -----------------------------------------------------------------------------

    def distrust(self, paths: Iterable[str]) -> None:
        """Have these notes read again by the next run, whatever their files' times say."""
        with self._db.transaction() as db:
            db.executemany(
                "UPDATE notes SET content_hash = '', mtime_ns = -1 WHERE path = ?",
                [(path,) for path in paths],
            )

    # --- words -----------------------------------------------------------------------------

    def words(self, *, sample: int) -> WordsFound:
        """Hold the full-text index against the passages, about ``sample`` of them by searching."""
        ((lacking,),) = self._db.rows(
            "SELECT count(*) FROM chunks WHERE id NOT IN (SELECT id FROM words_docsize)"
        )
        ((unused,),) = self._db.rows(
            "SELECT count(*) FROM words_docsize WHERE id NOT IN (SELECT id FROM chunks)"
        )
        try:
            if not self._db.read_only:  # SQLite takes a check of these words for a write
                with self._db.transaction() as db:
                    db.execute("INSERT INTO words (words) VALUES ('integrity-check')")
            asked, lost = self._search(sample)
        except StorageError as error:
            if not is_damage(error.__cause__):
                raise
            return WordsFound(lacking=lacking, unused=unused, asked=0, lost=0, damaged=True)
        return WordsFound(lacking=lacking, unused=unused, asked=asked, lost=lost, damaged=False)

    def _search(self, sample: int) -> tuple[int, int]:
        """How many of about ``sample`` passages were asked for by their words, and not found."""
        rows = self._db.rows(
            "SELECT id, said FROM chunks WHERE id % max(1, (SELECT count(*) / ? FROM chunks)) = 0 "
            "LIMIT ?",
            (sample, sample),
        )
        texts = {row: fold(self._texts.headings_and_text(said)[1]) for row, said in rows}
        asked = {row: found for row, text in texts.items() if (found := _WORD.findall(text))}
        lost = [
            row
            for row, words in asked.items()
            if not self._db.rows(
                "SELECT 1 FROM words WHERE words MATCH ? AND rowid = ?",
                (" ".join(f'"{word}"' for word in words[:_WORDS_ASKED]), row),
            )
        ]
        return len(asked), len(lost)
