"""Turns of a vehicle in numbers: residuals by compiled code, and where turns are looked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from axletree.analysis.arclength import Curve
from axletree.analysis.cornering.row_slopes import Rows
from axletree.analysis.cornering.turning_system import (
    FORWARD,
    MEASURED,
    CorneringError,
    TurningSystem,
    turning_system,
)
from axletree.analysis.newton import find_root
from axletree.analysis.steady_equations import LEAST_SLOPE
from axletree.analysis.trim import trim
from axletree.analysis.trim_start import TrimStart
from axletree.code.lower import lower
from axletree.core.errors import AxletreeError
from axletree.core.quantity import Role
from axletree.model.model import Model

Vector = NDArray[np.float64]

EFFORTS = (0.1, 0.7, 1.1)  # first guesses straight ahead; more than 1 is towed
FREE = {"path.acceleration": 0.0, "restraint.Mz": 0.0}  # of a steady turn without restraint


@dataclass(frozen=True)
class Course:
    """What turns have on a way: four quantities of ``KEEPING`` and ``MEASURED`` over a number s."""

    names: tuple[str, ...]
    values: Callable[[float], Vector]
    slopes: Callable[[float], Vector]

    @classmethod
    def line(cls, held: Mapping[str, float], changed: Mapping[str, float]) -> Course:
        """``held`` are values at s = 0, ``changed`` what is added to them over s."""
        names = tuple(dict.fromkeys([*held, *changed]))
        first = np.array([held.get(name, 0.0) for name in names])
        by = np.array([changed.get(name, 0.0) for name in names])
        return cls(names, lambda s: first + s * by, lambda s: by)


class Turning:
    """A vehicle and its turns; unknowns are states, then those of ``KEEPING``."""

    def __init__(self, turning: TurningSystem, outputs: Sequence[str]) -> None:
        """``outputs`` are names of outputs that ``told`` has beside unknowns and measures."""
        self.of, self.outputs = turning, tuple(outputs)
        self.names = tuple(q.name for q in turning.rows.states)
        parameters = np.array([q.default for q in turning.rows.parameters])
        self._rows = Rows(lower(turning.rows, outputs), parameters)
        self._measured = {q.name: k for k, q in enumerate(MEASURED, start=-len(MEASURED))}
        self._unknown = {q.name: k for k, q in enumerate(turning.rows.states)}

    def rows(self, y: Vector) -> Vector:
        """What vanishes, then the measured quantities."""
        return self._rows(y)

    def slopes(self, y: Vector) -> Vector:
        """d rows / d y, by differences: they lead to turns, and are no part of them."""
        return self._rows.slopes(y)

    def residual(self, course: Course, y: Vector, s: float) -> Vector:
        rows = self.rows(y)
        own = [self._value(name, y, rows) for name in course.names]
        return np.append(rows[: -len(MEASURED)], np.array(own) - course.values(s))

    def residual_slopes(self, course: Course, y: Vector, s: float) -> Vector:
        """d residual / d (y, s)."""
        rows = self.course_rows(course, self.slopes(y))
        empty = np.zeros(len(rows) - len(course.names))
        by_course = np.append(empty, -course.slopes(s))
        return np.hstack([rows, by_course[:, None]])

    def course_rows(self, course: Course, slopes: Vector) -> Vector:
        """Slopes of what vanishes on a course, from those of all rows."""
        chosen = [self._row(name, slopes) for name in course.names]
        return np.vstack([slopes[: -len(MEASURED)], *chosen])

    def solve(self, course: Course, near: Vector, s: float = 0.0) -> Vector | None:
        """The turn at a value of s near another one; None where none was found."""
        found = find_root(
            lambda y: self.residual(course, y, s),
            lambda y: self.residual_slopes(course, y, s)[:, :-1],
            near,
            LEAST_SLOPE,
        )
        return found.unknowns if found.converged else None

    def side_of_fold(self, course: Course, y: Vector, s: float) -> float:
        """1 or -1, which changes where the turns over s turn back; 0 of dependent equations."""
        slopes = self.residual_slopes(course, y, s)[:, :-1]
        if slopes.shape[0] != slopes.shape[1]:
            return 0.0
        return float(np.linalg.slogdet(slopes)[0])

    def curve(self, course: Course, start: Vector, s: float, span: float) -> Curve:
        """The turns from the one at s on, in the direction of ``span``."""
        return Curve(
            lambda z: self.residual(course, z[:-1], float(z[-1])),
            lambda z: self.residual_slopes(course, z[:-1], float(z[-1])),
            np.append(start, s),
            span,
            LEAST_SLOPE,
        )

    def straight(self, speed: float) -> Vector:
        """The unknowns straight ahead at a speed [m/s]; more than the drive can is towed."""
        course = Course.line({"path.speed": speed, "path.lateral": 0.0, **FREE}, {})
        system = self.of.system
        start = TrimStart(system, {}, {}, 0.0).at({FORWARD: speed}).states
        for effort in EFFORTS:
            for states in (start, _rolling(self.of, start, speed)):
                found = self.solve(course, self._unknowns(states, effort))
                if found is not None:
                    return found
        try:
            settled = trim(system, {FORWARD: speed}, find=["driver.throttle"])
        except AxletreeError as error:
            raise CorneringError(
                f"{system.name} does not hold {speed:g} m/s straight ahead: {error}"
            ) from None
        states = np.array([settled.states[q.name] for q in system.states])
        found = self.solve(course, self._unknowns(states, settled.inputs["driver.throttle"]))
        if found is None:
            raise CorneringError(f"{system.name} does not hold {speed:g} m/s straight ahead")
        return found

    def told(self, turns: Sequence[Vector]) -> dict[str, Vector]:
        """Unknowns, measures and outputs by name, along turns."""
        rows = np.array([self.rows(y) for y in turns])
        more = np.array([self._rows.outputs(y) for y in turns])
        columns = dict(zip(self.names, np.array(turns).T, strict=True))
        columns |= {name: rows[:, k] for name, k in self._measured.items()}
        return {**dict(zip(self.outputs, more.T, strict=True)), **columns}

    def _unknowns(self, states: Vector, effort: float) -> Vector:
        return np.array([*states[list(self.of.free)], 0.0, effort, 0.0, 0.0])

    def _value(self, name: str, y: Vector, rows: Vector) -> float:
        k = self._measured.get(name)
        return float(y[self._unknown[name]] if k is None else rows[k])

    def _row(self, name: str, slopes: Vector) -> Vector:
        k = self._measured.get(name)
        if k is not None:
            return np.asarray(slopes[k])
        row = np.zeros(slopes.shape[1])
        row[self._unknown[name]] = 1.0
        return row


def turning_of(model: Model) -> Turning:
    """The turns of a model that describes a vehicle, with what diagrams of them show."""
    turning = turning_system(model)
    own = [d.quantity.name for d in turning.system.outputs]
    wheels = [name for name in own if name.endswith(("_tyre.Fx", "_tyre.Fy", "_tyre.Fz"))]
    body = [name for name in own if name.startswith("vehicle.")]
    return Turning(turning, [*body, *wheels])


def _rolling(turning: TurningSystem, states: Vector, speed: float) -> Vector:
    """States with all wheels turning at the rate of their radii without load."""
    rolling = states.copy()
    for k, q in enumerate(turning.system.states):
        for name, axle in turning.vehicle.axles.items():
            wheel = q.name.startswith(f"{name}_") and q.name.endswith("_axle.rate")
            if wheel and q.role is Role.SPEED:
                rolling[k] = speed / axle.wheel.radius
    return rolling
