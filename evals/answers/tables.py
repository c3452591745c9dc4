"""The measures of answers as a table for a terminal."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from evals.answers.evidence import MEASURES, AnswerOutcome, by_kind, in_digits, measured
from tools.base.guards import terminal_text


def table(name: str, found: Sequence[AnswerOutcome]) -> Table:
    """The measures of all questions and of each kind."""
    shown = Table(title=Text(terminal_text(name)), title_justify="left", box=None)
    shown.add_column("", no_wrap=True)
    shown.add_column("asked", justify="right")
    for measure in MEASURES:
        shown.add_column(measure.replace("_", " "), justify="right")
    for label, group in {"all": list(found), **by_kind(found)}.items():
        cells = [in_digits(measure, value) for measure, value in measured(group).items()]
        shown.add_row(Text(terminal_text(label)), str(len(group)), *cells)
    return shown
