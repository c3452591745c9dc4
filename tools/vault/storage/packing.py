"""Short texts made small, with a dictionary of what a vault's texts have in common. Pure."""

from collections.abc import Sequence

import zstandard

DICTIONARY_BYTES = 64 * 1024
FEWEST_SAMPLES = 500
"""Texts below which a dictionary would hold what only a few of them say."""
_LEVEL = 3


def train(samples: Sequence[bytes]) -> bytes | None:
    """A dictionary of what these texts share, or None where they are too few or too unlike."""
    if len(samples) < FEWEST_SAMPLES:
        return None
    try:
        return zstandard.train_dictionary(DICTIONARY_BYTES, list(samples)).as_bytes()
    except zstandard.ZstdError:
        return None


class Packing:
    """Packs texts with a dictionary, or by themselves; for one thread."""

    def __init__(self, dictionary: bytes | None = None) -> None:
        self.dictionary = dictionary
        shared = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL, dict_data=shared)
        self._decompressor = zstandard.ZstdDecompressor(dict_data=shared)

    def pack(self, text: str) -> bytes:
        return self._compressor.compress(text.encode(errors="surrogatepass"))

    def unpack(self, packed: bytes) -> str:
        """Raises ValueError for what was packed neither with this dictionary nor with none."""
        try:
            return self._decompressor.decompress(packed).decode(errors="surrogatepass")
        except (TypeError, zstandard.ZstdError) as error:
            raise ValueError("this is no packed text") from error
