"""Arguments that cannot be used: one line that says what is wrong and where the help is."""

import pytest

from tests.support.processes.command_line import run_here


@pytest.mark.parametrize(
    ("arguments", "said", "helped"),
    [
        (["ask", "--format", "pdf"], "'pdf' is not one of 'list', 'narrative', 'ta", "brain ask"),
        (["eval", "intents", "f", "--out", "o", "--mode", "x"], "'x' is not", "brain eval intents"),
        (["ask", "x", "--limit", "few"], "'--limit'", "brain ask"),
        (["ask", "--nope"], "No such option: --nope", "brain ask"),
        (["eval", "retrieval"], "Missing option '--queries'", "brain eval retrieval"),
        (["interpret"], "Missing argument 'question'", "brain interpret"),
        (["doctor", "a", "b"], "(a b)", "brain doctor"),
        (["stop", "--vault"], "'--vault' requires an argument", "brain"),
        (["nope"], "No such command 'nope'", "brain"),
        (["eval", "nope"], "No such command 'nope'", "brain eval"),
        (["ask", "--format", "\x1b[31mp\ndf"], "is not one of", "brain ask"),
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


@pytest.mark.parametrize("group", [[], ["eval"]])
def test_without_a_command_the_help_is_shown(group: list[str]) -> None:
    done = run_here(*group, environment={})
    assert done.returncode == 2
    assert done.stderr.startswith(f"Usage: {' '.join(['brain', *group])} [OPTIONS] COMMAND")
    assert "Commands:\n" in done.stderr
