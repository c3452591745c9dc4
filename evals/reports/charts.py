"""The figures as pictures: SVG to stand inside a page, in the page's own colours.

matplotlib draws with a few marker colours, each of which becomes a CSS variable, so that one
picture is legible on light and on dark ground.
"""

import io
import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from evals.metrics.classification import Bin, Confusion, Scores, Share
from evals.metrics.ranking import Cut
from tools.base.domain import INTENTS
from tools.base.guards import terminal_text

_INK, _FAINT, _ACCENT, _GOOD = "#0a0b01", "#0a0b02", "#0a0b03", "#0a0b04"
_LINES = ("#0a0b05", "#0a0b06", "#0a0b07", "#0a0b08", "#0a0b09")
_DASHES: Sequence[Any] = (":", "--", "-.", (0, (5, 1, 1, 1, 1, 1)), "-")
"""A line is told by its colour and, for those who do not see that, by its dashes."""
_VARIABLES: Mapping[str, str] = {
    _INK: "var(--ink)",
    _FAINT: "var(--faint)",
    _ACCENT: "var(--accent)",
    _GOOD: "var(--good)",
    **{colour: f"var(--line-{place})" for place, colour in enumerate(_LINES, start=1)},
}
_STYLE: Mapping[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "brain",
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": _INK,
    "axes.edgecolor": _FAINT,
    "axes.labelcolor": _INK,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "xtick.color": _INK,
    "ytick.color": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": _FAINT,
    "grid.linewidth": 0.5,
}


def reliability(bins: Sequence[Bin]) -> str:
    """Accuracy over confidence against the diagonal, and below how many there are of each."""
    with _figure(4.8, 4.8) as figure:
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
        left = [held.lower for held in bins]
        width = bins[0].upper - bins[0].lower
        bars: dict[str, Any] = {"width": width * 0.92, "align": "edge", "color": _ACCENT}
        upper.bar(left, [held.accuracy for held in bins], alpha=0.45, **bars)
        upper.plot([0, 1], [0, 1], color=_INK, linewidth=1, linestyle="--")
        upper.plot(
            [held.confidence for held in bins],
            [held.accuracy for held in bins],
            color=_ACCENT,
            marker="o",
            markersize=4,
            linestyle="none",
        )
        upper.set(xlim=(0, 1), ylim=(0, 1.02), ylabel="share rightly read")
        upper.grid(visible=True)
        lower.bar(left, [held.count for held in bins], **bars)
        most = max(held.count for held in bins)
        for held in bins:
            middle = (held.lower + held.upper) / 2
            lower.text(middle, held.count + most * 0.04, f"{held.count}", ha="center", fontsize=8)
        lower.set(xlabel="confidence", ylabel="questions", ylim=(0, most * 1.25))
        return _svg(figure)


def confusion(counts: Confusion) -> str:
    """Counts by what was meant and what was read, shaded by the share of the row."""
    refused = any(row[None] for row in counts.values())
    columns = (*INTENTS, None) if refused else INTENTS
    with _figure(4.8, 3.7) as figure:
        axes = figure.subplots()
        for y, truth in enumerate(INTENTS):
            total = sum(counts[truth].values())
            for x, said in enumerate(columns):
                count = counts[truth][said]
                shade = 0.6 * count / total if total else 0.0
                colour = _GOOD if said == truth else _ACCENT
                cell = Rectangle((x, y), 0.96, 0.94, facecolor=colour, alpha=shade, linewidth=0)
                axes.add_patch(cell)
                text = f"{count}" if count else "·"
                axes.text(x + 0.48, y + 0.47, text, ha="center", va="center")
        axes.set(xlim=(0, len(columns)), ylim=(len(INTENTS), 0), xlabel="read as", ylabel="meant")
        labels = [said or "refused" for said in columns]
        axes.set_xticks([x + 0.48 for x in range(len(columns))], labels, rotation=25, ha="right")
        axes.set_yticks([y + 0.47 for y in range(len(INTENTS))], INTENTS)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        return _svg(figure)


def bars(groups: Mapping[str, Share]) -> str:
    """The share of right readings of each group, with its 95 % interval and its size."""
    with _figure(4.8, 0.6 + 0.24 * len(groups)) as figure:
        axes = figure.subplots()
        for y, right in enumerate(groups.values()):
            low, high = right.interval
            axes.barh(y, right.value, height=0.72, color=_ACCENT, alpha=0.45)
            axes.plot([low, high], [y, y], color=_INK, linewidth=1)
            # Beside the axes: inside, it would stand on a bar or an interval.
            axes.text(1.02, y, f"{right.value:.2f} of {right.count}", va="center")
        names = [terminal_text(name) for name in groups]
        axes.set_yticks(range(len(groups)), names)
        axes.set(xlim=(0, 1), ylim=(len(groups) - 0.4, -0.6), xlabel="share rightly read")
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=True, axis="x")
        return _svg(figure)


def precision_recall(cuts: Sequence[Cut], *, chosen: Scores, share: float) -> str:
    """Precision over recall at every confidence, and the point at which it is decided.

    ``share`` of the pairs are contradictions: what calling every pair one would give.
    """
    with _figure(3.6, 3.4) as figure:
        axes = figure.subplots()
        steps = [0.0, *(cut.recall for cut in cuts)]
        axes.plot(
            steps,
            [cuts[0].precision, *(cut.precision for cut in cuts)],
            color=_ACCENT,
            linewidth=1.8,
            drawstyle="steps-pre",
        )
        axes.axhline(share, color=_INK, linewidth=1, linestyle="--")
        axes.text(0.01, share + 0.02, f"all called so: {share:.2f}", fontsize=8)
        if chosen.recall:  # nothing rightly called has no place among the cuts
            at: dict[str, Any] = {"color": _GOOD, "marker": "o", "markersize": 8}
            axes.plot([chosen.recall], [chosen.precision], zorder=3, clip_on=False, **at)
        axes.set(xlim=(0, 1.02), ylim=(0, 1.04), xlabel="recall", ylabel="precision")
        axes.grid(visible=True)
        return _svg(figure)


def recall_at(curves: Mapping[str, Sequence[float]]) -> str:
    """The mean recall of each ranking among the first 1, 2, … places."""
    with _figure(5.2, 4.2) as figure:
        axes = figure.subplots()
        most = 0.0
        for place, (name, values) in enumerate(curves.items()):
            axes.plot(
                range(1, len(values) + 1),
                values,
                color=_LINES[place % len(_LINES)],
                linestyle=_DASHES[place % len(_DASHES)],
                linewidth=2,
                label=terminal_text(name),
            )
            most = max(most, len(values))
        axes.set(xlim=(1, most), ylim=(0, 1.02), xlabel="first k places", ylabel="recall")
        axes.set_xticks([1, *range(5, int(most) + 1, 5)])
        axes.grid(visible=True)
        axes.legend(loc="lower right", frameon=False, labelcolor=_INK, handlelength=3)
        return _svg(figure)


@contextmanager
def _figure(width: float, height: float) -> Generator[Any]:
    """An empty figure of this size in inches; Any, as matplotlib's annotations are half open."""
    library: Any = mpl
    with library.rc_context(dict(_STYLE)):
        yield Figure(figsize=(width, height), layout="constrained")


def _svg(figure: Any) -> str:
    """The drawing as one ``<svg>`` element."""
    out = io.StringIO()
    nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(out, format="svg", metadata=nothing)
    drawn = out.getvalue()
    picture = drawn[drawn.index("<svg") :]
    # It scales with the page; the viewBox keeps the proportions.
    picture = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", picture, count=1)
    picture = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", picture, count=1)
    for colour, variable in _VARIABLES.items():
        picture = picture.replace(colour, variable)
    return picture
