"""What a caller has shown of itself: a tier, and the login that the database knows it by.

Whatever a caller says of itself counts for nothing: a tier is who knows its secret, and the
database looks at that again with every connection.
"""

import hmac
from dataclasses import dataclass
from datetime import UTC, datetime

from tools.base.errors import AccessError, InputError
from tools.graph.access.kinds import TIERS, Tier, known_tier, reaches
from tools.graph.access.secrets import FILE, Login, read_secrets
from tools.graph.access.tiers import user_name
from tools.settings.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """A tier that was proven, with its login; without one only the program holds it to its tier."""

    tier: Tier
    login: Login | None = None


OWNER = Credential(tier="curator")
"""Who runs the program, with its own connection to the graph."""


def own_credential(settings: Settings, tier: Tier) -> Credential:
    """What our own processes take to have no more rights than a tier.

    Where tiers were never made it has no login. Raises InputError where they were, but this one is
    not there, AccessError where it has expired, StorageError.
    """
    if not (settings.data_dir / FILE).exists():  # which stays when the last one is taken away
        return Credential(tier=tier)
    return Credential(tier=tier, login=login_of(settings, tier))


def login_of(settings: Settings, tier: Tier) -> Login:
    """The login of a tier that was made. Raises InputError, AccessError and StorageError."""
    login = read_secrets(settings.data_dir).tiers.get(tier)
    if login is None or login.user != user_name(settings.vault_mark, tier):
        raise InputError(f"There is no {tier}: `brain access provision` makes the tiers.")
    _require_current(tier, login)
    return login


def find_credential(settings: Settings, secret: str) -> Credential | None:
    """Whose secret a caller showed; None for any other, whatever it claims to be.

    Raises AccessError where it has expired, and StorageError.
    """
    shown = secret.encode(errors="replace")
    found: Credential | None = None
    for tier, login in read_secrets(settings.data_dir).tiers.items():
        if hmac.compare_digest(login.secret.encode(), shown):
            found = Credential(tier=tier, login=login)
    if found is None or found.login is None:
        return None
    if found.login.user != user_name(settings.vault_mark, found.tier):
        return None
    _require_current(found.tier, found.login)
    return found


def lowered(settings: Settings, credential: Credential, wanted: str | None) -> Credential:
    """A caller that wants a tier within its own gets that one's login; with a higher one its own.

    Raises as ``own_credential`` does, and InputError for what is no tier.
    """
    if wanted is None:
        return credential
    tier = known_tier(wanted)
    if tier is None:
        raise InputError(f"There is no tier {wanted[:20]!r}: there are {', '.join(TIERS)}.")
    if credential.login is None or not reaches(tier, credential.tier):
        return own_credential(settings, tier) if reaches(credential.tier, tier) else credential
    return credential


def _require_current(tier: Tier, login: Login) -> None:
    if login.has_expired(datetime.now(UTC)):
        raise AccessError(
            f"The token of the {tier} has expired: `brain access provision` makes a new one."
        )
