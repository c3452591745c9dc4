"""What an interrupt of a review shows, as JSON has it."""

from dataclasses import asdict

from tools.links.review import Proposal, Tally

_REPLIES = {
    "y": "write it",
    "n": "reject it, and suggest it no more",
    "e": "change it: with relation, context, spot or section",
    "s": "skip it for now",
    "u": "undo the last decision",
}


def review_payload(proposal: Proposal, tally: Tally, *, left: int) -> dict[str, object]:
    """A proposal with its diff, how far the review is, and what may be replied.

    ``left`` are the suggestions of the note that wait, this one included.
    """
    one = proposal.suggestion
    return {
        "kind": "link",
        "note": proposal.source,
        "other": one.note_path,
        "title": one.note_title,
        "probability": one.probability,
        "similarity_score": one.similarity_score,
        "shared_concepts": list(one.shared_concepts),
        "mentions": [asdict(mention) for mention in one.mentions],
        "reason": one.relation.reason if one.relation else "",
        "wanted": asdict(proposal.wanted),
        "changes": [asdict(change) for change in proposal.changes],
        "warnings": list(proposal.warnings),
        "refused": proposal.refused,
        "remark": proposal.remark,
        "left": left,
        "progress": asdict(tally),
        "replies": _REPLIES,
    }
