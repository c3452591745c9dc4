"""SQLite FTS5 against tantivy, the measurement behind the choice in docs/ARCHITECTURE.md.

Run it with ``uv run --with tantivy python -m tests.bench.text_engines FOLDER``: every ``.md`` below
the folder is read, and repeated until there are 10,000 notes.
"""

import importlib
import random
import re
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

NOTES, QUERIES, RESULTS = 10_000, 200, 50
SHORTEST_NOTE = 300
"""Characters; queries are three words of one note."""


def main() -> None:
    """Index the same notes and ask the same queries of both."""
    chance = random.Random(1)  # noqa: S311
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "examples/vault")
    read = [path.read_text("utf-8", "replace") for path in sorted(folder.rglob("*.md"))]
    long_ones = [text for text in read if len(text) >= SHORTEST_NOTE]
    notes = [*read, *(chance.choice(long_ones) for _ in range(NOTES - len(read)))]
    queries = [
        chance.sample(re.findall(r"[a-z]{4,}", chance.choice(long_ones).lower()), 3)
        for _ in range(QUERIES)
    ]
    sys.stdout.write("| engine | index | query p50 | p95 |\n|---|---|---|---|\n")
    for name, engine in {"SQLite FTS5": fts5, "tantivy": tantivy}.items():
        started = time.perf_counter()
        ask = engine(notes)
        indexed = time.perf_counter() - started
        took = sorted(milliseconds(ask, query) for query in queries)
        p95 = took[int(0.95 * (len(took) - 1))]
        sys.stdout.write(
            f"| {name} | {indexed:.2f} s | {statistics.median(took):.2f} ms | {p95:.2f} ms |\n"
        )


def milliseconds(ask: Callable[[list[str]], object], query: list[str]) -> float:
    started = time.perf_counter()
    ask(query)
    return (time.perf_counter() - started) * 1000


def fts5(notes: list[str]) -> Callable[[list[str]], object]:
    db = sqlite3.connect(Path(tempfile.mkdtemp()) / "text.db")
    db.execute("CREATE VIRTUAL TABLE words USING fts5(body, tokenize='porter unicode61')")
    with db:
        db.executemany("INSERT INTO words VALUES (?)", [(note,) for note in notes])

    def ask(words: list[str]) -> object:
        expression = " OR ".join(f'"{word}"' for word in words)
        sql = "SELECT rowid, rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"
        return db.execute(sql, (expression, RESULTS)).fetchall()

    return ask


def tantivy(notes: list[str]) -> Callable[[list[str]], object]:
    engine = cast("Any", importlib.import_module("tantivy"))
    schema = engine.SchemaBuilder()
    schema.add_text_field("body", stored=False, tokenizer_name="en_stem")
    index = engine.Index(schema.build(), path=tempfile.mkdtemp())
    writer = index.writer(num_threads=1)
    for note in notes:
        writer.add_document(engine.Document(body=note))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def ask(words: list[str]) -> object:
        return searcher.search(index.parse_query(" ".join(words), ["body"]), RESULTS).hits

    return ask


if __name__ == "__main__":
    main()
