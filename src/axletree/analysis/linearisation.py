"""A linear system with names: x' = A x + B u, y = C x + D u."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from axletree.analysis.control_object import control_object
from axletree.analysis.controllability import Reach, reach
from axletree.analysis.frequency_response import FrequencyResponse, frequency_response
from axletree.analysis.modes import Mode, modes_of
from axletree.analysis.second_order import SecondOrder, second_order
from axletree.core.registry import unknown_name

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Linearisation:
    """The matrices; rows and columns in the order of the names, all in SI units."""

    system: str
    at: Mapping[str, float]  # all states of the system, where the matrices hold
    rates: Mapping[str, float]  # of the kept states, there
    states: tuple[str, ...]  # the kept ones
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    A: Matrix
    B: Matrix
    C: Matrix
    D: Matrix
    drifting: tuple[str, ...]  # kept coordinates that no rate but their own kind depends on
    units: Mapping[str, str] = field(default_factory=dict)  # of states, inputs and outputs

    def without_drift(self) -> Linearisation:
        """The same without the coordinates that drift: places on the ground, angles of wheels.

        Their eigenvalues, all zero, go with them, and what outputs have of them.
        """
        stay = [k for k, name in enumerate(self.states) if name not in self.drifting]
        names = tuple(self.states[k] for k in stay)
        return replace(
            self,
            rates={name: self.rates[name] for name in names},
            states=names,
            A=self.A[np.ix_(stay, stay)],
            B=self.B[stay],
            C=self.C[:, stay],
            drifting=(),
        )

    @cached_property
    def modes(self) -> tuple[Mode, ...]:
        """One for each real eigenvalue and each conjugate pair, the fastest growing first."""
        return modes_of(self.A, self.states)

    @property
    def eigenvalues(self) -> np.ndarray:
        """[1/s], the fastest growing first."""
        values = np.linalg.eigvals(self.A)
        return values[np.lexsort((-values.imag, -values.real))]

    def selected(
        self, inputs: Sequence[str] | None = None, outputs: Sequence[str] | None = None
    ) -> Linearisation:
        """The same with some of its inputs and outputs, in the order that is given."""
        columns = _places("input", self.inputs, inputs)
        rows = _places("output", self.outputs, outputs)
        return replace(
            self,
            inputs=tuple(self.inputs[k] for k in columns),
            outputs=tuple(self.outputs[k] for k in rows),
            B=self.B[:, columns],
            C=self.C[rows],
            D=self.D[np.ix_(rows, columns)],
        )

    def matrix_table(self, name: str) -> dict[str, dict[str, float]]:
        """The matrix A, B, C or D by names: ``matrix_table("A")[row][column]``."""
        heads = {
            "A": (self.states, self.states), "B": (self.states, self.inputs),
            "C": (self.outputs, self.states), "D": (self.outputs, self.inputs),
        }  # fmt: skip
        if name not in heads:
            raise unknown_name("matrix", name, heads, "a linearisation")
        rows, columns = heads[name]
        values = getattr(self, name).tolist()
        return {
            row: dict(zip(columns, numbers, strict=True))
            for row, numbers in zip(rows, values, strict=True)
        }

    def frequency_response(self, frequencies: Sequence[float] | np.ndarray) -> FrequencyResponse:
        """How outputs follow inputs that swing, at frequencies in Hz."""
        return frequency_response(self, frequencies)

    def reach(self) -> Reach:
        """How well inputs reach the modes, and outputs show them."""
        return reach(self)

    def to_control(self) -> Any:
        """A ``control.StateSpace`` of python-control, with names; dots become underscores."""
        names = self.states, self.inputs, self.outputs
        return control_object(self.A, self.B, self.C, self.D, names)

    def second_order(self, coordinates: Sequence[str], inputs: Sequence[str]) -> SecondOrder:
        """M q'' + C q' + K q = u of coordinates that go on by themselves, each with an input."""
        return second_order(
            self.A, self.B, self.states, self.inputs, coordinates=coordinates, forces=inputs
        )


def _places(kind: str, known: Sequence[str], names: Sequence[str] | None) -> list[int]:
    if names is None:
        return list(range(len(known)))
    for name in names:
        if name not in known:
            raise unknown_name(kind, name, known, "the linearisation")
    return [list(known).index(name) for name in names]
