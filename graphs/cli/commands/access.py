"""What ``brain access`` does and prints; a secret is printed only by ``token``."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from graphs.cli.output import console
from graphs.cli.output.exit_codes import OK
from graphs.core.credentials import login_of
from graphs.operations import access
from tools.graph.access.kinds import Tier
from tools.settings.loading import load_settings
from tools.text.voice import counted


async def provision(
    *, vault: Path | None, data_dir: Path | None, days: int | None, as_json: bool
) -> int:
    """Make the users of all tiers and show them."""
    settings = await asyncio.to_thread(load_settings, vault=vault, data_dir=data_dir)
    _show(await access.provision(settings, days=days), as_json=as_json)
    return OK


async def show(*, vault: Path | None, data_dir: Path | None, as_json: bool) -> int:
    """Show the tiers as the database has them."""
    settings = await asyncio.to_thread(load_settings, vault=vault, data_dir=data_dir)
    _show(await access.show(settings), as_json=as_json)
    return OK


async def revoke(tier: Tier, *, vault: Path | None, data_dir: Path | None, as_json: bool) -> int:
    """Remove a tier's user."""
    settings = await asyncio.to_thread(load_settings, vault=vault, data_dir=data_dir)
    was = await access.revoke(settings, tier)
    if as_json:
        console.show_json({"tier": tier, "revoked": was})
    else:
        console.show_line(f"Revoked: {tier}." if was else f"There was no {tier}.")
    return OK


def token(tier: Tier, *, vault: Path | None, data_dir: Path | None) -> int:
    """Print what a client shows to have a tier."""
    console.show_line(login_of(load_settings(vault=vault, data_dir=data_dir), tier).secret)
    return OK


def script(*, vault: Path | None, data_dir: Path | None, as_json: bool) -> int:
    """Print what an administrator of the database runs."""
    text = access.script(load_settings(vault=vault, data_dir=data_dir))
    if as_json:
        console.show_json({"script": text.splitlines()})
    else:
        for line in text.splitlines():
            console.show_line(line)
    return OK


def _show(found: access.Access, *, as_json: bool) -> None:
    if as_json:
        console.show_json(found)
        return
    console.show_line(f"Graph {found.graph}, staging graph {found.staging} ({found.engine}).")
    for tier in found.tiers:
        console.show_line(f"{tier.tier} {_state(tier)}")
        console.show_line(f"  may: {tier.may}")
        if found.separates or not tier.exists:
            console.show_line(f"  refused by the database: {tier.database}")
            console.show_line(f"  left to the program: {tier.program}")
    for remark in found.remarks:
        console.show_line(remark)


def _state(tier: access.TierStatus) -> str:
    """What there is of a tier, and how long its token holds."""
    lasting = f"for {counted(tier.days, 'day')}" if tier.days else "for good"
    if not tier.exists:
        return f"does not exist; its next token holds {lasting}"
    if tier.expires is None:
        return f"is {tier.user}, its token holds for good"
    until = f"{tier.expires.astimezone():%Y-%m-%d %H:%M}"
    if tier.expires <= datetime.now(UTC):
        return f"is {tier.user}, its token expired on {until}; the next one holds {lasting}"
    return f"is {tier.user}, its token holds until {until}; the next one {lasting}"
