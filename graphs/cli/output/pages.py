"""What commands that write a page share: where it must not go, and that it is written."""

from pathlib import Path

from graphs.cli.output import console
from tools.settings.settings import Settings


def kept_folders(settings: Settings) -> tuple[Path, ...]:
    """Folders that no page may be written into."""
    return settings.vault, settings.data_dir


def show_written(html: Path, *, as_json: bool) -> None:
    """Say where the page is, unless JSON alone is wanted."""
    if not as_json:
        console.show_line(f"Written: {html.name}; open it in a browser.")
