"""A system as a LaTeX document: its quantities, its equations, its functions and tables.

The equations stand in the form in which they were written down.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from pathlib import Path
from typing import Final

from axletree.equations.equations import Equations
from axletree.export.folder import fill, write_files
from axletree.export.latex_writer import LatexEquation, LatexWriter, vector
from axletree.expr import CalledFunction, Expr, ExpressionFunction, Table
from axletree.expr.expression import ZERO
from axletree.expr.node import Node
from axletree.expr.quantity import Quantity
from axletree.system.latex_names import dotted, latex_names, latex_text
from axletree.system.system import ImplicitSystem, System, rate_symbol

_IN_ONE: Final = 25  # equations that one environment aligns


def write_latex(system: System, folder: str | Path) -> Path:
    """Write ``model.tex``, a document of the system's equations, into ``folder``.

    A system that was built from components has M dp/dt + C^T f = b, Phi = 0 and dq/dt = h; one
    that was collected by hand A(x) dx/dt = B; any other the rates of its states. Returns the
    folder.

    Example:
    >>> import axletree as at
    >>> from axletree.export.latex import write_latex
    >>> folder = write_latex(at.read_model("pendulum").formulate(), "paper")
    >>> "All values are in SI units." in (folder / "model.tex").read_text()
    True
    """
    return write_files(folder, {"model.tex": latex_document(system)}, "the LaTeX document")


def latex_document(system: System) -> str:
    """The text of the document."""
    written = write_equations(system)
    functions = [
        _section(function_section(function, head, written.tables))
        if isinstance(function, ExpressionFunction)
        else f"${head}$ is the external function {latex_text(function.name)}.\n"
        for function, head in written.functions.items()
    ]
    body = [
        f"\\section*{{{latex_text(system.name)}}}\nAll values are in SI units.\n",
        *_quantities(system, written.names),
        *(_section(section) for section in written.sections),
        *(["\\section*{Functions}\n"] if functions else []),
        *functions,
        *(["\\section*{Tables}\n"] if written.tables else []),
        *(_table(table, name) for table, name in written.tables.items()),
    ]
    return "".join([fill("head.tex.jinja"), "\n".join(body), "\\end{document}\n"])


def _quantities(system: System, names: Mapping[str, str]) -> Iterator[str]:
    variables = system.states if system.implicit is None else system.implicit.variables
    titles = {"Variables": variables, "Inputs": system.inputs, "Parameters": system.parameters}
    for title, quantities in titles.items():
        if quantities:
            yield f"\\subsection*{{{title}}}\n{_listed(quantities, names)}"


def _listed(quantities: Sequence[Quantity], names: Mapping[str, str]) -> str:
    rows = [
        f"${names[q.name]}$ & {_breakable(q.name)} & {_value(q.default)} & {_unit(q.unit)} & "
        f"{latex_text(q.description)} \\\\"
        for q in quantities
    ]
    columns = r"@{}lL{33mm}rlL{37mm}@{}"
    head = r"symbol & name & value & unit & \\ \hline \endhead"
    begin = rf"{{\footnotesize\begin{{longtable}}{{{columns}}}"
    return "\n".join([begin, head, *rows, "\\end{longtable}}\n"])


def _breakable(name: str) -> str:
    """A name that may go on in the next line after a dot or an underscore."""
    return re.sub(r"(\.|\\_)", r"\1\\allowbreak{}", latex_text(name))


def _value(value: float) -> str:
    if math.isinf(value):
        return r"$\infty$" if value > 0.0 else r"$-\infty$"
    digits, _, exponent = f"{value:.6g}".partition("e")
    return f"${digits}$" if not exponent else rf"${digits} \cdot 10^{{{int(exponent)}}}$"


def _unit(unit: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9*/^ -]+", unit):
        return latex_text(unit)
    raised = re.sub(r"\^(-?\d+)", r"^{\1}", unit).replace("*", r" \, ")
    return f"$\\mathrm{{{raised}}}$"


def _section(section: Section) -> str:
    sentence = f"{section.sentence}\n" if section.sentence else ""
    title = latex_text(section.title)
    return f"\\subsection*{{{title}}}\n{sentence}{_aligned(section.equations)}"


def _aligned(equations: Sequence[LatexEquation]) -> str:
    """A few equations to an environment: TeX holds one of them at a time."""
    parts = []
    for start in range(0, len(equations), _IN_ONE):
        lines = " \\\\\n".join(e.text for e in equations[start : start + _IN_ONE])
        parts.append(f"\\begin{{align*}}\n{lines}\n\\end{{align*}}\n")
    return "".join(parts)


def _table(table: object, name: str) -> str:
    """Breakpoints, and the coefficients of powers of the distance from each."""
    assert isinstance(table, Table)
    width = len(table.coefficients[0])
    origins = ["below", *(_value(v) for v in table.breakpoints)]
    rows = [
        f"{origin} & {' & '.join(_value(v) for v in row)} \\\\"
        for origin, row in zip(origins, table.coefficients, strict=True)
    ]
    heads = " & ".join(f"$a_{{{k}}}$" for k in range(width))
    sentence = (
        f"\\noindent ${name}(x) = \\sum_k a_k\\,(x - x_0)^k$, each row from its $x_0$ on; below "
        "the first $x_0$ the first row holds, with the same $x_0$.\n"
    )
    begin = rf"\begin{{longtable}}{{@{{}}r{'r' * width}@{{}}}}"
    head = rf"$x_0$ & {heads} \\ \hline \endhead"
    return "\n".join([sentence, begin, head, *rows, "\\end{longtable}\n"])


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
        *_equation_quantities(system),
        *implicit,
        *(constraint.reaction for constraint in system.constraints),
        *(d.quantity for d in (*system.intermediates, *system.outputs)),
    )
    return latex_names(quantity.name for quantity in quantities)


def _equation_quantities(system: System) -> tuple[Quantity, ...]:
    return (system.time, *system.states, *system.inputs, *system.parameters)


def _named_nodes(system: System, names: Mapping[str, str]) -> dict[Node, str]:
    """Symbols, rates of implicit variables, and what is known as an intermediate variable."""
    found = {q.symbol.node: names[q.name] for q in _equation_quantities(system)}
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
