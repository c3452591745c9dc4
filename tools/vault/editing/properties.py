"""A link as one more value of a property in a note's frontmatter. Pure."""

from collections.abc import Iterator, Sequence

import yaml

from tools.base.domain import Note
from tools.base.errors import InputError
from tools.vault.editing.encoded_text import EncodedText, Line
from tools.vault.notes.frontmatter import yaml_events


def property_value(
    file: EncodedText, lines: Sequence[Line], note: Note, key: str, name: str
) -> list[tuple[int, str]]:
    """The texts that put ``[[name]]`` into the property ``key``, each before a character.

    Raises InputError without a key, and for frontmatter that cannot be read.
    """
    if not key:
        raise InputError("A link in the frontmatter needs a type: it is the name of its property.")
    unread = next((one for one in note.warnings if one.startswith("The frontmatter ")), None)
    if unread:
        raise InputError(f"{unread} Mend it first, or choose another place.")
    end, value = file.line_end, _quoted(f"[[{name}]]")
    if note.body_line == 1:
        return [(0, f"---{end}{key}:{end}  - {value}{end}---{end}")]
    closing = lines[note.body_line - 2]
    first = lines[1].start
    source = file.text[first : closing.start]
    found = _value(source, key)
    if found is None:
        return [(closing.start, f"{key}:{end}  - {value}{end}")]
    start, stop, last = found
    begin, after = first + start.start_mark.index, first + stop.end_mark.index
    if isinstance(start, yaml.SequenceStartEvent) and not start.flow_style:
        item = _line_of(lines, first + (last or start).start_mark.index)
        at = _line_of(lines, first + (last or start).end_mark.index - 1)
        dash = file.of(item)
        return [(at.end, f"{end}{dash[: len(dash) - len(dash.lstrip())]}- {value}")]
    if isinstance(start, yaml.SequenceStartEvent):
        return [(after - 1, f", {value}" if last else value)]
    if isinstance(start, yaml.ScalarEvent) and start.style not in ("|", ">"):
        if not start.value:
            return [(_line_of(lines, first + start.start_mark.index).end, f"{end}  - {value}")]
        return [(begin, "["), (after, f", {value}]")]
    raise InputError(f"The property {key!r} is no list: choose another place.")


def _quoted(text: str) -> str:
    if '"' in text or "\\" in text:
        return "'" + text.replace("'", "''") + "'"
    return f'"{text}"'


def _line_of(lines: Sequence[Line], character: int) -> Line:
    return next(line for line in reversed(lines) if line.start <= character)


def _value(source: str, key: str) -> tuple[yaml.Event, yaml.Event, yaml.Event | None] | None:
    """First and last event of a property's value, and the last of its items' own."""
    events = yaml_events(source)
    for event in events:
        if isinstance(event, yaml.MappingStartEvent):
            break
    while isinstance(name := next(events, None), yaml.ScalarEvent):
        start = next(events)
        stop, last = _to_end(start, events)
        if name.value == key:
            return start, stop, last
    return None


def _to_end(
    start: yaml.Event, events: Iterator[yaml.Event]
) -> tuple[yaml.Event, yaml.Event | None]:
    """The event that ends a value, and the last one before it at one level below."""
    depth, event, last = 0, start, None
    while True:
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth == 0:
            return event, last
        if event is not start:
            last = event
        event = next(events)
