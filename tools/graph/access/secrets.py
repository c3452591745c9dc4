"""The file in the data directory with what the tiers log in with; nobody else may open it.

The keeper of the embedded server reads it too, so only the standard library is imported.
"""

import json
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from tools.base.errors import StorageError
from tools.graph.access.kinds import TIERS, Tier
from tools.graph.access.tiers import OWNER

FILE = "access.json"
DRAFT = "access.draft"
LOCK = "access.lock"
USERS = "access.acl"
"""The embedded server's own list of its users, with hashes of their secrets."""
_USER = re.compile(r"user \S+(?: (?:[^\s#]\S*|#[0-9a-f]{64}))+")
FILES = (FILE, DRAFT, LOCK, USERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """A user of a database and its secret, which no message and no ``repr`` shows.

    Databases know no end of a user: that it is not believed after ``expires`` is ours to see to.
    """

    user: str
    secret: str = field(repr=False)
    expires: datetime | None = None

    def has_expired(self, now: datetime) -> bool:
        return self.expires is not None and self.expires <= now


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """The logins of the tiers that exist, and that of the embedded server's owner.

    ``days`` says how long each tier's next secret holds, the tier being there or not; without a
    number, or with 0, for good.
    """

    owner: str | None = field(default=None, repr=False)
    tiers: Mapping[Tier, Login] = field(default_factory=dict[Tier, Login])
    days: Mapping[Tier, int] = field(default_factory=dict[Tier, int])


def read_secrets(data_dir: Path) -> Secrets:
    """What the file says; none where there is no file. Raises StorageError for another's file."""
    try:
        text = (data_dir / FILE).read_text("utf-8")
    except FileNotFoundError:
        return Secrets()
    except (OSError, UnicodeDecodeError) as error:
        raise _unusable() from error
    try:
        return _secrets(json.loads(text))
    except (KeyError, TypeError, ValueError):
        raise _unusable() from None  # an error may show what could not be read


def _secrets(known: "dict[str, Any]") -> Secrets:
    owner, given = known["owner"], dict(known["tiers"])
    tiers: dict[Tier, Login] = {
        tier: Login(
            user=str(given[tier]["user"]),
            secret=str(given[tier]["secret"]),
            expires=_moment(given[tier].get("expires")),
        )
        for tier in TIERS
        if tier in given
    }
    kept = dict(known.get("days", {}))
    return Secrets(
        owner=None if owner is None else str(owner),
        tiers=tiers,
        days={tier: int(kept[tier]) for tier in TIERS if tier in kept},
    )


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text).astimezone()


def write_secrets(data_dir: Path, secrets: Secrets) -> None:
    """Put the file in place whole, for this user alone. Raises StorageError."""
    given = {
        tier: {
            "user": login.user,
            "secret": login.secret,
            "expires": login.expires and login.expires.isoformat(),
        }
        for tier, login in secrets.tiers.items()
    }
    draft = data_dir / DRAFT
    try:
        draft.unlink(missing_ok=True)  # another's would keep its permissions
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            whole = {"owner": secrets.owner, "tiers": given, "days": dict(secrets.days)}
            json.dump(whole, stream, indent=2)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(data_dir / FILE)
    except OSError as error:
        raise StorageError(
            f"The secrets of the access tiers cannot be kept ({error.strerror}): free some space "
            "or check the data directory's permissions."
        ) from error


def are_private(data_dir: Path) -> bool:
    """Whether nobody else may open the file of secrets, if there is one."""
    try:
        return not stat.S_IMODE((data_dir / FILE).stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO)
    except OSError:
        return True


def has_damaged_users(data_dir: Path) -> bool:
    """Whether the server's list of its users has a line that no server wrote."""
    try:
        lines = (data_dir / USERS).read_text("utf-8").splitlines()
    except OSError:
        return False
    except UnicodeDecodeError:
        return True
    return not all(_USER.fullmatch(line) for line in lines)


def owner_login(data_dir: Path) -> Login | None:
    """What the embedded server's owner logs in with; None as long as there are no tiers."""
    owner = read_secrets(data_dir).owner
    return None if owner is None else Login(user=OWNER, secret=owner)


def _unusable() -> StorageError:
    return StorageError(
        f"{FILE} in the data directory cannot be read: delete it and run `brain access provision`, "
        "which makes new secrets."
    )
