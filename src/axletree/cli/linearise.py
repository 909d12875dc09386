"""``axletree linearise``: the modes of small deviations from a steady motion."""

from __future__ import annotations

from typing import Annotated

import typer

from axletree.analysis.linearise import Linearisation
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
from axletree.pipeline import System

ROUNDING = 1e-12  # share of the largest eigenvalue that counts as zero
MOST_STATES = 4  # that are named of a mode


def linearise(
    model: ModelArgument,
    speed: SpeedOption = None,
    forward: ForwardOption = None,
    hold: HoldOption = [],  # noqa: B006
    fidelity: FidelityOption = None,
    inputs: LevelOption = [],  # noqa: B006
    parameters: ParameterOption = [],  # noqa: B006
    drifting: Annotated[
        bool, typer.Option("--drifting", help="With coordinates that nothing depends on.")
    ] = False,
    tree: TreeOption = [],  # noqa: B006
    form: FormOption = None,
    functions: FunctionOption = [],  # noqa: B006
) -> None:
    """Solve for a steady motion and list its modes: eigenvalue, frequency, damping, states.

    Example: axletree linearise whipple-bicycle --speed 5
    """
    described = read_vehicle(model, fidelity)
    system = formulated(described, tree, form, functions)
    given = held_states(described, system, hold, speed, forward)
    levels = read_values(inputs, "--input", system.inputs)
    values = read_values(parameters, "--parameter", system.parameters)
    found = system.trim(
        given, find=found_inputs(described, given, ()), inputs=levels, parameters=values
    )
    levels |= {name: found.inputs[name] for name in found.found}
    linear = system.linearise(found.states, inputs=levels, parameters=values)
    _show(system, linear if drifting else linear.without_drift())


def _show(system: System, linear: Linearisation) -> None:
    typer.echo(f"{system.name}: {len(linear.states)} independent states")
    typer.echo(f"{'eigenvalue [1/s]':>24}  {'frequency':>10}  {'damping':>8}  states")
    largest = max((abs(mode.eigenvalue) for mode in linear.modes), default=0.0)
    for mode in linear.modes:
        real = mode.eigenvalue.real
        value = f"{real if abs(real) > ROUNDING * largest else 0.0:.6g}"
        if mode.swings:
            value += f" +- {mode.eigenvalue.imag:.6g}i"
        frequency = f"{mode.frequency:.4g} Hz" if mode.swings else ""
        damping = f"{mode.damping_ratio:.4g}" if mode.swings else ""
        typer.echo(
            f"{value:>24}  {frequency:>10}  {damping:>8}  {', '.join(mode.states[:MOST_STATES])}"
        )
