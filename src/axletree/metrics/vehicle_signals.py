"""Signals that metrics read in a run, by the names that vehicles share, and how to read them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from axletree.metrics.findings import Column, Columns, Trace, distance_over

STEERING, THROTTLE, BRAKE = "driver.steering", "driver.throttle", "driver.brake"
FORWARD_SPEED, LATERAL_SPEED = "vehicle.forward_speed", "vehicle.lateral_speed"
VERTICAL_SPEED = "vehicle.vertical_speed"
YAW_RATE, SIDESLIP = "vehicle.yaw_rate", "vehicle.sideslip"
ROLL, PITCH = "vehicle.roll", "vehicle.pitch"
X, Y, HEADING = "vehicle.x", "vehicle.y", "vehicle.heading"
LATERAL_ACCELERATION = "vehicle.lateral_acceleration"
LONGITUDINAL_ACCELERATION = "vehicle.longitudinal_acceleration"
ADDED_ANGLE, ADDED_RATE = "steering_actuator.angle", "steering_actuator.angle_rate"
# Lateral acceleration, and what it is made of where a run has it not.
LATERAL = (LATERAL_SPEED, YAW_RATE, FORWARD_SPEED, LATERAL_ACCELERATION)


def lateral_of(unit: str) -> tuple[str, ...]:
    """What lateral acceleration of a unit of a train is read from, by its name."""
    return tuple(f"{unit}.{name.partition('.')[2]}" for name in LATERAL)


def lateral_acceleration(run: Columns, unit: str = "vehicle", ahead: float = 0.0) -> Column:
    """[m/s^2], horizontal, to the left of the heading: dv/dt + r u (ISO 8855).

    Of a unit of a train, at a place this far [m] ahead of its body's centre of mass. A run that
    has not recorded it has it from differences of speeds.
    """
    lateral_speed, yaw_rate, forward_speed, recorded = lateral_of(unit)
    turning = run[yaw_rate]
    if recorded in run:
        return run[recorded] + (np.gradient(ahead * turning, run.time, axis=-1) if ahead else 0.0)
    side = run[lateral_speed] + ahead * turning
    return np.asarray(np.gradient(side, run.time, axis=-1) + turning * run[forward_speed])


def longitudinal_acceleration(run: Columns) -> Column:
    """[m/s^2], horizontal, along the heading: du/dt - r v; likewise."""
    if LONGITUDINAL_ACCELERATION in run:
        return run[LONGITUDINAL_ACCELERATION]
    change = np.gradient(run[FORWARD_SPEED], run.time, axis=-1)
    return np.asarray(change - run[YAW_RATE] * run[LATERAL_SPEED])


def steering_angle(run: Columns) -> Column:
    """Of the steering wheel [rad], with the angle that an actuator adds, by which the road wheels
    are turned: all of it where a controller steers and the driver's hands are off.
    """
    return run[STEERING] + run[ADDED_ANGLE] if ADDED_ANGLE in run else run[STEERING]


def rolls(run: Columns) -> bool:
    """Whether the body leans at all; models in the plane have no roll, and it is 0 throughout."""
    return bool(np.any(run[ROLL]))


def way(run: Columns) -> Column:
    """[m] along the path since the first record."""
    return distance_over(run.time, ground_speed(run))


def ground_speed(run: Columns) -> Column:
    """[m/s] along the path."""
    return np.hypot(run[FORWARD_SPEED], run[LATERAL_SPEED])


def reaches(time: Column, values: Column, level: float) -> float:
    """The first time [s] at which values rise to a level, in a straight line between records."""
    above = np.flatnonzero(values >= level)
    if not above.size:
        return math.nan
    k = int(above[0])
    if k == 0:
        return float(time[0])
    share = (level - values[k - 1]) / (values[k] - values[k - 1])
    return float(time[k - 1] + share * (time[k] - time[k - 1]))


def falls_to(time: Column, values: Column, level: float) -> float:
    """Likewise where they fall."""
    return reaches(time, -values, -level)


def sets_in(time: Column, values: Column) -> float:
    """The last time [s] before values differ from the first one; nan if they never do."""
    moved = np.flatnonzero(values != values[0])
    return float(time[moved[0] - 1]) if moved.size else math.nan


def at(run: Columns, values: Column, time: float) -> float:
    """The value at a time, in a straight line between records; nan beyond the last one."""
    if math.isnan(time) or time > run.time[-1]:
        return math.nan
    return float(np.interp(time, run.time, values))


def mean_slope(run: Columns, values: Column, first: float, last: float, said: str) -> Trace:
    """The straight line from a value at one time [s] to that at another, to read a mean rate by."""
    from_value, to_value = at(run, values, first), at(run, values, last)
    x, y = np.linspace(first, last, 3), np.linspace(from_value, to_value, 3)
    return Trace(said, x, y, is_guide=True)


def over(run: Columns, first: float, last: float) -> NDArray[np.bool_]:
    """The records from one time to another."""
    return np.asarray((run.time >= first - 1e-9) & (run.time <= last + 1e-9))
