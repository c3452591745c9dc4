"""Our search as a LangChain retriever, for use in other LangChain programs."""

import asyncio

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from graphs.app import open_brain


class BrainRetriever(BaseRetriever):
    """Finds notes of one vault; each document is one quoted passage with its place as metadata.

    Metadata: ``note_path``, ``note_title``, ``line_start``, ``line_end``, ``heading``, ``score``.
    """

    vault: str
    data_dir: str | None = None
    limit: int = 10

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,  # noqa: ARG002
    ) -> list[Document]:
        return await self._search(query)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002
    ) -> list[Document]:
        return asyncio.run(self._search(query))

    async def _search(self, query: str) -> list[Document]:
        async with open_brain(self.vault, data_dir=self.data_dir) as brain:
            results = await brain.search(query, limit=self.limit)
        return [
            Document(
                page_content=excerpt.text,
                metadata={
                    "note_path": result.note_path,
                    "note_title": result.note_title,
                    "line_start": excerpt.line_start,
                    "line_end": excerpt.line_end,
                    "heading": excerpt.heading,
                    "score": result.composite_relevance,
                },
            )
            for result in results
            for excerpt in result.excerpts
        ]
