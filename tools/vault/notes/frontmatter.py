"""A note's properties: YAML between two lines of dashes, whatever it holds. Pure."""

import re
from collections.abc import Iterator, Sequence

import yaml

from tools.base.domain import Json, Link
from tools.vault.notes import markdown
from tools.vault.notes.links import wikilink

LARGEST_FRONTMATTER = 64 * 1024
DEEPEST_FRONTMATTER = 32
"""Levels of nesting: PyYAML builds values recursively and a deep one would end the process."""

_PROSE_KEYS = frozenset({"title", "alias", "aliases", "description", "summary", "tag", "tags"})
_WIKILINK = re.compile(r"(!?)\[\[([^\[\]\n]+)\]\]")


class _UnreadableError(ValueError):
    """Frontmatter that is YAML but no set of properties."""


def read_frontmatter(
    document: markdown.Document, lines: Sequence[str]
) -> tuple[dict[str, Json], list[Link], str | None, int]:
    """Properties, the links in them, why they could not be read, and the first line after."""
    first = document.tokens[0] if document.tokens else None
    if first is None or first.type != "front_matter" or first.map is None:
        return {}, [], None, 1
    end = first.map[1]
    source = "\n".join(lines[1 : end - 1])
    problem = "is longer than 64 KB" if len(source) > LARGEST_FRONTMATTER else ""
    properties: dict[str, Json] = {}
    links: list[Link] = []
    try:
        if not problem:
            properties, links = _read_yaml(source)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 2 if error.problem_mark else 2
        problem = f"is not valid YAML at line {line}"
    except yaml.YAMLError:
        problem = "holds characters that YAML does not allow"
    except _UnreadableError as error:
        problem = str(error)
    warning = f"The frontmatter {problem}; its properties are left out." if problem else None
    return properties, links, warning, end + 1


def _read_yaml(source: str) -> tuple[dict[str, Json], list[Link]]:
    """Properties in order, from the parser's events: no tags, no aliases, no recursion to fear.

    Dates stay as they are written. Links carry the line of their property.
    """
    events = yaml_events(source)
    values: dict[str, Json] = {}
    links: list[Link] = []
    root = [next(events, None) for _ in range(3)][-1]
    if root is None or (isinstance(root, yaml.ScalarEvent) and not root.value):
        return values, links
    if not isinstance(root, yaml.MappingStartEvent):
        raise _UnreadableError("is not a list of properties (key: value)")
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        key = _yaml_key(event)
        start = next(events)
        values[key], end = _yaml_value(start, events, depth=1)
        written = source[start.start_mark.index : end.end_mark.index]
        line = source.count("\n", 0, event.start_mark.index) + 2
        relation = None if key.casefold() in _PROSE_KEYS else key
        for match in _WIKILINK.finditer(written):
            links += wikilink(match[2], line, embed=bool(match[1]), relation=relation)
    for _ in events:  # A fault after the last property counts too.
        pass
    return values, links


def yaml_events(source: str) -> Iterator[yaml.Event]:
    """The parser's events of some YAML. Raises yaml.YAMLError where it is none."""
    loader = yaml.CSafeLoader(source)
    try:
        while event := loader.get_event():
            yield event
    finally:
        loader.dispose()


def _yaml_key(event: yaml.Event) -> str:
    if not isinstance(event, yaml.ScalarEvent):
        raise _UnreadableError("has a property whose name is not plain text")
    return str(event.value)


def _yaml_value(
    event: yaml.Event, events: Iterator[yaml.Event], *, depth: int
) -> tuple[Json, yaml.Event]:
    """A value and its last event."""
    if depth > DEEPEST_FRONTMATTER:
        raise _UnreadableError(f"is nested deeper than {DEEPEST_FRONTMATTER} levels")
    if isinstance(event, yaml.ScalarEvent):
        text = str(event.value).replace("\0", "")
        return (_yaml_scalar(text) if event.style in (None, "") else text), event
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Json] = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            items.append(_yaml_value(event, events, depth=depth + 1)[0])
        return items, event
    if isinstance(event, yaml.MappingStartEvent):
        entries: dict[str, Json] = {}
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            key = _yaml_key(event)
            entries[key] = _yaml_value(next(events), events, depth=depth + 1)[0]
        return entries, event
    raise _UnreadableError("uses YAML aliases (*name), which are not read")


def _yaml_scalar(text: str) -> Json:
    """A bare word by YAML's core schema; numbers too long for others to hold stay text."""
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return text in ("true", "True", "TRUE")
    if re.fullmatch(r"[-+]?(?:0|[1-9][0-9]{0,17})", text):
        return int(text)
    if re.fullmatch(r"[-+]?[0-9]{1,18}\.[0-9]{1,18}(?:[eE][-+]?[0-9]{1,2})?", text):
        return float(text)
    return text
