"""The options of subcommands that look at a steady motion, and what they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from axletree.analysis.drive import forward_speed
from axletree.cli.assignment import read_values
from axletree.core.units import to_si
from axletree.pipeline import Model, System
from axletree.vehicles.standard_manoeuvres import FORWARD, THROTTLE
from axletree.vehicles.vehicle import Fidelity, Vehicle

ASSIGNMENT = "NAME=VALUE"

SpeedOption = Annotated[
    str | None, typer.Option(help='For example 20 or "72 km/h"; without one it stands.')
]
ForwardOption = Annotated[str | None, typer.Option(metavar="NAME", help="State that is the speed.")]
HoldOption = Annotated[
    list[str], typer.Option(metavar=ASSIGNMENT, help="State that is given; repeatable.")
]
LevelOption = Annotated[
    list[str], typer.Option("--input", metavar=ASSIGNMENT, help="Level; repeatable.")
]
ParameterOption = Annotated[
    list[str], typer.Option("--parameter", metavar=ASSIGNMENT, help="Another value; repeatable.")
]


def held_states(
    model: Model, system: System, hold: Sequence[str], speed: str | None, forward: str | None
) -> dict[str, float]:
    """The states that are given, the speed among them unless it is 0."""
    given = read_values(hold, "--hold", system.states)
    if speed is not None and to_si(speed, expected="m/s"):
        known = FORWARD if "vehicle" in model.described else None
        given[forward or known or forward_speed(system)] = to_si(speed, expected="m/s")
    return given


def found_inputs(model: Model, held: Mapping[str, float], find: Sequence[str]) -> list[list[str]]:
    """The inputs whose levels are found: those asked for, else the throttle that keeps the speed
    of a vehicle with a drive."""
    if find:
        return [[name.strip() for name in names.split(",")] for names in find]
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle) or list(held) != [FORWARD]:
        return []
    drives = any(axle.drive is not None for axle in vehicle.every_axle.values())
    return [[THROTTLE]] if drives and vehicle.fidelity is not Fidelity.LINEAR else []
