"""Radau IIA of order 5, implicit (Hairer and Wanner 1996)."""

from __future__ import annotations

from axletree.simulation.scipy_solver import scipy_method

METHOD = scipy_method(
    "radau",
    "Radau",
    "Order 5 with error control, implicit; for stiff systems.",
    implicit=True,
    sparse=True,
)
