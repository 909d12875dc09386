"""What a person at a page steers by keys, and which parameters have sliders.

Parameters of the same kind on the left and on the right are one slider, and so are those of all
wheels of an axle.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, Final

from axletree.components.axle_drives import AxleDrive
from axletree.components.signals import Input
from axletree.core.units import printed_unit
from axletree.expr.quantity import Quantity
from axletree.model.model import STANDARD_GRAVITY, Model
from axletree.plot.style import plotted_unit
from axletree.simulation.stepper.step_program import StepProgram
from axletree.vehicles.vehicle import Fidelity, Vehicle
from axletree.wheel.wheel import wheels_of

_STEERING, _THROTTLE, _BRAKE = "driver.steering", "driver.throttle", "driver.brake"
KEYED: Final = (_STEERING, _THROTTLE, _BRAKE)
_MOST_STEERING: Final = 7.0  # rad at the steering wheel, of a person's arms
_MOST_ANGLE: Final = 0.35  # rad of wheels that are steered without one
_WHEEL_INPUTS: Final = (
    ("steering", "_steer.angle", "rad"), ("throttle", "_supply.voltage", "V"),
    ("brake", "_brake.torque", "N*m"),
)  # fmt: skip
# Where an input has no bounds: half the range of its slider, by its unit.
_RANGES: Final = {
    "rad": 0.5, "N": 2000.0, "N*m": 500.0, "V": 24.0, "A": 50.0, "m": 0.1, "Pa": 1e7, "1": 1.0,
}  # fmt: skip
# Those that are shown first; all others are found by a search.
_USUAL: Final = (
    "body.mass", "spring.stiffness", "spring.damping", "anti_roll_bar.stiffness",
    "law.LMUY", "law.LMUX", "law.LKY", "law.FyM_1", "law.FyM_2", "law.dFy0_1", "law.dFy0_2",
    "law.mu_0",
)  # fmt: skip
_HANDLEBAR: Final = re.compile(r"(^|_)steer(ing)?_torque\.torque$")
# Of the weight, for the torque on a handlebar: leans a motorcycle by 20 degrees in a second.
_LEVER: Final = 1e-3  # m
_SIDE: Final = re.compile(r"(^|_)(left|right)(?=_|\.|$)")


def live_controls(prepared: StepProgram, levers: Collection[str] = ()) -> dict[str, Any]:
    """Keys for a vehicle with a driver's pedals and wheel, or whose wheels have motors and are
    steered one by one; levers of gears, which are held; sliders for all other inputs."""
    settable = [one.places[0] for one in prepared.shaped]
    inputs = [prepared.program.inputs[place] for place in settable]
    keys, most = _driver(inputs), _MOST_STEERING
    if (
        not keys
        and prepared.system.source is not None
        and wheels_of(prepared.system.source.components)
    ):
        keys, most = _of_wheels(inputs), _MOST_ANGLE
        if not keys:
            keys, most = _of_handlebar(inputs, prepared.system.parameters), 1.0
    keyed = {name for key in keys.values() for name in key["names"]}
    acting = {law.switch.name for law in prepared.laws} | set(prepared.commanded)
    held = [q.name for q in inputs if q.name in levers]
    others = [q for q in inputs if q.name not in acting | keyed | {*levers}]
    return {
        "keys": keys,
        "mostSteering": most,
        "inputs": [_input_slider(q) for q in others],
        "held": held,
    }


def with_levers(model: Model) -> Model:
    """A vehicle by body and axles whose gears may be held, where it has several.

    Example:
    >>> import axletree as at
    >>> from axletree.live_pages.live_controls import live_gears, with_levers
    >>> [drive["selected"] for drive in live_gears(with_levers(at.read_model("sedan")))]
    ['rear_drive.selected']
    """
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle) or vehicle.fidelity is Fidelity.LINEAR:
        return model
    if not any(
        axle.drive is not None and len(axle.drive.gears) > 1 for axle in vehicle.every_axle.values()
    ):
        return model
    return model.with_changes({"vehicle": {"controls": {"gears": True}}})


def live_gears(model: Model) -> list[dict[str, Any]]:
    """Of drives with several gears that may be held: the lever, the ratio in use, all ratios.

    Example:
    >>> import axletree as at
    >>> from axletree.live_pages.live_controls import live_gears
    >>> live_gears(at.read_model("sedan"))  # whose gears change by themselves alone
    []
    """
    return [
        {"selected": f"{one.name}.selected", "gear": f"{one.name}.gear", "ratios": list(one.gears)}
        for one in model.components
        if isinstance(one, AxleDrive) and one.selected == Input()
    ]


def _driver(inputs: Sequence[Quantity]) -> dict[str, dict[str, Any]]:
    """By word what a key sets, and how far."""
    words = zip(("steering", "throttle", "brake"), KEYED, strict=True)
    known = {q.name for q in inputs}
    return {word: {"names": [name], "full": 1.0} for word, name in words if name in known}


def _of_wheels(inputs: Sequence[Quantity]) -> dict[str, dict[str, Any]]:
    """All steered wheels by one angle, all motors by one voltage, all brakes by one torque; nothing
    of a model that has not both of the first."""
    found: dict[str, dict[str, Any]] = {}
    for word, end, unit in _WHEEL_INPUTS:
        names = [q.name for q in inputs if q.name.endswith(end) and q.unit == unit]
        if names:
            full = 1.0 if word == "steering" else _RANGES[unit]
            found[word] = {"names": names, "full": full}
    return found if {"steering", "throttle"} <= found.keys() else {}


def _of_handlebar(
    inputs: Sequence[Quantity], parameters: Sequence[Quantity]
) -> dict[str, dict[str, Any]]:
    """The torque on the handlebar of a motorcycle or a bicycle; nothing of a model without one.

    A rider who wants to the left presses the left grip forward, which turns the handlebar to the
    right: the torque is against the side that the vehicle leans to and turns to.
    """
    names = [q.name for q in inputs if q.unit == "N*m" and _HANDLEBAR.search(q.name)]
    mass = sum(q.default for q in parameters if q.name.endswith(".mass"))
    if len(names) != 1:
        return {}
    return {"steering": {"names": names, "full": -_LEVER * STANDARD_GRAVITY * mass}}


def _input_slider(quantity: Quantity) -> dict[str, Any]:
    reach = _RANGES.get(quantity.unit, 1.0)
    low, high = max(quantity.lower, -reach), min(quantity.upper, reach)
    return {"name": quantity.name, "unit": printed_unit(quantity.unit), "low": low, "high": high}


def live_sliders(parameters: Sequence[Quantity], values: Sequence[float]) -> list[dict[str, Any]]:
    """Groups of parameters that are changed by one factor, those that people ask for first.

    Example:
    >>> import axletree as at
    >>> from axletree.live_pages.live_controls import live_sliders
    >>> parameters = at.read_model("sedan").formulate().parameters
    >>> groups = live_sliders(parameters, [q.default for q in parameters])
    >>> groups[0]["label"], groups[1]["names"]
    ('body mass', ['front_left_spring.stiffness', 'front_right_spring.stiffness'])
    """
    groups: dict[tuple[str, str, float], dict[str, Any]] = {}
    for quantity, value in zip(parameters, values, strict=True):
        if value == 0.0:
            continue  # no factor changes it
        key = (_SIDE.sub("", quantity.name), quantity.unit, abs(value))
        entry = groups.setdefault(key, _parameter_slider(key[0], quantity, value))
        entry["names"].append(quantity.name)
        entry["values"].append(value)
    order = {name: k for k, name in enumerate(_USUAL)}

    def rank(entry: dict[str, Any]) -> int:
        return min(
            (k for end, k in order.items() if entry["key"].endswith(end)), default=len(order)
        )

    found = sorted(groups.values(), key=rank)
    for entry in found:
        entry["usual"] = rank(entry) < len(order)
        del entry["key"]
    return found


def _parameter_slider(key: str, quantity: Quantity, value: float) -> dict[str, Any]:
    unit, factor = plotted_unit(quantity.unit, abs(value))
    return {
        "key": key,
        "label": key.replace("_", " ").replace(".", " ").strip(),
        "description": quantity.description,
        "unit": "" if unit == "1" else printed_unit(unit),
        "factor": factor,
        "names": [],
        "values": [],
    }
