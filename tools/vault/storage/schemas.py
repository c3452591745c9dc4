"""The tables of our SQLite files."""

from tools.runtime.sqlite import Schema

CATALOG = Schema(
    name="index",
    version=10,
    derived=True,
    remade="INSERT INTO meta VALUES ('remade', '')",
    statements="""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    title_words TEXT NOT NULL,
    stated TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    created TEXT NOT NULL,
    modified TEXT NOT NULL,
    date_origin TEXT NOT NULL,
    modified_origin TEXT NOT NULL,
    building_block TEXT,
    note_type TEXT,
    words INTEGER NOT NULL
);
CREATE TABLE tags (
    note_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    tag TEXT NOT NULL
);
CREATE INDEX tags_note ON tags(note_id);
CREATE TABLE links (
    note_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    target TEXT NOT NULL,
    line INTEGER NOT NULL
);
CREATE INDEX links_note ON links(note_id);
CREATE TABLE typed_links (
    note_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    relation TEXT NOT NULL,
    target TEXT NOT NULL
);
CREATE INDEX typed_links_note ON typed_links(note_id);
CREATE TABLE tasks (
    note_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    line INTEGER NOT NULL,
    done INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX tasks_note ON tasks(note_id);
CREATE TABLE names (
    folded TEXT NOT NULL,
    note_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    kind TEXT NOT NULL
);
CREATE INDEX names_folded ON names(folded);
CREATE INDEX names_note ON names(note_id);
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    note_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    vector_id TEXT NOT NULL,
    line_start INTEGER NOT NULL,
    line_end INTEGER NOT NULL,
    block_id TEXT,
    said BLOB NOT NULL
);
CREATE INDEX chunks_note ON chunks(note_id);
CREATE INDEX chunks_vector ON chunks(vector_id);
CREATE TABLE vectors (vector_id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE problems (note_path TEXT NOT NULL, message TEXT NOT NULL);
CREATE VIRTUAL TABLE words USING fts5(
    title, headings, body, content='', tokenize='porter unicode61'
);
CREATE VIRTUAL TABLE terms USING fts5vocab('words', 'row');
""",
)
"""What is indexed; all of it is made from the notes.

``said`` is the headings above a passage and its text, packed with the dictionary in ``meta``
where there is one. ``typed_links`` are what the graph makes edges with a name of their
own of, also where no brackets are: a target may be no note.
"""

HISTORY = Schema(
    name="history",
    version=4,
    derived=False,
    page_bytes=16384,
    statements="""
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notes (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    live INTEGER NOT NULL DEFAULT 1,
    dirty INTEGER NOT NULL DEFAULT 1,
    digest TEXT
);
CREATE INDEX IF NOT EXISTS notes_dirty ON notes(dirty) WHERE dirty;
CREATE TABLE IF NOT EXISTS versions (
    id INTEGER PRIMARY KEY,
    note_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    origin TEXT NOT NULL,
    path TEXT NOT NULL,
    at TEXT NOT NULL,
    content_hash TEXT,
    saved_at TEXT,
    undated INTEGER NOT NULL DEFAULT 0,
    blob TEXT,
    said BLOB,
    content BLOB
);
CREATE INDEX IF NOT EXISTS versions_note ON versions(note_id);
CREATE INDEX IF NOT EXISTS versions_unread ON versions(id) WHERE blob IS NOT NULL AND said IS NULL;
CREATE INDEX IF NOT EXISTS versions_gone ON versions(at)
    WHERE origin = 'seen' AND content_hash IS NULL;
CREATE TABLE IF NOT EXISTS targets (
    note_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    word TEXT NOT NULL,
    supersedes INTEGER NOT NULL,
    PRIMARY KEY (note_id, word, supersedes)
) WITHOUT ROWID;
DROP INDEX IF EXISTS targets_word;
CREATE TABLE IF NOT EXISTS resolved (word TEXT PRIMARY KEY, path TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rewordings (
    after TEXT NOT NULL,
    before TEXT NOT NULL,
    sentences BLOB NOT NULL,
    PRIMARY KEY (after, before)
) WITHOUT ROWID;
""",
)
"""What each note said and when; where no git has it, nothing else does.

A file of an older version gets what it lacks: ``rewordings`` (since 2), which can be made again,
and the index of what is gone (since 3). ``said`` is packed beside ``content`` since 3; what was
packed by itself before is read as well. It may tell of provenance since 4.
"""

ADDED_NOTES = Schema(
    name="list of added notes",
    version=2,
    derived=False,
    statements="""
CREATE TABLE IF NOT EXISTS notes (
    key TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    place TEXT NOT NULL,
    digest TEXT NOT NULL,
    request TEXT NOT NULL,
    added_by TEXT NOT NULL,
    added_at TEXT NOT NULL,
    folders TEXT NOT NULL,
    content TEXT
);
CREATE TABLE IF NOT EXISTS unfinished (
    draft TEXT PRIMARY KEY,
    step TEXT NOT NULL,
    staged TEXT,
    key TEXT NOT NULL,
    path TEXT NOT NULL,
    place TEXT NOT NULL,
    digest TEXT NOT NULL,
    request TEXT NOT NULL,
    added_by TEXT NOT NULL,
    added_at TEXT NOT NULL,
    folders TEXT NOT NULL,
    content TEXT
);
""",
)
"""What other programs added to the vault, whose files have the texts, or to staging, where
``content`` is all there is of a note.

Since 2 with what is being done to the vault just now, for whoever comes after a process that was
killed over it."""

LINK_JOURNAL = Schema(
    name="journal of links",
    version=1,
    derived=False,
    statements="""
CREATE TABLE IF NOT EXISTS writes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    state TEXT NOT NULL,
    at TEXT NOT NULL,
    written_by TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    relation TEXT NOT NULL,
    context TEXT NOT NULL,
    edits TEXT NOT NULL
);
""",
)
"""Which links were put into notes, and which bytes each of them is."""

CONTRADICTIONS = Schema(
    name="contradictions",
    version=3,
    derived=True,
    page_bytes=16384,
    statements="""
CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    content_hash TEXT NOT NULL,
    compared INTEGER NOT NULL DEFAULT 0,
    settled INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE claims (
    id INTEGER PRIMARY KEY,
    note_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    claim TEXT NOT NULL,
    vector BLOB NOT NULL
);
CREATE INDEX claims_note ON claims(note_id);
CREATE TABLE crowds (
    claim_id INTEGER PRIMARY KEY REFERENCES claims(id) ON DELETE CASCADE,
    crowd REAL NOT NULL
);
CREATE TABLE pairs (
    a INTEGER NOT NULL REFERENCES claims(id) ON DELETE CASCADE,
    b INTEGER NOT NULL REFERENCES claims(id) ON DELETE CASCADE,
    likely REAL,
    changed INTEGER NOT NULL,
    PRIMARY KEY (a, b)
) WITHOUT ROWID;
CREATE INDEX pairs_b ON pairs(b);
CREATE TABLE found (
    key TEXT PRIMARY KEY,
    note_a INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    note_b INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    clash TEXT NOT NULL,
    sure INTEGER NOT NULL,
    found_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX found_a ON found(note_a);
CREATE INDEX found_b ON found(note_b);
CREATE TABLE seen (key TEXT PRIMARY KEY) WITHOUT ROWID;
""",
)
