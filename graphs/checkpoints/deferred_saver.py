"""What a question leaves behind, held back until it is known whether anybody goes on with it."""

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


class HeldBack(BaseCheckpointSaver[str]):
    """A saver for runs of new threads: it writes nothing until it is told to ``keep`` one.

    Of a question that is answered nothing has to be written, nor deleted again. Each run must end
    with ``keep`` or ``drop``.
    """

    def __init__(self, saver: BaseCheckpointSaver[str]) -> None:
        super().__init__(serde=saver.serde)
        self._saver = saver
        self._left: dict[str, _Left] = {}

    async def keep(self, thread_id: str) -> None:
        """Hand over what the thread's run left to the saver that keeps it."""
        left = self._left.pop(thread_id, _Left())
        if left.checkpoint is not None:
            await self._saver.aput(*left.checkpoint)
        for writes in left.writes:
            await self._saver.aput_writes(*writes)

    def drop(self, thread_id: str) -> None:
        self._left.pop(thread_id, None)

    def get_next_version(self, current: str | None, channel: None) -> str:
        return self._saver.get_next_version(current, channel)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:  # noqa: ARG002
        return None

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        self._of(config).checkpoint = config, checkpoint, metadata, new_versions
        return {"configurable": {**_configured(config), "checkpoint_id": checkpoint["id"]}}

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        self._of(config).writes.append((config, writes, task_id, task_path))

    def _of(self, config: RunnableConfig) -> _Left:
        return self._left.setdefault(_configured(config)["thread_id"], _Left())


def _configured(config: RunnableConfig) -> dict[str, Any]:
    return config.get("configurable", {})
