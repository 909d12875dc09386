"""The equations of a system in LaTeX, in the form in which they were written down."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

from axletree.equations.equations import Equations
from axletree.export.latex_writer import LatexEquation, LatexWriter, vector
from axletree.expr import CalledFunction, Expr, ExpressionFunction
from axletree.expr.expression import ZERO
from axletree.expr.node import Node
from axletree.expr.quantity import Quantity
from axletree.system.latex_names import dotted, latex_names
from axletree.system.system import ImplicitSystem, System, rate_symbol

# Letters for abbreviations, of which the first is taken that begins no other name.
LETTERS = (r"\sigma", r"\xi", r"\eta", r"\zeta", r"\chi", r"\nu", r"\kappa", r"\mathcal{A}")


@dataclass(frozen=True)
class Section:
    """A title, a sentence, and equations."""

    title: str
    sentence: str
    equations: tuple[LatexEquation, ...]


@dataclass(frozen=True)
class WrittenEquations:
    """All equations of a system, and what they are written with."""

    names: Mapping[str, str]  # of quantities, in LaTeX
    sections: tuple[Section, ...]
    functions: Mapping[CalledFunction, str]
    tables: dict[object, str]


@dataclass(frozen=True)
class _Line:
    """An equation before it is written: its left side is a name or an expression."""

    left: str | Expr
    right: Expr

    @property
    def expressions(self) -> list[Expr]:
        return [self.right] if isinstance(self.left, str) else [self.left, self.right]

    def written(self, writer: LatexWriter) -> LatexEquation:
        if isinstance(self.left, str):
            return writer.equation(self.left, self.right)
        return writer.balance(self.left, self.right)


@dataclass(frozen=True)
class _Part:
    """A section before it is written."""

    title: str
    sentence: str
    lines: Sequence[_Line]
    before: Sequence[LatexEquation] = ()

    def written(self, writer: LatexWriter) -> Section:
        lines = [line.written(writer) for line in self.lines]
        # A speed may have the name of a rate: the dot says what the line would.
        shown = [line for line in lines if line.rows != (line.left,)]
        return Section(self.title, self.sentence, (*self.before, *shown))


def write_equations(system: System) -> WrittenEquations:
    """In the form that the system has: of a model, implicit, or explicit."""
    names = _names(system)
    parts = [part for part in _parts(system, names) if part.lines or part.before]
    targets = [e for part in parts for line in part.lines for e in line.expressions]
    writer = LatexWriter(targets, _named_nodes(system, names), _letter(names.values()))
    sections = [section for part in parts if (section := part.written(writer)).equations]
    if writer.definitions:
        sentence = "What is long, or stands in several equations, in the order of computation."
        sections.append(Section("Abbreviations", sentence, tuple(writer.definitions)))
    return WrittenEquations(names, tuple(sections), writer.functions, writer.tables)


def function_section(function: ExpressionFunction, head: str, tables: dict[object, str]) -> Section:
    """What a function of expressions computes; its abbreviations are its own."""
    short = {e: e.name.removeprefix(f"{function.name}.") for e in function.arguments}
    names = latex_names([*short.values(), *function.outputs])
    symbols = {e.node: names[text] for e, text in short.items()}
    writer = LatexWriter(function.expressions, symbols, _letter(names.values()), tables)
    pairs = zip(function.outputs, function.expressions, strict=True)
    results = [writer.equation(names[name], expression) for name, expression in pairs]
    arguments = vector(rf"{head}: \quad", [names[text] for text in short.values()])
    return Section(function.name, "", (arguments, *writer.definitions, *results))


def _letter(names: Iterable[str]) -> str:
    taken = {re.sub(r"\\dot\{(.*?)\}", r"\1", name).partition("_{")[0] for name in names}
    return next(letter for letter in LETTERS if letter not in taken)


def _names(system: System) -> dict[str, str]:
    implicit = () if system.implicit is None else system.implicit.variables
    quantities = (
        *_quantities(system),
        *implicit,
        *(constraint.reaction for constraint in system.constraints),
        *(d.quantity for d in (*system.intermediates, *system.outputs)),
    )
    return latex_names(quantity.name for quantity in quantities)


def _quantities(system: System) -> tuple[Quantity, ...]:
    return (system.time, *system.states, *system.inputs, *system.parameters)


def _named_nodes(system: System, names: Mapping[str, str]) -> dict[Node, str]:
    """Symbols, rates of implicit variables, and what is known as an intermediate variable."""
    found = {q.symbol.node: names[q.name] for q in _quantities(system)}
    found |= {c.reaction.symbol.node: names[c.reaction.name] for c in system.constraints}
    if system.implicit is not None:
        for q in system.implicit.variables:
            found[q.symbol.node] = names[q.name]
            found[rate_symbol(q).node] = dotted(names[q.name])
    for definition in system.intermediates:
        expression = definition.expression
        if expression.coefficient == 1.0 and expression.node.operands:
            found.setdefault(expression.node, names[definition.quantity.name])
    found[system.time.symbol.node] = "t"
    return found


def _parts(system: System, names: Mapping[str, str]) -> Iterator[_Part]:
    """The outputs of a model are many, and follow from its components: they are left out."""
    if system.source is not None:
        yield from _model(system, system.source, names)
        return
    if system.implicit is not None:
        yield _implicit(system.implicit)
        outputs = system.implicit.outputs
    else:
        pairs = zip(system.states, system.derivatives, strict=True)
        rates = [_Line(dotted(names[q.name]), rate) for q, rate in pairs]
        yield _Part("Equations of state", "", rates)
        outputs = system.outputs
    yield _Part("Outputs", "", [_Line(names[d.quantity.name], d.expression) for d in outputs])


def _implicit(system: ImplicitSystem) -> _Part:
    """Row by row, rates on the left."""
    lines = []
    for i, right in enumerate(system.rates):
        entries = {j: entry for (row, j), entry in system.matrix.items() if row == i}
        rates = [e * rate_symbol(system.variables[j]) for j, e in sorted(entries.items())]
        lines.append(_Line(reduce(add, rates, ZERO), right))
    return _Part("Equations", r"$A(x)\,\dot{x} = B(x, u)$, row by row.", lines)


def _model(system: System, source: Equations, names: Mapping[str, str]) -> Iterator[_Part]:
    """M dp/dt + C^T f = b, Phi = 0, dq/dt = h (Morency 2007, eqs. 2.35 to 2.37)."""
    constraints = system.constraints
    internal = [state.quantity for state in source.internal]
    reactions = [f"-{names[c.reaction.name]}" for c in constraints]
    vectors = [("p", _texts(source.speeds, names)), ("q", _texts(source.coordinates, names))]
    vectors += [("z", _texts(internal, names)), ("f", reactions)]
    yield _Part(
        "Vectors",
        "Speeds, coordinates, internal states and multipliers, as far as there are any.",
        (),
        [vector(name, entries) for name, entries in vectors if entries],
    )
    balance = r"M\,\dot{p} + C^{T} f = b" if constraints else r"M\,\dot{p} = b"
    yield _Part(
        "Dynamics",
        f"${balance}$; entries of $M$ that are not written are 0 or follow from its symmetry.",
        [*_mass(source), *_numbered("b", source.dynamics.forcing)],
    )
    yield _Part(
        "Constraints",
        r"$\Phi = 0$, and $\dot{\Phi} = C\,p + \dots$",
        [
            *_numbered(
                r"\Phi", [c.position if c.is_holonomic else c.velocity for c in constraints]
            ),
            *_jacobian(system),
        ],
    )
    rates = [*zip(source.coordinates, source.coordinate_rates, strict=True)]
    rates += [(state.quantity, state.rate) for state in source.internal]
    yield _Part("Rates", "", [_Line(dotted(names[q.name]), rate) for q, rate in rates])


def _texts(quantities: Sequence[Quantity], names: Mapping[str, str]) -> list[str]:
    return [names[quantity.name] for quantity in quantities]


def _mass(source: Equations) -> Iterator[_Line]:
    for (i, j), entry in sorted(source.dynamics.mass.items()):
        if not entry.is_zero:
            yield _Line(f"M_{{{i + 1},{j + 1}}}", entry)


def _jacobian(system: System) -> Iterator[_Line]:
    for i, constraint in enumerate(system.constraints, start=1):
        for j, entry in sorted(constraint.jacobian.items()):
            if not entry.is_zero:
                yield _Line(f"C_{{{i},{j + 1}}}", entry)


def _numbered(letter: str, expressions: Sequence[Expr]) -> Iterator[_Line]:
    for k, expression in enumerate(expressions, start=1):
        yield _Line(f"{letter}_{{{k}}}", expression)
