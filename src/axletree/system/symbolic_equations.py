"""The equations of a system in SymPy, for people: M dp/dt + C^T f = b, Phi = 0, dq/dt = h."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from axletree.core.errors import FormulationError
from axletree.core.registry import unknown_name
from axletree.expr import Expr, to_sympy
from axletree.expr.expression import ZERO
from axletree.expr.node import Node
from axletree.expr.outlines import inlined
from axletree.expr.quantity import Quantity
from axletree.expr.traversal import topological_order
from axletree.system.latex_names import latex_names
from axletree.system.system import System

# SymPy compares and sorts what it puts together; with cases (limits of friction, wheels that lift)
# inside cases this takes minutes from some ten thousand operations on, without cases from a hundred
# times ten thousand. Larger equations are put together as they stand.
_LARGEST_WITH_CASES = 20_000
_LARGEST = 200_000
_LARGEST_PRINTED = 200_000  # operations: some megabytes of text
_CASES = frozenset({"where", "min", "max", "lt", "le", "abs", "sign"})


@dataclass(frozen=True, repr=False)
class SymbolicEquations:
    """Morency 2007, eqs. (2.35) to (2.37), as SymPy matrices; f and Phi may be empty.

    What changes in time is a function of ``t``, a parameter a plain symbol, each under its
    name in the model: ``symbols["pin.angle"]``. Constraints that depend on others are left
    out, so that M and C determine dp/dt and f.

    Example:
    >>> import axletree as at
    >>> equations = at.read_model("pendulum").formulate().equations()
    >>> equations.mass_matrix[0, 0].diff(equations["rod.mass"])  # kg m^2 by kg
    rod.top.z**2
    """

    name: str
    mass_matrix: Any  # M, over the speeds
    forcing: Any  # b: applied loads, gravity and inertial loads at constant speeds
    constraint_jacobian: Any  # C: d Phi/dt = C p + terms of prescribed motions
    constraints: Any  # Phi(q, t), or the velocity that is held where there is no Phi
    constraint_accelerations: Any  # gamma: d2 Phi/dt2 = 0 reads C dp/dt = gamma
    kinematics: Any  # h: dq/dt
    internal_rates: Any  # of the internal states: currents, voltages, travels
    speeds: Any  # p
    coordinates: Any  # q
    internal: Any  # internal states
    multipliers: Any  # f, each minus the reaction on the head of its chord
    time: Any  # t
    symbols: Mapping[str, Any]  # by name in the model
    operations: int  # when they are written out, with nothing computed once and used again

    def __repr__(self) -> str:
        sizes = f"{len(self.speeds)} speeds, {len(self.coordinates)} coordinates"
        if self.multipliers.rows:
            sizes += f", {len(self.multipliers)} constraints"
        return f"Equations of {self.name!r}: {sizes}, {self.operations} operations written out"

    def __getitem__(self, name: str) -> Any:
        """The SymPy symbol of a quantity of the model."""
        if name not in self.symbols:
            raise unknown_name("quantity", name, self.symbols, f"the equations of {self.name!r}")
        return self.symbols[name]

    def text(self) -> str:
        """One line for each entry that is not zero, by the names of the model.

        Example:
        >>> import axletree as at
        >>> print(at.read_model("rlc-circuit").formulate().equations().text().splitlines()[0])
        d(capacitor.voltage)/dt = inductor.current/capacitor.capacitance
        """
        self._refuse_if_too_long()
        return "\n".join(f"{left} = {right}" for left, right in self._entries())

    def _refuse_if_too_long(self) -> None:
        if self.operations > _LARGEST_PRINTED:
            raise FormulationError(
                f"the equations of {self.name} have {self.operations:.3g} operations when they are "
                f"written out, and at most {_LARGEST_PRINTED} are printed; `axletree export c` "
                "writes them with intermediate variables, and a vehicle of lower fidelity "
                "(`--model linear`) has fewer"
            )

    def _entries(self) -> list[tuple[str, str]]:
        import sympy

        plain = self._plain({name: name for name in self.symbols})

        def shown(expression: Any) -> str:
            return str(sympy.sstr(expression.xreplace(plain)))

        p, q, z, f = (
            [shown(x) for x in vector]
            for vector in (self.speeds, self.coordinates, self.internal, self.multipliers)
        )
        lines = [
            (f"M[{p[i]}, {p[j]}]", shown(self.mass_matrix[i, j]))
            for i in range(len(p))
            for j in range(i + 1)
            if self.mass_matrix[i, j] != 0
        ]
        lines += [(f"b[{name}]", shown(b)) for name, b in zip(p, self.forcing, strict=True)]
        for i, name in enumerate(f):
            reaction = name.removeprefix("-")
            lines.append((f"Phi[{reaction}]", shown(self.constraints[i])))
            lines += [
                (f"C[{reaction}, {p[j]}]", shown(entry))
                for j, entry in enumerate(self.constraint_jacobian[i, :])
                if entry != 0
            ]
        rates = (*zip(q, self.kinematics, strict=True), *zip(z, self.internal_rates, strict=True))
        return [*lines, *((f"d({name})/dt", shown(rate)) for name, rate in rates)]

    def latex(self) -> str:
        r"""The vectors, then the equations, as lines of an ``aligned`` environment.

        Example:
        >>> import axletree as at
        >>> print(at.read_model("pendulum").formulate().equations().latex().splitlines()[0])
        \begin{aligned}
        """
        import sympy

        self._refuse_if_too_long()
        names = latex_names(self.symbols)
        plain = self._plain(names)
        spelt = {symbol: symbol.name for symbol in plain.values()}

        def shown(matrix: Any) -> str:
            printed = sympy.latex(
                matrix.xreplace(plain), symbol_names=spelt, mat_delim="[", mat_str="array"
            )
            return str(printed)

        rows = [("p", self.speeds), ("q", self.coordinates)]
        if self.multipliers.rows:
            rows.append(("f", self.multipliers))
        equation = r"M \dot{p} + C^{T} f &= b" if self.multipliers.rows else r"M \dot{p} &= b"
        lines = [f"{left} &= {shown(matrix)}" for left, matrix in rows]
        lines += [equation, f"M &= {shown(self.mass_matrix)}", f"b &= {shown(self.forcing)}"]
        if self.multipliers.rows:
            lines.append(f"C &= {shown(self.constraint_jacobian)}")
            lines.append(rf"\Phi &= {shown(self.constraints)} = 0")
        lines.append(rf"\dot{{q}} &= {shown(self.kinematics)}")
        if self.internal.rows:
            lines.append(rf"z &= {shown(self.internal)}")
            lines.append(rf"\dot{{z}} &= {shown(self.internal_rates)}")
        body = " \\\\\n".join(lines)
        return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"

    def _repr_latex_(self) -> str | None:
        """Typeset by a notebook, unless they are too long for a page."""
        if self.operations > _LARGEST_PRINTED:
            return None
        return f"$$\n{self.latex()}\n$$"

    def _plain(self, names: Mapping[str, str]) -> dict[Any, Any]:
        """Symbols without assumptions and without (t), to be printed."""
        import sympy

        return {symbol: sympy.Symbol(names[name]) for name, symbol in self.symbols.items()}


def symbolic_equations(system: System, simplify: bool = False) -> SymbolicEquations:
    """The equations that a system was assembled from; simplified on request, which takes time."""
    source = system.source
    if source is None:
        raise FormulationError(
            f"{system.name} was written by hand, not formulated from a model: it has rates, but "
            "no mass matrix; read system.derivatives"
        )
    import sympy

    symbols = _symbols(system)
    writer = _Writer({q.symbol: symbols[q.name] for q in _quantities(system)}, simplify)
    n, constraints, mass = len(source.speeds), system.constraints, source.dynamics.mass
    M = [mass.get((max(i, j), min(i, j)), ZERO) for i in range(n) for j in range(n)]
    b, h = source.dynamics.forcing, source.coordinate_rates
    C = [c.jacobian.get(j, ZERO) for c in constraints for j in range(n)]
    Phi = [c.position if c.is_holonomic else c.velocity for c in constraints]
    gamma = [-c.bias for c in constraints]
    internal_rates = [state.rate for state in source.internal]
    size, has_cases = _written_out([*M, *b, *C, *Phi, *gamma, *h, *internal_rates])
    is_large = size > (_LARGEST_WITH_CASES if has_cases else _LARGEST)
    with sympy.evaluate(False) if is_large and not simplify else nullcontext():
        return SymbolicEquations(
            name=system.name,
            mass_matrix=writer.matrix(M, columns=n),
            forcing=writer.matrix(b),
            constraint_jacobian=writer.matrix(C, columns=n),
            constraints=writer.matrix(Phi),
            constraint_accelerations=writer.matrix(gamma),
            kinematics=writer.matrix(h),
            internal_rates=writer.matrix(internal_rates),
            speeds=writer.variables(source.speeds),
            coordinates=writer.variables(source.coordinates),
            internal=writer.variables([state.quantity for state in source.internal]),
            multipliers=-writer.variables([c.reaction for c in constraints]),
            time=symbols[system.time.name],
            symbols=symbols,
            operations=size,
        )


def _written_out(expressions: Sequence[Expr]) -> tuple[int, bool]:
    """Operations of the expressions when nothing is shared, and whether there are cases."""
    sizes: dict[Node, int] = {}
    expressions = inlined(expressions)
    for node in topological_order(expressions):
        sizes[node] = bool(node.operands) + sum(sizes[e.node] for e in node.operands)
    size = sum(sizes[e.node] for e in expressions)
    return size, any(node.operation in _CASES for node in sizes)


@dataclass(frozen=True)
class _Writer:
    """Expressions as SymPy matrices."""

    symbols: Mapping[Expr, Any]
    simplify: bool

    def matrix(self, entries: Sequence[Expr], columns: int = 1) -> Any:
        """Row by row."""
        import sympy

        values = to_sympy(entries, self.symbols)
        if self.simplify:
            values = [sympy.simplify(value) for value in values]
        rows = len(values) // columns if columns else 0
        return sympy.ImmutableMatrix(rows, columns, values)

    def variables(self, quantities: Sequence[Quantity]) -> Any:
        import sympy

        return sympy.ImmutableMatrix(
            len(quantities), 1, [self.symbols[q.symbol] for q in quantities]
        )


def _quantities(system: System) -> list[Quantity]:
    moving = (*system.states, *system.inputs, *(c.reaction for c in system.constraints))
    return [system.time, *moving, *system.parameters]


def _symbols(system: System) -> dict[str, Any]:
    """Functions of time for what changes, real symbols for parameters."""
    import sympy
    from sympy.physics.vector import dynamicsymbols

    t = dynamicsymbols._t  # the time that SymPy's own mechanics differentiates by
    constant = {q.name for q in system.parameters}
    found = {system.time.name: t}
    for quantity in _quantities(system)[1:]:
        if quantity.name in constant:
            found[quantity.name] = sympy.Symbol(quantity.name, real=True)
        else:
            found[quantity.name] = sympy.Function(quantity.name, real=True)(t)
    return found
