"""Derivatives by the complex step: exact to rounding, as nothing is subtracted."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

STEP = 1e-40  # its square vanishes beside any number of the model
LONGEST = 3.0  # sizes; a step that would move an unknown by more is shortened


def jacobian(function: Callable[[NDArray], NDArray], point: NDArray) -> NDArray:
    """df_i/dx_j; the function must take complex numbers and be analytic."""
    columns = []
    for j in range(len(point)):
        moved = np.array(point, dtype=complex)
        moved[j] += 1j * STEP
        columns.append(np.imag(function(moved)) / STEP)
    return np.array(columns).T


def newton(
    residual: Callable[[NDArray], NDArray],
    guess: NDArray,
    size: NDArray,
    steps: int = 60,
) -> NDArray:
    """A root by Newton's method, ended when no unknown moves by 1e-13 of its size any more.

    ArithmeticError where it does not get there.
    """
    x = np.array(guess, dtype=float)
    for _ in range(steps):
        step = np.linalg.solve(jacobian(residual, x), -np.real(residual(x + 0j)))
        relative = np.max(np.abs(step) / size)
        x += step / max(1.0, relative / LONGEST)
        if relative < 1e-13:
            return x
    raise ArithmeticError(f"Newton's method did not settle in {steps} steps; last at {x}")
