"""``axletree derive``: a model's graph, trees, variables, equations and operation counts."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Annotated

import typer

from axletree.analysis.symbolic import SymbolicEquations
from axletree.cli.source import FormOption, ModelArgument, TreeOption, chosen_tree, formulated
from axletree.core.quantity import Quantity
from axletree.graph.linear_graph import build_graph
from axletree.graph.tree import TreeChoice, select_trees
from axletree.pipeline import Model, System, read_model
from axletree.report.graph_text import graph_text


class Notation(enum.StrEnum):
    """How equations are written."""

    TEXT = "text"
    LATEX = "latex"
    SYMPY = "sympy"


_MATRICES = (
    "mass_matrix",
    "forcing",
    "constraint_jacobian",
    "constraints",
    "kinematics",
    "internal_rates",
)


def derive(
    model: ModelArgument,
    tree: TreeOption = [],  # noqa: B006
    form: FormOption = None,
    notation: Annotated[
        Notation,
        typer.Option(help="text, latex, or sympy: matrices as expressions that SymPy reads."),
    ] = Notation.TEXT,
    simplify: Annotated[
        bool, typer.Option("--simplify", help="Let SymPy simplify; slow for large models.")
    ] = False,
    equations_only: Annotated[
        bool, typer.Option("--equations-only", help="The equations and nothing else.")
    ] = False,
) -> None:
    """Form the equations of a model and show how they came about.

    Example: axletree derive pendulum.yaml --notation latex
    """
    described = read_model(model)
    system = formulated(described, tree, form)
    written = _written(system.equations(simplify), notation)
    if equations_only:
        typer.echo(written)
        return
    typer.echo("\n".join(_heading(system)))
    typer.echo(f"\n{_trees(described, chosen_tree(described, tree))}")
    typer.echo("\n".join(_variables(system)))
    typer.echo(f"\nequations: M dp/dt + C^T f = b, Phi(q, t) = 0, dq/dt = h\n{written}")
    typer.echo(f"\noperations\n{system.operations}")


def _written(equations: SymbolicEquations, notation: Notation) -> str:
    match notation:
        case Notation.TEXT:
            return equations.text()
        case Notation.LATEX:
            return equations.latex()
        case Notation.SYMPY:
            from sympy import srepr

            return "\n".join(f"{name} = {srepr(getattr(equations, name))}" for name in _MATRICES)


def _heading(system: System) -> Iterator[str]:
    yield f"{system.name}\ndegrees of freedom: {system.freedoms_in_words}"
    if system.redundant:
        yield f"redundant constraints, left out: {', '.join(system.redundant)}"


def _trees(model: Model, choice: TreeChoice) -> str:
    graph = build_graph(model)
    return graph_text(graph, select_trees(graph, choice))


def _variables(system: System) -> Iterator[str]:
    for title, quantities in (
        ("states", system.states),
        ("inputs", system.inputs),
        ("parameters", system.parameters),
    ):
        if quantities:
            yield f"\n{title}"
            yield from (_line(quantity) for quantity in quantities)


def _line(quantity: Quantity) -> str:
    return f"  {quantity.name:<28}{f'[{quantity.unit}]':<12}{quantity.description}"
