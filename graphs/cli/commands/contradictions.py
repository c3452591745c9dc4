"""What ``brain contradictions`` does: look through the vault, show what clashes, dismiss pairs."""

from collections.abc import Sequence
from pathlib import Path

from graphs.app import open_brain
from graphs.cli.output import console
from graphs.cli.output.exit_codes import OK
from graphs.cli.output.pages import kept_folders
from graphs.cli.output.progress_bars import shown_progress
from graphs.jobs.contradictions import start_scan
from tools.claims.report import sides
from tools.rendering.contradictions import conflict_list
from tools.rendering.html.contradictions_page import contradictions_page
from tools.rendering.html.saving import require_page, write_page
from tools.text.voice import counted


async def contradictions(
    *,
    vault: Path | None,
    data_dir: Path | None,
    dismissed: Sequence[str],
    background: bool,
    new_only: bool,
    unsure: bool,
    html: Path | None,
    as_json: bool,
) -> int:
    """Show what clashes, what is new first; with keys in ``dismissed`` only dismiss these."""
    async with open_brain(vault, data_dir=data_dir) as brain:
        kept = kept_folders(brain.settings)
        if html is not None:
            require_page(html, kept=kept)
        if dismissed:
            count = await brain.dismiss_contradictions(dismissed)
            console.show_line(f"{counted(count, 'pair')} dismissed.")
            return OK
        if background:
            await start_scan(brain.settings)
            console.show_line("Begun: `brain status` tells how far it is.")
            return OK
        with shown_progress() as show:
            found = await brain.contradictions(unsure=unsure, on_progress=show)
        shown = [one for one in found.found if one.new or not new_only]
        if html is not None:
            write_page(contradictions_page(shown, vault=brain.settings.vault.name), html, kept=kept)
        if as_json:
            console.show_json(shown)
        else:
            paths = [side.path for one in shown for side in sides(one.clash)]
            text = conflict_list(shown, dismissed=found.dismissed, unsure=found.unsure)
            console.show_markdown(text, paths=paths, vault=brain.settings.vault.name)
    return OK
