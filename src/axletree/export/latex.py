"""A system as a LaTeX document: its quantities, its equations, its functions and tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from axletree.export.folder import write_files
from axletree.export.latex_equations import Section, function_section, write_equations
from axletree.export.latex_writer import LatexEquation
from axletree.expr import ExpressionFunction, Table
from axletree.expr.quantity import Quantity
from axletree.system.latex_names import latex_text
from axletree.system.system import System

_HEAD: Final = r"""\documentclass[a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{amsmath}
\usepackage{array}
\usepackage{longtable}
\usepackage[margin=15mm]{geometry}
\newcolumntype{L}[1]{>{\raggedright\arraybackslash}p{#1}}
\allowdisplaybreaks
\setcounter{MaxMatrixCols}{100}
\setlength{\LTleft}{0pt}
\begin{document}
"""
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
        _function(function_section(function, head, written.tables))
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
    return "".join([_HEAD, "\n".join(body), "\\end{document}\n"])


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
    return f"\\subsection*{{{section.title}}}\n{sentence}{_aligned(section.equations)}"


def _function(section: Section) -> str:
    return f"\\subsection*{{{latex_text(section.title)}}}\n{_aligned(section.equations)}"


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
