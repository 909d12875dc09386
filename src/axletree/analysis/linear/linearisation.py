"""A linear system with names: x' = A x + B u, y = C x + D u.

With it the second-order form (masses, dampings, stiffnesses) and the way to an object of
python-control.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from axletree.analysis.linear.controllability import Controllability, controllability_of
from axletree.analysis.linear.frequency_response import FrequencyResponse, frequency_response
from axletree.analysis.linear.modes import Mode, growth_order, modes_of
from axletree.analysis.linear.tangent import LinearisationError
from axletree.core.arrays import FloatArray
from axletree.core.registry import few_names, refuse_unknown


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
    A: FloatArray  # rates of states by states
    B: FloatArray  # rates of states by inputs
    C: FloatArray  # outputs by states
    D: FloatArray  # outputs by inputs
    drifting: tuple[str, ...]  # kept coordinates that no rate but their own kind depends on
    units: Mapping[str, str] = field(default_factory=dict)  # of states, inputs and outputs

    def __repr__(self) -> str:
        """Its size and names, in a few lines."""
        kinds = {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}
        lines = [f"  {len(names)} {kind}: {few_names(names)}" for kind, names in kinds.items()]
        return "\n".join([f"Linearisation of {self.system!r}", *lines])

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
        return np.asarray(values[growth_order(values)])

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
        refuse_unknown("matrix", [name], heads, "a linearisation")
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

    def reach(self) -> Controllability:
        """How well inputs reach the modes, and outputs show them.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum")
        >>> motor = pendulum.add(at.JointTorque("motor", pendulum["pin"]))
        >>> reach = pendulum.formulate().linearise({"pin.angle": 0.0}).reach()
        >>> reach.controllable, reach.states
        (2, 2)
        """
        return controllability_of(self)

    def to_control(self) -> Any:
        """A ``control.StateSpace`` of python-control, with names; dots become underscores.

        Example:
        >>> import axletree as at
        >>> linear = at.read_model("pendulum").formulate().linearise({"pin.angle": 0.0})
        >>> linear.to_control().state_labels
        ['pin_rate', 'pin_angle']
        """
        try:
            import control
        except ImportError:
            raise LinearisationError(
                "python-control is not installed; pip install axletree[control], or use the "
                "matrices A, B, C and D of the linearisation"
            ) from None
        kinds = (self.states, self.inputs, self.outputs)
        states, inputs, outputs = ([name.replace(".", "_") for name in kind] for kind in kinds)
        return control.StateSpace(
            self.A, self.B, self.C, self.D, states=states, inputs=inputs, outputs=outputs,
            remove_useless_states=False,
        )  # fmt: skip

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
        return second_order(self, coordinates, inputs)


def _places(kind: str, known: Sequence[str], names: Sequence[str] | None) -> list[int]:
    chosen = known if names is None else names
    refuse_unknown(kind, chosen, known, "the linearisation")
    return [list(known).index(name) for name in chosen]


DECOUPLED = 1e-9  # share of its row that a coupling to other states may have and count as none


@dataclass(frozen=True)
class SecondOrder:
    """M q'' + C q' + K q = u."""

    coordinates: tuple[str, ...]  # q
    inputs: tuple[str, ...]  # u
    M: FloatArray
    C: FloatArray
    K: FloatArray


def second_order(
    linear: Linearisation, coordinates: Sequence[str], forces: Sequence[str]
) -> SecondOrder:
    """Of some coordinates among the states, each with one of the inputs.

    The speeds p that belong to them are those that their rates depend on, q' = N p + S q.
    With p' = P p + Q q + G u it follows that

        q'' = (N P N^-1 + S) q' + (N Q - N P N^-1 S) q + N G u,

    and M is the inverse of N G. No other state may act on q and p.
    """
    if len(forces) != len(coordinates):
        raise LinearisationError(
            f"{len(coordinates)} coordinates need as many inputs, got {len(forces)}: each "
            "input is the force or torque of one coordinate"
        )
    q = _places("state", linear.states, coordinates)
    u = _places("input", linear.inputs, forces)
    A, B, p = linear.A, linear.B, _speeds(linear.A, linear.states, q)
    N, S = A[np.ix_(q, p)], A[np.ix_(q, q)]
    over = N @ A[np.ix_(p, p)] @ np.linalg.inv(N)
    by_force = N @ B[np.ix_(p, u)]
    if np.linalg.matrix_rank(by_force) < len(q):
        raise LinearisationError(
            f"the inputs {', '.join(forces)} do not drive {', '.join(coordinates)} independently"
        )
    M: FloatArray = np.asarray(np.linalg.inv(by_force), dtype=float)
    K = -M @ (N @ A[np.ix_(p, q)] - over @ S)
    return SecondOrder(tuple(coordinates), tuple(forces), M, -M @ (over + S), K)


def _speeds(A: FloatArray, states: Sequence[str], q: Sequence[int]) -> list[int]:
    """The states other than q that its rates depend on; with q they must go on by themselves."""
    others = [k for k in range(len(states)) if k not in set(q)]
    p = _seen(A, q, others)
    strange = [k for k in _seen(A, p, others) if k not in set(p)]
    if len(p) != len(q) or strange:
        listed = ", ".join(states[k] for k in (*p, *strange)) or "none"
        raise LinearisationError(
            f"{', '.join(states[k] for k in q)} do not go on by themselves: their rates, and "
            f"the rates of these, depend on {listed}; add coordinates, or keep other states"
        )
    return p


def _seen(A: FloatArray, rows: Sequence[int], columns: Sequence[int]) -> list[int]:
    """The columns on which the rows depend."""
    sizes = np.abs(A[list(rows)]).max(axis=1, initial=0.0)
    shares = np.abs(A[np.ix_(rows, columns)]) / np.where(sizes > 0.0, sizes, 1.0)[:, None]
    return [k for k, share in zip(columns, shares.max(axis=0, initial=0.0), strict=True)
            if share > DECOUPLED]  # fmt: skip
