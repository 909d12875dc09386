"""Runge-Kutta of order 8, error estimates of order 5 and 3 (Hairer, Norsett, Wanner 1993)."""

from __future__ import annotations

from axletree.simulation.scipy_solver import scipy_method

METHOD = scipy_method(
    "dop853",
    "DOP853",
    "Order 8 with error control, explicit; for high accuracy.",
    implicit=False,
)
