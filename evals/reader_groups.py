"""Questions with the texts that may answer them, as groups to learn the reader from.

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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.span_questions import Question, questions
from tools.evidence_features import Candidate
from tools.evidence_ranking import READ, first_ranked
from tools.text.sentences import split
from tools.text.stopwords import GRAMMAR

CANDIDATES = 6
"""Texts of a group."""
_HARD = 4
"""Of the texts that do not answer, so many are those most alike to the question in words."""
_GOLD = 2
"""Answers of a group at most."""
_UNANSWERABLE = 0.25
"""Share of the groups from which the answers are taken out."""
_FIRST = 8
_SUREST = 5
"""Half of the hard ones over a vault are among so many that the program puts first, or that the
reader so far takes most for an answer."""
_NEAR = 6.0
"""What a text around the answer counts at most, where a rare word in common counts as much."""
_UNMARKED = 0.4
_KEYWORDS = 0.15
"""Shares of the questions that lose their question mark, and every word that only builds."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A question, texts, and which of them answer it: none where nothing does."""

    question: str
    texts: tuple[str, ...]
    gold: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question over a pool of texts; ``near`` are those that stand around its answers."""

    question: str
    gold: frozenset[int]
    near: frozenset[int]


class Pool:
    """Texts among which a question has its answers, and those that look like it in words."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self._holding: dict[str, list[int]] = defaultdict(list)
        for number, text in enumerate(texts):
            for word in set(_words(text)):
                self._holding[word].append(number)

    def alike(self, question: str) -> Counter[int]:
        """The texts that share words with the question, with the sum of the words' idf."""
        found: Counter[int] = Counter()
        for word in set(_words(question)):
            holding = self._holding.get(word, ())
            if 0 < len(holding) <= max(20, len(self.texts) // 4):
                idf = math.log(1 + len(self.texts) / len(holding))
                for number in holding:
                    found[number] += idf  # pyright: ignore[reportArgumentType]
        return found


def group(pool: Pool, asked: Asked, rng: random.Random, *, answered: bool | None = None) -> Group:
    """Draw a group: an answer, unless it is left out, and texts that look like one."""
    out = rng.random() < _UNANSWERABLE if answered is None else not answered
    gold = [] if out else rng.sample(sorted(asked.gold), min(_GOLD, len(asked.gold)))
    alike = pool.alike(asked.question)
    for number in asked.near:
        alike[number] += _NEAR * rng.random()  # pyright: ignore[reportArgumentType]
    hard = [number for number, _ in alike.most_common(30) if number not in asked.gold]
    wrong = hard[:2]
    rest = [number for number in hard if number not in wrong]
    rng.shuffle(rest)
    wrong += rest[: _HARD - len(wrong)]
    while len(wrong) + len(gold) < CANDIDATES:
        number = rng.randrange(len(pool.texts))
        if number not in asked.gold and number not in wrong:
            wrong.append(number)
    numbers = [*gold, *wrong]
    rng.shuffle(numbers)
    return Group(
        question=_as_typed(asked.question, rng),
        texts=tuple(pool.texts[number] for number in numbers),
        gold=frozenset(at for at, number in enumerate(numbers) if number in asked.gold),
    )


def _as_typed(question: str, rng: random.Random) -> str:
    if rng.random() < _UNMARKED:
        question = question.rstrip(" ?.")
    if rng.random() < _KEYWORDS:
        kept = [word for word in question.split() if word.strip("?,").lower() not in GRAMMAR]
        question = " ".join(kept) or question
    return question


def qamr(file: Path) -> tuple[Pool, list[Asked]]:
    """Its questions; all sentences are one pool, those of the same article are near."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    numbers: dict[str, int] = {}
    articles: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        number = numbers.setdefault(row["sentence"], len(numbers))
        articles[row["article"]].add(number)
    return Pool(list(numbers)), [
        Asked(
            question=row["q"],
            gold=frozenset({numbers[row["sentence"]]}),
            near=frozenset(articles[row["article"]]),
        )
        for row in rows
    ]


def xquad(file: Path) -> tuple[Pool, list[Asked]]:
    """Its questions over the sentences of all paragraphs."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    texts: list[str] = []
    places: dict[str, list[tuple[int, int, int]]] = {}
    asked: list[Asked] = []
    for row in rows:
        passage = row["passage"]
        if passage not in places:
            cut = split(passage)
            places[passage] = [(one.start, one.end, len(texts) + at) for at, one in enumerate(cut)]
            texts += [one.text for one in cut]
        own = places[passage]
        gold = {number for start, end, number in own if start <= row["start"] < end}
        if gold:
            near = frozenset(number for *_, number in own)
            asked.append(Asked(question=row["q"], gold=frozenset(gold), near=near))
    return Pool(texts), asked


def written(found: Sequence[Question], rng: random.Random) -> Iterator[Group]:
    """Groups of the questions over a vault: what the program itself would have read for each.

    A question whose answer was not found at all teaches nothing here.
    """
    for one in found:
        gold = {id(span) for span, answers in zip(one.found, one.gold, strict=True) if answers}
        if gold or not one.case.answerable:
            ranked = first_ranked(one.found)
            right = _likeliest(one, [span for span in ranked if id(span) in gold])
            wrong = [span for span in ranked if id(span) not in gold]
            surest = [one.found[at] for at in one.surest if not one.gold[at]]
            if len(wrong) >= CANDIDATES:
                likely = surest[:_SUREST] if len(surest) >= _HARD // 2 else wrong[:_FIRST]
                yield _drawn(one.case.q, right, wrong, likely, rng)


def _likeliest(one: Question, right: Iterable[Candidate]) -> list[Candidate]:
    """Of each line's sentences that which the reader takes most for the answer, else the first.

    Evidence is known by its line, of which often one sentence answers (hard EM, Min et al. 2019).
    """
    place = {id(one.found[at]): place for place, at in enumerate(one.surest)}
    kept: dict[tuple[str, int, int], Candidate] = {}
    for span in sorted(right, key=lambda span: place.get(id(span), len(place))):
        kept.setdefault((span.note.path, span.span.line_start, span.span.line_end), span)
    return list(kept.values())


def _drawn(
    question: str,
    right: Sequence[Candidate],
    wrong: Sequence[Candidate],
    likely: Sequence[Candidate],
    rng: random.Random,
) -> Group:
    out = rng.random() < _UNANSWERABLE
    gold = [] if out else rng.sample(right, min(_GOLD, len(right)))
    first = rng.sample(likely, _HARD // 2)
    left = [span for span in wrong[:READ] if span not in first]
    first += rng.sample(left, min(len(left), _HARD - len(first)))
    left = [span for span in wrong if span not in first]
    drawn = [*gold, *first, *rng.sample(left, CANDIDATES - len(gold) - len(first))]
    rng.shuffle(drawn)
    return Group(
        question=_as_typed(question, rng),
        texts=tuple(span.span.under(span.note.title) for span in drawn),
        gold=frozenset(at for at, span in enumerate(drawn) if span in gold),
    )


def cards(file: Path) -> tuple[Pool, list[Asked]]:
    """Lines with the questions they answer, and lines and questions that only look alike."""
    texts: list[str] = []
    asked: list[Asked] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        card = json.loads(line)
        over = " > ".join(filter(None, (card["title"], card["heading"])))
        first = len(texts)
        texts += [f"{over}: {text}" for text in (card["text"], *card["misses"])]
        near = frozenset(range(first, len(texts)))
        asked += [
            Asked(question=one, gold=frozenset({first}), near=near) for one in card["questions"]
        ]
        asked += [Asked(question=one, gold=frozenset(), near=near) for one in card["unanswered"]]
    return Pool(texts), asked


def vaults_below(folder: Path) -> list[list[Question]]:
    """The questions over each vault written below a folder."""
    files = sorted(folder.glob("*/questions.jsonl"))
    return [asyncio.run(questions(file.parent / "notes", file)) for file in files]


def own(
    vaults: Iterable[Sequence[Question]], folder: Path, *, rng: random.Random, epochs: int
) -> list[Group]:
    """Groups of vaults and of the cards below a folder, each drawn anew in every epoch."""
    packs = [cards(file) for file in sorted(folder.glob("cards/*.jsonl"))]
    groups: list[Group] = []
    for _ in range(epochs):
        for found in vaults:
            groups += written(found, rng)
        for pool, asked in packs:
            groups += [group(pool, one, rng) for one in asked]
    rng.shuffle(groups)
    return groups


def public(folder: Path, *, rng: random.Random, questions: int) -> Iterator[Group]:
    """Groups of the public sets: every XQuAD question twice and the rest from QAMR, mixed."""
    pool, asked = xquad(folder / "xquad_en.jsonl")
    groups = [group(pool, one, rng) for one in asked for _ in range(2)]
    pool, asked = qamr(folder / "qamr.jsonl")
    picked = rng.sample(asked, min(len(asked), max(0, questions - len(groups))))
    groups += [group(pool, one, rng) for one in picked]
    rng.shuffle(groups)
    yield from groups


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
