"""The system: named, unit-carrying quantities and the equations that hold between them.

``System`` is explicit, x' = f(x, u). ``ImplicitSystem`` holds equations as they are collected
by hand, A(x) x' = B(x, u), with A singular where some are algebraic (Lot and Massaro 2017, eqs.
37 and 42).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from axletree.components.contract import AccelerationOutput, NamedOutput
from axletree.components.edges import Variable
from axletree.core.errors import FormulationError
from axletree.core.registry import few_names
from axletree.equations.constraints import Constraint
from axletree.equations.equations import Equations
from axletree.expr import Expr, symbol
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.expr.vectors import Vector
from axletree.flow import SystemFlow
from axletree.system.forms.set_valued import StepRows
from axletree.system.sampled_laws import SampledLaw
from axletree.system.start import Start


@dataclass(frozen=True, repr=False)
class Definition:
    """A quantity that is computed: an intermediate variable or an output."""

    quantity: Quantity
    expression: Expr

    def __repr__(self) -> str:
        """Its name and unit; there are hundreds of a vehicle, and expressions are long."""
        return f"{self.quantity.name} [{self.quantity.unit}]"


def output(name: str, unit: str, description: str, expression: Expr) -> Definition:
    return Definition(Quantity(name, unit, description, Role.OUTPUT), expression)


def component_output(
    component: str, named: Variable | NamedOutput | AccelerationOutput, expression: Expr
) -> Definition:
    """What a component tells, under its name."""
    return output(f"{component}.{named.suffix}", named.unit, named.description, expression)


def redefined(
    definitions: Iterable[Definition], expressions: Iterable[Expr]
) -> tuple[Definition, ...]:
    """The same quantities by other expressions."""
    pairs = zip(definitions, expressions, strict=True)
    return tuple(Definition(old.quantity, new) for old, new in pairs)


def vector_outputs(name: str, unit: str, description: str, vector: Vector) -> Iterator[Definition]:
    """One output for each component of a vector."""
    for axis, component in zip("xyz", vector, strict=True):
        yield output(f"{name}.{axis}", unit, f"{axis} component of {description}", component)


ExpressionEdit = Callable[[Sequence[Expr]], Sequence[Expr]]  # of all expressions at once
_MOST_NAMED = 4  # quantities of a kind, where a system is shown in a few lines


@dataclass(frozen=True, eq=False, repr=False)
class System(SystemFlow):
    """An explicit state-space model, ready to be lowered to a program.

    The derivative of ``states[i]`` is ``derivatives[i]``: an expression over the symbols
    of ``time``, ``states``, ``inputs`` and ``parameters``, and nothing else; in the set-valued
    form over the forces of its ``rows``, too.

    Example:
    >>> import axletree as at
    >>> system = at.read_model("four-bar").formulate()
    >>> system.degrees_of_freedom, len(system.constraints), len(system.states)
    (1, 2, 6)
    >>> [f"{state.name} [{state.unit}]" for state in system.states[:2]]
    ['a.rate [rad/s]', 'b.rate [rad/s]']
    """

    name: str
    time: Quantity
    states: Quantities  # x = (p, q, z): speeds, coordinates, internal states
    inputs: Quantities
    parameters: Quantities
    derivatives: tuple[Expr, ...]
    outputs: tuple[Definition, ...]
    intermediates: tuple[Definition, ...]  # block 1, in order; names for the printed code
    projection: tuple[Expr, ...] | None  # the states moved onto their constraints, or None
    source: Equations | None = field(default=None, repr=False)  # unless written by hand
    constraints: tuple[Constraint, ...] = ()  # the independent ones
    redundant: tuple[str, ...] = ()  # names of the reactions of dependent constraints
    dependent: tuple[int, ...] = ()  # places of speeds that the form finds from the others
    # By loop: (place of the constraint, place of the speed), if the form eliminates in this order.
    pivots: tuple[tuple[tuple[int, int], ...], ...] = ()
    # Outputs that the motion does not determine, with the constraints left out that share them.
    undetermined: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    implicit: ImplicitSystem | None = field(default=None, repr=False)  # A x' = B, if by hand
    rows: StepRows | None = field(default=None, repr=False)  # of set-valued forces, if unknowns
    start: Start = field(default=Start(), repr=False)  # what the model gives first values of
    edits: tuple[ExpressionEdit, ...] = field(default=(), repr=False)  # since it was assembled
    sampled: tuple[SampledLaw, ...] = field(default=(), repr=False)  # of controllers in its steps

    def __repr__(self) -> str:
        """What it is and what it has, in a few lines."""
        freedoms, constraints = self.freedoms_in_words, len(self.constraints)
        lines = [f"System {self.name!r}: degrees of freedom {freedoms}, constraints {constraints}"]
        for kind, quantities in {
            "states": self.states,
            "inputs": self.inputs,
            "outputs": [one.quantity for one in self.outputs],
            "parameters": self.parameters,
        }.items():
            names = few_names((one.name for one in quantities), _MOST_NAMED)
            lines.append(f"  {len(quantities)} {kind}{': ' if names else ''}{names}")
        return "\n".join(lines)

    @property
    def unknown_forces(self) -> tuple[Quantity, ...]:
        """The set-valued forces that are unknowns, which follow the inputs in programs."""
        return () if self.rows is None else self.rows.reactions

    @property
    def smooth_forces(self) -> tuple[str, ...]:
        """Names of the set-valued forces that are smooth functions of the state here."""
        if self.source is None or self.rows is not None:
            return ()
        return self.source.set_valued_names

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


def rate_symbol(variable: Quantity) -> Expr:
    """What stands for the rate of a variable in an output of an implicit system."""
    return symbol(f"d({variable.name})/dt")


@dataclass(frozen=True, eq=False)
class ImplicitSystem:
    """As many equations as variables; B may hold algebraic variables in any way.

    Entries of A and B are expressions over the symbols of ``time``, ``variables``, ``inputs``
    and ``parameters``, and of outputs over rates of variables, too (``rate_symbol``).

    Example:
    >>> from axletree.language import parameters, rate, state_space, variable
    >>> m, k, x = *parameters("m k"), variable("x")  # kg, N/m, m
    >>> cart = state_space("cart", [m * rate(x, 2) + k * x], [x], [], {m: 2.0, k: 50.0}).implicit()
    >>> [quantity.name for quantity in cart.variables], [str(entry) for entry in cart.rates]
    (['x', 'V_x'], ['V_x', '-x*k'])
    """

    name: str
    time: Quantity
    variables: tuple[Quantity, ...]  # x
    inputs: tuple[Quantity, ...]  # u
    parameters: tuple[Quantity, ...]
    matrix: Mapping[tuple[int, int], Expr]  # A, by (equation, variable); what is absent is 0
    rates: tuple[Expr, ...]  # B
    outputs: tuple[Definition, ...]
    equation_names: tuple[str, ...]
    small: Mapping[str, float] = field(default_factory=dict)  # bounds, by name of a variable

    def __post_init__(self) -> None:
        count = len(self.equation_names)
        if len(self.rates) != count:
            raise FormulationError(
                f"{self.name}: B has {len(self.rates)} entries, and {count} equations have names"
            )
        for i, j in self.matrix:
            if not (0 <= i < count and 0 <= j < len(self.variables)):
                raise FormulationError(
                    f"{self.name}: A has an entry at ({i}, {j}), which is outside of {count} "
                    f"equations and {len(self.variables)} variables"
                )
        quantities = (self.time, *self.variables, *self.inputs, *self.parameters)
        uses = Counter(quantity.name for quantity in quantities)
        twice = sorted(name for name, times in uses.items() if times > 1)
        if twice:
            raise FormulationError(
                f"{self.name}: {', '.join(twice)} stands for more than one of time, variables, "
                "inputs and parameters; give each a name of its own"
            )

    @cached_property
    def algebraic(self) -> tuple[int, ...]:
        """Indices of the variables whose rates no equation holds."""
        seen = {j for (_, j), entry in self.matrix.items() if not entry.is_zero}
        return tuple(j for j in range(len(self.variables)) if j not in seen)
