"""The page of an evolution: a lane for each note along an axis of time, and all of it as a list."""

from collections import Counter
from collections.abc import Mapping

from tools.base.domain import Evolution, Json, Occurrence
from tools.base.guards import one_line
from tools.rendering.html.activity import MARKS, remarks, summary
from tools.rendering.html.page import drawing, text
from tools.temporal.timeline import grouped

_BODY = """<header>
<h1>{concept}</h1>
<p>{summary}</p>
</header>
<figure id="picture" class="script" hidden>
<div class="controls">
<div class="legend">{legend}</div>
<div class="zoom">
<button type="button" id="earlier" title="Earlier">‹</button>
<button type="button" id="closer" title="Zoom in">+</button>
<button type="button" id="wider" title="Zoom out">−</button>
<button type="button" id="later" title="Later">›</button>
<button type="button" id="all">All</button>
</div>
</div>
<div id="chart"></div>
<div id="chosen" class="card" aria-live="polite"><p>Point at a mark to see what happened; click to
keep it here. Drag to move in time.</p></div>
</figure>
<section>
<h2>Everything in order</h2>
{groups}
</section>
<div id="hover" class="card" hidden></div>"""


def timeline_page(evolution: Evolution) -> str:
    """The evolution as one HTML page. Dates are as the notes have them."""
    lanes = _lanes(evolution)
    numbered = list(enumerate(evolution.occurrences))
    counts = Counter(one.event.kind for one in evolution.occurrences)
    body = _BODY.format(
        concept=text(evolution.concept),
        summary=text(summary(evolution)),
        legend="".join(
            f'<button type="button" aria-pressed="true" data-kind="{kind}">'
            f'<span class="mark {kind}">{mark}</span> {kind} <small>{counts[kind]}</small></button>'
            for kind, mark in MARKS.items()
            if counts[kind]
        ),
        groups="\n".join(
            f"<h3>{text(name)}</h3>\n<ol>\n{''.join(_item(*one) for one in members)}</ol>"
            for name, members in grouped(numbered, when=lambda one: one[1].event.timestamp)
        )
        or "<p>Nothing is dated.</p>",
    )
    data: Json = {
        "lanes": [one_line(title) for title in lanes.values()],
        "events": [
            {
                "lane": list(lanes).index(one.note_path),
                "kind": one.event.kind,
                "when": f"{one.event.timestamp:%Y-%m-%dT%H:%M:%S}",
            }
            for one in evolution.occurrences
        ],
    }
    return drawing(
        title=f"{evolution.concept} – timeline",
        body=body,
        data=data,
        scripts=("theme.js", "timeline.js"),
    )


def _lanes(evolution: Evolution) -> Mapping[str, str]:
    """The newest title of each note by its path, the note that was there first first."""
    return {one.note_path: one.note_title for one in evolution.occurrences}


def _item(number: int, occurrence: Occurrence) -> str:
    event = occurrence.event
    lines = [f'<del><span class="sign">−</span> {text(line)}</del>' for line in event.removed]
    lines += [f'<ins><span class="sign">+</span> {text(line)}</ins>' for line in event.added]
    told = f'<p class="detail">{text(facts)}</p>' if (facts := remarks(event)) else ""
    diff = f'<div class="diff">{"".join(lines)}</div>' if lines else ""
    return (
        f'<li id="event-{number}"><time>{event.timestamp:%Y-%m-%d}</time> '
        f'<span class="mark {event.kind}">{MARKS[event.kind]}</span> {event.kind} '
        f'<strong title="{text(occurrence.note_path)}">{text(occurrence.note_title)}</strong>'
        f"{told}{diff}</li>\n"
    )
