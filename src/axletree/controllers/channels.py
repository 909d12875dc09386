"""What controllers see, set and keep: each declared once, by the names that vehicles have for it.

A sensor of the body is named in ``_OF_BODY``; those of wheels, and actuators, are asked for by the
wheels that have them.
"""

from __future__ import annotations

from collections.abc import Sequence

from axletree.controllers.contract import ControlledWheel
from axletree.expr.quantity import Quantity, Role
from axletree.metrics.vehicle_signals import (
    FORWARD_SPEED,
    HEADING,
    LATERAL_ACCELERATION,
    LATERAL_SPEED,
    LONGITUDINAL_ACCELERATION,
    STEERING,
    VERTICAL_SPEED,
    YAW_RATE,
    X,
    Y,
)
from axletree.vehicles.brake_lines import CIRCUITS

ROLL_RATE, PITCH_RATE = "chassis.wx", "chassis.wy"
MASTER_PRESSURE = "primary_master.pressure"
RETURN_PUMPS = tuple(f"{circuit}_return.command" for circuit in CIRCUITS)
HANDS_OFF, ADDED_STEERING = "driver.hands_off", "steering_actuator.command"

_OF_BODY = {
    STEERING: ("rad", "angle of the steering wheel"),
    FORWARD_SPEED: ("m/s", "speed of the body along its heading"),
    LATERAL_SPEED: ("m/s", "speed of the body to the left of its heading"),
    VERTICAL_SPEED: ("m/s", "vertical speed of the body"),
    YAW_RATE: ("rad/s", "yaw rate"),
    ROLL_RATE: ("rad/s", "angular velocity of the body about its x axis"),
    PITCH_RATE: ("rad/s", "angular velocity of the body about its y axis"),
    LATERAL_ACCELERATION: ("m/s^2", "lateral acceleration of the body"),
    LONGITUDINAL_ACCELERATION: ("m/s^2", "longitudinal acceleration of the body"),
    X: ("m", "place of the body along x of the ground"),
    Y: ("m", "place of the body along y of the ground"),
    HEADING: ("rad", "heading of the body, from x of the ground to the left"),
}


def measured_of_body(*names: str) -> tuple[Quantity, ...]:
    """What sensors of the body give, by their names.

    Example:
    >>> from axletree.controllers.channels import measured_of_body
    >>> [f"{one.name} [{one.unit}]" for one in measured_of_body("vehicle.yaw_rate")]
    ['vehicle.yaw_rate [rad/s]']
    """
    return tuple(Quantity(name, *_OF_BODY[name], Role.INPUT) for name in names)


def wheel_rates(wheels: Sequence[ControlledWheel]) -> tuple[Quantity, ...]:
    """Of the wheel speed sensors."""
    return tuple(
        Quantity(
            wheel.rate, "rad/s", f"angular velocity of the wheel {wheel.name}", Role.INPUT
        )
        for wheel in wheels
    )  # fmt: skip


def suspension_speeds(wheels: Sequence[ControlledWheel]) -> tuple[Quantity, ...]:
    """Of sensors of the travel."""
    return tuple(
        Quantity(
            wheel.suspension_speed, "m/s", f"speed of the wheel {wheel.name} up in the body",
            Role.INPUT,
        )
        for wheel in wheels
    )  # fmt: skip


def command(name: str, unit: str, description: str) -> Quantity:
    """What a controller sets.

    Example:
    >>> from axletree.controllers.channels import command
    >>> command("driver.throttle", "1", "position of the accelerator").role.value
    'output'
    """
    return Quantity(name, unit, description, Role.OUTPUT)


def brake_shares(wheels: Sequence[ControlledWheel]) -> tuple[Quantity, ...]:
    """Commands for the valves of their brakes."""
    return tuple(command(one.share, "1", f"share of the brake {one.name}") for one in wheels)


def master_pressure() -> tuple[Quantity, ...]:
    """Of the sensor at the master cylinder, whose chambers have one pressure."""
    said = "pressure of the master cylinder"
    return (Quantity(MASTER_PRESSURE, "Pa", said, Role.INPUT),)


def calliper_pressures(wheels: Sequence[ControlledWheel]) -> tuple[Quantity, ...]:
    """Of sensors at the callipers of brake lines."""
    return tuple(
        Quantity(one.pressure, "Pa", f"pressure of the calliper {one.name}", Role.INPUT)
        for one in wheels
    )


def brake_valves(wheels: Sequence[ControlledWheel]) -> tuple[Quantity, ...]:
    """Commands for inlet and outlet valves of brake lines."""
    return tuple(
        command(name, "1", f"opening of the {word} valve of {one.name}")
        for one in wheels
        for word, name in (("inlet", one.inlet), ("outlet", one.outlet))
    )


def return_pumps() -> tuple[Quantity, ...]:
    """Commands for the pumps that empty accumulators into the master cylinder."""
    return tuple(command(name, "1", "share of the flow of a return pump") for name in RETURN_PUMPS)


def brake_torques(wheels: Sequence[ControlledWheel]) -> tuple[Quantity, ...]:
    """Commands for the pump of their brakes."""
    return tuple(command(one.torque, "N*m", f"torque of the brake {one.name}") for one in wheels)


def kept(name: str, unit: str, description: str, start: float = 0.0) -> Quantity:
    """What a controller keeps from one instant to the next, with its value at the beginning.

    Example:
    >>> from axletree.controllers.channels import kept
    >>> kept("esc.sideslip", "rad", "estimated sideslip").role.value
    'state'
    """
    return Quantity(name, unit, description, Role.STATE, start)
