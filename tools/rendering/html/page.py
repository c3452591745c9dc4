"""A page that stands alone: markup, style and, where it draws, data and scripts in one file.

What notes say reaches it only as escaped text or as data; scripts run only if their hash is named
in the page's own policy, so nothing that slipped in would run.
"""

import base64
import hashlib
import html
import json
from collections.abc import Sequence
from importlib.resources import files
from importlib.util import find_spec

from tools.base.domain import Json
from tools.base.errors import InputError
from tools.base.extras import to_install
from tools.base.guards import one_line

OPENING = '<!doctype html>\n<html lang="en">\n<head>\n<meta name="generator" content="brain">\n'
"""What every page of ours begins with."""


def require_drawing() -> None:
    """Raise InputError where the charting library of a page that draws is not installed."""
    if find_spec("plotly") is None:
        raise InputError(
            f"A page that draws needs plotly, which is not installed: {to_install('pages')}; "
            "without --html the command shows the same as text."
        )


def drawing(*, title: str, body: str, data: Json, scripts: Sequence[str]) -> str:
    """A page that draws charts: ``scripted``, with the charting library before the scripts.

    ``require_drawing`` tells where it lacks.
    """
    from plotly.offline import get_plotlyjs

    images = "img-src data: blob:; "
    return _with_programs(title, body, data, [get_plotlyjs(), _joined(scripts)], images)


def scripted(*, title: str, body: str, data: Json, scripts: Sequence[str]) -> str:
    """A page whose ``scripts`` (file names) read ``data``; ``body`` is markup."""
    return _with_programs(title, body, data, [_joined(scripts)])


def _with_programs(
    title: str, body: str, data: Json, programs: Sequence[str], images: str = ""
) -> str:
    allowed = " ".join(f"'sha256-{_digest(program)}'" for program in programs)
    loaded = "\n".join(f"<script>{program}</script>" for program in programs)
    held = f'<script type="application/json" id="data">{script_json(data)}</script>'
    return document(
        title=title,
        body=f"{body}\n{held}\n{loaded}",
        allowed=f"script-src {allowed}; {images}",
    )


def _joined(scripts: Sequence[str]) -> str:
    return "\n".join(_resource(name) for name in scripts)


def document(*, title: str, body: str, allowed: str = "") -> str:
    """The whole page around ``body``, markup; it may load and run only what is ``allowed``."""
    policy = (
        f"default-src 'none'; {allowed}style-src 'unsafe-inline'; base-uri 'none'; "
        "form-action 'none'"
    )
    return (
        f'{OPENING}<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{text(title)}</title>\n<style>\n{_resource('page.css')}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def text(value: str) -> str:
    """``value`` as it may stand in markup, between tags and in a quoted attribute, on one line."""
    return html.escape(one_line(value))


def script_json(data: Json) -> str:
    """``data`` as JSON that cannot end the script element it stands in."""
    encoded = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return encoded.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _resource(name: str) -> str:
    return files(__package__ or __name__).joinpath(name).read_text(encoding="utf-8")


def _digest(program: str) -> str:
    return base64.b64encode(hashlib.sha256(program.encode()).digest()).decode()
