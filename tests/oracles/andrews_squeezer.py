"""Andrews' squeezer by Lagrange's equations of the first kind in SymPy, run by SciPy.

Written from the drawing in Hairer and Wanner, Solving Ordinary Differential Equations II,
section VII.7: positions of the centres of mass and of the three points that meet, in the
seven angles (beta, theta, gamma, phi, delta, omega, epsilon). Nothing of Axletree is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import sympy
from scipy.integrate import solve_ivp

COUNT = 7


@dataclass(frozen=True)
class Plane:
    """A body: mass, inertia, and its centre of mass in its own axes."""

    mass: float
    inertia: float
    centre: tuple[float, float]


@dataclass(frozen=True)
class Squeezer:
    """Lengths in m; K1 to K7 in the order of the bodies."""

    bodies: Sequence[Plane]
    fixed_a: tuple[float, float]
    fixed_b: tuple[float, float]
    fixed_c: tuple[float, float]
    stiffness: float
    free_length: float
    torque: float

    def rates(self) -> Callable[[float, np.ndarray], np.ndarray]:
        """The rates of (q, v), with the constraints differentiated twice."""
        q = sympy.Matrix(sympy.symbols(f"q1:{COUNT + 1}"))
        v = sympy.Matrix(sympy.symbols(f"v1:{COUNT + 1}"))
        frames, gaps, spring_end = self._geometry(q)
        T = sympy.Integer(0)
        for body, (place, angle) in zip(self.bodies, frames, strict=True):
            velocity = (place + _turned(body.centre, angle)).jacobian(q) * v
            turning = (sympy.Matrix([angle]).jacobian(q) * v)[0]
            T += (body.mass * velocity.dot(velocity) + body.inertia * turning**2) / 2
        spring = spring_end - sympy.Matrix(self.fixed_c)
        length = sympy.sqrt(spring.dot(spring))
        V = self.stiffness * (length - self.free_length) ** 2 / 2 - self.torque * q[0]
        momentum = sympy.Matrix([T]).jacobian(v).T
        force = sympy.Matrix([T - V]).jacobian(q).T - momentum.jacobian(q) * v
        G = gaps.jacobian(q)
        parts = (momentum.jacobian(v), force, G, -(G * v).jacobian(q) * v)
        evaluate = sympy.lambdify([list(q), list(v)], parts, cse=True)
        return lambda t, state: _solved(evaluate, state)

    def _geometry(
        self, q: sympy.Matrix
    ) -> tuple[list[tuple[sympy.Matrix, sympy.Expr]], sympy.Matrix, sympy.Matrix]:
        """Joint and angle of each body; the three gaps that are zero; the end of the spring."""
        beta, theta, gamma, phi, delta, omega, epsilon = q
        A, B = sympy.Matrix(self.fixed_a), sympy.Matrix(self.fixed_b)
        crank_end = _turned((0.007, 0.0), beta)
        K5_end, K7_end = A + _turned((0.04, 0.0), delta), A + _turned((0.0, -0.04), epsilon)
        frames = [
            (sympy.zeros(2, 1), beta), (crank_end, beta + theta), (B, gamma),
            (K5_end, phi + delta), (A, delta), (K7_end, omega + epsilon), (A, epsilon),
        ]  # fmt: skip
        meeting = crank_end + _turned((-0.028, 0.0), beta + theta)
        ends = (
            B + _turned((0.0, -0.035), gamma),
            K5_end + _turned((0.0, -0.02), phi + delta),
            K7_end + _turned((0.02, 0.0), omega + epsilon),
        )
        gaps = sympy.Matrix([entry for end in ends for entry in meeting - end])
        return frames, gaps, B + _turned((0.02, -0.018), gamma)

    def run(self, q: Sequence[float], duration: float) -> tuple[np.ndarray, np.ndarray]:
        """Angles and rates after a time [s], from rest."""
        start = np.concatenate([q, np.zeros(COUNT)])
        span = (0.0, duration)
        solved = solve_ivp(self.rates(), span, start, "DOP853", rtol=1e-12, atol=1e-12)
        return solved.y[:COUNT, -1], solved.y[COUNT:, -1]


def _turned(point: tuple[float, float], angle: sympy.Expr) -> sympy.Matrix:
    c, s = sympy.cos(angle), sympy.sin(angle)
    return sympy.Matrix([point[0] * c - point[1] * s, point[0] * s + point[1] * c])


def _solved(evaluate: Callable[..., tuple[np.ndarray, ...]], state: np.ndarray) -> np.ndarray:
    q, v = state[:COUNT], state[COUNT:]
    M, force, G, wanted = evaluate(q, v)
    zero = np.zeros((len(G), len(G)))
    matrix = np.block([[M, G.T], [G, zero]])
    solved = np.linalg.solve(matrix, np.concatenate([force, wanted]).ravel())
    return np.concatenate([v, solved[:COUNT]])
