"""Steps of vehicles side by side as compiled C: the text of a system and a method.

The text is that of ``code.printers.lanes``, the steps of the method, and ``lanes.c`` around them.
A compiler may join a product and a sum in one instruction here, which rounds once where a single
run rounds twice: results of a batch differ from those of single runs by rounding.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from axletree.code.backends.c import Compiler, find_compiler, load_library
from axletree.code.lowering import lower
from axletree.code.printers.c import c_definitions
from axletree.code.printers.dialect import packaged_text
from axletree.code.printers.lanes.lane_text import LaneNumber, print_lanes
from axletree.code.program import Program
from axletree.code.schedule import StatementOrder
from axletree.core.arrays import FloatArray
from axletree.core.errors import CompilerError
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.loops import step_numbers
from axletree.system.system import System

_LANES: Final = packaged_text(__package__, "lanes.c")
CONTRACTED: Final = "-ffp-contract=fast"  # a*b + c in one instruction


def lane_source(program: Program, method: FixedStep, number: LaneNumber = LaneNumber.DOUBLE) -> str:
    """The C text that steps vehicles of a program side by side.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.batch.lane_code import lane_program, lane_source
    >>> from axletree.simulation.integrators import RK4
    >>> program = lane_program(at.read_model("pendulum").formulate(), RK4, ())
    >>> "void axl_run_blocks(" in lane_source(program, RK4)
    True
    """
    step_text = method.lane_step or method.c_step
    numbers = step_numbers(program, step_text, solves=method.solves)
    numbers |= {"NPARAMETERS": len(program.parameters), "NCONSTANTS": program.constants.size}
    sized = ("NY", "NU", "NPARAMETERS", "NCONSTANTS")
    numbers |= {f"{name}_ARRAY": max(int(str(numbers[name])), 1) for name in sized}
    plain = {"MOST_ACROSS", "MOST_PER_STEP", "NEAR_SINGULAR", "PI"}
    text = {k: _bare(str(v)) if k in plain else v for k, v in numbers.items()}
    return print_lanes(program, number, [c_definitions(text), _LANES, step_text])


def _bare(literal: str) -> str:
    """A number that is compared lane by lane, without the macro of its type."""
    return literal.removeprefix("AXL_N(").removesuffix(")")


@lru_cache(maxsize=8)
def lane_program(
    system: System, method: FixedStep, outputs: tuple[str, ...], *, equal_laws: bool = False
) -> Program:
    """A program whose calls stand apart, with what the steps of a method need."""
    return lower(
        system, outputs, method.extras, equal_laws=equal_laws, order=StatementOrder.NEED,
        side_by_side=False,
    )  # fmt: skip


class _Values(ctypes.Structure):
    """Of an array: those of all members, and columns of those that differ."""

    _fields_ = (
        ("common", ctypes.c_void_p),
        ("columns", ctypes.c_void_p),
        ("places", ctypes.c_void_p),
        ("count", ctypes.c_int64),
    )


def _job_fields() -> list[tuple[str, Any]]:
    """The fields of ``axl_job``, as the text declares them."""
    head = _LANES[: _LANES.index("} axl_job;")]
    declared = head[head.rindex("typedef struct {") :]
    kinds = {"double": ctypes.c_double, "int64_t": ctypes.c_int64, "axl_values": _Values}
    fields: list[tuple[str, Any]] = []
    for line in declared.splitlines()[1:]:
        words = line.strip().removesuffix(";").removeprefix("const ")
        kind, _, names = words.partition(" ")
        for name in names.split(", "):
            fields.append(
                (name.lstrip("*"), ctypes.c_void_p if name.startswith("*") else kinds[kind])
            )
    return fields


class _Job(ctypes.Structure):
    _fields_ = _job_fields()


@dataclass(frozen=True)
class ArrayColumns:
    """Values of an array for all members, and at some places columns of others."""

    common: FloatArray
    places: NDArray[np.int64]
    columns: FloatArray  # [place, member]

    @classmethod
    def of(cls, common: FloatArray, columns: Sequence[tuple[int, FloatArray]]) -> ArrayColumns:
        places = np.array([place for place, _ in columns] or [0], dtype=np.int64)
        values = [np.ascontiguousarray(column, dtype=float) for _, column in columns]
        own = np.array(values) if values else np.zeros((0, 1))
        return cls(np.ascontiguousarray(common, dtype=float), places, own)

    def part(self, first: int, last: int) -> ArrayColumns:
        """Of some of the members."""
        return replace(self, columns=np.ascontiguousarray(self.columns[:, first:last]))

    def structure(self) -> _Values:
        """For C, as long as this is there."""
        return _Values(
            self.common.ctypes.data, self.columns.ctypes.data, self.places.ctypes.data,
            len(self.columns),
        )  # fmt: skip


class LaneCode:
    """The compiled text of a program and a method."""

    def __init__(self, program: Program, method: FixedStep, number: LaneNumber) -> None:
        self.program, self.number = program, number
        library = _library(lane_source(program, method, number), find_compiler())
        self.lanes = int(library.axl_lanes())
        self._blocks: Any = library.axl_run_blocks
        self._blocks.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64]
        self._blocks.restype = None
        self._rates: Any = library.axl_rates
        self._rates.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        self._rates.restype = None

    def rates(
        self, t: float, x: ArrayColumns, u: ArrayColumns, p: ArrayColumns, members: int
    ) -> FloatArray:
        """The derivatives of the states of all members at a time [s]: [member, state]."""
        found = np.empty((members, len(self.program.states)))
        job = _Job(start=t, members=members, x=x.structure(), u=u.structure(), p=p.structure())
        self._rates(ctypes.byref(job), found.ctypes.data)
        return found

    def run_blocks(self, job: _Job, begin: int, end: int) -> None:
        """The blocks from one to another; Python's lock is free meanwhile."""
        self._blocks(ctypes.byref(job), begin, end)


def make_job(
    arrays: dict[str, np.ndarray], values: dict[str, ArrayColumns], **numbers: Any
) -> _Job:
    """What a batch is, for C; the arrays stay where they are as long as it runs."""
    addresses = {name: array.ctypes.data for name, array in arrays.items()}
    structures = {name: one.structure() for name, one in values.items()}
    return _Job(**addresses, **structures, **numbers)


@lru_cache(maxsize=16)
def lane_code(
    system: System,
    method: FixedStep,
    outputs: tuple[str, ...],
    number: LaneNumber,
    *,
    equal_laws: bool = False,
) -> LaneCode:
    """Kept: a study runs many batches of a system."""
    program = lane_program(system, method, outputs, equal_laws=equal_laws)
    return LaneCode(program, method, number)


def _library(source: str, compiler: Compiler | None) -> ctypes.CDLL:
    if compiler is None:
        raise CompilerError(
            "a batch steps vehicles in lanes of compiled code, and there is no C compiler; install "
            "gcc or clang, or the package extra axletree[cc], and see `axletree doctor`"
        )
    return load_library(source, replace(compiler, further=(CONTRACTED,)))
