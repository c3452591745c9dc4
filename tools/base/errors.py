"""What the user can put right, and what a part of the system failed to do.

Each message is one line that says what failed, what still works and what to do. It holds no
secret and no path outside the vault and the data directory.
"""


class BrainError(Exception):
    """Anything this program raises on purpose; shown as one line."""


class InputError(BrainError):
    """The user's input cannot be used as it is. Exit code 2."""


class QuestionError(InputError, ValueError):
    """The question cannot be asked as it is.

    LangGraph's server shows its users what a ValueError says, and of our other errors nothing.
    """


class BusyError(InputError):
    """Another process does just now what only one may do at a time."""


class AccessError(InputError):
    """The tier that a caller has proven does not reach as far, or its token has expired."""


class SourceError(BrainError):
    """One store or service did not do its part; the others may still answer."""


class TransientError(SourceError):
    """A store was busy: the same would likely work if it were asked for again at once."""


class RefusedError(SourceError):
    """A database refused what it was told, and would refuse the same again."""


class LoginRefusedError(SourceError):
    """A database does not let in whoever was named to it."""


class NotPermittedError(SourceError):
    """A database does not let the login that was used do what was asked of it."""


class NoDatabaseError(SourceError):
    """A server has no database of the name that it was asked for."""


class ServiceUnavailableError(SourceError):
    """A local server could not be started or reached."""


class ModelUnavailableError(SourceError):
    """No language model answered: not running, not installed, too slow, or unusable output.

    ``reason`` is the part of the message that holds for whoever has nothing to go on with.
    """

    def __init__(self, message: str, *, reason: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason or message


class ModelAbsentError(ModelUnavailableError):
    """No server was found, or it does not have the model: nothing was asked of it."""


class StoreVersionError(BrainError):
    """A store was written by a newer version of this program."""


class StorageError(BrainError):
    """The data directory cannot be written: full, read-only, or not ours."""
