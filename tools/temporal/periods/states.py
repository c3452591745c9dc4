"""What a question about time asks for: a state of things, a change, or what happened. Pure.

"What was true of sleep on 1 May?" asks for what held at the end of the period, and "What did I
believe in May?" for what was known of it by then; "What happened in May?" and "How did it change in
May?" ask for all of it.
"""

import re

from tools.text.normalize import flatten

_STATE = re.compile(
    r"\bas (?:of|at)\b|\bat that (?:time|point)\b|\bback then\b"
    r"|\b(?:true|valid|in force|in effect|the case|current)\b.{0,40}\b(?:in|on|at|by|until|as of)\b"
    r"|\bdid (?:i|we) (?:\w+ )?(?:think|believe|know|plan|want|assume|expect|hold|intend|value"
    r"|fear)\b"
    r"|\b(?:was|were) (?:i|we) (?:\w+ )?(?:thinking|believing|planning|working|using|aiming"
    r"|convinced)\b"
    r"|\bwhat (?:was|were) (?:my|our|the state|the status)\b"
    r"|\bitibar(?:iyla|iyle)\b|\bo (?:tarihte|zaman(?:lar)?|gun(?:lerde)?)\b"
    r"|\bgecerli(?:ydi| idi| olan)"
    r"|\bne(?:ydi| idi)\b|\b(?:dusunu|inani|bili|sani|planli|isti|kullani)yordum?k?\b"
)
_BELIEF = re.compile(
    r"\bdid (?:i|we) (?:\w+ )?(?:think|believe|know|assume|expect|suspect)\b"
    r"|\b(?:was|were) (?:i|we) (?:\w+ )?(?:thinking|believing|convinced)\b"
    r"|\bwhat (?:was|were) (?:my|our) (?:\w+ )?(?:view|belief|opinion|stance|understanding)s?\b"
    r"|\b(?:dusunu|inani|bili|sani)yordum?k?\b"
)
_EVOLUTION = (
    r"\b(?:evol|chang|develop|progress|histor|timeline|over time|grew|shift"
    r"|degis|gelis|evri|zaman icinde|surec)"
)
_CHANGE = re.compile(rf"{_EVOLUTION}|\b(?:happen|between|since|oldu\b|olay)")
_CHANGED = re.compile(_EVOLUTION)


def asks_for_state(question: str) -> bool:
    """Say whether the question asks what held at the time it names."""
    text = flatten(question)
    return _STATE.search(text) is not None and _CHANGE.search(text) is None


def asks_for_belief(question: str) -> bool:
    """Say whether the question asks what was believed at the time it names, whatever came out."""
    return asks_for_state(question) and _BELIEF.search(flatten(question)) is not None


def asks_for_change(question: str) -> bool:
    """Say whether the question asks how something became what it is, or when it did."""
    return _CHANGED.search(flatten(question)) is not None
