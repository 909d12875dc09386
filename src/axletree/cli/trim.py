"""``axletree trim``: the steady motion of a model, as a table and as a start for its file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from axletree.analysis.trim import Trim
from axletree.cli.analysis_results import read_vehicle
from axletree.cli.assignment import read_values
from axletree.cli.source import (
    FidelityOption,
    FormOption,
    FunctionOption,
    ModelArgument,
    TreeOption,
    formulated,
)
from axletree.cli.steady import (
    ForwardOption,
    HoldOption,
    LevelOption,
    ParameterOption,
    SpeedOption,
    found_inputs,
    held_states,
)
from axletree.core.units import unit_of_rate
from axletree.model.start import write_start
from axletree.pipeline import System


def trim(
    model: ModelArgument,
    speed: SpeedOption = None,
    forward: ForwardOption = None,
    hold: HoldOption = [],  # noqa: B006
    find: Annotated[
        list[str],
        typer.Option(
            metavar="NAMES",
            help="Input whose level is found; several, separated by commas, share one level; "
            "repeatable. Where as many are found as states are held, nothing loses speed. Left "
            "out: the throttle of a described vehicle.",
        ),
    ] = [],  # noqa: B006
    fidelity: FidelityOption = None,
    inputs: LevelOption = [],  # noqa: B006
    parameters: ParameterOption = [],  # noqa: B006
    tree: TreeOption = [],  # noqa: B006
    form: FormOption = None,
    functions: FunctionOption = [],  # noqa: B006
    out: Annotated[
        Path | None, typer.Option(help="YAML file for the section `start` of the model.")
    ] = None,
) -> None:
    """Solve for a steady motion: standing, coasting at a speed, or driven by an input.

    Example: axletree trim car --speed "72 km/h" --out start.yaml
    """
    described = read_vehicle(model, fidelity)
    system = formulated(described, tree, form, functions)
    given = held_states(described, system, hold, speed, forward)
    found = system.trim(
        given,
        find=found_inputs(described, given, find),
        inputs=read_values(inputs, "--input", system.inputs),
        parameters=read_values(parameters, "--parameter", system.parameters),
    )
    _show(system, found)
    if out is not None:
        write_start(found.states, out)
        typer.echo(f"start: {out}")


def in_words(system: System, found: Trim, is_kept: bool = False) -> str:
    """What kind of motion it is, on one line; ``is_kept`` where a force keeps the speed."""
    units = {quantity.name: quantity.unit for quantity in system.states}
    held = [name for name in found.held if units[name].endswith("/s") and found.states[name]]
    if not held:
        return "standing"
    kind = "driven" if found.found and not found.decay else "coasting"
    kind = "kept at its speed" if is_kept else kind
    parts = [f"{name} = {found.states[name]:g} {units[name]}" for name in held]
    if found.decay:
        changes = found.rates[held[0]]
        parts[0] += f", changing by {changes:.3g} {unit_of_rate(units[held[0]])}"
    return f"{kind}, {', '.join(parts)}"


def _show(system: System, found: Trim) -> None:
    typer.echo(f"{system.name}: {in_words(system, found)}")
    rows = [("state", "value", "", "changes by", "")]
    for quantity in system.states:
        name, unit = quantity.name, quantity.unit
        rate = found.rates[name] if abs(found.rates[name]) > found.residual else 0.0
        shown = "" if unit == "1" else unit
        rows.append((name, _number(found.states[name]), shown, _number(rate), unit_of_rate(unit)))
    units = {quantity.name: quantity.unit for quantity in system.inputs}
    rows += [(name, _number(found.inputs[name]), units[name], "", "") for name in found.found]
    _table(rows)
    typer.echo(f"largest residual: {found.residual:.2g}")
    if found.drifting:
        typer.echo(f"as at the start, for nothing depends on it: {', '.join(found.drifting)}")
    if found.open:
        typer.echo(f"left open, near to the start: {', '.join(found.open)}")


def _number(value: float) -> str:
    return f"{value:.8g}"


def _table(rows: Sequence[tuple[str, ...]]) -> None:
    """Names to the left, numbers to the right, units after them."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        name, value, unit, rate, unit_rate = (
            text.ljust(width) if column in (0, 2, 4) else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        typer.echo(f"  {name}  {value} {unit}  {rate} {unit_rate}".rstrip())
