"""The page of a vault's links: its notes as points that can be searched and looked around in."""

from collections import Counter
from collections.abc import Mapping, Sequence

from tools.base.domain import Json, LinkMap, NoteConnections, most_connected
from tools.base.guards import one_line
from tools.evidence.citations import obsidian_url
from tools.rendering.html.layout import Spots, apart, grouped_positions
from tools.rendering.html.page import scripted, text
from tools.text.voice import counted

_COLOURS = 8
"""Of folders and of communities; the last is for all further ones."""
_ONE_FOLDER = 0.8
"""From this share of the linked notes in one folder on, folders tell little: communities do."""
_HUBS, _ORPHANS = 20, 500
"""How many are listed below the picture."""
_TOP = "(no folder)"

type _Groups = Sequence[tuple[str, int]]
"""A group's name and size for each colour, from 1."""

_BODY = """<header>
<h1>Links of {vault}</h1>
<p>{summary}</p>
</header>
<figure id="picture" class="script" hidden>
<div class="controls">
<label>Find <input type="search" id="find" list="titles" placeholder="a note"></label>
<datalist id="titles">{options}</datalist>
<label>Colours <select id="colouring">
<option value="folder"{by_folder}>folders</option>
<option value="community"{by_community}>communities</option></select></label>
<span class="zoom"><button type="button" data-zoom="0.67" title="Farther">−</button>
<button type="button" data-zoom="1.5" title="Nearer">+</button>
<button type="button" data-zoom="0">all</button></span>
</div>
<div id="plot"><div id="chart"><canvas id="map" tabindex="0" role="img"
aria-label="The notes and their links; both are listed below."></canvas></div>
<div id="names"></div></div>
<div class="controls"><div class="legend" data-colouring="folder">{folders}</div>
<div class="legend" data-colouring="community">{communities}</div></div>
<div id="chosen" class="card" aria-live="polite"><p>Point at a dot to see which note it is; click it
to see its links alone, and beside it to see all again. Drag to move, turn the wheel to zoom: closer
in, more names find room. Notes without a link stand apart.</p></div>
</figure>
<section>
<h2>Most connected</h2>
<div class="wide"><table>
<thead><tr><th>note</th><th class="number">notes</th><th class="number">links out</th>
<th class="number">links in</th></tr></thead>
<tbody>
{hubs}
</tbody></table></div>
</section>
<section>
<h2>Without a link</h2>
{orphans}
</section>
<div id="hover" class="card" hidden></div>"""


def map_page(found: LinkMap, *, vault: str) -> str:
    """The map as one HTML page; its links open the notes of the vault of that name in Obsidian."""
    notes = found.notes
    linked = [note for note in notes if note.neighbours]
    folder, folders = _coloured({note.path: _folder(note) for note in notes})
    community, communities = _coloured(_communities(found))
    by_folder = len(folders) > 1 and folders[0][1] < _ONE_FOLDER * len(notes)
    data: Json = {
        "colouring": "folder" if by_folder else "community",
        "nodes": [
            {
                "title": one_line(note.title),
                "path": one_line(note.path),
                "url": obsidian_url(vault, note.path),
                "out": note.links_out,
                "in": note.links_in,
                "neighbours": note.neighbours,
                "folder": folder[note.path],
                "community": community.get(note.path, _COLOURS),
                "x": round(x, 4),
                "y": round(y, 4),
            }
            for note, (x, y) in zip(notes, _spots(found), strict=True)
        ],
        "links": [list(link) for link in found.links],
    }
    chosen = " selected"
    body = _BODY.format(
        vault=text(vault),
        summary=f"{counted(len(notes), 'note')}, {counted(len(found.links), 'link')}; "
        f"{counted(len(notes) - len(linked), 'note')} without a link.",
        options="".join(f'<option value="{text(note.title)}">' for note in notes),
        by_folder=chosen if by_folder else "",
        by_community="" if by_folder else chosen,
        folders=_legend(folders),
        communities=_legend(communities),
        hubs="\n".join(_row(note, vault) for note in most_connected(notes)[:_HUBS]),
        orphans=_orphans([note for note in notes if not note.neighbours], vault),
    )
    return scripted(
        title=f"{vault} – links",
        body=body,
        data=data,
        scripts=("theme.js", "names.js", "map.js", "map_moves.js"),
    )


def _spots(found: LinkMap) -> Spots:
    """Linked notes near those they are linked with, the others in rows below."""
    groups = {number: own for number, own in enumerate(found.communities) if own is not None}
    linked = [*groups]
    place = {number: at for at, number in enumerate(linked)}
    pairs = [(place[source], place[target]) for source, target in found.links]
    spots = dict(zip(linked, grouped_positions([*groups.values()], pairs), strict=True))
    others = [number for number in range(len(found.notes)) if number not in spots]
    spots |= zip(others, apart(len(others)), strict=True)
    return [spots[number] for number in range(len(found.notes))]


def _folder(note: NoteConnections) -> str:
    top, slash, _ = note.path.partition("/")
    return one_line(top) if slash else _TOP


def _communities(found: LinkMap) -> Mapping[str, str]:
    """For each linked note's path what its community is called: by its most connected note."""
    of = {note.path: own for note, own in zip(found.notes, found.communities, strict=True)}
    names: dict[int | None, str] = {}
    linked = most_connected(found.notes)
    titles = set[str]()
    for note in linked:
        if of[note.path] not in names:
            # Many folders have a note of the same title, such as "Index".
            title = note.path if note.title in titles else note.title
            names[of[note.path]] = f"around {one_line(title)}"
            titles.add(note.title)
    return {note.path: names[of[note.path]] for note in linked}


def _coloured(groups: Mapping[str, str]) -> tuple[Mapping[str, int], _Groups]:
    """The colour of each path by its group's size, from 1, and what each colour stands for."""
    ordered = Counter(groups.values()).most_common()
    number = {name: min(at, _COLOURS) for at, (name, _) in enumerate(ordered, start=1)}
    legend = ordered[: _COLOURS - 1]
    if rest := ordered[_COLOURS - 1 :]:
        legend.append((rest[0][0] if len(rest) == 1 else "other", sum(size for _, size in rest)))
    return {path: number[name] for path, name in groups.items()}, legend


def _legend(groups: _Groups) -> str:
    return "".join(
        f'<button type="button" data-colour="{number}"><span class="mark" '
        f'style="color: var(--type-{number})">●</span> {text(name)} <small>{size}</small></button>'
        for number, (name, size) in enumerate(groups, start=1)
    )


def _row(note: NoteConnections, vault: str) -> str:
    numbers = (note.neighbours, note.links_out, note.links_in)
    cells = "".join(f'<td class="number">{number}</td>' for number in numbers)
    return f"<tr><td>{_link(note, vault)}</td>{cells}</tr>"


def _orphans(notes: Sequence[NoteConnections], vault: str) -> str:
    if not notes:
        return "<p>Every note has one.</p>"
    items = [f"<li>{_link(note, vault)}</li>" for note in notes[:_ORPHANS]]
    if len(notes) > _ORPHANS:
        items.append(f"<li>and {len(notes) - _ORPHANS} more</li>")
    return f'<ul class="columns">{"".join(items)}</ul>'


def _link(note: NoteConnections, vault: str) -> str:
    url = text(obsidian_url(vault, note.path))
    return f'<a href="{url}">{text(note.title)}</a> <small>{text(note.path)}</small>'
