"""Where candidates are looked for."""

from datetime import UTC, datetime
from pathlib import Path

from graphs.links.suggesting.gather import names_of_all
from tests.support.vaults.catalogs import written_catalog

SAVED = datetime(2024, 5, 20, tzinfo=UTC)
NOTES = {"Rye.md": "# Rye\n\nA grain.\n", "Wheat.md": "# Wheat\n\nAnother.\n"}


def test_names_are_read_anew_only_where_a_note_is_called_otherwise(tmp_path: Path) -> None:
    catalog = written_catalog(tmp_path, NOTES, saved=SAVED)
    names = names_of_all(catalog)
    changed = written_catalog(tmp_path, {"Rye.md": "# Rye\n\nA cereal.\n"}, saved=SAVED)
    assert names_of_all(changed) is names
    renamed = written_catalog(tmp_path, {"Rye.md": "# Secale\n\nA cereal.\n"}, saved=SAVED)
    assert ("secale",) in names_of_all(renamed).names
    assert ("secale",) not in names.names
    for one in (catalog, changed, renamed):
        one.close()
