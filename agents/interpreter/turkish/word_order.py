"""The words of a glossed Turkish sentence, put into an order an English reader expects."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

MAX_PHRASE = 6
"""How many words before it a postposition may belong to."""

type Kind = Literal["noun", "verb", "asks", "post", "joins", "orders", "tag", "mark", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A word or expression, glossed.

    ``relation`` is what its case ending says; ``alone`` what a postposition means that belongs to
    nothing, ``lead`` what a yes/no question about a verb begins with. ``addresses`` is true of a
    question tag that speaks to somebody, which makes the verb a request.
    """

    kind: Kind
    text: str
    relation: str = ""
    alone: str = ""
    lead: str = ""
    addresses: bool = False

    def __str__(self) -> str:
        return f"{self.relation} {self.text}" if self.relation else self.text


def arranged(sentence: Sequence[Item]) -> list[Item]:
    """Commands, question words, and what a yes/no question begins with first."""
    items = _yes_or_no(_prepositions(sentence))
    orders = [item for item in items if item.kind == "orders"]
    asks: list[Item] = []
    others: list[Item] = []
    determined = False
    for item in items:
        if item.kind == "asks":
            asks.append(item)
        elif determined and item.kind == "noun":
            asks[-1] = replace(asks[-1], relation=item.relation)
            asks.append(replace(item, relation=""))
        elif item.kind != "orders":
            others.append(item)
        determined = item.kind == "asks" and item.text in _DETERMINERS
    return [*orders, *asks, *others]


def _prepositions(sentence: Sequence[Item]) -> list[Item]:
    """Postpositions moved before the phrase they belong to."""
    items: list[Item] = []
    for item in sentence:
        if item.kind != "post":
            items.append(item)
            continue
        owner = items[-1] if items else _NOTHING
        if item.alone and not (owner.relation or owner.kind == "verb"):
            items.append(Item(kind="other", text=item.alone))
            continue
        place = len(items)
        if owner.kind in ("noun", "verb"):
            items[-1] = replace(owner, relation="")
            place -= 1
        if owner.kind == "noun":
            first = max(0, place - MAX_PHRASE)
            while place > first and _belongs(items[place - 1]):
                place -= 1
        items.insert(place, item)
    return items


def _belongs(item: Item) -> bool:
    return item.kind == "joins" or (item.kind == "noun" and not item.relation)


def _yes_or_no(items: Sequence[Item]) -> list[Item]:
    """Question tags as a word in front, or as "or" where there are several."""
    tags = [place for place, item in enumerate(items) if item.kind == "tag"]
    if not tags:
        return list(items)
    kept: list[Item] = []
    lead = ""
    choice = len(tags) > 1 or any(item.text == "or" for item in items)
    for place, item in enumerate(items):
        if item.kind != "tag":
            kept.append(item)
        elif place != tags[-1]:
            if place + 1 < len(items) and items[place + 1].text != "or":
                kept.append(Item(kind="joins", text="or"))
        elif item.addresses and kept and kept[-1].kind == "verb":  # a request: "would you tell"
            kept[-1] = replace(kept[-1], kind="orders")
        elif kept:
            lead = "is"
    verbs = [item.lead for item in kept if item.kind == "verb"]
    if lead and verbs:
        lead = verbs[-1]
    if choice or any(item.kind == "asks" for item in items):
        return kept
    return [Item(kind="asks", text=lead), *kept] if lead else kept


_NOTHING = Item(kind="other", text="")
_DETERMINERS = frozenset(
    ("which", "how many", "what kind of", "how much", "whose", "which number", "for how many")
)
