"""What ``brain link stats`` does."""

from pathlib import Path

from graphs.cli.output import console
from graphs.cli.output.exit_codes import OK
from graphs.cli.output.link_stats import show_link_stats
from graphs.links.learn import link_stats
from tools.settings.loading import load_settings


def stats(*, vault: Path | None, data_dir: Path | None, as_json: bool) -> int:
    """Show what was accepted of the links that were suggested."""
    found = link_stats(load_settings(vault=vault, data_dir=data_dir))
    if as_json:
        console.show_json(found)
    else:
        show_link_stats(found)
    return OK
