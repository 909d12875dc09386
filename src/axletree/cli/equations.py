"""``axletree derive``, ``graph`` and ``export``: equations and operation counts, the linear graph,
other tools.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from axletree.cli.options import (
    FormOption,
    FunctionOption,
    ModelArgument,
    TreeOption,
    chosen_tree,
    formulated,
    option,
    system_of,
)
from axletree.code.lowering import DERIVATIVES, derivative_extras
from axletree.code.program import BLOCK_TITLES
from axletree.core.errors import ExportError
from axletree.core.registry import load, section
from axletree.equations.graph import build_graph
from axletree.equations.tree import select_trees
from axletree.export.named_statements import named_blocks, named_intermediates
from axletree.expr.quantity import Quantity
from axletree.model.model import Model
from axletree.model_files.read import read_model
from axletree.plot.graph import graph_text, write_graph_picture
from axletree.system.edit import with_smooth_forces
from axletree.system.reactions import undetermined_reactions
from axletree.system.symbolic_equations import SymbolicEquations
from axletree.system.system import System
from axletree.thesis.sequences import component_sequence, contact_sequence, equations_size
from axletree.thesis.tables import block_table, contact_table, sequence_table
from axletree.wheel.tyre import Tyre


class Notation(enum.StrEnum):
    """How equations are written."""

    TEXT = "text"
    LATEX = "latex"
    SYMPY = "sympy"


_MATRICES = (
    "mass_matrix", "forcing", "constraint_jacobian", "constraints", "kinematics", "internal_rates",
)  # fmt: skip
MOST_WRITTEN = 50_000  # operations of equations that are shown without being asked for

_MOST_LISTED = 12  # numbers of one part that have a line each


def derive(
    model: ModelArgument,
    tree: TreeOption = [],  # noqa: B006
    form: FormOption = None,
    functions: FunctionOption = [],  # noqa: B006
    block: Annotated[
        int | None,
        typer.Option(
            min=1, max=3, help="Show the statements of this block of the right-hand side instead."
        ),
    ] = None,
    component: Annotated[
        str,
        option(
            "NAME",
            "Show instead what each value of this component costs: written out in full, as "
            "a computational sequence, in shared code.",
        ),
    ] = "",
    notation: Annotated[
        Notation, option("text, latex, or sympy: matrices as expressions that SymPy reads.")
    ] = Notation.TEXT,
    simplify: Annotated[
        bool, option("--simplify", "Simplify by SymPy; slow for large models.")
    ] = False,
    equations: Annotated[
        bool | None, option("Whether to show the equations. Default: unless they are very long.")
    ] = None,
    equations_only: Annotated[
        bool, option("--equations-only", "Print only the equations.")
    ] = False,
) -> None:
    """Form the equations of a model and show their structure.

    Example: axletree derive pendulum.yaml --notation latex
    """
    described = read_model(model)
    system = formulated(described, tree, form, functions)
    if equations_only:
        typer.echo(_written(system.equations(simplify), notation))
    elif block is not None:
        typer.echo("\n".join(_block(system, block)))
    elif component:
        typer.echo("\n\n".join(_component(described, system, component)))
    else:
        typer.echo("\n".join(_heading(system)))
        edges = build_graph(described)
        typer.echo(f"\n{graph_text(edges, select_trees(edges, chosen_tree(described, tree)))}")
        typer.echo("\n".join(_variables(system)))
        typer.echo(f"\n{_equations(system, notation, simplify, equations)}")
        typer.echo(f"\n{block_table(system.operations).text()}")


def _equations(system: System, notation: Notation, simplify: bool, wanted: bool | None) -> str:
    size = equations_size(system)
    if wanted is False or (wanted is None and size > MOST_WRITTEN):
        return (
            f"equations: {size:.3g} operations in full; --equations shows "
            "them, --block 1, 2 or 3 the statements that compute them"
        )
    written = _written(system.equations(simplify), notation)
    return f"equations: M dp/dt + C^T f = b, Phi(q, t) = 0, dq/dt = h\n{written}"


def _written(equations: SymbolicEquations, notation: Notation) -> str:
    if notation is not Notation.SYMPY:
        return equations.latex() if notation is Notation.LATEX else equations.text()
    from sympy import srepr

    return "\n".join(f"{name} = {srepr(getattr(equations, name))}" for name in _MATRICES)


def _block(system: System, number: int) -> Iterator[str]:
    """The statements of a block, then the constants that occur in them."""
    *blocks, constants = named_blocks(system)
    statements = blocks[number - 1]
    yield f"{system.name}, block {number}: {BLOCK_TITLES[number - 1]}"
    yield from (f"  {statement}" for statement in statements)
    used = [c for c in constants if any(c.target in s.definition for s in statements)]
    if used:
        yield "constants, computed once"
        yield from (f"  {constant}" for constant in used)


def _component(model: Model, system: System, name: str) -> Iterator[str]:
    yield sequence_table(name, component_sequence(system, name)).text()
    part = model[name]
    if isinstance(part, Tyre) and system.source is not None:
        yield contact_table(name, contact_sequence(system.source, part)).text()


def _heading(system: System) -> Iterator[str]:
    yield f"{system.name}\ndegrees of freedom: {system.freedoms_in_words}"
    if system.redundant:
        yield f"redundant constraints, left out: {', '.join(system.redundant)}"
    if caveat := undetermined_reactions(system, (one.quantity.name for one in system.outputs)):
        yield caveat


def _variables(system: System) -> Iterator[str]:
    for title, lines in (
        ("states", _lines(system.states)),
        ("inputs", _lines(system.inputs)),
        ("parameters", _lines(system.parameters)),
        ("intermediate variables", _intermediates(system)),
    ):
        if lines:
            yield f"\n{title}"
            yield from (f"  {line}" for line in lines)


def _lines(quantities: Sequence[Quantity]) -> list[str]:
    """One line each; many numbers of one part, as those of a tyre law, share one."""
    parts = Counter(_part(quantity) for quantity in quantities)
    rows: dict[str, tuple[str, str]] = {}
    for quantity in quantities:
        count = parts[_part(quantity)]
        if count > _MOST_LISTED:
            rows[f"{_part(quantity)}.*"] = ("", f"{count} numbers")
        else:
            rows[quantity.name] = (f"[{quantity.unit}]", quantity.description)
    width = max((len(name) for name in rows), default=0)
    return [f"{name:<{width}}  {unit:<10}  {text}" for name, (unit, text) in rows.items()]


def _part(quantity: Quantity) -> str:
    return quantity.name.rpartition(".")[0]


def _intermediates(system: System) -> list[str]:
    """Each with the statement that computes it."""
    found = named_intermediates(system)
    width = max((len(statement.target) for statement in found), default=0)
    return [
        f"{s.target:<{width}}  {f'[{s.quantity.unit}]':<10}  {s.quantity.description}\n"
        f"      {f'= {s.definition}' if s.definition else 'not computed: no rate depends on it'}"
        for s in found
        if s.quantity is not None
    ]


def graph(
    model: ModelArgument,
    tree: TreeOption = [],  # noqa: B006
    out: Annotated[
        Path | None, option("A file .svg, .png or .pdf; without it a table is shown.")
    ] = None,
) -> None:
    """Show the linear graph of a model: tree edges dark, chords light, a panel per domain.

    Example: axletree graph four-bar --out four-bar.svg
    """
    described = read_model(model)
    edges = build_graph(described)
    trees = select_trees(edges, chosen_tree(described, tree))
    if out is None:
        typer.echo(graph_text(edges, trees))
    else:
        write_graph_picture(edges, trees, out)
        typer.echo(f"picture: {out}")


def export(
    target: Annotated[str, typer.Argument(help="What to write: see `axletree list exports`.")],
    model: ModelArgument,
    folder: Annotated[Path, typer.Argument(help="Folder; created if necessary.")],
    tree: TreeOption = [],  # noqa: B006
    form: FormOption = None,
    functions: FunctionOption = [],  # noqa: B006
    derivatives: Annotated[
        list[str],
        option(
            "--derivatives NAME",
            f"Derivatives of rates and outputs: {', '.join(DERIVATIVES)}. Repeatable.",
        ),
    ] = [],  # noqa: B006
    by_parameters: Annotated[
        list[str],
        option("--by-parameter NAME", "Derivatives by this parameter, too. Repeatable."),
    ] = [],  # noqa: B006
) -> None:
    """Write a model for another tool: as C, MATLAB or Fortran source, or as equations in LaTeX.

    "c" and "fortran" are projects that build with make, "matlab" functions for ode45 and its like,
    "latex" a document. A system written by hand is exported as file.py:name, too. With derivatives
    the set-valued forces of a model are smooth.

    Example: axletree export c pendulum.yaml pendulum-c
    """
    write = load("export", target, section("EXPORTS"))
    system = system_of(model, tree, form, functions)
    settings: dict[str, Any] = {}
    if derivatives:
        if target == "latex":
            raise ExportError("latex has equations and no routines: leave out --derivatives")
        settings["extras"] = derivative_extras(derivatives, by_parameters)
        settings["by_parameters"] = by_parameters
        system = with_smooth_forces(system)
    elif by_parameters:
        raise ExportError("--by-parameter is for derivatives: add --derivatives jacobian")
    written = write(system, folder, **settings)
    names = ", ".join(sorted(path.name for path in written.iterdir()))
    typer.echo(f"{written}: {names}")
