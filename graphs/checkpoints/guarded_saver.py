"""A checkpoint saver of LangGraph's whose every use goes through one method."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)

from tools.base.errors import StorageError


class GuardedSaver(BaseCheckpointSaver[str]):
    """Stands before the saver that does the work, among a class's parents.

    Raises StorageError for a checkpoint that cannot be read.
    """

    async def _guarded[T](self, work: Callable[[], Awaitable[T]]) -> T:
        """Do the work that was asked of the saver, and treat its failures."""
        raise NotImplementedError

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        read = super().aget_tuple
        try:
            return await self._guarded(lambda: read(config))
        except ValueError as error:
            raise StorageError(
                "What this thread left open cannot be read: ask again in another thread."
            ) from error

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        write = super().aput
        return await self._guarded(lambda: write(config, checkpoint, metadata, new_versions))

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        write = super().aput_writes
        await self._guarded(lambda: write(config, writes, task_id, task_path))

    async def adelete_thread(self, thread_id: str) -> None:
        delete = super().adelete_thread
        await self._guarded(lambda: delete(thread_id))
