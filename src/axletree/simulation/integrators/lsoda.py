"""Adams and backward differentiation formulas, with automatic choice (Petzold 1983)."""

from __future__ import annotations

from axletree.simulation.scipy_solver import scipy_method

METHOD = scipy_method(
    "lsoda",
    "LSODA",
    "Switches between stiff and non-stiff by itself, with error control.",
    implicit=True,
)
