"""Backward differentiation formulas of order 1 to 5 (Shampine and Reichelt 1997)."""

from __future__ import annotations

from axletree.simulation.scipy_solver import scipy_method

METHOD = scipy_method(
    "bdf",
    "BDF",
    "Order 1 to 5 with error control, implicit; for large stiff systems.",
    implicit=True,
    sparse=True,
)
