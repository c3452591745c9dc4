"""What ``brain link history`` does."""

from pathlib import Path

from graphs.cli.output import console
from graphs.cli.output.exit_codes import OK
from graphs.cli.output.links import show_history
from graphs.links.writing.journal import reading
from tools.settings.loading import load_settings


def history(*, vault: Path | None, data_dir: Path | None, as_json: bool) -> int:
    """List the links that were written."""
    with reading(load_settings(vault=vault, data_dir=data_dir)) as journal:
        writes = journal.history() if journal is not None else []
    if as_json:
        console.show_json(writes)
    else:
        show_history(writes)
    return OK
