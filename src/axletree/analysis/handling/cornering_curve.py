"""Steady cornering up to the limit: understeer curve, handling diagram, loads (ISO 4138).

With the gradients against lateral acceleration that follow from it, and the angles of steering
and slip by the geometry of the vehicle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from axletree.analysis.handling.turn_branch import Ending, TurnBranch, follow_turns
from axletree.analysis.steady.turning import (
    FREE_TURN,
    TurnCourse,
    Turning,
    turning_of,
)
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import TrimError
from axletree.core.registry import unknown_name
from axletree.core.units import to_si
from axletree.metrics.findings import Finding, findings_html, shown_findings
from axletree.model.model import Model
from axletree.vehicles.vehicle import Vehicle

_STEP = 0.4  # m/s^2 of lateral acceleration from turn to turn, or a little less
_GREATEST = 60.0  # m/s^2, beyond which no vehicle is followed
LINEAR = (0.5, 2.0)  # m/s^2, between which gradients are those of straight lines
STATES = 7  # steady turns in that range
_UNITS = {
    "path.speed": "m/s", "path.lateral": "m/s^2", "path.sideslip": "rad", "path.curvature": "1/m",
    "steer.ackermann": "rad", "steer.understeer": "rad",
}  # fmt: skip
_FIRST = 0.2  # m/s^2, with which a turn of one radius begins


@dataclass(frozen=True)
class CorneringCurve:
    """Steady turns from nearly straight to the limit; ``curve["vehicle.roll"]`` is a column.

    Lateral acceleration is that towards the centre of the path, V^2/R.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.handling.cornering_curve import CorneringCurve
    >>> from axletree.analysis.handling.turn_branch import Ending
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
    columns: Mapping[str, FloatArray] = field(repr=False)  # in the units beside, by name
    units: Mapping[str, str] = field(repr=False)
    linear: Mapping[str, FloatArray] = field(repr=False)  # the same of turns in the linear range
    ending: Ending

    def __getitem__(self, name: str) -> FloatArray:
        try:
            return self.columns[name]
        except KeyError:
            raise unknown_name("column", name, self.columns, "the turns") from None

    def __repr__(self) -> str:
        return shown_findings(self._heading, self.findings)

    def _repr_html_(self) -> str:
        return findings_html(self._heading, self.findings)

    @property
    def _heading(self) -> str:
        given = "" if self.speed is None else f" at {3.6 * self.speed:.4g} km/h"
        given += "" if self.radius is None else f" on {abs(self.radius):.4g} m"
        return f"{len(self.lateral)} steady turns of {self.vehicle}{given}: {self.ending.value}"

    @property
    def lateral(self) -> FloatArray:
        """Lateral acceleration [m/s^2]."""
        return self["path.lateral"]

    @property
    def slip_difference(self) -> FloatArray:
        """Slip angle of the first axle less that of the last [rad]: angle of the road wheels less
        wheelbase over radius, for small angles."""
        return self[f"{self.ends[0]}.slip_angle"] - self[f"{self.ends[1]}.slip_angle"]

    @property
    def limit(self) -> float:
        """The maximum lateral acceleration [m/s^2], as a size."""
        return float(np.abs(self.lateral).max())

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Gradients in the linear range, and the limit."""
        turns = self.linear
        maximum = Finding("maximum_lateral_acceleration", self.limit, "m/s^2",
                           f"maximum lateral acceleration; {self.ending.value}")  # fmt: skip
        return (*gradient_findings(turns, self.wheelbase, self.speed), maximum)


def cornering_curve(
    model: Model | Turning | str | Path,
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
    9.81 m/s^2; axle saturated
    """
    check_arguments(cornering_curve, locals())
    if (speed is None) == (radius is None):
        raise TrimError("give either a speed or a radius that all turns have")
    side = -1.0 if to_the_right else 1.0
    v = None if speed is None else positive_number("speed", speed, "m/s")
    R = None if radius is None else side * positive_number("radius", radius, "m")
    turning = turning_of(model)
    if v is not None:
        course, step = course_at_speed(v), _STEP
        start, first, last = turning.straight(v), 0.0, side * _GREATEST
        levels = [side * a for a in np.linspace(*LINEAR, STATES)]
    else:
        assert R is not None
        course, step = _on_radius(R), 0.5 * _STEP * math.sqrt(abs(R))
        first = math.sqrt(_FIRST * abs(R))
        levels = [math.sqrt(a * abs(R)) for a in np.linspace(*LINEAR, STATES)]
        near = turning.solve(course, turning.straight(first), first)
        if near is None:
            raise TrimError(f"no turn of radius {abs(R):g} m was found at {first:.3g} m/s")
        start, last = near, math.sqrt(_GREATEST * abs(R))
    branch = follow_turns(turning, course, start, first, last, step)
    linear = _levels(turning, course, branch, levels)
    shape = geometry_of(turning.of.vehicle)
    return CorneringCurve(
        turning.of.system.name, v, R, shape.wheelbase, shape.ratio, shape.ends,
        _columns(turning, branch.turns), _units(turning), _columns(turning, linear), branch.ending,
    )  # fmt: skip


def positive_number(name: str, value: float | str, unit: str) -> float:
    number = to_si(value, expected=unit)
    if not 0.0 < number < math.inf:
        raise TrimError(f"{name} is {value!r}; expected a positive number of {unit}")
    return number


def course_at_speed(speed: float) -> TurnCourse:
    return TurnCourse.line(
        {"path.speed": speed, "path.lateral": 0.0, **FREE_TURN}, {"path.lateral": 1.0}
    )


def _on_radius(radius: float) -> TurnCourse:
    """Over the speed; negative radii are to the right."""
    names = ("path.speed", "path.lateral", *FREE_TURN)
    return TurnCourse(
        names,
        lambda V: np.array([V, V * V / radius, 0.0, 0.0]),
        lambda V: np.array([1.0, 2.0 * V / radius, 0.0, 0.0]),
    )


def _levels(
    turning: Turning, course: TurnCourse, branch: TurnBranch, levels: list[float]
) -> list[FloatArray]:
    """Turns at given values of s, as far as the branch has them."""
    found = []
    for s in levels:
        if abs(s) > np.abs(branch.values).max():
            break
        k = int(np.argmin(np.abs(branch.values - s)))
        lead = branch.slopes[k] if np.isfinite(branch.slopes[k]).all() else 0.0
        turn = turning.solve(course, branch.turns[k] + (s - branch.values[k]) * lead, s)
        if turn is not None:
            found.append(turn)
    return found


def _columns(
    turning: Turning, turns: list[FloatArray] | tuple[FloatArray, ...]
) -> dict[str, FloatArray]:
    """Outputs of turns, with angles of steering and slip."""
    return with_angles(turning.columns(turns), geometry_of(turning.of.vehicle)) if turns else {}


def _units(turning: Turning) -> dict[str, str]:
    of, names = turning.of, turning.of.vehicle.axles
    known = {d.quantity.name: d.quantity.unit for d in of.system.outputs}
    known |= {q.name: q.unit for q in of.rows.states}
    return {**known, **{f"{name}.slip_angle": "rad" for name in names}, **_UNITS}


TurnColumns = Mapping[str, FloatArray]  # columns by name

LEAST_TURNS = 3
DEGREE = math.radians(1.0)


def gradient_findings(
    turns: TurnColumns, wheelbase: float, speed: float | None
) -> tuple[Finding, ...]:
    """Of straight lines through turns; of one speed [m/s] also the gain of the yaw rate there.

    The understeer gradient K is the slope of the understeer angle, that of the road wheels less
    wheelbase over radius. Characteristic speed is sqrt(wheelbase / K), critical speed
    sqrt(-wheelbase / K). A model in the plane has no roll gradient.
    """
    K = _slope(turns, "steer.understeer")
    steering = _slope(turns, "driver.steering")
    found = [
        Finding("understeer_gradient", K / DEGREE, "deg/(m/s^2)", "understeer gradient"),
        Finding("characteristic_speed", 3.6 * _speed(wheelbase, K), "km/h", "characteristic speed"),
        Finding("critical_speed", 3.6 * _speed(wheelbase, -K), "km/h", "critical speed"),
        Finding("sideslip_gradient", _slope(turns, "path.sideslip") / DEGREE, "deg/(m/s^2)",
                "sideslip angle gradient"),
    ]  # fmt: skip
    if np.any(turns.get("vehicle.roll", ())):
        roll = _slope(turns, "vehicle.roll") / DEGREE
        found.append(Finding("roll_gradient", roll, "deg/(m/s^2)", "roll angle gradient"))
    if speed is not None:
        sensitivity = DEGREE / steering if steering else math.nan
        found += [
            Finding("steering_sensitivity", sensitivity, "(m/s^2)/deg", "steering sensitivity"),
            Finding("yaw_rate_gain", 1.0 / (speed * steering) if steering else math.nan, "1/s",
                    "yaw rate gain"),
        ]  # fmt: skip
    return tuple(found)


def _slope(turns: TurnColumns, name: str) -> float:
    if len(turns.get("path.lateral", ())) < LEAST_TURNS:
        return math.nan
    return float(np.polyfit(turns["path.lateral"], turns[name], 1)[0])


def _speed(wheelbase: float, gradient: float) -> float:
    return math.sqrt(wheelbase / gradient) if gradient > 0.0 else math.nan


@dataclass(frozen=True)
class SteerGeometry:
    """Where axles are [m], ahead of the body's centre of mass, and how they are steered."""

    axles: tuple[str, ...]
    positions: tuple[float, ...]
    ratios: tuple[float, ...]  # of the steering wheel over the road wheels; inf: not steered

    @property
    def wheelbase(self) -> float:
        """From the first axle to the last [m]."""
        return max(self.positions) - min(self.positions)

    @property
    def ends(self) -> tuple[str, str]:
        """The names of the first axle and the last."""
        order = np.argsort(self.positions)
        return self.axles[order[-1]], self.axles[order[0]]

    @property
    def ratio(self) -> float:
        """That of the first axle which is steered."""
        steered = [k for k, ratio in enumerate(self.ratios) if np.isfinite(ratio)]
        return self.ratios[max(steered, key=lambda k: self.positions[k])]


def geometry_of(vehicle: Vehicle) -> SteerGeometry:
    axles = vehicle.axles.values()
    ratios = (np.inf if a.steering is None else a.steering.ratio for a in axles)
    return SteerGeometry(tuple(vehicle.axles), tuple(a.position for a in axles), tuple(ratios))


def with_angles(columns: Mapping[str, FloatArray], shape: SteerGeometry) -> dict[str, FloatArray]:
    """Columns of turns, with curvature and angles that follow from them.

    The understeer angle is that of the road wheels less wheelbase over radius. Slip angles are
    those of the middle of an axle under wheels that stand as the steering wheel says: what
    suspension and column give way counts to the slip (Pacejka 2012, section 1.3).
    """
    u, v, r = (columns[f"vehicle.{n}"] for n in ("forward_speed", "lateral_speed", "yaw_rate"))
    wheel, curvature = columns["driver.steering"], r / columns["path.speed"]
    ackermann = shape.wheelbase * curvature
    found = {
        **columns,
        "path.curvature": curvature,
        "steer.ackermann": ackermann,
        "steer.understeer": wheel / shape.ratio - ackermann,
    }
    for name, x, ratio in zip(shape.axles, shape.positions, shape.ratios, strict=True):
        found[f"{name}.slip_angle"] = wheel / ratio - np.arctan2(v + x * r, u)
    return found
