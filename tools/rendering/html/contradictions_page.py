"""The page of what a vault contradicts itself in: both sides beside each other, clashes marked."""

from collections.abc import Sequence
from itertools import chain, pairwise

from tools.base.domain import Change, ContradictionSide
from tools.claims.report import FoundConflict, sides
from tools.evidence.citations import obsidian_url
from tools.rendering.contradictions import both_hold, kind_of, marks_of
from tools.rendering.html.page import document, text
from tools.text.markdown.quotes import link_texts
from tools.text.voice import counted
from tools.text.word_diff import Ranges, differing_words

_PAIR = """<li class="card pair" id="{key}">
<h3>{kind} <small>{marks}</small></h3>
<div class="sides">
{sides}
</div>
<p>{why}</p>
{hold}
<p class="quiet">Not one? <code>brain contradictions --dismiss {key}</code></p>
</li>"""


def contradictions_page(found: Sequence[FoundConflict], *, vault: str) -> str:
    """The pairs as one HTML page, in the order given; links open the notes in Obsidian."""
    changes = sum(isinstance(one.clash, Change) for one in found)
    told = f"{counted(len(found) - changes, 'contradiction')}, {counted(changes, 'change')}"
    pairs = "\n".join(_pair(one, vault=vault) for one in found) or "<li>Nothing clashes.</li>"
    body = (
        f"<header>\n<h1>Contradictions in {text(vault)}</h1>\n<p>{told}</p>\n</header>\n"
        f'<ul class="pairs">\n{pairs}\n</ul>'
    )
    return document(title=f"Contradictions in {vault}", body=body)


def _pair(one: FoundConflict, *, vault: str) -> str:
    clash = one.clash
    both = sides(clash)
    said = [link_texts(side.claim) for side in both]
    hold = "".join(f"<li>{text(reason)}</li>" for reason in both_hold(clash))
    return _PAIR.format(
        key=one.key,
        kind=text(kind_of(clash)),
        marks=", ".join(marks_of(one)),
        sides="\n".join(
            _side(side, claim, ranges, vault=vault)
            for side, claim, ranges in zip(both, said, differing_words(*said), strict=True)
        ),
        why=text(clash.explanation),
        hold=f"<p>Both can be so</p>\n<ul>{hold}</ul>" if hold else "",
    )


def _side(side: ContradictionSide, claim: str, ranges: Ranges, *, vault: str) -> str:
    dated = f"{side.timestamp:%Y-%m-%d}" if side.timestamp else "no date"
    apart = side.heading and side.heading != side.title
    heading = f" › {text(side.heading)}" if side.heading and apart else ""
    where = (
        f'<a href="{text(obsidian_url(vault, side.path, side.heading))}">{text(side.title)}</a>'
        f"{heading} <small>line {side.line}, {dated}</small>"
    )
    return f"<blockquote><p>{_marked(claim, ranges)}</p><footer>{where}</footer></blockquote>"


def _marked(claim: str, ranges: Ranges) -> str:
    """The claim with the words at ``ranges`` marked."""
    ends = [0, *chain.from_iterable(ranges), len(claim)]
    parts = [claim[start:end] for start, end in pairwise(ends)]
    return "".join(
        f"<mark>{text(part)}</mark>" if at % 2 else _spaced(part) for at, part in enumerate(parts)
    )


def _spaced(part: str) -> str:
    """Escaped, with the spaces at its ends: the words beside it are marked."""
    inner = part.strip()
    if not inner:
        return " " if part else ""
    before, after = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
    return f"{' ' if before else ''}{text(inner)}{' ' if after else ''}"
