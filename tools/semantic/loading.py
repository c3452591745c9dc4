"""What the semantic server loads beside its event loop, while requests already wait."""

import asyncio
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.semantic.encoder import MiniLmEncoder
    from tools.semantic.index import ChunkIndex
    from tools.semantic.question import QuestionReader


class Loading[T]:
    """Opens something slow beside the event loop, once; a failed try may be repeated."""

    def __init__(self, open_it: Callable[[], T]) -> None:
        self._open = open_it
        self._task: asyncio.Task[T] | None = None

    def begin(self) -> asyncio.Task[T]:
        if self._task is None or (self._task.done() and self._task.exception()):
            self._task = asyncio.create_task(asyncio.to_thread(self._open))
        return self._task

    async def __call__(self) -> T:
        # One caller who gives up must not take it away from the others.
        return await asyncio.shield(self.begin())


class Models:
    """What the server loads; the index and the reader of questions share the built-in encoder."""

    def __init__(self, model: str, *, data_dir: Path) -> None:
        self._model = model
        self._data_dir = data_dir
        self._loading = threading.Lock()
        self._built_in: MiniLmEncoder | None = None

    def index(self) -> "ChunkIndex":
        """Open the index with the configured model. Raises ModelUnavailableError, StorageError."""
        from tools.semantic import minilm
        from tools.semantic.encoder import load_encoder
        from tools.semantic.index import open_client, open_index

        built_in = self._model == minilm.NAME
        url = os.environ.get("BRAIN_OLLAMA_URL", "")
        encoder = self._encoder() if built_in else load_encoder(self._model, ollama_url=url)
        return open_index(open_client(self._data_dir / "chroma"), encoder)

    def reader(self) -> "QuestionReader":
        """Load what questions are read by, whatever model the index has. Raises StorageError."""
        from tools.semantic.question import QuestionReader

        return QuestionReader(self._encoder())

    def _encoder(self) -> "MiniLmEncoder":
        from tools.semantic.encoder import MiniLmEncoder

        with self._loading:
            if self._built_in is None:
                self._built_in = MiniLmEncoder()
            return self._built_in
