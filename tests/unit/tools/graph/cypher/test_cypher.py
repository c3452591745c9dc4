"""No Cypher is built from anything a person, a note or a model wrote."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.graph.backends.falkor import FalkorBackend

ROOT = Path(__file__).parents[5]
HOMES = {ROOT / "tools/graph/cypher/queries.py", ROOT / "tools/graph/cypher/dialects.py"}
MODULES = sorted(
    path for folder in ("graphs", "agents", "tools") for path in (ROOT / folder).rglob("*.py")
)
_CYPHER = re.compile(
    r"\b(?:MATCH|MERGE|UNWIND|DETACH DELETE|CREATE) *[(\[]|\bRETURN [a-z]\w*\.|\bINDEX\b.* FOR \("
)


def _body(node: ast.AST) -> list[ast.stmt]:
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return node.body
    return []


def texts(tree: ast.AST) -> Iterator[ast.Constant]:
    """String constants that are no docstrings."""
    documented = {
        id(node.value)
        for parent in ast.walk(tree)
        for node in _body(parent)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in documented:
            continue
        if isinstance(node.value, str):
            yield node


def test_cypher_stands_in_its_two_modules_only() -> None:
    """One test of them all: one for each of 500 modules costs more than reading it."""
    trees = {path: ast.parse(path.read_text("utf-8")) for path in MODULES if path not in HOMES}
    found = {
        f"{path.relative_to(ROOT)}:{node.lineno}": node.value
        for path, tree in trees.items()
        for node in texts(tree)
        if _CYPHER.search(str(node.value))
    }

    assert len(trees) > 400
    assert found == {}


@pytest.mark.parametrize("path", sorted(HOMES), ids=lambda path: path.name)
def test_a_query_is_made_of_constants_alone(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))

    assert not [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    assert not [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in ("format", "format_map", "replace")
    ]
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    own = {function.name for function in functions}
    for call in calls:
        if isinstance(call.func, ast.Name) and call.func.id in own:
            assert all(_is_constant(argument) for argument in call.args)


def _is_constant(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_constant(node.left) and _is_constant(node.right)
    return isinstance(node, ast.Constant | ast.Name)


def test_the_check_sees_cypher_where_there_is_some() -> None:
    (query,) = texts(ast.parse('run(f"MATCH (n) WHERE n.name = {name}")'))

    assert _CYPHER.search(str(query.value))


@pytest.mark.parametrize("key", ["a`b", "a:1}) RETURN 1 //", "", "two words"])
async def test_a_key_that_is_no_name_is_never_sent(tmp_path: Path, key: str) -> None:
    database = FalkorBackend(tmp_path / "nobody.sock", graph="vault")
    with pytest.raises(ValueError, match="no name"):
        await database.query("RETURN $found", found={key: "text"})
