"""The yaw-moment diagram: yaw moment over lateral acceleration, by sideslip and steering.

A restraint holds the vehicle at a speed and a sideslip, free to roll, pitch and heave, on the path
that its lateral force makes: yaw rate times speed is lateral acceleration (Milliken and Milliken
1995, "Race Car Vehicle Dynamics", chapter 8). Where the moment vanishes the vehicle turns so by
itself: these are the turns of the handling diagram.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from axletree.analysis.handling.cornering_curve import geometry_of, positive_number
from axletree.analysis.steady.turning import TurnCourse, Turning, turning_of
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import TrimError
from axletree.core.progress import Progress
from axletree.metrics.findings import Finding, findings_html, shown_findings
from axletree.model.model import STANDARD_GRAVITY, Model

_SIDESLIP, STEER = math.radians(8.0), math.radians(12.0)  # maximum, of body and road wheels
LINES = 17  # of each
_Point = tuple[float, float]  # sideslip and steering angle [rad]
_SHOWN = ("path.lateral", "restraint.Mz", "driver.effort")
_PARTS = (1, 4, 8, 16)  # of a step of the grid: more are tried where fewer lead nowhere


@dataclass(frozen=True)
class YawMomentDiagram:
    """On a grid of sideslips (rows) and steering angles (columns); nan where no turn was found.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.handling.yaw_moment import YawMomentDiagram
    >>> moment, angles = np.array([[-3e3, 1e3], [-1e3, 3e3]]), np.array([-0.1, 0.1])  # N m, rad
    >>> given = "car", 20.0, 15e3, 2.5, 15.0, angles, angles  # m/s, N, m, 1
    >>> diagram = YawMomentDiagram(*given, moment / 1e3, moment, moment, {})
    >>> diagram.coefficient[0].round(4).tolist()  # the moment by 15 kN and 2.5 m
    [-0.08, 0.0267]
    """

    vehicle: str
    speed: float  # [m/s]
    weight: float  # [N]
    wheelbase: float  # [m]
    ratio: float  # of the steering wheel over the road wheels
    sideslip: FloatArray  # [rad]
    steering: FloatArray  # [rad], of the steering wheel
    lateral: FloatArray = field(repr=False)  # [m/s^2], acceleration to the centre of the path
    moment: FloatArray = field(repr=False)  # [N m] that turns the vehicle, to the left if positive
    effort: FloatArray = field(repr=False)  # of pedals; beyond 1 it is towed
    slopes: dict[str, float]  # at the origin: of lateral and moment by sideslip and steering

    def __repr__(self) -> str:
        return shown_findings(self._heading, self.findings)

    def _repr_html_(self) -> str:
        return findings_html(self._heading, self.findings)

    @property
    def _heading(self) -> str:
        lines = f"{len(self.sideslip)} by {len(self.steering)} turns"
        return f"Yaw moments of {self.vehicle} at {3.6 * self.speed:.4g} km/h, {lines}"

    @property
    def coefficient(self) -> FloatArray:
        """C_N: the moment by weight and wheelbase."""
        return np.asarray(self.moment / (self.weight * self.wheelbase))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Stability and control at the origin, and the ends of the diagram."""
        by, whole = self.slopes, self.weight * self.wheelbase
        stability = by["moment/sideslip"] / whole / (by["lateral/sideslip"] / STANDARD_GRAVITY)
        control = by["moment/steering"] * self.ratio / whole * np.radians(1.0)
        return (
            Finding("stability_index", float(stability), "1",
                    "stability index dC_N/dA_y at constant steer; stable if negative"),
            Finding("control_gradient", float(control), "1/deg",
                    "control gradient dC_N/ddelta at constant sideslip"),
            Finding("maximum_yaw_moment", float(np.nanmax(np.abs(self.moment))), "N*m",
                    "maximum yaw moment of the diagram"),
            Finding("maximum_lateral_acceleration", float(np.nanmax(np.abs(self.lateral))),
                    "m/s^2", "maximum lateral acceleration of the diagram"),
        )  # fmt: skip


def yaw_moment_diagram(
    model: Model | Turning | str | Path,
    speed: float | str,
    *,
    sideslip: float | str = _SIDESLIP,
    steer: float | str = STEER,
    lines: int = LINES,
) -> YawMomentDiagram:
    """At a speed [m/s], up to a sideslip and an angle of the road wheels [rad] to both sides.

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    >>> diagram = at.yaw_moment_diagram(sedan, "80 km/h", lines=3)
    >>> print(f"{diagram.findings[0].value:.3f}")  # stability index: stable
    -0.302
    """
    check_arguments(yaw_moment_diagram, locals())
    if lines < 3 or lines % 2 == 0:
        raise TrimError(f"{lines} lines; expected an odd number from 3 on, one through 0")
    turning = turning_of(model)
    v, vehicle = positive_number("speed", speed, "m/s"), turning.of.vehicle
    ratio = geometry_of(vehicle).ratio
    betas = np.linspace(-1.0, 1.0, lines) * positive_number("sideslip", sideslip, "rad")
    deltas = np.linspace(-1.0, 1.0, lines) * positive_number("steer", steer, "rad") * ratio
    straight = turning.straight(v)
    middles = _outwards(turning, v, straight, [(beta, 0.0) for beta in betas])
    grid = {name: np.full((lines, lines), np.nan) for name in _SHOWN}
    with Progress(lines, "yaw moments", "sideslips") as progress:
        for i, (beta, middle) in enumerate(zip(betas, middles, strict=True)):
            turns = _outwards(turning, v, middle, [(beta, delta) for delta in deltas])
            found = {k: turn for k, turn in enumerate(turns) if turn is not None}
            columns = turning.columns(list(found.values())) if found else {}
            for name in columns and _SHOWN:
                grid[name][i, list(found)] = columns[name]
            progress.show(i + 1)
    return YawMomentDiagram(
        turning.of.system.name, v, turning.of.weight, vehicle.wheelbase, ratio, betas, deltas,
        grid["path.lateral"], -grid["restraint.Mz"], grid["driver.effort"],
        _slopes(turning, v, straight),
    )  # fmt: skip


def held(speed: float, sideslip: float, steering: float) -> TurnCourse:
    """A turn with the restraint's moment and the effort open; s adds to the sideslip."""
    fixed = {
        "path.speed": speed, "path.sideslip": sideslip, "driver.steering": steering,
        "path.acceleration": 0.0,
    }  # fmt: skip
    return TurnCourse.line(fixed, {"path.sideslip": 1.0})


def _outwards(
    turning: Turning, speed: float, start: FloatArray | None, points: Sequence[_Point]
) -> list[FloatArray | None]:
    """Turns along sideslips and steering angles, from that in their middle to both sides."""
    found: list[FloatArray | None] = [None] * len(points)
    centre = len(points) // 2
    for side in (range(centre, len(points)), range(centre - 1, -1, -1)):
        turn, before = start, points[centre]
        for k in side:
            if turn is None:
                break
            turn = _moved(turning, speed, turn, before, points[k])
            found[k], before = turn, points[k]
    return found


def _moved(
    turning: Turning, speed: float, turn: FloatArray, start: _Point, end: _Point
) -> FloatArray | None:
    """The turn at another sideslip and steering angle, in parts if need be."""
    for parts in _PARTS:
        found: FloatArray | None = turn
        for k in range(1, parts + 1):
            beta, delta = (a + (b - a) * k / parts for a, b in zip(start, end, strict=True))
            found = None if found is None else turning.solve(held(speed, beta, delta), found)
        if found is not None:
            return found
    return None


def _slopes(turning: Turning, speed: float, straight: FloatArray) -> dict[str, float]:
    """Of lateral acceleration and moment at the origin, by sideslip and steering wheel."""
    full = turning.residual_slopes(held(speed, 0.0, 0.0), straight, 0.0)[:, :-1]
    rows = turning.rows.slopes(straight)
    found = {}
    for name, row in (("sideslip", -3), ("steering", -2)):
        right = np.zeros(len(full))
        right[row] = 1.0
        change = np.linalg.lstsq(full, right, rcond=None)[0]
        found[f"lateral/{name}"] = float(rows[-2] @ change)
        found[f"moment/{name}"] = float(-change[turning.moment])
    return found
