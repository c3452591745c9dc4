"""A word-by-word English gloss of a Turkish question.

It is no translation. It lets a sentence encoder that knows English alone read what kind of answer
a question asks for: question words and commands stand in front, postpositions before what they
belong to, everything else where the question has it. The words are in ``gloss_tr.tsv``, a stem
and its gloss a line, where

- a stem that ends in ``-`` is a verb's (``yaz-`` write, ``yaz`` summer);
- a stem of several words is an expression (``ne zaman``), its last word may take endings;
- what follows ``|`` in a gloss is its irregular past (``wrote``) or plural;
- ``~`` begins the gloss of a word that no postposition takes along (adverbs, pronouns),
  ``?`` that of a word that asks, ``<`` that of a postposition, ``<<`` that of one after a case
  ending only, where ``|`` gives what it is elsewhere;
- a stem with Turkish letters is for those alone; without them it also stands for words with them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby
from operator import itemgetter

from agents.interpreter.turkish.suffixes import (
    Endings,
    VerbEndings,
    noun_endings,
    stems,
    verb_endings,
)
from agents.interpreter.turkish.word_order import Item, arranged
from tools.text.language import is_turkish
from tools.text.normalize import QUOTED, flatten

MAX_WORDS = 6
"""How many words an expression in the table has at most."""


def in_english(question: str) -> str:
    """The gloss of ``question``; a word the table does not know stays as it is written."""
    sentences: list[list[Item]] = [[]]
    for item in _items(question):
        sentences[-1].append(item)
        if item.kind == "mark" and item.text in _ENDS:
            sentences.append([])
    glossed = (arranged(sentence) for sentence in sentences)
    text = " ".join(str(item) for sentence in glossed for item in sentence)
    return _BEFORE_MARK.sub(r"\1", text)


@lru_cache(maxsize=16_384)  # a claim is in many pairs
def glossed(text: str) -> str:
    """``text`` as a network reads it that knows English only: the gloss of what is Turkish."""
    return in_english(text) if is_turkish(text) else text


# --- words into items ----------------------------------------------------------------------


def _items(question: str) -> Iterator[Item]:
    written: list[str] = _TOKEN.findall(question)
    tokens = [_lowered(word) for word in written]
    flat = [flatten(token) for token in tokens]
    beginnings = _beginnings()
    place = 0
    while place < len(tokens):
        for size in range(min(MAX_WORDS, len(tokens) - place), 0, -1):
            if size > 1 and " ".join(flat[place : place + size - 1]) not in beginnings:
                continue
            phrase = " ".join(tokens[place : place + size])
            if item := _read(phrase.replace("'", "") if size > 1 else phrase):
                break
        else:
            size, item = 1, _unknown(written[place])
        if size == 1 and _is_name(written, place):
            item = _unknown(written[place])
        place += size
        if item.relation == "from" and place < len(flat) and flat[place] in _MORE:
            item = replace(item, relation="than")
        yield item


def _is_name(written: Sequence[str], place: int) -> bool:
    """Whether a word with endings is rather a name: it has a capital where none need be."""
    word = written[place]
    capital = word[0].isupper() and not word.isupper()
    known = flatten(word) in _table()
    return capital and not known and place > 0 and written[place - 1].islower()


def _lowered(text: str) -> str:
    """Lower case as Turkish has it, apostrophes straight."""
    return text.translate(_AS_TURKISH).lower()


def _unknown(written: str) -> Item:
    """A name, a number, a quotation or a mark; only an ending after an apostrophe is read."""
    if not written[0].isalnum():
        quoted = len(written) > 1
        return Item(kind="noun" if quoted else "mark", text=written)
    name, apostrophe, rest = written.replace("’", "'").rpartition("'")
    endings = noun_endings(flatten(rest)) if apostrophe and name else None
    if endings is None:
        return Item(kind="noun", text=written)
    known = _read(_lowered(name))
    text = known.text if known and known.kind == "noun" else name
    return Item(kind="noun", text=text, relation=endings.relation)


@lru_cache(maxsize=8192)
def _read(phrase: str) -> Item | None:
    """What the table says about a word or expression in lower case, with its endings."""
    flat = flatten(phrase)
    if _TAG.fullmatch(flat):
        return Item(kind="tag", text="", addresses=_ADDRESSED.fullmatch(flat) is not None)
    forms = dict.fromkeys((phrase, flat))
    for plain in (_plain, _command):
        for word in forms:
            if item := plain(word):
                return item
    last = phrase.rfind(" ") + 1
    found = [
        (len(rest), form[:last] + stem, noun)
        for form in forms
        for stem, rest, noun in stems(form[last:])
    ]
    found.sort(key=itemgetter(0))
    for left, group in groupby(found, key=itemgetter(0)):
        rest = flat[len(flat) - left :]
        possible = [(stem, noun) for _, stem, noun in group]
        for stem, noun in possible:
            if not noun and (item := _inflected_verb(stem, rest)):
                return item
        for stem, _ in possible:
            if item := _inflected_noun(stem, rest):
                return item
    return None


def _plain(word: str) -> Item | None:
    """A word as the table has it."""
    gloss = _table().get(word)
    if gloss is None:
        return None
    if gloss.startswith("?"):
        return Item(kind="asks", text=gloss[1:])
    if gloss.startswith("<"):
        meaning, _, alone = gloss.lstrip("<").partition("|")
        return Item(kind="post", text=meaning, alone=alone if gloss.startswith("<<") else "")
    if word in _JOINING:
        return Item(kind="joins", text=gloss.lstrip("~"))
    if gloss.startswith("~"):
        return Item(kind="other", text=gloss[1:])
    return Item(kind="noun", text=gloss.partition("|")[0])


def _command(word: str) -> Item | None:
    """A verb's bare stem."""
    verb = _table().get(f"{word}-")
    return Item(kind="orders", text=verb.partition("|")[0]) if verb else None


def _inflected_verb(stem: str, rest: str) -> Item | None:
    gloss = _table().get(f"{stem}-")
    endings = verb_endings(rest) if gloss else None
    return _verb(gloss, endings) if gloss and endings else None


def _inflected_noun(stem: str, rest: str) -> Item | None:
    gloss = _table().get(stem)
    endings = noun_endings(rest) if gloss and gloss[0] not in _MARKS else None
    return _noun(gloss, endings) if gloss and endings else None


def _noun(gloss: str, endings: Endings) -> Item:
    word, _, plural = gloss.partition("|")
    if endings.plural:
        word = plural or _plural(word)
    if endings.without:
        word = f"without {word}"
    text = f"{endings.owner} {word}" if endings.owner else word
    return Item(kind="noun", text=text, relation=endings.relation)


def _verb(gloss: str, endings: VerbEndings) -> Item:
    word, _, past = gloss.partition("|")
    if endings.command:
        return Item(kind="orders", text=word)
    helper = _HELPERS.get(endings.tense, "")
    if endings.tense == "past":
        if endings.negative:
            helper = "did not"
        else:
            word = past or _past(word)
    elif endings.negative:
        plain = "do not" if endings.subject else "not" if endings.relation else "does not"
        helper = f"{helper} not" if helper else plain
    parts = (endings.subject, helper, word)
    if endings.tense == "shall" and endings.subject:
        parts = (helper, endings.subject, word)
    lead = "can" if endings.tense == "can" else "did" if endings.tense == "past" else "does"
    return Item(
        kind="verb",
        text=" ".join(part for part in parts if part),
        relation=endings.relation,
        lead=lead,
    )


def _past(word: str) -> str:
    """The regular past of a verb, of its first word if it has several."""
    verb, space, rest = word.partition(" ")
    if verb == "be":
        verb = "was"
    elif verb.endswith("e"):
        verb += "d"
    elif verb.endswith("y") and verb[-2:-1] not in "aeou":
        verb = verb[:-1] + "ied"
    else:
        verb += "ed"
    return verb + space + rest


def _plural(word: str) -> str:
    if word.endswith("s"):
        return word
    if word.endswith("y") and word[-2:-1] not in "aeou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("x", "ch", "sh", "z")) else "s")


# --- tables --------------------------------------------------------------------------------


@cache
def _table() -> dict[str, str]:
    text = files(__package__).joinpath("gloss_tr.tsv").read_text(encoding="utf-8")
    return dict(line.split("\t") for line in text.splitlines())


@cache
def _beginnings() -> frozenset[str]:
    """The expressions without their last words, so that few others need be tried."""
    return frozenset(flatten(stem.rpartition(" ")[0]) for stem in _table() if " " in stem)


_AS_TURKISH = str.maketrans("Iİ’", "ıi'")
_TOKEN = re.compile(rf"{QUOTED.pattern}|\w+(?:['’\-+#.&/]\w+)*|\S")
_BEFORE_MARK = re.compile(r" ([,;:.?!)\]…])")
_ENDS = frozenset(".?!;…")
_TAG = re.compile(r"m[iu](?:y[iu][mz]|s[iu]n(?:[iu]z)?|yd[iu][mkn]?|d[iu]r|ym[iu]s[a-z]*)?")
_ADDRESSED = re.compile(r"m[iu]s[iu]n(?:[iu]z)?")
_MORE = frozenset(("daha", "dha"))
_JOINING = frozenset(("ve", "ile", "veya", "yoksa", "ya da", "yada"))
_HELPERS = {"future": "will", "must": "should", "can": "can", "if": "if", "shall": "should"}
_MARKS = frozenset("?<~")
