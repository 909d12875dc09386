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
    """The matrices; rows and columns in the order of the names, all in SI units.

    Example:
    >>> import axletree as at
    >>> linear = at.read_model("pendulum").formulate().linearise({"pin.angle": 0.0})
    >>> print(f"{linear.modes[0].frequency:.4f} Hz")  # sqrt(m g l / (I + m l^2)) / (2 pi)
    0.6107 Hz
    """

    system: str
    at: Mapping[str, float]  # all states of the system, where the matrices hold
    rates: Mapping[str, float]  # of the kept states, there
    states: tuple[str, ...]  # the kept ones
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    A: Matrix  # rates of states by states
    B: Matrix  # rates of states by inputs
    C: Matrix  # outputs by states
    D: Matrix  # outputs by inputs
    drifting: tuple[str, ...]  # kept coordinates that no rate but their own kind depends on
    units: Mapping[str, str] = field(default_factory=dict)  # of states, inputs and outputs

    def without_drift(self) -> Linearisation:
        """The same without the coordinates that drift: places on the ground, angles of wheels.

        Their eigenvalues, all zero, go with them, and what outputs have of them.

        Example:
        >>> import axletree as at
        >>> linear = at.read_model("quarter-car").formulate().linearise()
        >>> linear.drifting, len(linear.states), len(linear.without_drift().states)
        (('axle.angle',), 6, 5)
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
        """The same with some of its inputs and outputs, in the order that is given.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("quarter-car").formulate()
        >>> linear = car.linearise(outputs=["tyre.Fz", "spring.force"])
        >>> linear.selected(outputs=["spring.force"]).C.shape
        (1, 6)
        """
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
        """The matrix A, B, C or D by names: ``matrix_table("A")[row][column]``.

        Example:
        >>> import axletree as at
        >>> linear = at.read_model("pendulum").formulate().linearise({"pin.angle": 0.0})
        >>> linear.matrix_table("A")["pin.angle"]
        {'pin.rate': 1.0, 'pin.angle': 0.0}
        """
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
        """How outputs follow inputs that swing, at frequencies in Hz.

        Example:
        >>> import axletree as at
        >>> linear = at.read_model("quarter-car").formulate().linearise(outputs=["guide.position"])
        >>> slow = linear.without_drift().frequency_response([1e-3])  # Hz
        >>> print(f"{slow.gain('guide.position', 'road.position')[0]:.4f} m/m")
        1.0000 m/m
        """
        return frequency_response(self, frequencies)

    def reach(self) -> Reach:
        """How well inputs reach the modes, and outputs show them.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum")
        >>> motor = pendulum.add(at.JointTorque("motor", pendulum["pin"]))
        >>> reach = pendulum.formulate().linearise({"pin.angle": 0.0}).reach()
        >>> reach.controllable, reach.states
        (2, 2)
        """
        return reach(self)

    def to_control(self) -> Any:
        """A ``control.StateSpace`` of python-control, with names; dots become underscores.

        Example:
        >>> import axletree as at
        >>> linear = at.read_model("pendulum").formulate().linearise({"pin.angle": 0.0})
        >>> linear.to_control().state_labels
        ['pin_rate', 'pin_angle']
        """
        names = self.states, self.inputs, self.outputs
        return control_object(self.A, self.B, self.C, self.D, names)

    def second_order(self, coordinates: Sequence[str], inputs: Sequence[str]) -> SecondOrder:
        """M q'' + C q' + K q = u of coordinates that go on by themselves, each with an input.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum")
        >>> motor = pendulum.add(at.JointTorque("motor", pendulum["pin"]))
        >>> linear = pendulum.formulate().linearise({"pin.angle": 0.0})
        >>> found = linear.second_order(["pin.angle"], ["motor.torque"])
        >>> found.M.round(3).tolist(), found.K.round(3).tolist()  # kg m^2, N m/rad
        ([[0.333]], [[4.903]])
        """
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
