"""Whether a question about a date asks for the state of things then, not for what happened. Pure.

"What was true of sleep on 1 May?" and "What did I believe in May?" ask for what held at the end of
the period; "What happened in May?" and "How did it change in May?" ask for all of it.
"""

import re

from tools.folding import flatten

_STATE = re.compile(
    r"\bas (?:of|at)\b|\bat that (?:time|point)\b|\bback (?:in|on|then)\b"
    r"|\b(?:true|valid|in force|in effect|the case|current)\b.{0,40}\b(?:in|on|at|by|until|as of)\b"
    r"|\bdid (?:i|we) (?:\w+ )?(?:think|believe|know|plan|want|assume|expect|hold|intend|value"
    r"|fear)\b"
    r"|\b(?:was|were) (?:i|we) (?:\w+ )?(?:thinking|believing|planning|working|using|aiming"
    r"|convinced)\b"
    r"|\bwhat (?:was|were) (?:my|our|the state|the status)\b"
    r"|\b(?:my|our) (?:view|belief|opinion|stance|plan|goal|understanding|position|setup)s?\b"
    r"|\bitibar(?:iyla|iyle)\b|\bo (?:tarihte|zaman(?:lar)?|gun(?:lerde)?)\b"
    r"|\bgecerli(?:ydi| idi| olan)"
    r"|\bne(?:ydi| idi)\b|\b(?:dusunu|inani|bili|sani|planli|isti|kullani)yordum?k?\b"
)
_CHANGE = re.compile(
    r"\b(?:evol|chang|develop|progress|histor|happen|timeline|over time|grew|shift|between|since"
    r"|degis|gelis|evri|oldu\b|olay|zaman icinde|surec)"
)


def asks_for_state(question: str) -> bool:
    """Say whether the question asks what held at the time it names."""
    text = flatten(question)
    return _STATE.search(text) is not None and _CHANGE.search(text) is None
