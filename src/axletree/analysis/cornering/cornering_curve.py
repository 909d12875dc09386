"""Steady cornering up to the limit: understeer curve, handling diagram, loads (ISO 4138)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from axletree.analysis.cornering.gradients import gradient_findings
from axletree.analysis.cornering.steer_geometry import geometry_of, with_angles
from axletree.analysis.cornering.turning import FREE, Course, Turning, Vector, turning_of
from axletree.analysis.cornering.turning_system import CorneringError
from axletree.analysis.cornering.way import Ending, Way, follow
from axletree.core.units import to_si
from axletree.model.manoeuvres.findings import Finding
from axletree.model.model import Model

STEP = 0.4  # m/s^2 of lateral acceleration from turn to turn, or a little less
GREATEST = 60.0  # m/s^2, beyond which no vehicle is followed
LINEAR = (0.5, 2.0)  # m/s^2, between which gradients are those of straight lines
STATES = 7  # steady turns in that range
UNITS = {
    "path.speed": "m/s", "path.lateral": "m/s^2", "path.sideslip": "rad", "path.curvature": "1/m",
    "steer.ackermann": "rad", "steer.understeer": "rad",
}  # fmt: skip
FIRST = 0.2  # m/s^2, with which a turn of one radius begins


@dataclass(frozen=True)
class CorneringCurve:
    """Steady turns from nearly straight to the limit; ``curve["vehicle.roll"]`` is a column.

    Lateral acceleration is that towards the centre of the path, V^2/R.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.cornering.cornering_curve import CorneringCurve, Ending
    >>> turns = {"path.lateral": np.array([0.0, 4.0, 8.0])}  # m/s^2
    >>> given = "car", 20.0, None, 2.5, 15.0, ("front", "rear")  # m/s, radius, m, 1
    >>> CorneringCurve(*given, turns, {}, {}, Ending.GRIP).limit  # m/s^2
    8.0
    """

    vehicle: str
    speed: float | None  # [m/s], where it is one for all turns
    radius: float | None  # [m], likewise; negative to the right
    wheelbase: float  # [m]
    ratio: float  # of the steering wheel over the road wheels
    ends: tuple[str, str]  # names of first and last axle
    columns: Mapping[str, Vector] = field(repr=False)  # in the units beside, by name
    units: Mapping[str, str] = field(repr=False)
    linear: Mapping[str, Vector] = field(repr=False)  # the same of turns in the linear range
    ending: Ending

    def __getitem__(self, name: str) -> Vector:
        return self.columns[name]

    @property
    def lateral(self) -> Vector:
        """Lateral acceleration [m/s^2]."""
        return self["path.lateral"]

    @property
    def slip_difference(self) -> Vector:
        """Slip angle of the first axle less that of the last [rad]: angle of the road wheels less
        wheelbase over radius, for small angles."""
        return self[f"{self.ends[0]}.slip_angle"] - self[f"{self.ends[1]}.slip_angle"]

    @property
    def limit(self) -> float:
        """The greatest lateral acceleration [m/s^2], as a size."""
        return float(np.abs(self.lateral).max())

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Gradients in the linear range, and the limit."""
        turns = self.linear
        greatest = Finding("greatest_lateral_acceleration", self.limit, "m/s^2",
                           f"greatest lateral acceleration; {self.ending.value}")  # fmt: skip
        return (*gradient_findings(turns, self.wheelbase, self.speed), greatest)


def cornering_curve(
    model: Model,
    speed: float | str | None = None,
    radius: float | str | None = None,
    *,
    to_the_right: bool = False,
) -> CorneringCurve:
    """Steady turns at a constant speed [m/s] or on a constant radius [m]; texts carry units.

    They go on to where tyres have no more forces, or to an open throttle.

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    >>> curve = at.cornering_curve(sedan, speed="80 km/h")
    >>> print(f"{curve.limit:.2f} m/s^2; {curve.ending.value}")
    9.81 m/s^2; no tyre forces beyond
    """
    _check(speed, radius)
    return corner(turning_of(model), speed, radius, to_the_right=to_the_right)


def corner(
    turning: Turning,
    speed: float | str | None = None,
    radius: float | str | None = None,
    *,
    to_the_right: bool = False,
) -> CorneringCurve:
    """``cornering_curve`` of a vehicle whose equations are formed."""
    _check(speed, radius)
    side = -1.0 if to_the_right else 1.0
    if speed is not None:
        v = positive("speed", speed, "m/s")
        course, scale = at_speed(v), side
        start, first, last = turning.straight(v), 0.0, side * GREATEST
        levels = [side * a for a in np.linspace(*LINEAR, STATES)]
        R = None
    else:
        assert radius is not None
        v, R = None, side * positive("radius", radius, "m")
        course = _on_radius(R)
        scale = math.sqrt(abs(R)) * 0.5
        first = math.sqrt(FIRST * abs(R))
        levels = [math.sqrt(a * abs(R)) for a in np.linspace(*LINEAR, STATES)]
        near = turning.solve(course, turning.straight(first), first)
        if near is None:
            raise CorneringError(f"no turn of radius {abs(R):g} m was found at {first:.3g} m/s")
        start, last = near, math.sqrt(GREATEST * abs(R))
    way = follow(turning, course, start, first, last, STEP * abs(scale))
    linear = _levels(turning, course, way, levels)
    shape = geometry_of(turning.of.vehicle)
    return CorneringCurve(
        turning.of.system.name, v, R, shape.wheelbase, shape.ratio, shape.ends,
        _columns(turning, way.turns), _units(turning), _columns(turning, linear), way.ending,
    )  # fmt: skip


def _check(speed: float | str | None, radius: float | str | None) -> None:
    """Before equations are formed."""
    if (speed is None) == (radius is None):
        raise CorneringError("give either a speed or a radius that all turns have")
    for name, value, unit in (("speed", speed, "m/s"), ("radius", radius, "m")):
        if value is not None:
            positive(name, value, unit)


def positive(name: str, value: float | str, unit: str) -> float:
    number = to_si(value, expected=unit)
    if not 0.0 < number < math.inf:
        raise CorneringError(f"{name} is {value!r}; expected a positive number of {unit}")
    return number


def at_speed(speed: float) -> Course:
    return Course.line({"path.speed": speed, "path.lateral": 0.0, **FREE}, {"path.lateral": 1.0})


def _on_radius(radius: float) -> Course:
    """Over the speed; negative radii are to the right."""
    names = ("path.speed", "path.lateral", *FREE)
    return Course(
        names,
        lambda V: np.array([V, V * V / radius, 0.0, 0.0]),
        lambda V: np.array([1.0, 2.0 * V / radius, 0.0, 0.0]),
    )


def _levels(turning: Turning, course: Course, way: Way, levels: list[float]) -> list[Vector]:
    """Turns at given values of s, as far as the way has them."""
    found = []
    for s in levels:
        if abs(s) > np.abs(way.values).max():
            break
        k = int(np.argmin(np.abs(way.values - s)))
        lead = way.slopes[k] if np.isfinite(way.slopes[k]).all() else 0.0
        turn = turning.solve(course, way.turns[k] + (s - way.values[k]) * lead, s)
        if turn is not None:
            found.append(turn)
    return found


def _columns(turning: Turning, turns: list[Vector] | tuple[Vector, ...]) -> dict[str, Vector]:
    """What turns tell, with angles of steering and slip."""
    return with_angles(turning.told(turns), geometry_of(turning.of.vehicle)) if turns else {}


def _units(turning: Turning) -> dict[str, str]:
    of, names = turning.of, turning.of.vehicle.axles
    known = {d.quantity.name: d.quantity.unit for d in of.system.outputs}
    known |= {q.name: q.unit for q in of.rows.states}
    return {**known, **{f"{name}.slip_angle": "rad" for name in names}, **UNITS}
