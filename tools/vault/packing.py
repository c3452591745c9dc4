"""Short texts made small, with a dictionary of what a vault's texts have in common. Pure."""

from collections.abc import Iterable, Sequence

import zstandard

DICTIONARY_BYTES = 64 * 1024
FEWEST_SAMPLES = 500
"""Texts below which a dictionary would hold what only a few of them say."""
_LEVEL = 3
_LARGEST_TEXT = 1 << 30


def train(samples: Sequence[bytes]) -> bytes | None:
    """A dictionary of what these texts share, or None where they are too few or too unlike."""
    if len(samples) < FEWEST_SAMPLES:
        return None
    try:
        return zstandard.train_dictionary(DICTIONARY_BYTES, list(samples)).as_bytes()
    except zstandard.ZstdError:
        return None


class Packing:
    """Packs with the newest of its dictionaries and unpacks with whichever was used; one thread."""

    def __init__(self, dictionaries: Iterable[bytes] = ()) -> None:
        """Take the dictionaries in the order in which they came."""
        known = [zstandard.ZstdCompressionDict(content) for content in dictionaries]
        newest = known[-1] if known else None
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL, dict_data=newest)
        self._decompressors = {
            one.dict_id(): zstandard.ZstdDecompressor(dict_data=one) for one in known
        }
        self._decompressors[0] = zstandard.ZstdDecompressor()

    def pack(self, text: str) -> bytes:
        return self._compressor.compress(text.encode(errors="surrogatepass"))

    def knows(self, packed: bytes) -> bool:
        """Whether the text was packed with one of these dictionaries or none. Raises ValueError."""
        return _dictionary_of(packed) in self._decompressors

    def unpack(self, packed: bytes) -> str:
        """Raises ValueError for what was not packed with one of these dictionaries or none."""
        try:
            decompressor = self._decompressors[_dictionary_of(packed)]
            raw = decompressor.decompress(packed, max_output_size=_LARGEST_TEXT)
            return raw.decode(errors="surrogatepass")
        except (KeyError, TypeError, zstandard.ZstdError) as error:
            raise ValueError("this is no packed text") from error


def _dictionary_of(packed: bytes) -> int:
    try:
        return zstandard.get_frame_parameters(packed).dict_id
    except (TypeError, zstandard.ZstdError) as error:
        raise ValueError("this is no packed text") from error
