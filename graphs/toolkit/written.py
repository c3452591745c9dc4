"""What a tool's result says that it wrote, for the audit log."""

from graphs.toolkit.add_note_tool import NoteAdded
from graphs.toolkit.undo_note_tool import NoteUndone


def written_by(result: object) -> tuple[str, ...]:
    """The paths of the notes that were added or taken back."""
    match result:
        case NoteAdded(note_id=path, is_new=True) | NoteUndone(note_id=path, removed=True):
            return (path,)
        case _:
            return ()
