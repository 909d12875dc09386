"""Operation counts of a system's generated routines, block by block: what one evaluation costs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from axletree.code.called_functions import call_groups_of
from axletree.code.lowering import Extra, lower
from axletree.code.program import BLOCK_TITLES
from axletree.expr import OperationCount
from axletree.system.system import System


@dataclass(frozen=True)
class CalledCount:
    """A function that block 2 calls: how often, with what results, and what a call costs."""

    name: str
    results: tuple[str, ...]
    calls: int
    each: OperationCount

    @property
    def total(self) -> OperationCount:
        return sum([self.each] * self.calls, OperationCount())


@dataclass(frozen=True)
class Operations:
    """Operation counts of the generated routines; signs are free, shared parts count once.

    Example:
    >>> import axletree as at
    >>> operations = at.read_model("double-pendulum").formulate().operations
    >>> operations.total == operations.main_code  # no functions are called
    True
    """

    intermediate_variables: OperationCount  # block 1 of the right-hand side
    external_calls: OperationCount  # block 2
    system_equations: OperationCount  # block 3
    constants: OperationCount  # once per set of parameters, not once per evaluation
    projection: OperationCount  # once per step, in the forms that have it
    calls: tuple[CalledCount, ...] = ()  # what block 2 consists of
    assignments: int = 0  # values that one evaluation computes under a name
    set_valued_rows: OperationCount | None = None  # once per step, in the form that has them

    @property
    def total(self) -> OperationCount:
        """Of one evaluation of the right-hand side: blocks 1 to 3."""
        return self.intermediate_variables + self.external_calls + self.system_equations

    @property
    def main_code(self) -> OperationCount:
        """Blocks 1 and 3: what is left when called functions are counted apart."""
        return self.intermediate_variables + self.system_equations

    @property
    def rows(self) -> tuple[tuple[str, OperationCount], ...]:
        """Every count with its title, as tables show them."""
        blocks = (self.intermediate_variables, self.external_calls, self.system_equations)
        forces = self.set_valued_rows
        return (
            *zip(BLOCK_TITLES, blocks, strict=True),
            ("right-hand side, total", self.total),
            *([] if forces is None else [("rows of set-valued forces, once per step", forces)]),
            ("projection, once per step", self.projection),
            ("constants, once per run", self.constants),
        )

    def __str__(self) -> str:
        width = max(len(title) for title, _ in self.rows)
        return "\n".join(f"{title:<{width}}  {count}" for title, count in self.rows)


def count_system(system: System) -> Operations:
    """The counts of a system's program, without its outputs.

    Example:
    >>> import axletree as at
    >>> from axletree.code.system_operations import count_system
    >>> print(count_system(at.read_model("pendulum").formulate()).total)
    0 additions, 1 multiplications, 0 divisions, 1 functions
    """
    extras = () if system.rows is None else (Extra.ROWS,)
    program = lower(replace(system, projection=None), outputs=(), extras=extras)
    blocks = {block.title: block.operations for block in program.rhs.blocks}
    first, second, third = (blocks.get(title, OperationCount()) for title in BLOCK_TITLES)
    return Operations(
        intermediate_variables=first,
        external_calls=second,
        system_equations=third,
        constants=program.constants.operations,
        projection=_projection(system),
        calls=tuple(
            CalledCount(g.function.name, g.function.outputs, len(g.members), g.function.operations)
            for g in call_groups_of(program.rhs)
        ),
        assignments=sum(
            max(len(statement.defined), 1)
            for block in program.rhs.blocks
            for statement in block.statements
        ),
        set_valued_rows=None if program.rows is None else program.rows.operations,
    )


def _projection(system: System) -> OperationCount:
    routine = None if system.projection is None else lower(system, outputs=()).project
    return OperationCount() if routine is None else routine.operations
