"""How long `brain watch` gathers changes before it indexes them."""

from graphs.cli.commands.watch import Pace


def notes(first: int, count: int) -> frozenset[str]:
    return frozenset(f"{number}.md" for number in range(first, first + count))


def test_one_note_saved_again_and_again_is_indexed_at_once() -> None:
    pace = Pace()
    for _ in range(50):
        pace = pace.after(notes(0, 1), pause=1, took=0.5)
        assert (pace.quiet, pace.at_most) == (0.2, 1.0)


def test_of_a_stream_of_notes_ever_more_are_gathered() -> None:
    pace, batches, done = Pace(), 0, 0
    while done < 2000:  # one comes every 0.3 s
        batch = max(1, round(pace.at_most / 0.3)) if pace.quiet > 0.3 else 1
        pace = pace.after(notes(done, batch), pause=pace.at_most, took=0.5)
        batches, done = batches + 1, done + batch
    assert batches < 120
    assert pace.at_most <= 10


def test_after_a_pause_a_save_is_indexed_at_once_again() -> None:
    pace = Pace().after(notes(0, 500), pause=100, took=3)
    assert pace.at_most > 1
    assert pace.after(notes(0, 1), pause=6, took=0.5) == Pace(stream=notes(0, 1))
