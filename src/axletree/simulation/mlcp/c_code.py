"""The C of the methods: its text, for programs of one's own too, and the calls from Python."""

from __future__ import annotations

import ctypes
import functools
from typing import Final

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
    library = _library()
    n = problem.size
    work, places = _room(library, "pivot", n)
    ray, steps = np.zeros(n), ctypes.c_int()
    given = _Limits(limits.tolerance, limits.rank, limits.agreement, limits.most(n))
    outcome = library.axl_mlcp_pivot(
        n, *_arrays(problem), _address(weights), ctypes.byref(given), _address(x), _address(ray),
        ctypes.byref(steps), _address(work), _address(places),
    )  # fmt: skip
    return Outcome(outcome), steps.value, ray


def lemke_in_c(problem: ComplementarityProblem, most: int, x: FloatArray) -> tuple[Outcome, int]:
    """The solution into x; the outcome and the pivots."""
    library = _library()
    work, places = _room(library, "lemke", problem.size)
    steps = ctypes.c_int()
    outcome = library.axl_mlcp_lemke(
        problem.size, *_arrays(problem), most, _address(x), ctypes.byref(steps),
        _address(work), _address(places),
    )  # fmt: skip
    return Outcome(outcome), steps.value


def iterate_in_c(
    problem: ComplementarityProblem,
    sweeps: int,
    subspace_steps: int,
    relaxation: float,
    x: FloatArray,
) -> None:
    """The sweeps and subspace steps of ``ProjectedSweeps`` from x, in place."""
    library = _library()
    n = problem.size
    work, places = _room(library, "iterate", n)
    library.axl_mlcp_iterate(
        n, *_arrays(problem), sweeps, subspace_steps, ctypes.c_double(relaxation),
        _address(x), _address(work), _address(places),
    )  # fmt: skip


def _library() -> ctypes.CDLL:
    compiler = find_compiler()
    if compiler is None:
        raise CompilerError("there is no C compiler; the methods run in Python without one")
    return _loaded(compiler)


@functools.lru_cache(maxsize=4)
def _loaded(compiler: Compiler) -> ctypes.CDLL:
    return load_library(mlcp_text(), compiler)


def _room(library: ctypes.CDLL, call: str, n: int) -> tuple[FloatArray, np.ndarray]:
    doubles = getattr(library, f"axl_mlcp_{call}_doubles")(n)
    ints = getattr(library, f"axl_mlcp_{call}_ints")(n)
    return np.empty(max(doubles, 1)), np.empty(max(ints, 1), dtype=np.intc)


def _arrays(problem: ComplementarityProblem) -> list[ctypes.c_void_p]:
    arrays = (problem.matrix, problem.offset, problem.lower, problem.upper)
    return [_address(array) for array in arrays]


def _address(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
