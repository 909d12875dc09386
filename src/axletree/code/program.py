"""The program: what a system becomes before it is printed in some language.

A program holds routines, a routine three blocks (Morency 2007, section 4.4), a block
statements. ``lower`` decides what is computed, where and in which order; the printers
only spell it:

1. what depends on parameters alone is computed once, by ``constants``, into ``c``;
2. a routine holds the cone of its results and nothing else;
3. block 1 holds what does not depend on the results of a call, block 2 the external calls
   and what they need of one another, block 3 the system equations. A routine without calls
   has the cones of the system's named intermediate variables as its block 1;
4. of the operands of an operation the one with the larger sub-graph comes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from axletree.core.expr import Expr, OperationCount
from axletree.core.expr.expression import Node
from axletree.core.quantity import Quantity

BLOCK_TITLES = ("intermediate variables", "external calls", "system equations")


@dataclass(frozen=True)
class Statement:
    """A local variable for a node, or one result: exactly one of ``node`` and ``index`` is set."""

    expression: Expr  # for a local variable: 1 times its node
    node: Node | None = None
    index: int | None = None


@dataclass(frozen=True)
class Block:
    """One of the three parts of a routine."""

    title: str
    statements: tuple[Statement, ...]
    operations: OperationCount


@dataclass(frozen=True)
class Routine:
    """A function of generated code: arguments in, an array of ``size`` results out."""

    name: str
    arguments: tuple[str, ...]  # of "t", "x", "u", "c", "p"
    result: str  # name of the array of results
    size: int
    blocks: tuple[Block, ...]
    references: Mapping[Expr, str]  # symbols and constants: where they are found, "x[3]"
    names: Mapping[Node, str]  # the local variables

    @property
    def operations(self) -> OperationCount:
        return sum((block.operations for block in self.blocks), OperationCount())

    @property
    def statements(self) -> int:
        return sum(len(block.statements) for block in self.blocks)


@dataclass(frozen=True)
class SparseRoutine:
    """A routine whose results are the structural nonzeros of a matrix, column by column."""

    routine: Routine
    shape: tuple[int, int]
    rows: tuple[int, ...]
    columns: tuple[int, ...]


@dataclass(frozen=True)
class Program:
    """Routines over the arrays t, x, u, p and c, and the quantities these arrays hold."""

    name: str
    states: tuple[Quantity, ...]
    inputs: tuple[Quantity, ...]
    parameters: tuple[Quantity, ...]
    outputs: tuple[Quantity, ...]
    identifiers: Mapping[Expr, str]  # states, inputs, parameters: their names in printed code
    constants: Routine  # p -> c
    rhs: Routine  # t, x, u, c -> xdot
    outputs_routine: Routine  # t, x, u, c -> y
    project: Routine | None  # t, x, u, c -> x moved onto its constraints
    coordinate_rates: Routine | None  # t, x, u, c -> qdot, the rates of the coordinates alone
    jacobian: SparseRoutine | None  # t, x, u, c -> d xdot / d x
    input_jacobian: SparseRoutine | None  # t, x, u, c -> d xdot / d u

    @property
    def routines(self) -> tuple[Routine, ...]:
        """Every routine that is present, ``constants`` first."""
        sparse = [m.routine for m in (self.jacobian, self.input_jacobian) if m is not None]
        dense = [self.constants, self.rhs, self.outputs_routine, self.project]
        return tuple(r for r in (*dense, self.coordinate_rates, *sparse) if r is not None)

    @property
    def operations(self) -> OperationCount:
        """Of one evaluation of the right-hand side; the constants are counted apart."""
        return self.rhs.operations
