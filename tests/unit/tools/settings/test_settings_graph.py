"""Which database holds the graph, and that its password is never shown."""

from pathlib import Path

import pytest

from tests.support.values.settings_given import nobody_at_home, refusal, vault
from tools.settings.loading import load_settings

__all__ = ["nobody_at_home", "vault"]


def test_the_graph_is_embedded_unless_an_address_is_given(vault: Path) -> None:
    loaded = load_settings(vault=vault)
    assert (loaded.graph_uri, loaded.graph_engine) == (None, "embedded")
    assert (loaded.graph_user, loaded.graph_password, loaded.graph_database) == (None, None, None)


@pytest.mark.parametrize(
    ("uri", "engine"),
    [
        *((f"{scheme}://127.0.0.1:7687", "neo4j") for scheme in ("neo4j", "bolt", "bolt+s")),
        *((f"{scheme}://graph.example/", "neo4j") for scheme in ("neo4j+s", "neo4j+ssc")),
        *((f"{scheme}://[::1]:6379", "falkordb") for scheme in ("falkor", "falkors", "redis")),
        *(("rediss://h", "falkordb"), ("NEO4J://h", "neo4j")),
    ],
)
def test_the_address_says_which_database_holds_the_graph(
    uri: str, engine: str, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAIN_GRAPH_URI", uri)
    loaded = load_settings(vault=vault, graph_database="my-vault.2")
    assert (loaded.graph_uri, loaded.graph_engine) == (uri, engine)
    assert loaded.graph_database == "my-vault.2"


@pytest.mark.parametrize(
    ("uri", "instead"),
    [
        *((bad, "") for bad in ("secret", "http://secret", "neo4j:secret", "bolt://")),
        *((f"bolt://secret:{port}", "") for port in ("port", "0", "99999", "-1")),
        *((f"bolt://se{sign}cret", "") for sign in (" ", "\n", "\x1b", "\u2028")),
        ("bolt://[secret", ""),
        *((f"{s}://me:secret@h:1", "BRAIN_GRAPH_PASSWORD") for s in ("neo4j", "bolt+s", "redis")),
        ("falkor://:secret@h", "BRAIN_GRAPH_PASSWORD"),
        ("rediss://h:1/secret", "BRAIN_GRAPH_DATABASE"),
        *((f"neo4j://h/{more}secret", "BRAIN_GRAPH_DATABASE") for more in ("?a=", "#", "")),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_and_not_repeated(
    uri: str, instead: str, vault: Path
) -> None:
    message = refusal(vault=vault, graph_uri=uri)
    assert "graph_uri" in message
    assert instead in message
    assert ("BRAIN_GRAPH_" in message) == bool(instead)
    assert "secret" not in message


@pytest.mark.parametrize("name", ["", "-a", "a b", "a`b", "a" * 64, "ünal", "a\n"])
def test_a_name_that_no_database_has_is_refused(name: str, vault: Path) -> None:
    assert "graph_database" in refusal(vault=vault, graph_database=name)


def test_the_graphs_password_is_never_shown(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAIN_GRAPH_PASSWORD", "hush-hush")
    loaded = load_settings(vault=vault, graph_uri="neo4j://h", graph_user="me")
    assert loaded.graph_password is not None
    assert loaded.graph_password.get_secret_value() == "hush-hush"
    assert "hush" not in f"{loaded} {loaded!r} {loaded.model_dump()} {loaded.model_dump_json()}"
