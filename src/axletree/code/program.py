"""The program: what a system becomes before it is printed in some language.

A program holds routines, a routine three blocks (Morency 2007, section 4.4), a block
statements. ``lower`` decides what is computed, where and in which order; the printers
only spell it:

1. what depends on parameters alone is computed once, by ``constants``, into ``c``;
2. a routine holds the cone of its results and nothing else;
3. calls of one function that do not need one another are one statement, and a routine that
   needs one of them computes all; so are sines, exponentials and the like that it needs;
4. block 1 holds what does not depend on the results of a call, block 2 the external calls
   and what they need of one another, block 3 the system equations. A routine without calls
   has the cones of the system's named intermediate variables as its block 1;
5. of the operands of an operation the one with the larger sub-graph comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from axletree.core.registry import few_names
from axletree.expr import CalledFunction, Expr, OperationCount
from axletree.expr.node import Node
from axletree.expr.quantity import Quantity

if TYPE_CHECKING:
    from scipy.sparse import csc_array

BLOCK_TITLES = ("intermediate variables", "external calls", "system equations")


@dataclass(frozen=True)
class OperationGroup:
    """Nodes of one operation, none of which needs another: they are computed side by side."""

    members: tuple[Node, ...]

    @property
    def lanes(self) -> int:
        """How many are computed: the members, filled up to what machines take at once."""
        count = len(self.members)
        return count if count <= 2 else -(-count // 4) * 4

    @property
    def passed(self) -> tuple[int, ...]:
        """The positions of the operands that are handed over with each evaluation."""
        return tuple(range(len(self.members[0].operands)))

    def across(self, position: int) -> list[Expr]:
        """An operand in every lane; lanes without a member repeat the last one."""
        values = [member.operands[position] for member in self.members]
        return values + values[-1:] * (self.lanes - len(values))


@dataclass(frozen=True)
class FunctionGroup(OperationGroup):
    """Sines of several angles, say."""

    @property
    def operation(self) -> str:
        return self.members[0].operation


@dataclass(frozen=True)
class CallGroup(OperationGroup):
    """Calls of one function: of a tyre law for the wheels of a vehicle, say.

    Arguments that depend on parameters alone stand in ``c``, argument by argument and in
    each the lanes side by side, from ``offset`` on; or once for all lanes, if these are equal
    laws: those in which pairs of parameters, the ``ties``, have equal values.
    """

    prepared: tuple[int, ...] = ()  # the positions of arguments that stand in c
    offset: int = 0
    ties: tuple[tuple[Expr, Expr], ...] | None = None  # None: each lane has its own

    @property
    def function(self) -> CalledFunction:
        return cast(CalledFunction, self.members[0].data)

    @property
    def passed(self) -> tuple[int, ...]:
        return tuple(k for k in range(len(self.function.inputs)) if k not in self.prepared)

    @property
    def variant(self) -> tuple[CalledFunction, int, tuple[int, ...], int]:
        """What the text of the called function depends on."""
        return self.function, self.lanes, self.prepared, self.stride

    @property
    def stride(self) -> int:
        """How many values of an argument stand side by side in c."""
        return self.lanes if self.ties is None else 1

    @property
    def prepared_values(self) -> list[Expr]:
        """What the calls find in c, in the order in which it stands there."""
        return [e for k in self.prepared for e in self.across(k)[: self.stride]]

    def place(self, position: int, lane: int) -> int:
        """Where an argument that is prepared stands in c."""
        first = self.offset + self.prepared.index(position) * self.stride
        return first + (lane if self.ties is None else 0)


@dataclass(frozen=True)
class CallsInTurn(CallGroup):
    """Calls that are made one after the other, each for whatever numbers are side by side.

    In ``c`` the arguments of a call follow one another, and those of the next call come behind.
    """

    @property
    def lanes(self) -> int:
        return 1

    @property
    def spacing(self) -> int:
        """From the arguments of a call in c to those of the next one."""
        return len(self.prepared) if self.ties is None else 0

    @property
    def prepared_values(self) -> list[Expr]:
        own = self.members if self.ties is None else self.members[:1]
        return [call.operands[k] for call in own for k in self.prepared]

    def place(self, position: int, lane: int) -> int:
        return self.offset + lane * self.spacing + self.prepared.index(position)


@dataclass(frozen=True)
class Statement:
    """A local variable for a node, one result, or a group: one of the three is set."""

    expression: Expr  # for a local variable: 1 times its node; for a group: of its first
    node: Node | None = None
    index: int | None = None
    group: OperationGroup | None = None

    @property
    def defined(self) -> tuple[Node, ...]:
        """The nodes that have a variable from here on."""
        if self.group is not None:
            return self.group.members
        return () if self.node is None else (self.node,)

    @property
    def roots(self) -> list[Expr]:
        """What the statement computes from."""
        if self.group is not None:
            return [n.operands[k] for k in self.group.passed for n in self.group.members]
        return [self.expression] if self.node is None else list(self.node.operands)


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
    arguments: tuple[str, ...]  # of "t", "x", "u", "c", "p", "w", "dz"
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
class SparsePattern:
    """Where the nonzeros of a matrix stand, column by column.

    Example:
    >>> import numpy as np
    >>> from axletree.code.program import SparsePattern
    >>> pattern = SparsePattern((2, 3), rows=(0, 1, 0), columns=(0, 0, 2))
    >>> pattern.starts, pattern.matrix(np.array([4.0, 5.0, 6.0])).toarray().tolist()
    ((0, 2, 2, 3), [[4.0, 0.0, 6.0], [5.0, 0.0, 0.0]])
    """

    shape: tuple[int, int]
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where each column begins among the nonzeros, and at last their number."""
        counts = Counter(self.columns)
        return tuple(accumulate((counts[k] for k in range(self.shape[1])), initial=0))

    def matrix(self, values: NDArray[np.float64]) -> csc_array:
        """The matrix of these nonzeros, as SciPy has it."""
        from scipy.sparse import csc_array

        return csc_array((values, self.rows, self.starts), shape=self.shape)


@dataclass(frozen=True)
class SparseRoutine:
    """A routine whose results are the structural nonzeros of a matrix, column by column."""

    routine: Routine
    shape: tuple[int, int]
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @property
    def pattern(self) -> SparsePattern:
        """Where the results stand in the matrix."""
        return SparsePattern(self.shape, self.rows, self.columns)

    @property
    def starts(self) -> tuple[int, ...]:
        """Where each column begins among the results, and at last their number."""
        return self.pattern.starts


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
    later_rates: Routine | None  # t, x, u, c -> rates of all but the speeds
    speed_rates: Routine | None  # t, x, u, c -> rates of the speeds, and w
    other_rates: Routine | None  # t, x, u, c, w -> rates of all but the speeds
    rows: Routine | None  # t, x, u, c -> StepRows.values
    bounds: Routine | None  # t, x, u, c -> StepRows.bounds
    jacobian: SparseRoutine | None  # t, x, u, c -> d xdot / d x
    input_jacobian: SparseRoutine | None  # t, x, u, c -> d xdot / d u
    full_jacobian: SparseRoutine | None = None  # t, x, u, c -> d (xdot, y) / d (x, u)
    parameter_jacobian: SparseRoutine | None = None  # t, x, u, c -> d (xdot, y) / d p
    directional: Routine | None = None  # t, x, u, c, dz -> d (xdot, y) / d (x, u, p) times dz
    adjoint: Routine | None = None  # t, x, u, c, w -> w times d (xdot, y) / d (x, u, p)
    hessian: SparseRoutine | None = None  # t, x, u, c, w -> d2 (w (xdot, y)) / d (x, u, p)2
    first_stage: Routine | None = None  # t, x, u, c, w = (gamma h) -> k1, and what else is kept
    evaluated_stage: Routine | None = None  # t, x, u, c, w = (gamma h, these, r, d) -> w
    solved_stage: Routine | None = None  # t, x, u, c, w = (gamma h, these, r) -> e
    laws: tuple[Routine, ...] = ()  # t, x, u, c, w = memory -> the next one, and commands
    by_parameters: tuple[Quantity, ...] = ()  # those that p is in derivatives
    ties: tuple[tuple[int, int], ...] = ()  # parameters that the constants take for equal

    def __repr__(self) -> str:
        named = few_names([one.name for one in self.routines], 12)
        return f"Program of {self.name!r}: {len(self.states)} states; routines {named}"

    def holds_for(self, parameters: Sequence[float] | NDArray[np.float64]) -> bool:
        """Whether parameters that the constants take for equal are so."""
        given, (first, second) = np.asarray(parameters), self._tied
        return bool((given[first] == given[second]).all())

    @cached_property
    def _tied(self) -> NDArray[np.intp]:
        """First and second parameters of the ties: there are hundreds, and every run asks."""
        return np.array(self.ties, dtype=np.intp).reshape(-1, 2).T

    @property
    def routines(self) -> tuple[Routine, ...]:
        """Every routine that is present, ``constants`` first."""
        sparse = [matrix.routine for matrix in self.matrices]
        dense = [self.constants, self.rhs, self.outputs_routine, self.project, self.later_rates]
        dense += [self.speed_rates, self.other_rates, self.rows, self.bounds]
        dense += [self.directional, self.adjoint, self.first_stage]
        dense += [self.evaluated_stage, self.solved_stage]
        return tuple(r for r in (*dense, *sparse, *self.laws) if r is not None)

    @property
    def matrices(self) -> tuple[SparseRoutine, ...]:
        """Every matrix of derivatives that is present."""
        found = (self.jacobian, self.input_jacobian, self.full_jacobian, self.parameter_jacobian)
        return tuple(matrix for matrix in (*found, self.hessian) if matrix is not None)

    @property
    def operations(self) -> OperationCount:
        """Of one evaluation of the right-hand side; the constants are counted apart."""
        return self.rhs.operations
