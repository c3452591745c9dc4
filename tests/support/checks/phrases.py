"""The set phrases that stand in the code, as ``tools.text.voice`` is asked for them."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
_ROOMS = ("agents", "graphs", "tools")
_PLACE = {"translate": 0, "counted": 1, "things": 1}


def phrases() -> set[str]:
    """Every one, and the singular of what is counted."""
    return {
        phrase for room in _ROOMS for file in (ROOT / room).rglob("*.py") for phrase in _of(file)
    }


def stands_in_code(phrase: str) -> bool:
    """Whether a phrase is one of the texts in the code."""
    return phrase in _all_texts()


@cache
def _all_texts() -> frozenset[str]:
    return frozenset(
        node.value
        for room in _ROOMS
        for file in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _of(file: Path) -> Iterator[str]:
    tree = ast.parse(file.read_text("utf-8"))
    named = {
        target.id: statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value
        for target in (
            statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        )
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in _PLACE
        ):
            place = _PLACE[node.func.id]
            if len(node.args) > place:
                yield from _texts(node.args[place], named)


def _texts(node: ast.expr, named: dict[str, ast.expr]) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.Name(id=name) if name in named:
            yield from _texts(named[name], {})
        case ast.Subscript(value=ast.Name(id=name)) if name in named:
            yield from _texts(named[name], {})
        case ast.Dict(values=values):
            for value in values:
                yield from _texts(value, {})
        case ast.Tuple(elts=[first, *_]):
            yield from _texts(first, {})
        case ast.IfExp(body=one, orelse=other):
            yield from _texts(one, named)
            yield from _texts(other, named)
        case _:
            pass
