"""The rows of a note in the catalog's tables."""

import sqlite3

from tools.vault.storage.entries import Entry

_COLUMNS = (
    *("path", "title", "title_words", "stated", "content_hash", "size", "mtime_ns"),
    *("created", "modified", "date_origin", "modified_origin", "building_block", "note_type"),
    "words",
)
_INSERT_NOTE = (
    f"INSERT INTO notes ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608
)


def insert_note(db: sqlite3.Connection, note: Entry) -> int:
    """Write a note with its names and passages; the row of the first of these."""
    note_id = db.execute(_INSERT_NOTE, [getattr(note, column) for column in _COLUMNS]).lastrowid
    db.executemany(
        "INSERT INTO names VALUES (?, ?, ?)",
        [(folded, note_id, kind) for folded, kind in note.names],
    )
    db.executemany("INSERT INTO tags VALUES (?, ?)", [(note_id, tag) for tag in note.tags])
    db.executemany("INSERT INTO links VALUES (?, ?, ?)", [(note_id, *one) for one in note.links])
    db.executemany(
        "INSERT INTO typed_links VALUES (?, ?, ?)", [(note_id, *one) for one in note.typed_links]
    )
    db.executemany("INSERT INTO tasks VALUES (?, ?, ?, ?)", [(note_id, *one) for one in note.tasks])
    ((last,),) = db.execute("SELECT coalesce(max(id), 0) FROM chunks")
    db.executemany(
        "INSERT INTO chunks (id, note_id, ordinal, vector_id, line_start, line_end, block_id, "
        "said) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                *(row, note_id, one.ordinal, one.vector_id),
                *(one.line_start, one.line_end, one.block_id, one.said),
            )
            for row, one in enumerate(note.passages, start=last + 1)
        ],
    )
    return last + 1
