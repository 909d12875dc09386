"""Rows that vanish, as C that solves for them: Newton's method beside the stepper in the module.

A page finds steady motions and positions of links by it, with parameters as they are at the moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from axletree.code.lowering import Extra, lower
from axletree.code.printers.c import (
    print_header,
    print_unit,
    sparsity_declarations,
    sparsity_text,
)
from axletree.code.program import Program
from axletree.export.wasm import FurtherUnit
from axletree.expr.calls import filled_c_text
from axletree.system.system import System

_FUNCTIONS: Final = ("unknowns", "parameters", "targets", "results", "solve")


@dataclass(frozen=True)
class SolvedRows:
    """Of a system whose right-hand sides are to vanish: its states are the unknowns, its inputs
    what is asked for."""

    name: str  # of its functions in the module
    program: Program

    @classmethod
    def of(cls, name: str, rows: System) -> SolvedRows:
        """With the exact Jacobian of the rows, and all outputs.

        Example:
        >>> import axletree as at
        >>> from axletree.live_pages.solved_rows import SolvedRows
        >>> rows = SolvedRows.of("rest", at.read_model("pendulum").formulate())
        >>> rows.layout["unknowns"]
        ['pin.rate', 'pin.angle']
        """
        return cls(name, lower(rows, extras={Extra.JACOBIAN}))

    @property
    def layout(self) -> dict[str, Any]:
        """Names in the order of the arrays, for the page."""
        program = self.program
        return {
            "name": self.name,
            "unknowns": [q.name for q in program.states],
            "targets": [q.name for q in program.inputs],
            "parameters": [q.name for q in program.parameters],
            "values": [q.default for q in program.parameters],
            "results": [q.name for q in program.outputs],
        }

    @property
    def newton(self) -> str:
        """The C of the search, which follows the routines of the rows."""
        program = self.program
        assert program.jacobian is not None, "it is lowered with it"
        sizes = {
            "ROWS": program.rhs.size, "NX": len(program.states), "NU": len(program.inputs),
            "NP": len(program.parameters), "NC": program.constants.size,
            "NY": len(program.outputs), "ENTRIES": program.jacobian.routine.size,
        }  # fmt: skip
        numbers = ", ".join(f"{word} = {value}" for word, value in sizes.items())
        text = filled_c_text(__package__, "newton.c", {"PREFIX": self.name})
        return f"#include <string.h>\nenum {{ {numbers} }};\n{text}"

    @property
    def unit(self) -> FurtherUnit:
        """What is compiled into the module."""
        program = self.program
        header = print_header(program, self.name, more=sparsity_declarations(program, self.name))
        more = [*sparsity_text(program, self.name), self.newton]
        text = f'#include "{self.name}.h"\n{print_unit(program, self.name, more=more)}'
        exported = tuple(f"{self.name}_{word}" for word in _FUNCTIONS)
        return FurtherUnit(self.name, header, text, exported)
