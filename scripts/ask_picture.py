"""Draw the README's picture: ``python scripts/ask_picture.py`` asks the example vault anew."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

_ROOT = Path(__file__).parent.parent
_QUESTIONS = (
    "Why did the basil turn yellow?",
    "At what EC should the nutrient solution for basil be kept?",
    "When did I break my arm?",
)
_COLUMNS = 96
_BRAIN = Path(sys.executable).with_name("brain")
# Fonts would be fetched from elsewhere whenever somebody looks at the picture.
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def main() -> None:
    """Ask every question in a fresh index and keep what the terminal shows."""
    screen = Console(record=True, width=_COLUMNS, file=io.StringIO(), force_terminal=True)
    with TemporaryDirectory(prefix="brain-picture-") as folder:
        _brain("index", folder=folder)
        for question in _QUESTIONS:
            screen.print(f'[bold green]$[/] brain ask "{question}"\n', highlight=False)
            screen.print(Text.from_ansi(_brain("ask", question, folder=folder).strip()), end="\n\n")
        _brain("stop", folder=folder)
    picture = screen.export_svg(title="brain", theme=MONOKAI, unique_id="brain")
    (_ROOT / "docs" / "ask.svg").write_text(_FONTS.sub("", picture), encoding="utf-8")


def _brain(*arguments: str, folder: str) -> str:
    place = ("--vault", str(_ROOT / "examples" / "vault"), "--data-dir", folder)
    told = os.environ | {"FORCE_COLOR": "1", "COLUMNS": str(_COLUMNS)}
    done = subprocess.run(
        [_BRAIN, *arguments, *place], capture_output=True, text=True, env=told, check=True
    )
    return done.stdout


if __name__ == "__main__":
    main()
