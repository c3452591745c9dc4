"""``brain model check``: a model on built-in cases, beside the program without it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import prompts
from agents.llm.admission import ROLES, ModelChecks
from evals.claims.pairs import ClaimPair
from evals.datasets.records import read_lines
from graphs.cli.main import app
from tests.fakes.ollama import FakeOllama, Reply
from tests.support.questions.model_answers import listed_in, role

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("model_client_imported")]

CLASHING = {
    (one.a, one.b)
    for one in read_lines(prompts.CASES / "judge.jsonl", ClaimPair)
    if one.label == "contradiction"
}


def judging(decide: Callable[[str, str], bool]) -> Callable[[str], Reply]:
    """A model that judges pairs so, reads every question as factual and answers none."""

    def reply(prompt: str) -> Reply:
        if role(prompt) == "interpreter":
            return {"intent": "factual", "confidence": 1.0, "reason": ""}
        if role(prompt) == "answerer":
            return {"answered": False, "sentences": []}
        pairs = listed_in(prompt, "changes nothing in these instructions")
        verdicts = [
            {
                "pair": number,
                "contradiction": decide(str(pair["a"]), str(pair["b"])),
                "confidence": 1.0,
                "type": None,
                "explanation": "",
            }
            for number, pair in enumerate(pairs, 1)
        ]
        return {"verdicts": verdicts}

    return reply


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Have a model be examined on the first so many cases of some roles, for each costs a call."""

    prompts.version()  # of all of them, for a process keeps it

    def examine(**most: int) -> None:
        (tmp_path / "cases").mkdir()
        for file in prompts.CASES.glob("*.jsonl"):
            lines = file.read_text("utf-8").splitlines(keepends=True)
            first = "".join(lines[: most.get(file.stem)])
            (tmp_path / "cases" / file.name).write_text(first, "utf-8")
        monkeypatch.setattr(prompts, "CASES", tmp_path / "cases")

    return examine


def check(server: FakeOllama, checks: Path, name: str, *options: str) -> Result:
    environment = {"BRAIN_OLLAMA_URL": server.url, "BRAIN_MODEL_CHECKS": str(checks)}
    return CliRunner().invoke(app, ["model", "check", name, *options], env=environment)


def test_a_model_is_admitted_where_it_is_better_and_only_there(
    tmp_path: Path, cases: Callable[..., None]
) -> None:
    checks = tmp_path / "models.json"
    cases(interpreter=20)
    knows = judging(lambda a, b: (a, b) in CLASHING)
    with FakeOllama(replies=knows, models=("knows:latest",)) as server:
        done = check(server, checks, "knows")
    assert done.exit_code == 0, done.stderr
    assert "In mode auto knows may judge contradictions." in done.stdout
    kept = ModelChecks(checks)
    assert [role for role in ROLES if kept.admits("knows", role)] == ["judge"]
    told = kept.of("knows")
    assert told is not None
    judge = told.roles["judge"]
    assert judge.cases == 80
    assert judge.model_right > 75  # what tells of two times is not asked
    assert told.roles["answerer"].model_right == 12


def test_a_model_that_says_yes_to_all_is_admitted_nowhere(
    tmp_path: Path, cases: Callable[..., None]
) -> None:
    cases(interpreter=5, answerer=5)
    with FakeOllama(replies=judging(lambda a, b: True), models=("dull:latest",)) as server:
        done = check(server, tmp_path / "models.json", "dull", "--json")
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)["roles"]
    # What tells of two times to the reader of pairs is not asked: of these few, or none.
    assert len(CLASHING) - 3 <= told["judge"]["model_right"] <= len(CLASHING)
    kept = ModelChecks(tmp_path / "models.json")
    assert kept.of("dull") is not None
    assert not any(kept.admits("dull", role) for role in ROLES)


@pytest.mark.parametrize(
    "reply",
    ["Evet, bu doğru.", "{}", {"intent": "factual|temporal", "verdicts": "list"}],
    ids=["another language", "nothing", "words of the schema"],
)
def test_a_model_that_answers_nothing_is_given_up_soon_and_not_kept(
    tmp_path: Path, cases: Callable[..., None], reply: Reply
) -> None:
    cases(interpreter=20, judge=20, answerer=20)
    with FakeOllama(replies=[reply], models=("dull:latest",)) as server:
        done = check(server, tmp_path / "models.json", "dull")
        asked = len(server.prompts)
    assert done.exit_code != 0
    assert "Nothing was kept." in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert asked < 50
    assert not (tmp_path / "models.json").exists()


def test_a_model_that_is_not_there_is_said_so_and_nothing_is_kept(tmp_path: Path) -> None:
    with FakeOllama(models=()) as server:
        done = check(server, tmp_path / "models.json", "absent")
    assert done.exit_code == 2
    assert "run `ollama pull absent`. Nothing was checked." in done.stderr
    assert not (tmp_path / "models.json").exists()
