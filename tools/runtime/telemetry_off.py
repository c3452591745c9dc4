"""Off: what the dependencies would send home. Found by watching every connection of a run."""

import os


def silence_telemetry() -> None:
    """Set what each dependency reads; call at a process's start, before importing them."""
    os.environ["ANONYMIZED_TELEMETRY"] = "False"  # chromadb
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # onnxruntime, which chromadb imports too
    os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"
    os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "1"
    os.environ["LANGSMITH_TRACING"] = "false"
    os.environ["LANGCHAIN_TRACING_V2"] = "false"
    os.environ["LANGGRAPH_CLI_NO_ANALYTICS"] = "1"
