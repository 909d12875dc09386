"""Derivatives of what steady cornering tells, by the implicit rule with exact slopes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from axletree.analysis.cornering.cornering_curve import LINEAR, STATES, at_speed, positive
from axletree.analysis.cornering.gradients import DEGREE, gradient_findings
from axletree.analysis.cornering.steer_geometry import SteerGeometry, geometry_of, with_angles
from axletree.analysis.cornering.turning import Course, Turning, Vector, turning_of
from axletree.analysis.cornering.turning_system import (
    MEASURED,
    CorneringError,
    described_vehicle,
    turning_system,
)
from axletree.analysis.sensitivity.along import slopes_of_findings
from axletree.analysis.sensitivity.direction import (
    Direction,
    SensitivityError,
    find_direction,
    formed,
    slopes_along,
)
from axletree.analysis.sensitivity.result import Sensitivity, SensitivityColumn
from axletree.analysis.sensitivity.yaw_mode import YawMode, mode_findings, values_straight
from axletree.analysis.slopes import Slopes, slopes_of
from axletree.core.expr import Expr, symbol
from axletree.core.expr.evaluate import Evaluator
from axletree.model.manoeuvres.findings import Finding
from axletree.model.model import Model
from axletree.model.read import read_model
from axletree.simulation.progress import Progress

LATERAL = 4.0  # m/s^2, at which loads and angles are told


def turn_sensitivity(
    source: str,
    names: Sequence[str],
    *,
    speed: float | str = "100 km/h",
    lateral: float | str = LATERAL,
    changes: Mapping[str, Any] | None = None,
) -> Sensitivity:
    """Of gradients at a speed [m/s], and of angles and loads at a lateral acceleration [m/s^2].

    Example:
    >>> import axletree as at
    >>> plain, mass = {"vehicle": {"fidelity": "single-track"}}, "vehicle.body.mass"
    >>> slopes = at.turn_sensitivity("sedan", [mass], changes=plain).by[mass]
    >>> loads = [slope for name, slope in slopes.items() if name.endswith("_load")]
    >>> print(f"{sum(loads):.3f} N/kg")  # of all wheels: gravity
    9.807 N/kg
    """
    if not names:
        raise SensitivityError("nothing to differentiate by: name a parameter")
    model = read_model(source, Model, changes or {})
    v, a = positive("speed", speed, "m/s"), positive("lateral", lateral, "m/s^2")
    plain = formed(model)
    found = [find_direction(name, source, plain, model, None, changes or {}) for name in names]
    turns = _Turns(turning_of(model), at_speed(v), v, a)
    columns = []
    with Progress(len(found), "derivatives", "parameters") as progress:
        for k, direction in enumerate(found):
            columns.append(turns.column(direction))
            progress.show(k + 1)
    return Sensitivity(model.name, "steady cornering", turns.findings, tuple(columns))


def turn_findings(
    model: Model, speed: float | str = "100 km/h", lateral: float | str = LATERAL
) -> tuple[Finding, ...]:
    """What ``turn_sensitivity`` differentiates."""
    v, a = positive("speed", speed, "m/s"), positive("lateral", lateral, "m/s^2")
    return _Turns(turning_of(model), at_speed(v), v, a).findings


@dataclass
class _Turns:
    """Straight ahead, turns of the linear range at a speed, then one that is told of."""

    turning: Turning
    course: Course
    speed: float
    lateral: float

    def __post_init__(self) -> None:
        levels = [0.0, *np.linspace(*LINEAR, STATES), self.lateral]
        near = self.turning.straight(self.speed)
        self.turns: list[Vector] = []
        for a in levels:
            found = self.turning.solve(self.course, near, a)
            if found is None:
                raise CorneringError(
                    f"{self.turning.of.system.name} does not hold {a:g} m/s^2 at {self.speed:g} m/s"
                )
            self.turns.append(found)
            near = found
        self.told = self.turning.told(self.turns)
        self.shape = geometry_of(self.turning.of.vehicle)
        of = self.turning.of.system
        straight = {name: float(column[0]) for name, column in self.told.items()}
        numbers = {q.symbol: q.default for q in of.parameters}
        self.mode = YawMode(of, {**numbers, **values_straight(of, straight)})

    @property
    def findings(self) -> tuple[Finding, ...]:
        turned = _findings(self.told, self.shape, self.speed, self.lateral)
        return (*turned, *mode_findings(self.mode.eigenvalue()))

    def column(self, direction: Direction) -> SensitivityColumn:
        slopes = self._slopes(direction)
        by = _shape_slopes(self.shape, direction)
        mode, change = self.mode.eigenvalue(), self._mode_slope(direction, slopes)

        def findings(step: float) -> tuple[Finding, ...]:
            told = {name: self.told[name] + step * slope for name, slope in slopes.items()}
            turned = _findings(told, by(step), self.speed, self.lateral)
            return (*turned, *mode_findings(mode + step * change))

        found = slopes_of_findings(findings, direction.size)
        return SensitivityColumn(direction.name, direction.value, direction.unit, tuple(found))

    def _mode_slope(self, direction: Direction, slopes: Mapping[str, Vector]) -> complex:
        system = self.turning.of.system
        moved = {symbol(name): float(column[0]) for name, column in slopes.items()}
        pedal = "driver.throttle" if self.told["driver.effort"][0] > 0.0 else "driver.brake"
        sign = 1.0 if pedal == "driver.throttle" else -1.0
        moved[symbol(pedal)] = sign * float(slopes["driver.effort"][0])
        moved |= {symbol(name): slope for name, slope in direction.parameter_slopes.items()}
        known = {q.symbol for q in (*system.states, *system.inputs, *system.parameters)}
        systems = {}
        if direction.functions:
            systems = {k: turning_system(one).system for k, one in direction.models.items()}
        return self.mode.slope({s: x for s, x in moved.items() if s in known}, direction, systems)

    @cached_property
    def _rows(self) -> list[Expr]:
        return list(self.turning.of.rows.derivatives)

    @cached_property
    def _outputs(self) -> list[Expr]:
        known = {d.quantity.name: d.expression for d in self.turning.of.rows.outputs}
        return [known[name] for name in self.turning.outputs]

    @cached_property
    def _exact(self) -> Slopes:
        unknown = [q.symbol for q in self.turning.of.rows.states]
        return slopes_of([*self._rows, *self._outputs], unknown)

    @cached_property
    def _known(self) -> list[tuple[dict[Expr, float], Vector]]:
        """For each turn the values of all symbols, and exact slopes by the unknowns."""
        of = self.turning.of.rows
        fixed = {q.symbol: q.default for q in of.parameters} | {of.time.symbol: 0.0}
        symbols = [q.symbol for q in of.states]
        values = [{**fixed, **dict(zip(symbols, y.tolist(), strict=True))} for y in self.turns]
        return [(one, self._exact(one)) for one in values]

    def _slopes(self, direction: Direction) -> dict[str, Vector]:
        """Derivatives of all that turns tell, by the value."""

        def of_model(model: Model) -> list[Expr]:
            of = turning_system(model).rows
            known = {d.quantity.name: d.expression for d in of.outputs}
            return [*of.derivatives, *(known[name] for name in self.turning.outputs)]

        along = Evaluator(slopes_along([*self._rows, *self._outputs], direction, of_model))
        count, rows = len(self._rows), []
        for values, slopes in self._known:
            by = np.array(along(values), dtype=float)
            left = self.turning.course_rows(self.course, slopes[:count])
            right = self._right(by[:count])
            change = np.linalg.lstsq(left, right, rcond=None)[0]
            told = by + slopes @ change
            rows.append([*change, *told[count - len(MEASURED) :]])
        names = [*self.turning.names, *(q.name for q in MEASURED), *self.turning.outputs]
        return dict(zip(names, np.array(rows).T, strict=True))

    def _right(self, by: Vector) -> Vector:
        """What changes of the unknowns have to make up for."""
        measured = {q.name: -by[k] for k, q in enumerate(MEASURED, start=-len(MEASURED))}
        chosen = [measured.get(name, 0.0) for name in self.course.names]
        return np.array([*(-by[: -len(MEASURED)]), *chosen])


def _shape_slopes(shape: SteerGeometry, direction: Direction) -> Any:
    """The geometry at a step of the value."""

    def number(field: str, k: int) -> float:
        return direction.by_value(lambda m: getattr(geometry_of(described_vehicle(m)), field)[k])

    places = [number("positions", k) for k in range(len(shape.axles))]
    ratios = [number("ratios", k) if np.isfinite(r) else 0.0 for k, r in enumerate(shape.ratios)]

    def moved(step: float) -> SteerGeometry:
        return replace(
            shape,
            positions=tuple(x + step * by for x, by in zip(shape.positions, places, strict=True)),
            ratios=tuple(r + step * by for r, by in zip(shape.ratios, ratios, strict=True)),
        )

    return moved


def _findings(
    told: Mapping[str, Vector], shape: SteerGeometry, speed: float, lateral: float
) -> tuple[Finding, ...]:
    """Gradients of turns between the first and the last, and what the last one has."""
    columns = with_angles(told, shape)
    linear = {name: column[1:-1] for name, column in columns.items()}
    last = {name: float(column[-1]) for name, column in columns.items()}
    where = f"at {lateral:g} m/s^2"
    angles = {
        "steering_angle": ("driver.steering", "steering wheel angle"),
        "understeer_angle": ("steer.understeer", "understeer angle"),
        "sideslip_angle": ("path.sideslip", "sideslip angle"),
    }
    if np.any(columns["vehicle.roll"]):  # models in the plane have none
        angles["roll_angle"] = ("vehicle.roll", "roll angle")
    loads = [name for name in columns if name.endswith("_tyre.Fz")]
    return (
        *gradient_findings(linear, shape.wheelbase, speed),
        *(Finding(key, last[name] / DEGREE, "deg", f"{word} {where}")
          for key, (name, word) in angles.items()),
        *(Finding(f"{name.removesuffix('_tyre.Fz')}_load", last[name], "N",
                  f"{name.removesuffix('_tyre.Fz').replace('_', ' ')} wheel load {where}")
          for name in loads),
    )  # fmt: skip
