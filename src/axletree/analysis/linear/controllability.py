"""How well inputs reach the modes of a linear system, and outputs show them.

A mode s cannot be reached if [A - s, B] loses rank there, and not be seen if [A - s; C] does
(Popov, Belevitch and Hautus). The smallest singular value of these matrices says how far the
system is from one with such a mode; states, inputs and outputs are brought to one size first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from axletree.analysis.linear.modes import Eigenmode, eigenmodes, leading_states
from axletree.analysis.linear.tangent import LinearisationError
from axletree.core.arrays import FloatArray

if TYPE_CHECKING:
    from axletree.analysis.linear.linearisation import Linearisation

_ZERO = 1e-10  # singular values below this share of the greatest are zeros


@dataclass(frozen=True)
class ModeControllability:
    """One eigenvalue, and what inputs and outputs have to do with it.

    Example:
    >>> import axletree as at
    >>> pendulum = at.read_model("pendulum")
    >>> motor = pendulum.add(at.JointTorque("motor", pendulum["pin"]))
    >>> reach = pendulum.formulate().linearise({"pin.angle": 0.0}).reach()
    >>> reach.modes[0].best_input, reach.modes[0].is_controllable
    ('motor.torque', True)
    """

    eigenvalue: complex  # [1/s]
    states: tuple[str, ...]  # those that take most part in it
    controllability: float  # smallest singular value of [A - s, B], 0 to about 1
    observability: float  # of [A - s; C]
    best_input: str  # that reaches it best; "" where there is none
    best_output: str  # that shows it best

    @property
    def is_controllable(self) -> bool:
        """Whether some input reaches it."""
        return self.controllability > _ZERO

    @property
    def is_observable(self) -> bool:
        """Whether some output shows it."""
        return self.observability > _ZERO


@dataclass(frozen=True)
class Controllability:
    """Controllability and observability of a linear system.

    Example:
    >>> import axletree as at
    >>> pendulum = at.read_model("pendulum")
    >>> motor = pendulum.add(at.JointTorque("motor", pendulum["pin"]))
    >>> reach = pendulum.formulate().linearise({"pin.angle": 0.0}).reach()
    >>> reach.is_controllable, reach.is_observable  # one input, no outputs
    (True, False)
    """

    modes: tuple[ModeControllability, ...]  # the fastest growing first
    controllable: int  # dimension of what inputs reach
    observable: int  # dimension of what outputs show
    states: int
    controllability_gramian: FloatArray | None  # None where a mode does not die out
    observability_gramian: FloatArray | None  # likewise

    @property
    def is_controllable(self) -> bool:
        """Whether inputs reach every state."""
        return self.controllable == self.states

    @property
    def is_observable(self) -> bool:
        """Whether outputs show every state."""
        return self.observable == self.states

    @property
    def is_stabilisable(self) -> bool:
        """Whether every mode that does not die out can be reached."""
        return all(m.is_controllable for m in self.modes if m.eigenvalue.real >= 0.0)

    @property
    def hankel_values(self) -> np.ndarray:
        """Square roots of the eigenvalues of both Gramians' product, the greatest first."""
        if self.controllability_gramian is None or self.observability_gramian is None:
            raise LinearisationError(
                "Hankel singular values need a system whose modes all die out; "
                "look at modes, which say how well each one is reached and seen"
            )
        values = np.linalg.eigvals(self.controllability_gramian @ self.observability_gramian)
        return np.sort(np.sqrt(np.abs(values.real)))[::-1]


def controllability_of(linear: Linearisation) -> Controllability:
    """Of all inputs and outputs of a linearisation; ``selected`` chooses some of them."""
    A, B, C = _scaled(linear.A, linear.B, linear.C)
    size = max(float(np.linalg.norm(A, 2)) if len(A) else 0.0, 1e-300)
    return Controllability(
        modes=tuple(_mode(linear, A, B, C, mode) for mode in eigenmodes(A)),
        controllable=_staircase(A / size, B),
        observable=_staircase(A.T / size, C.T),
        states=len(A),
        controllability_gramian=_gramian(linear.A, linear.B),
        observability_gramian=_gramian(linear.A.T, linear.C.T),
    )


def _mode(
    linear: Linearisation, A: FloatArray, B: FloatArray, C: FloatArray, mode: Eigenmode
) -> ModeControllability:
    shifted = (A - mode.value * np.eye(len(A))) / max(float(np.linalg.norm(A, 2)), 1e-300)
    inputs = [_smallest(np.hstack([shifted, B[:, [k]]])) for k in range(B.shape[1])]
    outputs = [_smallest(np.vstack([shifted, C[[k]]])) for k in range(C.shape[0])]
    return ModeControllability(
        mode.value,
        leading_states(linear.states, mode.shares),
        _smallest(np.hstack([shifted, B])),
        _smallest(np.vstack([shifted, C])),
        linear.inputs[int(np.argmax(inputs))] if inputs else "",
        linear.outputs[int(np.argmax(outputs))] if outputs else "",
    )


def _smallest(matrix: np.ndarray) -> float:
    return float(np.linalg.svd(matrix, compute_uv=False)[-1])


def _scaled(
    A: FloatArray, B: FloatArray, C: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """States balanced against one another, columns of B and rows of C of length 1."""
    from scipy.linalg import matrix_balance

    if not len(A):
        return A, B, C
    balanced, (scale, _) = matrix_balance(A, permute=False, separate=True)
    B, C = B / scale[:, None], C * scale
    lengths_B, lengths_C = np.linalg.norm(B, axis=0), np.linalg.norm(C, axis=1)
    B = B / np.where(lengths_B > 0.0, lengths_B, 1.0)
    return balanced, B, C / np.where(lengths_C > 0.0, lengths_C, 1.0)[:, None]


def _staircase(A: FloatArray, B: FloatArray) -> int:
    """The dimension of span(B, A B, A^2 B, ...), a new orthonormal part at a time."""
    basis = np.zeros((len(A), 0))
    new = B
    while new.shape[1] and basis.shape[1] < len(A):
        rest = new - basis @ (basis.T @ new)
        rest = rest - basis @ (basis.T @ rest)
        U, sizes, _ = np.linalg.svd(rest, full_matrices=False)
        added = U[:, sizes > _ZERO]
        if not added.shape[1]:
            break
        basis = np.hstack([basis, added])
        new = A @ added
    return int(basis.shape[1])


def _gramian(A: FloatArray, B: FloatArray) -> FloatArray | None:
    """X with A X + X A^T + B B^T = 0: how far inputs of unit energy bring each state."""
    from scipy.linalg import solve_continuous_lyapunov

    values = np.linalg.eigvals(A)
    if not len(A) or values.real.max() >= -_ZERO * np.abs(values).max():
        return None
    found: FloatArray = solve_continuous_lyapunov(A, -B @ B.T)
    return found
