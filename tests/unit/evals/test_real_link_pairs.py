"""Judged pairs of real notes are found in their vaults, without a word of them being kept."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.linker.relation import OUTCOMES
from evals.fitting.real_link_pairs import LABELS, OWN_VAULTS, read_real_pairs


class Unread:
    """An encoder for which every text means the same."""

    name = "unread"
    dimensions = 2

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.tile(np.array([1.0, 0.0], np.float32), (len(texts), 1))

    encode_questions = encode
    encode_claims = encode


@pytest.mark.parametrize("name", OWN_VAULTS)
def test_every_pair_of_a_vault_of_ours_stands_where_it_was_judged(name: str) -> None:
    found = read_real_pairs(name, OWN_VAULTS[name], Unread())
    judged = (LABELS / f"{name}.jsonl").read_text("utf-8").splitlines()
    assert len(found.types) == len(found.features) == len(judged)
    assert OUTCOMES.index("none") in found.types
    assert found.asked.any()


def test_a_passage_that_has_changed_is_judged_no_longer(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    shutil.copytree(OWN_VAULTS["evergreen"], vault)
    before = len(read_real_pairs("evergreen", vault, Unread()).types)
    rows = [
        json.loads(line) for line in (LABELS / "evergreen.jsonl").read_text("utf-8").splitlines()
    ]
    path = rows[0]["a"]["path"]
    (vault / path).write_text("# Anew\n\nNothing of what was here is here.\n", "utf-8")
    gone = sum(path in (row["a"]["path"], row["b"]["path"]) for row in rows)
    assert len(read_real_pairs("evergreen", vault, Unread()).types) == before - gone


def test_no_text_of_a_note_is_kept() -> None:
    kept = {
        key
        for file in LABELS.glob("*.jsonl")
        for line in file.read_text("utf-8").splitlines()
        for key in json.loads(line)["a"]
    }
    assert kept == {"path", "line", "digest"}
