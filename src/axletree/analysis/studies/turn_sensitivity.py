"""Derivatives of what steady cornering tells, by the implicit rule with exact slopes; and of the
yaw mode straight ahead, its frequency and damping.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from axletree.analysis.handling.cornering_curve import (
    DEGREE,
    LINEAR,
    STATES,
    SteerGeometry,
    course_at_speed,
    geometry_of,
    gradient_findings,
    positive_number,
    with_angles,
)
from axletree.analysis.linear.jacobians import slopes_of
from axletree.analysis.linear.linearise import linearise_at
from axletree.analysis.linear.modes import participation
from axletree.analysis.steady.conditions import settled_states
from axletree.analysis.steady.turning import (
    MEASURED,
    Turning,
    described_vehicle,
    turning_of,
    turning_system,
)
from axletree.analysis.studies.sensitivity import (
    STENCIL,
    Direction,
    Sensitivity,
    SensitivityColumn,
    columns_by,
    find_direction,
    slopes_along,
    slopes_of_findings,
)
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import TrimError
from axletree.expr import Expr, symbol
from axletree.expr.evaluation import Evaluator
from axletree.expr.quantity import Role
from axletree.metrics.findings import Finding
from axletree.model_files.read import read_model
from axletree.system.formulation import formulate
from axletree.system.system import System

_LATERAL = 4.0  # m/s^2, of the turn whose loads and angles are found


def turn_sensitivity(
    source: str,
    names: Sequence[str],
    *,
    speed: float | str = "100 km/h",
    lateral: float | str = _LATERAL,
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
    check_arguments(turn_sensitivity, locals())
    model = read_model(source, changes or {})
    v, a = positive_number("speed", speed, "m/s"), positive_number("lateral", lateral, "m/s^2")
    where = source, formulate(model), model, None, changes or {}
    found = [find_direction(name, *where) for name in names]
    turns = SteadyTurns(turning_of(model), v, a)
    columns = columns_by(found, turns.column)
    return Sensitivity(model.name, "steady cornering", turns.findings, columns)


@dataclass
class SteadyTurns:
    """Straight ahead, turns of the linear range at a speed, then the one that is reported."""

    turning: Turning
    speed: float  # [m/s]
    lateral: float  # [m/s^2], of the turn that is reported

    def __post_init__(self) -> None:
        self.course = course_at_speed(self.speed)
        levels = [0.0, *np.linspace(*LINEAR, STATES), self.lateral]
        near = self.turning.straight(self.speed)
        self.turns: list[FloatArray] = []
        for a in levels:
            found = self.turning.solve(self.course, near, a)
            if found is None:
                raise TrimError(
                    f"{self.turning.of.system.name} does not hold {a:g} m/s^2 at {self.speed:g} m/s"
                )
            self.turns.append(found)
            near = found
        self.columns = self.turning.columns(self.turns)
        self.shape = geometry_of(self.turning.of.vehicle)
        of = self.turning.of.system
        straight = {name: float(column[0]) for name, column in self.columns.items()}
        numbers = {q.symbol: q.default for q in of.parameters}
        self.mode = YawMode(of, {**numbers, **values_straight(of, straight)})

    @property
    def findings(self) -> tuple[Finding, ...]:
        turned = _findings(self.columns, self.shape, self.speed, self.lateral)
        return (*turned, *mode_findings(self.mode.eigenvalue()))

    def column(self, direction: Direction) -> SensitivityColumn:
        slopes = self._slopes(direction)
        by = _shape_slopes(self.shape, direction)
        mode, change = self.mode.eigenvalue(), self._mode_slope(direction, slopes)

        def findings(step: float) -> tuple[Finding, ...]:
            columns = {name: self.columns[name] + step * slope for name, slope in slopes.items()}
            turned = _findings(columns, by(step), self.speed, self.lateral)
            return (*turned, *mode_findings(mode + step * change))

        found = slopes_of_findings(findings, direction.size)
        return SensitivityColumn(direction.name, direction.value, direction.unit, tuple(found))

    def _mode_slope(self, direction: Direction, slopes: Mapping[str, FloatArray]) -> complex:
        system = self.turning.of.system
        moved = {symbol(name): float(column[0]) for name, column in slopes.items()}
        pedal = "driver.throttle" if self.columns["driver.effort"][0] > 0.0 else "driver.brake"
        sign = 1.0 if pedal == "driver.throttle" else -1.0
        moved[symbol(pedal)] = sign * float(slopes["driver.effort"][0])
        moved |= {symbol(name): slope for name, slope in direction.parameter_slopes.items()}
        known = {q.symbol for q in (*system.states, *system.inputs, *system.parameters)}
        systems = {}
        if direction.functions:
            systems = {k: turning_system(one).system for k, one in direction.models.items()}
        return self.mode.slope({s: x for s, x in moved.items() if s in known}, direction, systems)

    def _expressions(self, rows: System) -> list[Expr]:
        """Of the rows of a vehicle, and of the outputs that turns tell."""
        known = {d.quantity.name: d.expression for d in rows.outputs}
        return [*rows.derivatives, *(known[name] for name in self.turning.outputs)]

    @cached_property
    def _known(self) -> list[tuple[dict[Expr, float], FloatArray]]:
        """For each turn the values of all symbols, and exact slopes by the unknowns."""
        of = self.turning.of.rows
        fixed = {q.symbol: q.default for q in of.parameters} | {of.time.symbol: 0.0}
        symbols = [q.symbol for q in of.states]
        exact = slopes_of(self._expressions(of), symbols)
        values = [{**fixed, **dict(zip(symbols, y.tolist(), strict=True))} for y in self.turns]
        return [(one, exact(one)) for one in values]

    def _slopes(self, direction: Direction) -> dict[str, FloatArray]:
        """Derivatives of all that turns tell, by the value."""
        of = self.turning.of.rows
        own = slopes_along(
            self._expressions(of), direction, lambda m: self._expressions(turning_system(m).rows)
        )
        along, count, rows = Evaluator(own), len(of.derivatives), []
        for values, slopes in self._known:
            by = np.array(along(values), dtype=float)
            left = self.turning.course_rows(self.course, slopes[:count])
            right = self._right(by[:count])
            change = np.linalg.lstsq(left, right, rcond=None)[0]
            outputs = by + slopes @ change
            rows.append([*change, *outputs[count - len(MEASURED) :]])
        names = [*self.turning.names, *(q.name for q in MEASURED), *self.turning.outputs]
        return dict(zip(names, np.array(rows).T, strict=True))

    def _right(self, by: FloatArray) -> FloatArray:
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
    turns: Mapping[str, FloatArray], shape: SteerGeometry, speed: float, lateral: float
) -> tuple[Finding, ...]:
    """Gradients of turns between the first and the last, and what the last one has."""
    columns = with_angles(turns, shape)
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


YAW_RATES = ("chassis.wz", "chassis.rate")  # in space, and in the plane
_SHARE = 1e-5  # of a value, to both sides, between which matrices differ
_Values = Mapping[Expr, float]


@dataclass(frozen=True)
class YawMode:
    """The mode of a system that has most of the yaw rate, at values of all symbols."""

    system: System
    values: _Values

    def matrix(self, system: System, values: _Values) -> tuple[np.ndarray, tuple[str, ...]]:
        """Small deviations from straight running, without coordinates that drift.

        Straight ahead no axis turns: those of the ground are as good as those of the vehicle.
        """
        settled = {system.states[k].name for k in settled_states(system)}
        linear = linearise_at(system, values)
        kept = [k for k, name in enumerate(linear.states) if name in settled]
        return linear.A[np.ix_(kept, kept)], tuple(linear.states[k] for k in kept)

    def eigenvalue(self) -> complex:
        A, names = self.matrix(self.system, self.values)
        row = next(k for k, name in enumerate(names) if name in YAW_RATES)
        found, shares, _ = participation(A)
        swings = np.where(found.imag >= 0.0, shares[row], -1.0)
        return complex(found[int(np.argmax(swings))])

    def slope(self, by: _Values, direction: Direction, systems: Mapping[int, System]) -> complex:
        """d eigenvalue: w^T dA v / (w^T v), with dA along ``by``, the derivatives of all values.

        ``systems`` are those of a direction whose functions change.
        """
        from scipy.linalg import eig

        width = _SHARE * direction.size
        ends = []
        for step in (-width, width):
            moved = {s: x + step * by.get(s, 0.0) for s, x in self.values.items()}
            ends.append(self.matrix(self.system, moved)[0])
        dA = (ends[1] - ends[0]) / (2.0 * width)
        for k, weight in STENCIL if systems else ():
            ahead, back = (self.matrix(systems[j], self.values)[0] for j in (k, -k))
            dA = dA + weight / direction.spacing * (ahead - back)
        values, left, right = eig(self.matrix(self.system, self.values)[0], left=True)
        k = int(np.argmin(np.abs(values - self.eigenvalue())))
        w, v = left[:, k].conj(), right[:, k]
        return complex(w @ dA @ v / (w @ v))


def mode_findings(eigenvalue: complex) -> tuple[Finding, ...]:
    size = abs(eigenvalue)
    return (
        Finding("yaw_natural_frequency", size / (2.0 * math.pi), "Hz",
                "natural frequency of the yaw mode straight ahead"),
        Finding("yaw_damping_ratio", -eigenvalue.real / size if size else math.nan, "1",
                "damping ratio of the yaw mode straight ahead"),
    )  # fmt: skip


def values_straight(system: System, straight: Mapping[str, float]) -> dict[Expr, float]:
    """Of all symbols, from the outputs of a turn; pedals from their effort."""
    values: dict[Expr, float] = {system.time.symbol: 0.0}
    for q in (*system.states, *system.inputs):
        start = q.default if q.role is Role.COORDINATE else 0.0
        values[q.symbol] = straight.get(q.name, start)
    effort = straight["driver.effort"]
    values[symbol("driver.throttle")] = max(effort, 0.0)
    values[symbol("driver.brake")] = max(-effort, 0.0)
    return values
