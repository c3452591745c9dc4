"""The words of a sentence that say why: because, so, bu yüzden. Pure."""

import re

from tools.text.normalize import flatten

_REASON = re.compile(
    r"\b(?:because|so that|due to|owing to|therefore|consequently|thanks to|on account of"
    r"|as a result|hence\b|thus\b|reasons?\b|why\b|so (?:i|we|you|he|she|it|they|my|our)\b"
    r"|cunku|yuzunden|yuzden|nedeni?yle\b|nedenle\b|nedeni\b|sebebi|sebebiyle|sebeple|sebepten"
    r"|sayesinde|bundan dolayi|dolayisiyla|(?:bunun|onun) icin\b|\w+[dt][iu]g\w+ icin\b)"
    r"|,\s*so\b(?!\s+(?:far|much|many|long|that|to|on|as|good|what)\b)"
)
_CAUSAL_VERBS = re.compile(
    r"\b(?:caus|lead|led|result|trigger|produc|owing|mak|made|neden|sebep|yol ac)"
)


def has_causal_marker(text: str) -> bool:
    """Whether a text has a word that gives a cause or an effect, in English or Turkish."""
    return gives_reason(text) or _CAUSAL_VERBS.search(flatten(text)) is not None


def gives_reason(text: str) -> bool:
    """Whether a text joins an effect and its reason: "because", ", so", "bu yüzden"."""
    return _REASON.search(flatten(text)) is not None
