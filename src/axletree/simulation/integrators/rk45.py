"""Runge-Kutta of order 5 with an error estimate of order 4 (Dormand and Prince 1980)."""

from __future__ import annotations

from axletree.simulation.scipy_solver import scipy_method

METHOD = scipy_method(
    "rk45",
    "RK45",
    "Order 5 with error control, explicit; for moderate accuracy.",
    implicit=False,
)
