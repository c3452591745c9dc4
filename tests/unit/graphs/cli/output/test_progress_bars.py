from graphs.cli.output.progress_bars import LINE_SECONDS, in_lines
from graphs.ingest.graph import Progress


def test_a_line_comes_now_and_then_with_rate_and_time_left() -> None:
    moment, lines = [0.0], list[str]()
    show = in_lines(lines.append, now=lambda: moment[0])
    for done in range(0, 1001, 100):  # 50 a second
        moment[0] = done / 50
        show(Progress(phase="text", done=done, total=9000))
    assert lines == [
        "500 of 9000 notes read, 50/s, about 3 min left",
        "1000 of 9000 notes read, 50/s, about 3 min left",
    ]


def test_each_phase_has_its_own_rate() -> None:
    moment, lines = [0.0], list[str]()
    show = in_lines(lines.append, now=lambda: moment[0])
    show(Progress(phase="text", done=64, total=64))
    moment[0] = LINE_SECONDS
    show(Progress(phase="vectors", done=0, total=1000))
    moment[0] = 2 * LINE_SECONDS
    show(Progress(phase="vectors", done=100, total=1000))
    assert lines == [
        "0 of 1000 passages embedded",
        "100 of 1000 passages embedded, 10/s, about 2 min left",
    ]


def test_a_short_run_says_nothing() -> None:
    lines = list[str]()
    show = in_lines(lines.append, now=lambda: 0.0)
    show(Progress(phase="text", done=3, total=3))
    assert lines == []
