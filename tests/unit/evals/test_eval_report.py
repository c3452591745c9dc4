"""The page: it stands alone, shows the figures, and nothing in a question can act in it."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from evals.__main__ import main
from evals.interpretation.parameters import Check
from evals.reports.page import Findings, write_report
from tests.fakes.outcomes import outcome

NOW = datetime(2026, 3, 18, 10, tzinfo=UTC)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    outcomes = [
        outcome("causal", "factual", query="<script>alert(1)</script>", form="$x_{1}$ <b>"),
        outcome("causal", "causal", query="needless", clarify=True, form="trap", language="en"),
        outcome("causal", "causal", query="unasked", also=("factual",), language="tr"),
        outcome("temporal", None, query="refused one", confidence=0.0, form="trap"),
    ]
    wrong = Check(query="in May", language="en", name="month", expected="e", found="f", right=False)
    path = tmp_path_factory.mktemp("page") / "page.html"
    findings = Findings(title="A <title>", sets={"set": outcomes}, checks={"Dates": [wrong]})
    write_report(path, findings, now=NOW)
    return path.read_text("utf-8")


def test_it_needs_nothing_from_elsewhere(page: str) -> None:
    assert re.findall(r'(?:src|href)="(?!#)[^"]*"', page) == []
    assert not re.search(r"<script|<link|<img|@import|url\((?!#)", page)
    assert page.count("<svg") >= 5


def test_text_of_others_stays_text(page: str) -> None:
    assert "&lt;script&gt;alert(1)" in page
    assert "<title>A &lt;title&gt;</title>" in page
    assert "<b>" not in page


def test_pictures_take_the_colours_of_the_page(page: str) -> None:
    for picture in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        assert "var(--ink)" in picture
        assert "#0a0b" not in picture
        assert 'width="' not in picture[: picture.index(">")]


def test_mistakes_are_listed_by_kind(page: str) -> None:
    for heading, query in {
        "Read wrongly: 2": "refused one",
        "Clear, but asked back: 1": "needless",
        "Ambiguous, but not asked back: 1": "unasked",
        "Wrong: 1": "in May",
    }.items():
        assert query in page.split(heading, 1)[1].split("</details>", 1)[0]


def test_the_same_findings_make_the_same_page(tmp_path: Path) -> None:
    findings = Findings(title="t", sets={"set": [outcome("causal", "causal", form="trap")]})
    for name in ("one.html", "two.html"):
        write_report(tmp_path / name, findings, now=NOW)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()


def test_a_place_that_takes_no_page_is_one_line_before_anything_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "build").write_text("a file", "utf-8")
    assert main([], page=tmp_path / "build" / "page.html") == 2
    said = capsys.readouterr()
    assert "'page.html'" in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)


def test_questions_without_labels_are_one_line_that_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text('{"query": "What is sleep?"}\n', "utf-8")
    assert main([str(file)], page=tmp_path / "page.html") == 2
    said = capsys.readouterr()
    assert "'mine.jsonl'" in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)
