"""``axletree trim`` and ``linearise``: a steady state of a model, and its modes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from axletree.analysis.linear.linearisation import Linearisation
from axletree.analysis.steady.problem import forward_speed, path_quantities
from axletree.analysis.steady.result import Trim
from axletree.cli.options import (
    AssignmentError,
    FidelityOption,
    FormOption,
    FunctionOption,
    ModelArgument,
    ParameterOption,
    TreeOption,
    formulated,
    option,
    read_assigned_values,
    read_quantity,
)
from axletree.cli.results import read_vehicle_model
from axletree.core.units import unit_of_rate
from axletree.metrics.vehicle_signals import THROTTLE
from axletree.model.model import Model, write_start
from axletree.runs.standard_manoeuvres import FORWARD
from axletree.system.system import System
from axletree.vehicles.vehicle import Fidelity, Vehicle


def trim_command(
    model: ModelArgument,
    speed: SteadySpeedOption = None,
    forward: ForwardOption = None,
    hold: HoldOption = [],  # noqa: B006
    lateral_acceleration: Annotated[
        str | None, option("Of a turn at the speed, to the left; for example 4 or 0.4 g.")
    ] = None,
    radius: Annotated[
        str | None, option("Of a turn at the speed, to the left; for example 100 m.")
    ] = None,
    find: Annotated[
        list[str],
        option(
            "NAMES",
            "Input whose level is solved for; several, comma-separated, share one level; "
            "repeatable. With as many inputs as held states the motion is truly steady. "
            "Default: the throttle of a described vehicle, and in a turn its steering.",
        ),
    ] = [],  # noqa: B006
    fidelity: FidelityOption = None,
    inputs: LevelOption = [],  # noqa: B006
    parameters: ParameterOption = [],  # noqa: B006
    tree: TreeOption = [],  # noqa: B006
    form: FormOption = None,
    functions: FunctionOption = [],  # noqa: B006
    out: Annotated[Path | None, option("YAML file for the section `start` of the model.")] = None,
) -> None:
    """Solve for a steady state: at rest, coasting at a speed, driven by an input, or turning.

    Example: axletree trim car --speed "72 km/h" --out start.yaml
    """
    described = read_vehicle_model(model, fidelity)
    system = formulated(described, tree, form, functions)
    turns = lateral_acceleration is not None or radius is not None
    given = held_states(described, system, hold, None if turns else speed, forward)
    sought = found_inputs(described, given, find)
    found = system.trim(
        given,
        None if turns and not find else sought,
        speed=speed if turns else None,
        lateral_acceleration=lateral_acceleration,
        radius=radius,
        inputs=read_assigned_values(inputs, "--input", system.inputs),
        parameters=read_assigned_values(parameters, "--parameter", system.parameters),
    )
    _show_trim(system, found)
    if out is not None:
        write_start(found.states, out)
        typer.echo(f"initial condition: {out}")


def trim_in_words(system: System, found: Trim, is_kept: bool = False) -> str:
    """The steady state on one line; ``is_kept`` where a force keeps the speed."""
    units = {quantity.name: quantity.unit for quantity in system.states}
    held = [name for name in found.held if units[name].endswith("/s") and found.states[name]]
    path = path_quantities(system)
    turn = [name for name in path if name in found.given]
    if not held and not turn:
        return "at rest"
    kind = "steady state" if is_kept or (found.found and not found.decay) else "coasting"
    values = [f"{name} = {found.states[name]:g} {units[name]}" for name in held]
    if len(held) == 1 and units[held[0]] == "m/s":
        values = [f"{3.6 * found.states[held[0]]:.4g} km/h"]
    values += [f"{name} = {found.given[name]:g} {path[name][0].unit}" for name in turn]
    text = f"{kind} at {', '.join(values)}"
    if is_kept:
        return f"{text}, kept by an external force"
    if abs(found.decay) > _ROUNDING and held:
        text += f", {found.rates[held[0]]:.3g} {unit_of_rate(units[held[0]])}"
    return text


def _show_trim(system: System, found: Trim) -> None:
    typer.echo(f"{system.name}: {trim_in_words(system, found)}")
    rows = [("state", "value", "", "rate", "")]
    for quantity in system.states:
        name, unit = quantity.name, quantity.unit
        rate = found.rates[name] if abs(found.rates[name]) > found.residual else 0.0
        shown = "" if unit == "1" else unit
        rows.append((name, _number(found.states[name]), shown, _number(rate), unit_of_rate(unit)))
    units = {quantity.name: quantity.unit for quantity in system.inputs}
    rows += [(name, _number(found.inputs[name]), units[name], "", "") for name in found.found]
    _table(rows)
    typer.echo(f"largest residual: {found.residual:.2g}")
    stores = [name for name in found.drifting if system.states[name].is_store]
    if drifting := [name for name in found.drifting if name not in stores]:
        typer.echo(f"at its initial value, as nothing depends on it: {', '.join(drifting)}")
    if stores:
        typer.echo(f"as it begins, which a steady motion leaves: {', '.join(stores)}")
    if found.open:
        typer.echo(f"undetermined, near its initial value: {', '.join(found.open)}")


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


_ROUNDING = 1e-12  # share of the largest eigenvalue that counts as zero
_MOST_STATES = 4  # that are named of a mode


def linearise_command(
    model: ModelArgument,
    speed: SteadySpeedOption = None,
    forward: ForwardOption = None,
    hold: HoldOption = [],  # noqa: B006
    fidelity: FidelityOption = None,
    inputs: LevelOption = [],  # noqa: B006
    parameters: ParameterOption = [],  # noqa: B006
    drifting: Annotated[
        bool, option("--drifting", "Include coordinates that nothing depends on.")
    ] = False,
    tree: TreeOption = [],  # noqa: B006
    form: FormOption = None,
    functions: FunctionOption = [],  # noqa: B006
) -> None:
    """Solve for a steady state and list its modes: eigenvalue, frequency, damping, states.

    Example: axletree linearise whipple-bicycle --speed 5
    """
    described = read_vehicle_model(model, fidelity)
    system = formulated(described, tree, form, functions)
    given = held_states(described, system, hold, speed, forward)
    levels = read_assigned_values(inputs, "--input", system.inputs)
    values = read_assigned_values(parameters, "--parameter", system.parameters)
    found = system.trim(
        given, find=found_inputs(described, given, ()), inputs=levels, parameters=values
    )
    levels |= {name: found.inputs[name] for name in found.found}
    linear = system.linearise(found.states, inputs=levels, parameters=values)
    _show_modes(system, linear if drifting else linear.without_drift())


def _show_modes(system: System, linear: Linearisation) -> None:
    typer.echo(f"{system.name}: {len(linear.states)} independent states")
    typer.echo(f"{'eigenvalue [1/s]':>24}  {'frequency':>10}  {'damping':>8}  states")
    largest = max((abs(mode.eigenvalue) for mode in linear.modes), default=0.0)
    for mode in linear.modes:
        real = mode.eigenvalue.real
        value = f"{real if abs(real) > _ROUNDING * largest else 0.0:.6g}"
        if mode.swings:
            value += f" +- {mode.eigenvalue.imag:.6g}i"
        frequency = f"{mode.frequency:.4g} Hz" if mode.swings else ""
        damping = f"{mode.damping_ratio + 0.0:.4g}" if mode.swings else ""  # no -0
        typer.echo(
            f"{value:>24}  {frequency:>10}  {damping:>8}  {', '.join(mode.states[:_MOST_STATES])}"
        )


SteadySpeedOption = Annotated[str | None, option('For example 20 or "72 km/h". Default: at rest.')]
ForwardOption = Annotated[str | None, option("NAME", "State that is the forward speed.")]
HoldOption = Annotated[
    list[str], option("NAME=VALUE", "State with a prescribed value; repeatable.")
]
LevelOption = Annotated[list[str], option("--input NAME=VALUE", "Level of an input; repeatable.")]


def held_states(
    model: Model, system: System, hold: Sequence[str], speed: str | None, forward: str | None
) -> dict[str, float]:
    """The states that are given, the speed among them unless it is 0."""
    given = read_assigned_values(hold, "--hold", system.states)
    if forward is not None and speed is None:
        raise AssignmentError(
            f"--forward {forward} says which state --speed is; it applies to motion straight ahead "
            "at a --speed"
        )
    fast = 0.0 if speed is None else read_quantity("--speed", speed, "m/s")
    if fast:
        known = FORWARD if "vehicle" in model.described else None
        given[forward or known or forward_speed(system)] = fast
    return given


def found_inputs(model: Model, held: Mapping[str, float], find: Sequence[str]) -> list[list[str]]:
    """The inputs whose levels are solved for: those given, else the throttle that keeps the speed
    of a vehicle with a drive."""
    if find:
        return [[name.strip() for name in names.split(",")] for names in find]
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle) or list(held) != [FORWARD]:
        return []
    drives = any(axle.drive is not None for axle in vehicle.every_axle.values())
    return [[THROTTLE]] if drives and vehicle.fidelity is not Fidelity.LINEAR else []
