"""Pages written to files, over nothing but an older page of ours."""

import secrets
from collections.abc import Sequence
from pathlib import Path

from tools.base.errors import InputError
from tools.base.output_files import require_output, writing
from tools.rendering.html.page import OPENING


def require_page(path: Path, *, kept: Sequence[Path]) -> None:
    """Raise InputError where a page must not go.

    That is in one of the folders ``kept`` (vault, data), or over a file that is no page of ours.
    """
    require_output(path, option="--html", kept=kept)
    if path.exists() and not _ours(path):
        raise InputError(
            f"{path.name!r} is there and is no page that brain wrote: it is left as it is; give "
            "another name."
        )


def write_page(page: str, path: Path, *, kept: Sequence[Path]) -> None:
    """Write a page where ``require_page`` allows it; raises InputError elsewhere."""
    require_page(path, kept=kept)
    target = path.resolve()
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    with writing(path):
        try:  # an older page stays until the new one is whole
            part.write_text(page, encoding="utf-8", newline="\n")
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


def _ours(path: Path) -> bool:
    if not path.is_file():
        return False
    with writing(path), path.open("rb") as file:
        return file.read(len(OPENING)) == OPENING.encode()
