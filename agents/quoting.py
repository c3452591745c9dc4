"""Words of others in a prompt: quoted as JSON, so that nothing in them ends the quotation."""

import json
import re

# What chat templates take for the start of another turn: <|im_start|>, <start_of_turn>, [INST].
_CONTROL = re.compile(r"<|\[(?=/?[A-Z_]+\])")


def as_data(value: object, *, indent: int | None = None) -> str:
    """``value`` as JSON whose strings hold no sign that a chat template would act on."""
    written = json.dumps(value, ensure_ascii=False, indent=indent)
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0][0]):04x}", written)
