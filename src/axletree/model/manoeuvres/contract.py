"""Manoeuvres: where a drive begins, what its inputs do, how long it takes, what is recorded.

A manoeuvre is a frozen dataclass whose fields are declared as those of components are. It
begins in a steady motion, which is solved for the vehicle that drives it: at ``speed`` in
the state ``forward``, rolling free or driven by inputs of one level, or standing. It knows
inputs by their names and nothing else of the vehicle.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from axletree.core.errors import ModelError
from axletree.core.expr import Expr, Table
from axletree.library.fields import parameter, structure
from axletree.library.part import Part

INPUTS, STATE, OUTPUTS = "inputs", "state", "outputs"  # words of fields that name quantities
SIGNALS, VALUES = "signals", "values"  # ... and of those that give something to them

Signal = float | Expr | Table


def driven_inputs(unit: str, description: str, *, default: Any = ...) -> Any:
    """A field with names of inputs of one unit, or of any for the unit "1"."""
    options = {} if default is ... else {"default": default}
    return structure(INPUTS, description, _checked_names, unit=unit, **options)


def _checked_names(value: Any) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, tuple | list) or not all(isinstance(name, str) for name in names):
        raise ModelError(f"expected a name or a list of names, got {value!r}")
    if len(set(names)) < len(names):
        raise ModelError(f"a name stands twice in {', '.join(names)}")
    return tuple(names)


def _checked_state(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise ModelError(f"expected the name of a state, got {value!r}")


def _checked_outputs(value: Any) -> tuple[str, ...] | None:
    return None if value is None else _checked_names(value)


def _checked_mapping(value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return dict(value)
    raise ModelError(f"expected values by name, got {value!r}")


@dataclass(frozen=True, kw_only=True)
class Manoeuvre(Part, ABC):
    """What all manoeuvres have."""

    speed: float = parameter("m/s", "speed at the start; 0: it stands", lower=0.0)
    forward: str = structure(
        STATE, "state that is the speed; left out: the fastest of the model's start",
        _checked_state, "", "m/s",
    )  # fmt: skip
    driven_by: tuple[str, ...] = driven_inputs(
        "1", "inputs whose common level keeps the speed; left out: it coasts", default=()
    )
    initial: Mapping[str, float] = structure(
        VALUES, "states that begin with another value than in the steady motion",
        _checked_mapping, dict,
    )  # fmt: skip
    inputs: Mapping[str, Any] = structure(
        SIGNALS, "further inputs: numbers, expressions of t or tables", _checked_mapping, dict
    )
    duration: float = parameter("s", "length of the run", default=10.0, lower=0.0, above=True)
    outputs: tuple[str, ...] | None = structure(
        OUTPUTS, "names of the outputs to record; left out: those of the model's run",
        _checked_outputs, None,
    )  # fmt: skip

    @abstractmethod
    def own_signals(self) -> dict[str, Signal]:
        """What this kind of manoeuvre makes of its inputs, as functions of time."""

    @property
    def signals(self) -> dict[str, Any]:
        """All inputs that are not left at their level."""
        return {**self.own_signals(), **self.inputs}

    def problems(self) -> list[str]:
        own = self.own_signals()
        twice = [name for name in self.inputs if name in own]
        twice += [name for name in self.driven_by if name in self.signals]
        return [f"the input {name} is told to do two things" for name in twice]
