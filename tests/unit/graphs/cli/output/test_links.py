"""How links look on a terminal."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graphs.cli.output.links import show_suggestions, show_undone
from graphs.links.writing.apply import Outcome
from tools.base.domain import SourceWarning
from tools.links.suggestion import LinkSuggestion, LinkSuggestions, SuggestedRelation
from tools.vault.storage.link_journal import LinkWrite

UNTYPED = LinkSuggestion(
    note_id="Nails.md",
    note_title="Nails",
    note_path="Nails.md",
    probability=0.5,
    similarity_score=None,
    shared_concepts=("plant",),
    already_linked=False,
)


def shown(one: LinkSuggestion, capsys: pytest.CaptureFixture[str]) -> str:
    show_suggestions(
        LinkSuggestions(
            source_note="Measures.md",
            source_title="Measures",
            query_timestamp=datetime(2026, 1, 1, tzinfo=UTC),
            total_candidates=1,
            filtered_count=1,
            results=(one,),
            execution_time_ms=1,
        )
    )
    return capsys.readouterr().out


def test_the_type_stands_with_its_reason_where_it_is_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    relation = SuggestedRelation(
        relation="generalizes", probability=0.714, reason="“A” has a case in “B”."
    )
    lines = shown(replace(UNTYPED, relation=relation), capsys).splitlines()
    assert lines[1:] == ["      generalizes (71%): “A” has a case in “B”.", "      both: plant"]
    assert shown(UNTYPED, capsys).splitlines()[1:] == ["      both: plant"]


def test_what_a_terminal_would_obey_is_printed_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    name = "\x1b[31mred\x07.md"
    show_undone(
        Outcome(
            writes=(
                LinkWrite(
                    at=datetime(2026, 1, 1, tzinfo=UTC),
                    by="terminal",
                    source=name,
                    target="B.md",
                    relation="supports",
                    edits=(),
                ),
            ),
            refused=(f"{name} is gone.",),
        ),
        [SourceWarning(source="vault", error=f"{name} was not read.", impact="Try again.")],
    )
    printed = capsys.readouterr()
    assert printed.out == "Taken out (0): red.md supports B.md.\n"
    assert printed.err == "red.md is gone.\nred.md was not read. Try again.\n"
