"""The C of the methods: its text, for programs of one's own too, and the calls from Python."""

from __future__ import annotations

import ctypes
import functools
from typing import Any, Final

import numpy as np

from axletree.code.backends.c import Compiler, find_compiler, load_library
from axletree.code.printers.dialect import packaged_text
from axletree.core.arrays import FloatArray
from axletree.core.errors import CompilerError
from axletree.simulation.mlcp.pivoting import Limits
from axletree.simulation.mlcp.problem import ComplementarityProblem, Outcome

_FILES: Final = (
    "factor.c", "pivots.c", "pivoting.c", "split.c", "lemke.c", "projected.c", "solve.c",
)  # fmt: skip


class _Limits(ctypes.Structure):
    _fields_ = [
        ("tolerance", ctypes.c_double),
        ("rank", ctypes.c_double),
        ("agreement", ctypes.c_double),
        ("steps", ctypes.c_int),
    ]


@functools.cache
def mlcp_text() -> str:
    """C99 of both methods, for a unit of one's own.

    It defines ``axl_mlcp_pivot``, ``..._lemke``, ``..._iterate``, ``..._slacks``, ``..._residual``.
    The numbers of doubles and ints of work are ``axl_mlcp_pivot_doubles(n)`` and so on.
    It needs no other source, allocates nothing, and keeps nothing between calls.
    """
    return "\n".join(packaged_text(__package__, name) for name in _FILES)


def pivot_in_c(
    problem: ComplementarityProblem, weights: FloatArray, limits: Limits, x: FloatArray
) -> tuple[Outcome, int, FloatArray]:
    """Solve from x, in place: the outcome, the steps, and the rows that contradict (nonzero)."""
    ray, steps = np.zeros(problem.size), ctypes.c_int()
    most = limits.most(problem.size)
    given = _Limits(limits.tolerance, limits.rank, limits.agreement, most)
    outcome = _call("pivot", problem, weights, ctypes.byref(given), x, ray, ctypes.byref(steps))
    return Outcome(outcome), steps.value, ray


def lemke_in_c(problem: ComplementarityProblem, most: int, x: FloatArray) -> tuple[Outcome, int]:
    """The solution into x; the outcome and the pivots."""
    steps = ctypes.c_int()
    return Outcome(_call("lemke", problem, most, x, ctypes.byref(steps))), steps.value


def iterate_in_c(
    problem: ComplementarityProblem,
    sweeps: int,
    subspace_steps: int,
    relaxation: float,
    x: FloatArray,
) -> None:
    """The sweeps and subspace steps of ``ProjectedSweeps`` from x, in place."""
    _call("iterate", problem, sweeps, subspace_steps, ctypes.c_double(relaxation), x)


def _call(name: str, problem: ComplementarityProblem, *given: Any) -> int:
    """A function of the library: of a problem, of what is given, and of room to work in."""
    compiler = find_compiler()
    if compiler is None:
        raise CompilerError("there is no C compiler; the methods run in Python without one")
    library, n = _loaded(compiler), problem.size
    doubles, ints = (getattr(library, f"axl_mlcp_{name}_{kind}")(n) for kind in ("doubles", "ints"))
    work, places = np.empty(max(doubles, 1)), np.empty(max(ints, 1), dtype=np.intc)
    arguments = (
        problem.matrix, problem.offset, problem.lower, problem.upper, *given, work, places,
    )  # fmt: skip
    passed = (ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else a for a in arguments)
    return int(getattr(library, f"axl_mlcp_{name}")(n, *passed))


@functools.lru_cache(maxsize=4)
def _loaded(compiler: Compiler) -> ctypes.CDLL:
    return load_library(mlcp_text(), compiler)
