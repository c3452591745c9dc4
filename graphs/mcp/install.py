"""What a client's file holds with our server, and without it again. Pure: text in, text out."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

from graphs.mcp import json_text
from tools.base.errors import InputError
from tools.graph.access.kinds import Tier, known_tier
from tools.text.normalize import fold

NAME = "notes"
"""What our server is called; that of a further vault has the vault's name behind it."""

_LONGEST = 30
"""Characters of a vault's name: clients put the server's name before that of each tool."""
_PROGRAM = re.compile(r"(?:.*[\\/])?brain(?:\.exe)?", re.IGNORECASE | re.DOTALL)
_NO_NAME = re.compile(r"[^a-z0-9]+")


class NotRewritableError(InputError):
    """The file cannot be changed without harm: its user has to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """How a client starts our server for a vault, and what it may do; the paths are absolute."""

    program: str
    vault: str
    data_dir: str | None = None
    tier: Tier | None = None
    """None for the tier that the client has already, which is a reader at first."""

    def entry(self, *, typed: bool, before: object = None) -> dict[str, Any]:
        """What a client's file says of it; ``typed`` where it says also how they talk.

        ``before`` is what it said until now.
        """
        chosen = () if self.data_dir is None else ("--data-dir", self.data_dir)
        chosen_tier = self.tier or _tier_of(before)
        tier = () if chosen_tier == "reader" else ("--tier", chosen_tier)
        arguments = ["mcp", "--vault", self.vault, *chosen, *tier]
        kind = {"type": "stdio"} if typed else {}
        return {**kind, "command": self.program, "args": arguments}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The name of our entry, the file's new text, None where nothing is left to keep of it.

    ``first`` where the file had no entry of ours before.
    """

    name: str
    text: str | None
    first: bool = False


def installed(
    text: str | None, server: Server, *, key: str, typed: bool, vault_name: str
) -> Change:
    """The file with our entry for the vault: brought up to date, or added as the last.

    ``text`` is None where there is no file. Raises NotRewritableError, unless a file that cannot
    be rewritten has that very entry.
    """
    servers = _readable_servers(text, key)
    name = name_for(servers, vault=server.vault, vault_name=vault_name)
    entry = server.entry(typed=typed, before=servers.get(name))
    if text is not None and servers.get(name) == entry:
        return Change(name=name, text=text)
    if text is None or not text.strip(f"{json_text.BOM} \t\r\n"):
        return Change(name=name, text=json_text.document({key: {name: entry}}), first=True)
    _require_rewritable(text, key)
    first = all(vault_of(value) is None for value in servers.values())
    at = _servers_at(text, key)
    if at is None:
        changed = json_text.with_member(text, json_text.top(text), key, {name: entry})
    elif name in servers:
        place = next(one for one in json_text.members(text, at) if one.key == name)
        changed = json_text.with_values(text, place.value, entry)
    else:
        changed = json_text.with_member(text, at, name, entry)
    return Change(name=name, text=changed, first=first)


def uninstalled(text: str, *, key: str, vault: str, before: str | None) -> Change | None:
    """The file without our entry for the vault; None where it has none.

    ``before`` is what the file held before our first entry, None where nothing is known of that.
    Where the result holds the same, it is that very text. Raises NotRewritableError.
    """
    ours = [name for name, one in _readable_servers(text, key).items() if vault_of(one) == vault]
    if not ours:
        return None
    _require_rewritable(text, key, name=ours[0])
    for name in ours:
        at = _servers_at(text, key)
        text = text if at is None else json_text.without_member(text, at, name)
    return Change(name=ours[0], text=_as_before(text, key, before))


def name_for(servers: Mapping[str, Any], *, vault: str, vault_name: str) -> str:
    """The name of our entry for the vault: the one it has, or the first that is free."""
    for name, value in servers.items():
        if vault_of(value) == vault:
            return name
    return next(name for name in _names(vault_name) if name not in servers)


def vault_of(value: object) -> str | None:
    """The vault that an entry of ours serves; None for an entry of somebody else."""
    command = cast("dict[str, Any]", value).get("command") if isinstance(value, dict) else None
    if not (isinstance(command, str) and _PROGRAM.fullmatch(command)):
        return None
    return _option(cast("object", value), "--vault")


def _tier_of(value: object) -> Tier:
    """The tier that an entry of ours gives its client."""
    return known_tier(_option(value, "--tier") or "") or "reader"


def _option(value: object, name: str) -> str | None:
    """What an entry gives as an option of `brain mcp`, or None."""
    arguments = cast("dict[str, Any]", value).get("args") if isinstance(value, dict) else None
    if not isinstance(arguments, list):
        return None
    words = cast("list[object]", arguments)
    if words[:1] != ["mcp"]:
        return None
    given = (text for option, text in pairwise(words) if option == name)
    return next((text for text in given if isinstance(text, str)), None)


def to_paste(name: str, server: Server, *, key: str, typed: bool) -> str:
    """What to write into the file by hand."""
    return json.dumps({key: {name: server.entry(typed=typed)}}, indent=2, ensure_ascii=False)


def readable_name(text: str | None, *, key: str, vault: str, vault_name: str) -> str:
    """The name of our entry, as far as the file can be read at all."""
    return name_for(_readable_servers(text, key), vault=vault, vault_name=vault_name)


def _names(vault_name: str) -> Iterator[str]:
    yield NAME
    own = (
        f"{NAME}-{_NO_NAME.sub('-', fold(vault_name)).strip('-')[:_LONGEST].strip('-') or 'vault'}"
    )
    yield own
    number = 2
    while True:
        yield f"{own}-{number}"
        number += 1


def _readable_servers(text: str | None, key: str) -> Mapping[str, Any]:
    """The servers of a file, also of one with comments; none where it cannot be read."""
    try:
        whole = json_text.parse_with_comments(text or "")
    except ValueError:
        return {}
    servers = cast("dict[str, Any]", whole).get(key) if isinstance(whole, dict) else None
    return cast("dict[str, Any]", servers) if isinstance(servers, dict) else {}


def _require_rewritable(text: str, key: str, *, name: str | None = None) -> None:
    """Raise NotRewritableError, with the reason, for a file that must be left to its user."""
    todo = "put the entry into it by hand" if name is None else f"take {name!r} out by hand"
    try:
        whole = json_text.parse(text)
    except ValueError:
        reason = "it is damaged JSON"
        if _has_comments(text):
            reason = "it has comments or spare commas, which a rewritten file could lose"
        raise NotRewritableError(f"{reason}; {todo}.") from None
    if not isinstance(whole, dict):
        raise NotRewritableError(f"it is no JSON object; {todo}.")
    found = [one for one in json_text.members(text, json_text.top(text)) if one.key == key]
    if len(found) > 1:
        raise NotRewritableError(f"it has {key!r} twice; {todo}.")
    if found and not isinstance(cast("dict[str, Any]", whole)[key], dict):
        raise NotRewritableError(f"its {key!r} is no JSON object; {todo}.")
    names = [one.key for place in found for one in json_text.members(text, place.value)]
    if len(names) > len(set(names)):
        raise NotRewritableError(f"it has a server twice; {todo}.")


def _has_comments(text: str) -> bool:
    try:
        json_text.parse_with_comments(text)
    except ValueError:
        return False
    return True


def _servers_at(text: str, key: str) -> int | None:
    """Where the object of the servers begins in a rewritable file."""
    for member in json_text.members(text, json_text.top(text)):
        if member.key == key:
            return member.value
    return None


def _as_before(text: str, key: str, before: str | None) -> str | None:
    """The text, or where it holds what was there before us, what was there."""
    bare = _without_empty(text, key)
    if before is None:
        return text if json_text.parse(bare) else None
    had = before if before.strip(f"{json_text.BOM} \t\r\n") else "{}"
    try:
        return next((before for one in (text, bare) if json_text.same(one, had)), text)
    except ValueError:
        return text


def _without_empty(text: str, key: str) -> str:
    """The text without the object of the servers, if none is in it."""
    at = _servers_at(text, key)
    if at is None or json_text.members(text, at):
        return text
    return json_text.without_member(text, json_text.top(text), key)
