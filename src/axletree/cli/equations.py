"""``axletree derive``, ``graph`` and ``export``: equations and operation counts, the linear graph,
other tools.
"""

from __future__ import annotations

import enum
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

import typer

from axletree.analysis.steady_start import fixed_cost_method, steady_start
from axletree.cli.options import (
    ControllersOption,
    FidelityOption,
    FormOption,
    FunctionOption,
    ModelArgument,
    TreeOption,
    chosen_tree,
    formulated,
    model_or_system,
    option,
    split_assignments,
    system_of,
)
from axletree.code.lowering import DERIVATIVES, derivative_extras
from axletree.code.program import BLOCK_TITLES
from axletree.controllers.built_in import with_controllers
from axletree.core.errors import AxletreeError, ExportError
from axletree.core.registry import load, section
from axletree.equations.graph import build_graph
from axletree.equations.tree import select_trees
from axletree.export.named_statements import named_blocks, named_intermediates
from axletree.expr.quantity import Quantity
from axletree.model.model import Model
from axletree.model_files.read import read_model
from axletree.plot.graph import graph_text, write_graph_picture
from axletree.simulation.control.built_in_controllers import built_in
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
    folder: Annotated[
        Path, typer.Argument(help="Folder, of an FMU the file; created if necessary.")
    ],
    tree: TreeOption = [],  # noqa: B006
    form: FormOption = None,
    functions: FunctionOption = [],  # noqa: B006
    speed: Annotated[
        list[str],
        option(
            "--speed SPEED",
            "Of a vehicle: a steady motion that the stepper of C can be reset to, or that an FMU "
            "starts in, for example 80km/h; but for an FMU repeatable.",
        ),
    ] = [],  # noqa: B006
    fidelity: FidelityOption = None,
    fmi: Annotated[int | None, option("--fmi 2|3", "FMU: version of the standard, else 2.")] = None,
    step: Annotated[
        str | None, option("--step TIME", "FMU: longest step of co-simulation, else the model's.")
    ] = None,
    method: Annotated[
        str | None,
        option(
            "--method METHOD",
            "Of steps, else one whose steps all cost the same; of an FMU those of co-simulation, "
            "else the model's.",
        ),
    ] = None,
    initial: Annotated[
        list[str], option("--initial NAME=VALUE", "FMU: start value of a state; repeatable.")
    ] = [],  # noqa: B006
    parameter: Annotated[
        list[str], option("--parameter NAME=VALUE", "FMU: start value; repeatable.")
    ] = [],  # noqa: B006
    output: Annotated[
        list[str], option("--output NAME", "One of the outputs, and no others; repeatable.")
    ] = [],  # noqa: B006
    component: Annotated[
        str | None,
        option(
            "--component NAME",
            "FMU: of a tyre, a driver, a powertrain alone, for another tool's chassis.",
        ),
    ] = None,
    manoeuvre: Annotated[
        str | None,
        option("--manoeuvre NAME", "FMU: whose driver is in the model, as of a lane change."),
    ] = None,
    platform: Annotated[
        list[str],
        option(
            "--platform NAME",
            "FMU: compile for x86_64-linux, x86_64-windows, aarch64-linux, x86_64-darwin or "
            "aarch64-darwin; repeatable. Default: all by ziglang, if installed, else this machine.",
        ),
    ] = [],  # noqa: B006
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
    controllers: ControllersOption = [],  # noqa: B006
) -> None:
    """Write a model for another tool: as FMU, in C, MATLAB, Fortran or CasADi, or as LaTeX.

    "c" and "fortran" are projects that build with make, "matlab" functions for ode45 and its like,
    "latex" a document, "fmu" one file for tools that know the Functional Mock-up Interface,
    "realtime" a runner by the clock, "ros2" a package with a node, "s-function" a block, "casadi",
    "acados" and "do-mpc" models for optimal control. A system written by hand is exported as
    file.py:name, too. With derivatives the set-valued forces of a model are smooth.

    Example: axletree export fmu sedan sedan.fmu --fmi 3
    """
    write = load("export", target, section("EXPORTS"))
    given = {
        "fmi": fmi,
        "step": step,
        "method": method,
        "initial": split_assignments(initial, "--initial", "chassis.vx=20"),
        "parameters": split_assignments(parameter, "--parameter", "body.mass=1500"),
        "outputs": output,
        "component": component,
        "manoeuvre": manoeuvre,
        "platforms": platform,
    }
    taken = signature(write).parameters
    chosen = {name: value for name, value in given.items() if value}
    found = model_or_system(model, fidelity)
    if controllers:
        has_steps = target == "fmu" or "starts" in taken
        if not has_steps or derivatives:
            what = "derivatives" if has_steps else f"export {target}"
            raise ExportError(f"{what}: no steps for controllers to act in; leave out --controller")
    if target == "fmu":
        chosen |= {"controllers": controllers} if controllers else {}
        if derivatives or by_parameters:
            raise ExportError(
                "an FMU has its derivatives unasked: leave out --derivatives and --by-parameter"
            )
        _export_fmu(write, found, folder, tree, form, functions, speed, chosen)
        return
    if wrong := [f"--{name.removesuffix('s')}" for name in chosen if name not in taken]:
        raise AxletreeError(f"export {target} takes no {', '.join(wrong)}")
    found, acting = built_in(found, controllers)
    steps: str | None = None
    if {"method", "starts"} <= set(taken) and isinstance(found, Model) and not derivatives:
        steps = chosen["method"] = method or fixed_cost_method(found)
    system = system_of(found, model, tree, form, functions, steps)
    system = with_controllers(system, acting) if acting else system
    system, further = _further_settings(write, target, system, speed, derivatives, by_parameters)
    written = write(system, folder, **chosen, **further)
    names = ", ".join(sorted(path.name for path in written.iterdir()))
    typer.echo(f"{written}: {names}")


def _further_settings(
    write: Callable[..., Path],
    target: str,
    system: System,
    speeds: Sequence[str],
    derivatives: Sequence[str],
    by_parameters: Sequence[str],
) -> tuple[System, dict[str, Any]]:
    """What some targets take and others do not, and the system that is written with it."""
    taken, further = signature(write).parameters, dict[str, Any]()
    if speeds:
        if "starts" not in taken:
            raise ExportError(f"{target!r} has no starts at a speed; leave --speed out")
        further["starts"] = [steady_start(system, {"speed": one}) for one in speeds]
    if derivatives:
        if "extras" not in taken:
            raise ExportError(f"{target!r} has no routines of derivatives: leave out --derivatives")
        further["extras"] = derivative_extras(derivatives, by_parameters)
        further["by_parameters"] = by_parameters
        system = with_smooth_forces(system)
    elif by_parameters:
        raise ExportError("--by-parameter is for derivatives: add --derivatives jacobian")
    return system, further


def _export_fmu(
    write: Callable[..., Path],
    found: Model | System,
    file: Path,
    tree: Sequence[str],
    form: str | None,
    functions: Sequence[str],
    speed: Sequence[str],
    chosen: Mapping[str, Any],
) -> None:
    """One file; its start is at one speed."""
    if len(speed) > 1:
        raise AxletreeError(f"an FMU starts at one speed, and {len(speed)} are given by --speed")
    written = write(
        found,
        file,
        tree=chosen_tree(found, tree) if isinstance(found, Model) else None,
        form=load("form", form, section("FORMS"))() if form else None,
        functions=split_assignments(functions, "--function", "my_law=my_law.c"),
        start={"speed": speed[0]} if speed else None,
        **chosen,
    )
    with zipfile.ZipFile(written) as archive:
        places = [Path(name) for name in archive.namelist() if name.startswith("binaries/")]
    machines = ", ".join(place.parent.name for place in places) or "C sources alone"
    version, size = chosen.get("fmi", 2), written.stat().st_size / 1024
    typer.echo(f"{written}: FMI {version}, {size:.0f} KB, {machines}")
