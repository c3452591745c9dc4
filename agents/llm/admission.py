"""Which roles a language model may take by itself: those it was measured to be better at.

A model is examined on cases whose answers are known, beside what the program does without it
(``brain model check``). Pure but for the file that keeps the figures.
"""

import math
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

import prompts
from agents.llm.calibration import canonical
from tools.base.errors import StorageError
from tools.base.output_files import write_private
from tools.text.voice import translate

type Role = Literal["interpreter", "judge", "answerer"]
ROLES: tuple[Role, ...] = get_args(Role.__value__)
ROLE_NAMES: Mapping[Role, str] = {
    "interpreter": "read questions",
    "judge": "judge contradictions",
    "answerer": "write answers",
}
CHANCE = 0.05
"""How likely chance may be to have a model that is no better come out ahead as it did."""


type Count = Annotated[int, Field(ge=0, le=10_000)]


class RoleCheck(BaseModel):
    """How a model did in a role, case by case beside the program without it.

    ``only_model`` counts the cases that the model alone had right, ``only_local`` those that the
    program alone had; ``seconds`` is what all cases took with the model, by their number.
    """

    model_config = ConfigDict(frozen=True)

    cases: Count
    model_right: Count
    local_right: Count
    only_model: Count
    only_local: Count
    seconds: float

    @property
    def admitted(self) -> bool:
        """Whether the model is better by more than chance: McNemar's test, exact, one-sided."""
        apart = self.only_model + self.only_local
        at_least = sum(math.comb(apart, count) for count in range(self.only_model, apart + 1))
        return at_least / 2**apart < CHANCE


class ModelCheck(BaseModel):
    """What an examination came to; ``version`` is that of the prompts and cases it used."""

    model_config = ConfigDict(frozen=True)

    model: str
    version: str
    checked_at: datetime
    roles: Mapping[Role, RoleCheck]

    @property
    def is_current(self) -> bool:
        """Whether the prompts and cases are still those."""
        return self.version == prompts.version()

    def admits(self, role: Role) -> bool:
        return self.is_current and role in self.roles and self.roles[role].admitted


_CHECKS = TypeAdapter(dict[str, ModelCheck])


class ModelChecks:
    """The file with the last examination of each model; a user may read and delete it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def of(self, model: str) -> ModelCheck | None:
        """The last examination of a model; of a file that cannot be read there is none."""
        return self._read().get(canonical(model))

    def admits(self, model: str, role: Role) -> bool:
        """Whether a model may take a role without being told to."""
        check = self.of(model)
        return check is not None and check.admits(role)

    def refusal(self, model: str, role: Role) -> str | None:
        """Why a model may not take a role by itself, in a sentence; None where it may."""
        check = self.of(model)
        again = translate(
            "`brain model check {model}` measures where it is better than the program", model=model
        )
        if check is None:
            return translate("{model} was never checked: {again}.", model=model, again=again)
        if not check.is_current:
            return translate(
                "{model} was checked with other prompts: {again}.", model=model, again=again
            )
        if check.admits(role):
            return None
        if (figures := check.roles.get(role)) is None:
            return translate("{model} was never checked: {again}.", model=model, again=again)
        return translate(
            "{model} was not better at it by more than chance when it was checked ({right} of "
            "{cases} right, the program {local}).",
            model=model,
            right=figures.model_right,
            cases=figures.cases,
            local=figures.local_right,
        )

    def may_decide(self, model: str) -> str:
        """What a model may decide by itself, in a sentence."""
        check = self.of(model)
        if check is None or not check.is_current:
            return self.refusal(model, "answerer") or ""
        if able := [ROLE_NAMES[role] for role in ROLES if check.admits(role)]:
            return f"By itself it may {' and '.join(able)}."
        return "By itself it decides nothing: nowhere was it better by more than chance."

    def keep(self, check: ModelCheck) -> None:
        """Keep an examination in place of an earlier one. Raises StorageError."""
        kept = {**self._read(), canonical(check.model): check}
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private(self._path, _CHECKS.dump_json(kept, indent=2) + b"\n")
        except OSError as error:
            raise StorageError(
                f"The figures of {check.model} cannot be kept in {self._path.name} "
                f"({error.strerror}): give its folder back its permissions, then check again."
            ) from error

    def _read(self) -> dict[str, ModelCheck]:
        try:
            return _CHECKS.validate_json(self._path.read_bytes())
        except (OSError, ValidationError):
            return {}
