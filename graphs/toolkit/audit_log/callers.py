"""Who calls: a session of a program, or a person at the terminal."""

import re
import secrets
from dataclasses import dataclass

from tools.base.guards import one_line
from tools.graph.access.kinds import Tier, known_tier

_LONGEST_CLIENT = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who calls: a session, the name its client gave itself, and what it may do."""

    session: str
    client: str
    tier: Tier

    @property
    def author(self) -> str:
        """Who is told to have written what this caller writes; see ``is_of_program``."""
        return f"{_client_name(self.client)} ({self.tier})"


def caller(client: str, *, tier: Tier = "reader") -> Caller:
    """Somebody who calls from now on, by what their program calls itself."""
    return Caller(session=secrets.token_hex(4), client=client, tier=tier)


def is_of_program(author: str) -> bool:
    """Whether what was written by ``author`` was by a session, and not by a person's command."""
    name, _, tier = author.removesuffix(")").rpartition(" (")
    return bool(name) and author.endswith(")") and known_tier(tier) is not None


def _client_name(client: str) -> str:
    """What a client calls itself, without what could be taken for a tier."""
    name = " ".join(re.sub(r"[()（）]", " ", one_line(client)).split())
    return name[:_LONGEST_CLIENT].strip() or "unknown"
