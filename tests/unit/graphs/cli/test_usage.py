"""Arguments that cannot be used: one line that says what is wrong and where the help is."""

import re

import pytest

from tests.support.processes.command_line import run_here


@pytest.mark.parametrize(
    ("arguments", "said", "helped"),
    [
        (["ask", "--format", "pdf"], "'list', 'narrative', 'ta", "brain ask"),
        (["eval", "intents", "f", "--out", "o", "--mode", "x"], "'x'", "brain eval intents"),
        (["ask", "x", "--limit", "few"], "'--limit'", "brain ask"),
        (["ask", "--nope"], "--nope", "brain ask"),
        (["eval", "retrieval"], "'--queries'", "brain eval retrieval"),
        (["interpret"], "'question'", "brain interpret"),
        (["doctor", "a", "b"], "(a b)", "brain doctor"),
        (["stop", "--vault"], "'--vault'", "brain"),
        (["nope"], "'nope'", "brain"),
        (["eval", "nope"], "'nope'", "brain eval"),
        (["ask", "--format", "\x1b[31mp\ndf"], "'list', 'narrative'", "brain ask"),
    ],
)
def test_what_cannot_be_used_is_one_line_and_2(
    arguments: list[str], said: str, helped: str
) -> None:
    done = run_here(*arguments, environment={})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("brain: ")
    assert said in done.stderr
    assert f"`{helped} --help`" in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Value error" not in done.stderr
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize(("group", "command"), [([], "doctor"), (["eval"], "intents")])
def test_without_a_command_the_help_is_shown(group: list[str], command: str) -> None:
    done = run_here(*group, environment={})
    assert done.returncode == 2
    assert " ".join(["brain", *group]) in done.stderr.partition("\n")[0]
    assert re.search(rf"^ *{command} ", done.stderr, re.MULTILINE)
