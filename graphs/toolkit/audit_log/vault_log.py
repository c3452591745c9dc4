"""The audit log of a vault, which keeps of an argument the paths that its notes have."""

from functools import partial

from graphs.ingest.new_notes import added_note
from graphs.toolkit.audit_log.log import AuditLog
from tools.base.errors import StorageError
from tools.settings.settings import Settings
from tools.vault.disk.files import is_note_path


def vault_log(settings: Settings) -> AuditLog:
    """The log that a program adds to."""
    return AuditLog(settings.audit_dir, is_note=partial(_is_note, settings))


def _is_note(settings: Settings, path: str) -> bool:
    """Whether a note of this path is in the vault, or waits to be looked at; False in doubt."""
    try:
        there = is_note_path(path) and (settings.vault / path).is_file()
        return there or added_note(settings, path) is not None
    except (OSError, StorageError):
        return False
