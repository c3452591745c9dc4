"""Values that fit a JSON schema, and some that nearly do."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st


def fitting(schema: Mapping[str, Any], *, words: Sequence[str]) -> st.SearchStrategy[Any]:
    """Values of a schema as pydantic makes them; texts are often one of these ``words``."""
    defs = schema.get("$defs", {})

    def of(one: Mapping[str, Any]) -> st.SearchStrategy[Any]:
        if "$ref" in one:
            return of(defs[one["$ref"].rpartition("/")[2]])
        if "enum" in one:
            return st.sampled_from(one["enum"])
        if "anyOf" in one:
            return st.one_of(*map(of, one["anyOf"]))
        return kinds[one["type"]](one)

    def text(one: Mapping[str, Any]) -> st.SearchStrategy[Any]:
        most = min(one.get("maxLength", 60), 60)
        return st.sampled_from(words) | st.text(min_size=one.get("minLength", 0), max_size=most)

    def record(one: Mapping[str, Any]) -> st.SearchStrategy[Any]:
        if "properties" not in one:
            return st.dictionaries(st.sampled_from(words), st.sampled_from(words), max_size=2)
        required = set(one.get("required", ()))
        fields = {name: of(kind) for name, kind in one["properties"].items()}
        return st.fixed_dictionaries(
            {name: kind for name, kind in fields.items() if name in required},
            optional={name: kind for name, kind in fields.items() if name not in required},
        )

    kinds: Mapping[str, Callable[[Mapping[str, Any]], st.SearchStrategy[Any]]] = {
        "integer": lambda one: st.integers(one.get("minimum", 0), one.get("maximum", 10_000)),
        "number": lambda one: st.floats(one.get("minimum", -1e9), one.get("maximum", 1e9)),
        "boolean": lambda _: st.booleans(),
        "null": lambda _: st.none(),
        "string": text,
        "array": lambda one: st.lists(of(one["items"]), max_size=3),
        "object": record,
    }
    return of(schema)


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=5,
)
"""Anything that JSON can say."""
