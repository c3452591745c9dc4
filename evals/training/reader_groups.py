"""Questions with windows of spans that may answer them, as groups to learn the reader from.

Sources: QAMR (MIT; questions people wrote about a sentence) and XQuAD (CC BY-SA 4.0; about a
paragraph), and what is written below ``data/reader``: notes with questions, and cards,
each a line with questions it answers and lines that do not.
"""

import asyncio
import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched
from pathlib import Path
from typing import NamedTuple

from evals.answers.span_questions import Question, questions
from evals.datasets.dialogues import Dialogue
from evals.datasets.evidence import AnswerCase
from evals.datasets.records import read_lines
from tools.base.domain import Reading
from tools.evidence.features import Candidate
from tools.evidence.ranking import first_ranked
from tools.evidence.windows import LONGEST, first_windows, span_input
from tools.text.markdown.sentences import split
from tools.text.stopwords import GRAMMAR

_MOST = 4
"""Windows of a group; of half of the groups one less."""
_GOLD = 2
_TWO = 0.3
"""Windows with answers of a group at most, and the share of groups that may have so many."""
_MOST_ALONE = 6
_HARD, _LIKELY = 2, 6
"""Of those that do not answer so many are drawn from so many that come first,"""
_OF_READ, _READ = 3, 24
"""then, one for so many of the group, from these, and the rest from all that was found."""
_UNANSWERABLE = 0.2
"""Share of the groups from which the answers are taken out."""
ALONE: Mapping[Reading, float] = {"together": 0.25, "alone": 1.0}
"""Share of the groups in which each span stands alone."""
_ALIKE = 8
_UNMARKED = 0.4
_KEYWORDS = 0.15
"""Shares of the questions that lose their question mark, and every word that only builds."""
_WORD = re.compile(r"\w+")


class Shown(NamedTuple):
    """A window as it is learned from: where its spans stand, and which of them answer."""

    text: str
    marks: Sequence[tuple[int, int]]
    gold: Sequence[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A question and windows whose spans compete to answer it; none does where nothing answers."""

    question: str
    windows: tuple[Shown, ...]


class Pool:
    """Texts among which a question finds those that look like it in words."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self._holding: dict[str, list[int]] = defaultdict(list)
        for number, text in enumerate(texts):
            for word in set(_words(text)):
                self._holding[word].append(number)

    def alike(self, question: str) -> list[int]:
        """Those that share most with it, by the sum of the words' idf."""
        found: Counter[int] = Counter()
        for word in set(_words(question)):
            holding = self._holding.get(word, ())
            if 0 < len(holding) <= max(20, len(self.texts) // 4):
                idf = math.log(1 + len(self.texts) / len(holding))
                for number in holding:
                    found[number] += idf  # pyright: ignore[reportArgumentType]
        return [number for number, _ in found.most_common(_ALIKE)]


def written(found: Iterable[Question], rng: random.Random, reading: Reading) -> Iterator[Group]:
    """Groups of the questions over a vault: what the program itself would have read.

    A question whose answer was not found at all teaches nothing here.
    """
    for one in found:
        gold = {id(span) for span, answers in zip(one.found, one.gold, strict=True) if answers}
        if not gold and one.case.answerable:
            continue
        order = [*(one.found[at] for at in one.surest), *first_ranked(one.found)]
        draw = _spans if rng.random() < ALONE[reading] else _windows
        drawn = draw(list({id(own): own for own in order}.values()), one.found, gold, rng)
        if drawn:
            best = next((own for own in order if id(own) in gold), order[0])
            (asked,) = (own.question for own in one.sought.span_inputs([best]))
            plain = asked == one.sought.asked.reading.wanted
            typed = _as_typed(one.case.q, rng) if plain else asked
            yield Group(question=typed, windows=drawn)


def _windows(
    order: Sequence[Candidate],
    found: Sequence[Candidate],
    gold: Collection[int],
    rng: random.Random,
) -> tuple[Shown, ...]:
    windows = first_windows(found, order, most=len(order))
    right = [own for own in windows if any(id(span) in gold for span in own.candidates)]
    wrong = [own for own in windows if own not in right]
    most = _MOST - (rng.random() < 0.5)
    answers = _answers(right, _GOLD if rng.random() < _TWO else 1, rng)
    drawn = _beside(answers, wrong, most, rng)
    return tuple(
        Shown(own.text, own.marks, tuple(id(span) in gold for span in own.candidates))
        for own in drawn
    )


def _spans(
    order: Sequence[Candidate],
    found: Sequence[Candidate],  # noqa: ARG001
    gold: Collection[int],
    rng: random.Random,
) -> tuple[Shown, ...]:
    """Spans alone; of those that stand on the same lines only the first answers."""
    right: dict[tuple[str, int, int], Candidate] = {}
    for one in order:
        if id(one) in gold:
            right.setdefault((one.note.path, one.span.line_start, one.span.line_end), one)
    wrong = [one for one in order if id(one) not in gold]
    answers = _answers(list(right.values()), _GOLD, rng)
    drawn = _beside(answers, wrong, _MOST_ALONE, rng)
    return tuple(Shown(*span_input(one, "")[1:], (id(one) in gold,)) for one in drawn)


def _answers[T](right: Sequence[T], most: int, rng: random.Random) -> list[T]:
    out = rng.random() < _UNANSWERABLE
    return [] if out else rng.sample(right, min(most, len(right)))


def _beside[T](gold: Sequence[T], wrong: Sequence[T], most: int, rng: random.Random) -> list[T]:
    """What answers among so many at most that do not; nothing where these are too few."""
    if len(wrong) < most:
        return []
    drawn = [*gold, *rng.sample(wrong[:_LIKELY], _HARD)]
    left = [own for own in wrong[:_READ] if own not in drawn]
    drawn += rng.sample(left, min(len(left), most // _OF_READ))
    left = [own for own in wrong if own not in drawn]
    drawn += rng.sample(left, max(0, min(len(left), most - len(drawn))))
    rng.shuffle(drawn)
    return drawn


def _as_typed(question: str, rng: random.Random) -> str:
    if rng.random() < _UNMARKED:
        question = question.rstrip(" ?.")
    if rng.random() < _KEYWORDS:
        kept = [word for word in question.split() if word.strip("?,").lower() not in GRAMMAR]
        question = " ".join(kept) or question
    return question


def cards(file: Path, rng: random.Random, reading: Reading) -> Iterator[Group]:
    """Lines with the questions they answer, beside lines that only look alike."""
    read = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for card in read:
        for question, answered in (
            *((one, rng.random() >= _UNANSWERABLE) for one in card["questions"]),
            *((one, None) for one in card["unanswered"]),
        ):
            lines = [(text, False) for text in card["misses"]]
            if answered is not False:
                lines.append((card["text"], answered is True))
            rng.shuffle(lines)
            windows = list(_shown(_over(card), lines, rng, reading))
            while len(windows) < _MOST:
                other = rng.choice(read)
                if other is not card:
                    windows.append(_joined(_over(other), [(other["text"], False)]))
            yield Group(question=_as_typed(question, rng), windows=tuple(windows))


def _over(card: dict[str, str]) -> str:
    return " > ".join(filter(None, (card["title"], card["heading"]))) + ":"


def _shown(
    over: str,
    lines: Sequence[tuple[str, bool]],
    rng: random.Random,
    reading: Reading,
    *,
    together: int | None = None,
) -> Iterator[Shown]:
    """The lines, each alone or so many together, under what stands ``over`` them."""
    size = 1 if rng.random() < ALONE[reading] else together or len(lines)
    for part in batched(lines, size):
        shown = _joined(over, part)
        # Alone, what stands over a span is read as a part of it.
        yield shown._replace(marks=[(0, len(shown.text))]) if reading == "alone" else shown


def _joined(over: str, lines: Iterable[tuple[str, bool]]) -> Shown:
    text, marks, gold = over, list[tuple[int, int]](), list[bool]()
    for line, answers in lines:
        start = len(text) + 1
        text += f" {line}"
        marks.append((start, len(text)))
        gold.append(answers)
    return Shown(text, tuple(marks), tuple(gold))


def qamr(file: Path, rng: random.Random, reading: Reading, *, questions: int) -> Iterator[Group]:
    """Some of its questions, with sentences of the same article and of others."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    articles: dict[str, dict[str, None]] = defaultdict(dict)
    for row in rows:
        articles[row["article"]][row["sentence"]] = None
    pool = Pool([sentence for own in articles.values() for sentence in own])
    for row in rng.sample(rows, min(questions, len(rows))):
        own = row["sentence"]
        near = [one for one in articles[row["article"]] if one != own]
        alike = [one for at in pool.alike(row["q"]) if (one := pool.texts[at]) != own]
        others = dict.fromkeys([*rng.sample(near, min(2, len(near))), *alike])
        lines = [(one, False) for one in [*others][: _ALIKE - 2]]
        if rng.random() >= _UNANSWERABLE:
            lines.append((own, True))
        rng.shuffle(lines)
        yield Group(
            question=_as_typed(row["q"], rng),
            windows=tuple(_shown("", lines, rng, reading, together=3)),
        )


def xquad(file: Path, rng: random.Random, reading: Reading) -> Iterator[Group]:
    """Its questions over pieces of their own paragraph and of others that look alike."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    pool = Pool(list(dict.fromkeys(row["passage"] for row in rows)))
    for row in rows:
        longest = 0 if rng.random() < ALONE[reading] else LONGEST
        own = _pieces(row["passage"], row["start"], longest)
        gold = [one for one in own if any(one.gold)]
        near = [one for one in own if not any(one.gold)]
        alike = [pool.texts[at] for at in pool.alike(row["q"])]
        far = [
            one for text in alike if text != row["passage"] for one in _pieces(text, -1, longest)
        ]
        drawn = [] if rng.random() < _UNANSWERABLE else gold
        drawn = [*drawn, *rng.sample(near, min(2, len(near)))]
        drawn += rng.sample(far, min(len(far), max(0, _MOST - len(drawn))))
        rng.shuffle(drawn)
        if gold:
            yield Group(question=_as_typed(row["q"], rng), windows=tuple(drawn))


def _pieces(passage: str, start: int, longest: int) -> list[Shown]:
    """Windows of a passage; the sentence at the character ``start`` answers.

    A window has so many characters at most, or one sentence.
    """
    parts: list[list[tuple[str, bool]]] = [[]]
    size = 0
    for one in split(passage):
        if parts[-1] and size + len(one.text) > longest:
            parts.append([])
            size = 0
        parts[-1].append((one.text, one.start <= start < one.end))
        size += len(one.text)
    return [_joined("", part) for part in parts if part]


def vaults_below(
    folder: Path, dialogues: Sequence[Dialogue], *, rng: random.Random, most: int | None = None
) -> list[list[Question]]:
    """The questions over each vault written below a folder, and those dialogues that are over it.

    A dialogue of one turn is a question in the other language than its notes. ``most``: only so
    many questions are drawn of each vault, and only of those that dialogues are over.
    """
    found: list[list[Question]] = []
    for file in sorted(folder.glob("*/questions.jsonl")):
        own = [one for one in dialogues if one.vault == file.parent.name]
        cases = read_lines(file, AnswerCase)
        if most is None:
            found.append(_of_vault(file, cases, own))
        elif own:
            found.append(_of_vault(file, rng.sample(cases, min(most, len(cases))), own))
    return found


def _of_vault(
    file: Path, written: Sequence[AnswerCase], dialogues: Sequence[Dialogue]
) -> list[Question]:
    cases = [*written, *(one.turns[0] for one in dialogues)]
    longer = [one for one in dialogues if len(one.turns) > 1]
    return asyncio.run(questions(file.parent / "notes", cases, longer))


def own(
    vaults: Iterable[Sequence[Question]], folder: Path, *, rng: random.Random, reading: Reading
) -> list[Group]:
    """Groups of vaults, and of the cards below a folder as many at most."""
    groups = [one for found in vaults for one in written(found, rng, reading)]
    files = sorted(folder.glob("cards/*.jsonl"))
    beside = [one for file in files for one in cards(file, rng, reading)]
    return [*groups, *rng.sample(beside, min(len(beside), len(groups)))]


def public(
    folder: Path, *, rng: random.Random, reading: Reading, questions: int, turkish: bool = False
) -> list[Group]:
    """Groups of the public sets: every XQuAD question and the rest from QAMR, mixed.

    ``turkish``: XQuAD's in Turkish, too.
    """
    languages = ("en", "tr") if turkish else ("en",)
    groups = [
        one for own in languages for one in xquad(folder / f"xquad_{own}.jsonl", rng, reading)
    ]
    groups += qamr(folder / "qamr.jsonl", rng, reading, questions=max(0, questions - len(groups)))
    rng.shuffle(groups)
    return groups


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
