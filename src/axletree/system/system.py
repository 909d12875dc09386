"""The system: named, unit-carrying quantities and the equations that hold between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from axletree.core.expr import Expr
from axletree.core.quantity import Quantity, Role
from axletree.core.vectors import Vector
from axletree.formulation.closure import Constraint
from axletree.formulation.equations import Equations
from axletree.system.definition import Definition
from axletree.system.implicit import ImplicitSystem
from axletree.system.opened import Opened
from axletree.system.step_rows import StepRows

__all__ = ["Definition", "System", "output", "vector_outputs"]


def output(name: str, unit: str, description: str, expression: Expr) -> Definition:
    return Definition(Quantity(name, unit, description, Role.OUTPUT), expression)


def vector_outputs(name: str, unit: str, description: str, vector: Vector) -> Iterator[Definition]:
    """One output for each component of a vector."""
    for axis, component in zip("xyz", vector, strict=True):
        yield output(f"{name}.{axis}", unit, f"{axis} component of {description}", component)


@dataclass(frozen=True, eq=False)
class System:
    """An explicit state-space model, ready to be lowered to a program.

    The derivative of ``states[i]`` is ``derivatives[i]``: an expression over the symbols
    of ``time``, ``states``, ``inputs`` and ``parameters``, and nothing else.
    """

    name: str
    time: Quantity
    states: tuple[Quantity, ...]  # x = (p, q, z): speeds, coordinates, internal states
    inputs: tuple[Quantity, ...]
    parameters: tuple[Quantity, ...]
    derivatives: tuple[Expr, ...]
    outputs: tuple[Definition, ...]
    intermediates: tuple[Definition, ...]  # block 1, in order; names for the printed code
    projection: tuple[Expr, ...] | None  # the states moved onto their constraints, or None
    source: Equations | None = field(default=None, repr=False)  # unless written by hand
    constraints: tuple[Constraint, ...] = ()  # the independent ones
    redundant: tuple[str, ...] = ()  # names of the reactions of dependent constraints
    implicit: ImplicitSystem | None = field(default=None, repr=False)  # A x' = B, if by hand
    # Set-valued forces are smooth functions of the state here. What they are opened to, if there
    # are some; and, of an opened system, the rows that steps are solved from.
    opened: Opened | None = field(default=None, repr=False)
    rows: StepRows | None = field(default=None, repr=False)

    @property
    def degrees_of_freedom(self) -> int | None:
        """Speeds less independent constraints (Morency 2007, eq. 2.7); None if unknown."""
        if self.source is None:
            return None
        return len(self.source.speeds) - len(self.constraints)

    @property
    def freedoms_in_words(self) -> str:
        """The degrees of freedom, or why there is no number of them."""
        if self.source is None:
            return "not known"
        return str(self.degrees_of_freedom) if self.source.has_bodies else "no mechanical freedom"
