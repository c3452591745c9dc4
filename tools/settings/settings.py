"""What a person can set."""

import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self, cast
from urllib.parse import SplitResult, urlsplit

from platformdirs import user_data_path
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    field_validator,
    model_validator,
)

from tools.base.domain import Mode
from tools.settings.kinds import Level, Tracing
from tools.settings.sources import (
    absolute,
    default_data_dir,
    is_index_read_only,
    run_dir_of,
    with_absolute_paths,
)

type GraphEngine = Literal["embedded", "falkordb", "neo4j"]

FORMER_NAME = "embedding_model"
"""What ``encoder`` was called."""
_GRAPH_SCHEMES: dict[str, GraphEngine] = {
    **dict.fromkeys(("falkor", "falkors", "redis", "rediss"), "falkordb"),
    **dict.fromkeys(("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"), "neo4j"),
}

_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}"

_NO_GRAPH_ADDRESS = (
    "it is no address such as neo4j://127.0.0.1:7687, bolt+s://host or falkor://127.0.0.1:6379"
)


class ModelSettings(BaseModel):
    """Who decides, and with which model: all that reading a question takes, so no vault."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    mode: Mode = "auto"
    ollama_url: str = "http://127.0.0.1:11434"
    chat_model: str = "llama3.2"
    rerank_model: str | None = None
    model_timeout: Annotated[float, Field(gt=0, le=600)] = 20.0
    model_checks: Path = Field(default_factory=lambda: user_data_path("brain") / "models.json")

    @property
    def model_named(self) -> bool:
        """Whether somebody said which model to ask or where it is, instead of leaving both open."""
        return not self.model_fields_set.isdisjoint({"ollama_url", "chat_model"})

    @field_validator("chat_model", "rerank_model")
    @classmethod
    def _of_ollama(cls, name: str | None) -> str | None:
        # Ollama is who serves a model that names nobody.
        named = name and name.strip().removeprefix("ollama:")
        if named is not None and not named.split(":")[-1].strip():
            raise ValueError("a model needs a name, such as llama3.2")
        return named

    @field_validator("model_checks")
    @classmethod
    def _absolute(cls, path: Path) -> Path:
        return absolute("model_checks", path)

    @field_validator("ollama_url")
    @classmethod
    def _server_address(cls, url: str) -> str:
        # The address may hold a password, so it is not repeated.
        try:
            parts = urlsplit(url)
            usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            usable = False
        if not usable or any(char.isspace() for char in url):
            raise ValueError("it is no web address such as http://127.0.0.1:11434")
        return url


class Settings(ModelSettings):
    """Everything configurable. Each field is ``BRAIN_<NAME>`` in the environment."""

    model_config = ConfigDict(extra="forbid")

    vault: Path
    data_dir: Path
    encoder: str = "auto"
    source_timeout: Annotated[float, Field(gt=0, le=60)] = 1.0
    idle_minutes: Annotated[float, Field(gt=0)] = 15.0
    services_owner: int | None = None
    max_note_bytes: Annotated[int, Field(gt=0)] = 5_000_000
    folders: tuple[str, ...] = ()
    new_notes_folder: str | None = None
    slow_ms: Annotated[float, Field(gt=0)] = 1000.0
    log: Level = "warning"
    log_text: bool = False
    otel: Tracing = "off"
    graph_uri: str | None = None
    graph_user: str | None = None
    graph_password: SecretStr | None = None
    graph_database: str | None = None
    chroma_url: str | None = None
    chroma_token: SecretStr | None = None
    chroma_tenant: str = "default_tenant"
    chroma_database: str = "default_database"
    checkpoint_uri: SecretStr | None = None

    @model_validator(mode="before")
    @classmethod
    def _former_name(cls, values: dict[str, Any]) -> dict[str, Any]:
        former = values.pop(FORMER_NAME, None)
        return values if former is None else {"encoder": former, **values}

    @model_validator(mode="before")
    @classmethod
    def _split_folders(cls, values: dict[str, Any]) -> dict[str, Any]:
        folders = values.get("folders")
        if isinstance(folders, str):
            values["folders"] = tuple(part.strip() for part in folders.split(",") if part.strip())
        return values

    @model_validator(mode="before")
    @classmethod
    def _absolute_paths(cls, values: dict[str, Any]) -> dict[str, Any]:
        return with_absolute_paths(values)

    @field_validator("new_notes_folder")
    @classmethod
    def _folder_in_vault(cls, folder: str | None) -> str | None:
        if folder is None:
            return None
        folder = unicodedata.normalize("NFC", folder)  # macOS writes another form
        parts = folder.strip().strip("/").split("/")
        hidden = any(part.startswith(".") or part in ("", "node_modules") for part in parts)
        if hidden or folder.strip().startswith("/") or not folder.isprintable():
            raise ValueError("it is no visible folder within the vault, such as inbox")
        return "/".join(parts)

    @field_validator("graph_uri")
    @classmethod
    def _graph_address(cls, uri: str | None) -> str | None:
        # The address may hold a password, so it is not repeated.
        if uri is None:
            return None
        parts = _parts(uri, schemes=_GRAPH_SCHEMES)
        if parts is not None and "@" in parts.netloc:
            raise ValueError("the login belongs into BRAIN_GRAPH_USER and BRAIN_GRAPH_PASSWORD")
        if parts is None or not parts.hostname:
            raise ValueError(_NO_GRAPH_ADDRESS)
        if parts.path not in ("", "/") or parts.query or parts.fragment:
            raise ValueError(
                "only host and port belong there; BRAIN_GRAPH_DATABASE names the database"
            )
        return uri

    @field_validator("graph_database", "chroma_tenant", "chroma_database")
    @classmethod
    def _database_name(cls, name: str | None) -> str | None:
        if name is not None and not re.fullmatch(_NAME, name):
            raise ValueError("a name has letters, digits, dots and dashes, at most 63")
        return name

    @field_validator("chroma_url")
    @classmethod
    def _chroma_address(cls, url: str | None) -> str | None:
        # The address may hold a password, so it is not repeated.
        if url is None:
            return None
        parts = _parts(url, schemes=("http", "https"))
        if parts is not None and "@" in parts.netloc:
            raise ValueError("a login does not belong there; BRAIN_CHROMA_TOKEN is the token")
        if parts is None or not parts.hostname or parts.query or parts.fragment:
            raise ValueError("it is no web address such as http://127.0.0.1:8000")
        return url.rstrip("/")

    @field_validator("chroma_token")
    @classmethod
    def _header_value(cls, token: SecretStr | None) -> SecretStr | None:
        shown = token.get_secret_value() if token else "unset"
        if not re.fullmatch(r"[!-~]+", shown):
            raise ValueError("a token has no spaces and none but ASCII characters")
        return token

    @field_validator("checkpoint_uri")
    @classmethod
    def _postgres_address(cls, uri: SecretStr | None) -> SecretStr | None:
        # As is the custom of Postgres it may hold the password, so it is not repeated.
        if uri and _parts(uri.get_secret_value(), schemes=("postgresql", "postgres")) is None:
            raise ValueError("it is no address such as postgresql://user@127.0.0.1:5432/database")
        return uri

    @model_validator(mode="after")
    def _data_dir_outside_vault(self) -> Self:
        if self.data_dir.is_relative_to(self.vault):
            raise ValueError("the data directory must lie outside the vault")
        return self

    @model_validator(mode="after")
    def _new_notes_are_indexed(self) -> Self:
        folder = f"{self.new_notes_folder}/"
        indexed = tuple(f"{unicodedata.normalize('NFC', one).strip('/')}/" for one in self.folders)
        if self.new_notes_folder is not None and indexed and not folder.startswith(indexed):
            raise ValueError("new_notes_folder must be one of the folders that are indexed")
        return self

    @cached_property
    def run_dir(self) -> Path:
        """Where the local servers' sockets live (``tools/settings/sources.py``)."""
        return run_dir_of(self.data_dir)

    @cached_property
    def read_only(self) -> bool:
        """Whether there is an index that this process may not change."""
        return is_index_read_only(self.data_dir)

    def environment(self) -> Iterator[tuple[str, str]]:
        """What has another process load the very same settings, secrets included."""
        for name, value in self.model_dump(exclude_none=True).items():
            match value:
                case SecretStr():  # as text it is a row of asterisks
                    text = value.get_secret_value()
                case tuple():
                    text = ",".join(map(str, cast("tuple[object, ...]", value)))
                case _:
                    text = str(value)
            yield f"BRAIN_{name.upper()}", text

    @property
    def fences_dir(self) -> Path:
        """Where those who watch the vault have their files (``tools/vault/watch/fence.py``)."""
        return self.run_dir / "watches"

    @property
    def graph_engine(self) -> GraphEngine:
        """Which database holds the graph: the embedded one, or a server of one of two kinds."""
        if self.graph_uri is None:
            return "embedded"
        return _GRAPH_SCHEMES[urlsplit(self.graph_uri).scheme]

    @property
    def vault_mark(self) -> str:
        """What tells this vault from others: its folder's name and a hash of its path."""
        return default_data_dir(self.vault).name

    @property
    def chroma_collection(self) -> str:
        """What the vault's vectors are called on a Chroma server, where other vaults may be too."""
        plain = re.sub(r"[^A-Za-z0-9.-]+", "-", self.vault_mark)
        return f"brain.{plain[-100:]}"

    @property
    def index_path(self) -> Path:
        return self.data_dir / "index.db"

    @property
    def inferred_path(self) -> Path:
        return self.data_dir / "inferred.db"

    @property
    def history_path(self) -> Path:
        return self.data_dir / "history.db"

    @property
    def chroma_dir(self) -> Path:
        return self.data_dir / "chroma"

    @property
    def graph_dir(self) -> Path:
        return self.data_dir / "graph"

    @property
    def ambiguity_log_path(self) -> Path:
        return self.data_dir / "unclear-questions.jsonl"

    @property
    def slow_path(self) -> Path:
        return self.data_dir / "slow-questions.jsonl"

    @property
    def added_notes_path(self) -> Path:
        return self.data_dir / "added-notes.db"

    @property
    def link_journal_path(self) -> Path:
        return self.data_dir / "link-journal.db"

    @property
    def link_feedback_path(self) -> Path:
        return self.data_dir / "link-feedback.json"

    @property
    def audit_dir(self) -> Path:
        return self.data_dir / "audit"

    @property
    def run_path(self) -> Path:
        return self.data_dir / "index-run.json"

    @property
    def self_check_path(self) -> Path:
        return self.data_dir / "self-check.json"

    @property
    def self_check_page(self) -> Path:
        return self.data_dir / "self-check.html"

    @property
    def contradictions_path(self) -> Path:
        return self.data_dir / "contradictions.db"

    @property
    def dismissals_path(self) -> Path:
        return self.data_dir / "dismissed-contradictions.jsonl"

    @property
    def readings_path(self) -> Path:
        return self.data_dir / "readings.db"

    @property
    def checkpoint_path(self) -> Path:
        return self.data_dir / "checkpoints.db"


def _parts(address: str, *, schemes: Collection[str]) -> SplitResult | None:
    """The parts of an address with one of these schemes; None for what is no such address."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in schemes and "//" in address and parts.port != 0
    except ValueError:
        return None
    return parts if usable and address.isprintable() and " " not in address else None
