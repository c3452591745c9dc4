"""The page of a neighbourhood: its graph at a date that can be moved on both axes of time."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from tools.base.domain import GraphNode, GraphRelation, Json, Moment, Neighbourhood
from tools.base.guards import one_line
from tools.graph.relations import phrase
from tools.rendering.html.layout import positions
from tools.rendering.html.page import drawing, text

_COLOURS = 8
"""Of node types; the last is for all further ones."""

_KINDS = {
    "tag": ("◆", "tag"),
    "value": ("■", "value"),
    "unresolved": ("○", "no such note"),
}
"""What is no note has a shape of its own."""

_BODY = """<header>
<h1>{name}</h1>
<p id="count" aria-live="polite">{summary}</p>
</header>
<figure id="picture" class="script" hidden>
<div class="controls">
<label>Find <input type="search" id="find" list="titles" placeholder="a note or a tag"></label>
<datalist id="titles">{options}</datalist>
<label><input type="checkbox" id="by-knowledge"> only what was known by a date</label>
</div>
<div class="slider" id="as-of-slider"><label for="as-of">True on</label>
<input type="range" id="as-of" min="0" step="1"><output for="as-of"></output>
<span><button type="button" data-step="-1" title="The change before">‹</button>
<button type="button" data-step="1" title="The next change">›</button></span>
<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><path d=""/></svg></div>
<div class="slider" id="known-at-slider" hidden><label for="known-at">Known by</label>
<input type="range" id="known-at" min="0" step="1"><output for="known-at"></output></div>
<div id="plot"><div id="chart"></div><div id="names"></div></div>
<div class="controls"><div class="legend">{legend}</div></div>
<div id="chosen" class="card" aria-live="polite"><p>Point at a dot or a line to see what
it is; click a dot to look at what is joined to it, and beside it to see all again. Drag to move,
turn the wheel to zoom: closer in, more names find room.</p></div>
</figure>
<section>
<h2>Relations</h2>
<div class="wide"><table>
<thead><tr><th>from</th><th>relation</th><th>to</th><th>true</th><th>known</th>
<th>stands in</th></tr></thead>
<tbody>
{rows}
</tbody></table></div>
</section>
<div id="hover" class="card" hidden></div>"""


def graph_page(
    neighbourhood: Neighbourhood,
    *,
    causal: Collection[str],
    now: datetime,
    at: Moment | None = None,
) -> str:
    """The neighbourhood as one HTML page that opens at the moment ``at``, or else at ``now``.

    ``causal`` names the relations that are marked as causes and effects. A day stands for its end.
    Days are those of the clock here, as the browser has them.
    """
    at = at or Moment()
    nodes = neighbourhood.nodes
    place = {node.uuid: number for number, node in enumerate(nodes)}
    drawn = [
        _Drawn(
            source=place[edge.source],
            target=place[edge.target],
            relation=edge.relation,
            causal=edge.relation.relation in causal,
        )
        for edge in neighbourhood.edges
        if edge.source in place and edge.target in place
    ]
    spots = positions([node.hops for node in nodes], [(one.source, one.target) for one in drawn])
    colours = _colours(nodes)
    data: Json = {
        "now": _millis(now),
        "asOf": _millis(at.as_of),
        "knownAt": _millis(at.known_at),
        "nodes": [
            {
                "title": one_line(node.title),
                "kind": node.kind,
                "type": _type(node),
                "colour": colours[_type(node)],
                "hops": node.hops,
                "path": one_line(node.path or ""),
                "x": round(x, 4),
                "y": round(y, 4),
            }
            for node, (x, y) in zip(nodes, spots, strict=True)
        ],
        "edges": [_edge(one) for one in drawn],
    }
    body = _BODY.format(
        name=text(neighbourhood.name),
        summary=f"{len(nodes)} nodes, {len(drawn)} relations",
        options="".join(f'<option value="{text(node.title)}">' for node in nodes),
        legend=_legend(nodes, drawn),
        rows="\n".join(_row(one) for one in drawn),
    )
    return drawing(
        title=f"{neighbourhood.name} – graph",
        body=body,
        data=data,
        scripts=("theme.js", "edges.js", "names.js", "graph_names.js", "graph.js"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawn:
    """An edge of the picture; its ends are numbers of nodes."""

    source: int
    target: int
    relation: GraphRelation
    causal: bool


def _edge(drawn: _Drawn) -> Json:
    one = drawn.relation
    return {
        "source": drawn.source,
        "target": drawn.target,
        "name": _words(one),
        "causal": drawn.causal,
        "inferred": one.origin == "inferred",
        "validAt": _millis(one.valid_at),
        "invalidAt": _millis(one.invalid_at),
        "createdAt": _millis(one.created_at),
        "expiredAt": _millis(one.expired_at),
        "retractedAt": _millis(one.retracted_at),
    }


def _type(node: GraphNode) -> str:
    return one_line(node.note_type or node.kind)


def _colours(nodes: Collection[GraphNode]) -> Mapping[str, int]:
    """The number of each type's colour, from 1, the most frequent first; the last may be shared."""
    ordered = Counter(_type(node) for node in nodes).most_common()
    return {name: min(number, _COLOURS) for number, (name, _) in enumerate(ordered, start=1)}


def _legend(nodes: Collection[GraphNode], relations: Collection[_Drawn]) -> str:
    by_colour: dict[int, list[GraphNode]] = {}
    colours = _colours(nodes)
    for node in nodes:
        by_colour.setdefault(colours[_type(node)], []).append(node)
    parts = [
        f'<span><span class="mark" style="color: var(--type-{colour})">{mark}</span> {text(name)} '
        f"<small>{len(members)}</small></span>"
        for colour, members in sorted(by_colour.items())
        for mark, name in [_named(members)]
    ]
    if any(one.causal for one in relations):
        parts.append('<span><span class="line causal"></span>cause and effect</span>')
    if any(one.relation.origin == "inferred" for one in relations):
        parts.append('<span><span class="line inferred"></span>read by a model</span>')
    return "".join(parts)


def _named(members: Sequence[GraphNode]) -> tuple[str, str]:
    """The mark and the name of the nodes of one colour."""
    if len({_type(node) for node in members}) > 1:
        return "●", "other"
    first = members[0]
    return _KINDS.get(first.kind, ("●", _type(first)))


def _row(drawn: _Drawn) -> str:
    one = drawn.relation
    cells = [
        f"<td>{text(one.source_title)}</td>",
        f"<td{' class="causal"' if drawn.causal else ''}>{text(_words(one))}</td>",
        f"<td>{text(one.target_title)}</td>",
        f'<td class="date">{_span(one.valid_at, one.invalid_at)}</td>',
        f'<td class="date">{_span(one.created_at, one.expired_at)}</td>',
        f"<td>{text(one.note_path)} line {one.line}</td>",
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _words(relation: GraphRelation) -> str:
    return one_line(phrase(relation.relation))


def _span(start: datetime | None, end: datetime | None) -> str:
    since = f"{start.astimezone():%Y-%m-%d}" if start else ""
    return f"{since} – {end.astimezone():%Y-%m-%d}" if end else f"{since} –" if since else ""


def _millis(moment: datetime | None) -> int | None:
    """Milliseconds since 1970, as JavaScript counts."""
    return None if moment is None else int(moment.timestamp() * 1000)
