"""Suggestions learn from a person's decisions, and go on without them when they cannot."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from agents.linker.ranking import probabilities, shipped
from graphs.links.learn import learn, link_stats, personal_ranking, withdraw
from graphs.operations.link_feedback import examine_link_feedback, repair_link_feedback
from tests.support.processes.command_line import run_here
from tools.links.signals import FEATURES, GRADED, PLAIN, Signals
from tools.settings.settings import Settings
from tools.vault.storage.link_feedback import LinkDecision

DECISION = LinkDecision(
    at=datetime(2026, 12, 1, tzinfo=UTC),
    source="a.md",
    target="b.md",
    accepted=True,
    probability=0.2,
    suggested="supports",
    chosen="elaborates",
    features=dict.fromkeys(FEATURES, 0.5),
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "data").mkdir()
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "a.md").write_text("A note.", "utf-8")
    return Settings(vault=tmp_path / "vault", data_dir=tmp_path / "data")


def promised(settings: Settings) -> float:
    """What is promised of a candidate with some of everything."""
    found = Signals(**{name: {"b.md": 1.0} for name in (*GRADED, *PLAIN)})
    return float(probabilities(found, ["b.md"], personal_ranking(settings)[0])[0])


def test_each_decision_changes_what_is_promised_and_without_the_file_it_is_as_shipped(
    settings: Settings,
) -> None:
    before = promised(settings)
    assert learn(settings, [DECISION]) == ()
    once = promised(settings)
    assert once > before
    learn(settings, [replace(DECISION, accepted=False)] * 3)
    assert promised(settings) < once
    assert personal_ranking(settings)[0] is personal_ranking(settings)[0], "fitted once"
    settings.link_feedback_path.unlink()
    assert promised(settings) == before


def test_what_was_taken_out_again_is_not_learned_from(settings: Settings) -> None:
    learn(settings, [DECISION])
    assert withdraw(settings, "a.md", "b.md", accepted=True) == ()
    assert link_stats(settings).decided == 0
    assert np.array_equal(personal_ranking(settings)[0].weights, shipped().weights)
    assert withdraw(settings, "a.md", "b.md", accepted=True) == ()


def test_a_damaged_file_is_told_of_and_learning_starts_anew(settings: Settings) -> None:
    path = settings.link_feedback_path
    path.write_text("{", "utf-8")
    ranking, (warning,) = personal_ranking(settings)
    assert ranking.bias == shipped().bias
    assert "link-feedback.json is no JSON" in warning.error
    assert not examine_link_feedback(settings).ok
    assert len(withdraw(settings, "a.md", "b.md", accepted=True)) == 1
    (aside,) = learn(settings, [DECISION])
    assert "link-feedback.damaged" in aside.error
    assert personal_ranking(settings)[1] == ()
    assert examine_link_feedback(settings).ok


def test_doctor_sets_a_damaged_file_aside_and_leaves_a_newer_one(settings: Settings) -> None:
    assert repair_link_feedback(settings) == []
    path = settings.link_feedback_path
    path.write_text("{", "utf-8")
    (done,) = repair_link_feedback(settings)
    assert "kept as link-feedback.damaged" in done
    assert not path.exists()
    assert examine_link_feedback(settings).ok
    path.write_text('{"version": 2}', "utf-8")
    (told,) = repair_link_feedback(settings)
    assert "newer version" in told
    assert path.exists()
    assert not examine_link_feedback(settings).ok


def test_in_a_data_directory_that_is_read_only_nothing_is_kept_and_that_is_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(_: Path) -> bool:
        return True

    monkeypatch.setattr("tools.settings.settings.is_index_read_only", read_only)
    (warning,) = learn(settings, [DECISION])
    assert "read-only" in warning.error
    assert "not learned from" in warning.impact
    assert len(withdraw(settings, "a.md", "b.md", accepted=True)) == 1
    assert list(settings.data_dir.iterdir()) == []


def test_the_command_line_shows_what_was_accepted(settings: Settings) -> None:
    places = ("--vault", str(settings.vault), "--data-dir", str(settings.data_dir))
    empty = run_here("link", "stats", *places, environment={})
    assert empty.returncode == 0
    assert "No suggested link was accepted or rejected yet" in empty.stderr
    learn(settings, [DECISION, replace(DECISION, accepted=False, chosen=None)])
    shown = run_here("link", "stats", *places, environment={}).stdout
    assert "2 suggested links decided on since 2026-12-01: 1 accepted (50%)" in shown
    assert "supports         1 of 2 accepted (50%)" in shown
    assert "10% to 25%       1 of 2 accepted (50%), promised 20%" in shown
    assert "link-feedback.json" in shown
    assert str(settings.data_dir) not in shown
    as_json = run_here("link", "stats", "--json", *places, environment={}).stdout
    assert '"retyped": 1' in as_json
