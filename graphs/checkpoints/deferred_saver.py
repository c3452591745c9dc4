"""A saver that writes a new thread only once somebody may go on with it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)


@dataclass(slots=True)
class _Left:
    """What one run gave to be kept: its last checkpoint, and the writes upon it by task."""

    checkpoint: tuple[RunnableConfig, Checkpoint, CheckpointMetadata, ChannelVersions] | None = None
    writes: list[tuple[RunnableConfig, Sequence[tuple[str, Any]], str, str]] = field(
        default_factory=list[tuple[RunnableConfig, Sequence[tuple[str, Any]], str, str]]
    )


class DeferredSaver(BaseCheckpointSaver[str]):
    """A saver before another, which gets of a thread that is deferred nothing until ``keep``.

    Of a question that is answered nothing has to be written, nor deleted again. A thread that was
    deferred must end with ``keep`` or ``drop``; all others are the other saver's.
    """

    def __init__(self, saver: BaseCheckpointSaver[str]) -> None:
        super().__init__(serde=saver.serde)
        self._saver = saver
        self._left: dict[str, _Left] = {}

    def defer(self, thread_id: str) -> None:
        """Hold back what the next run of a new thread leaves."""
        self._left[thread_id] = _Left()

    async def keep(self, thread_id: str) -> None:
        """Hand over what the thread's run left; nothing where it is not deferred."""
        left = self._left.pop(thread_id, _Left())
        if left.checkpoint is not None:
            await self._saver.aput(*left.checkpoint)
        for writes in left.writes:
            await self._saver.aput_writes(*writes)

    def drop(self, thread_id: str) -> None:
        """Forget what the thread's run left, if it is deferred still."""
        self._left.pop(thread_id, None)

    def get_next_version(self, current: str | None, channel: None) -> str:
        return self._saver.get_next_version(current, channel)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return None if self._deferred(config) else await self._saver.aget_tuple(config)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        left = self._deferred(config)
        if left is None:
            return await self._saver.aput(config, checkpoint, metadata, new_versions)
        left.checkpoint = config, checkpoint, metadata, new_versions
        return {"configurable": {**_configured(config), "checkpoint_id": checkpoint["id"]}}

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        if left := self._deferred(config):
            left.writes.append((config, writes, task_id, task_path))
        else:
            await self._saver.aput_writes(config, writes, task_id, task_path)

    def _deferred(self, config: RunnableConfig) -> _Left | None:
        return self._left.get(_configured(config)["thread_id"])


def _configured(config: RunnableConfig) -> dict[str, Any]:
    return config.get("configurable", {})
