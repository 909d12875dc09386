"""The yaw mode of a vehicle straight ahead: frequency and damping, and how these change."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from axletree.analysis.linearise import linearise_at
from axletree.analysis.participation import participation
from axletree.analysis.sensitivity.direction import STENCIL, Direction
from axletree.analysis.trim_conditions import settled_states
from axletree.core.expr import Expr, symbol
from axletree.core.quantity import Role
from axletree.model.manoeuvres.findings import Finding
from axletree.system.system import System

YAW_RATES = ("chassis.wz", "chassis.rate")  # in space, and in the plane
SHARE = 1e-5  # of a value, to both sides, between which matrices differ
Values = Mapping[Expr, float]


@dataclass(frozen=True)
class YawMode:
    """The mode of a system that has most of the yaw rate, at values of all symbols."""

    system: System
    values: Values

    def matrix(self, system: System, values: Values) -> tuple[np.ndarray, tuple[str, ...]]:
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
        found, shares = participation(A)
        swings = np.where(found.imag >= 0.0, shares[row], -1.0)
        return complex(found[int(np.argmax(swings))])

    def slope(self, by: Values, direction: Direction, systems: Mapping[int, System]) -> complex:
        """d eigenvalue: w^T dA v / (w^T v), with dA along ``by``, the derivatives of all values.

        ``systems`` are those of a direction whose functions change.
        """
        from scipy.linalg import eig

        width = SHARE * direction.size
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


def values_straight(system: System, told: Mapping[str, float]) -> dict[Expr, float]:
    """Of all symbols, from what a turn tells; pedals from their effort."""
    values: dict[Expr, float] = {system.time.symbol: 0.0}
    for q in (*system.states, *system.inputs):
        start = q.default if q.role is Role.COORDINATE else 0.0
        values[q.symbol] = told.get(q.name, start)
    effort = told["driver.effort"]
    values[symbol("driver.throttle")] = max(effort, 0.0)
    values[symbol("driver.brake")] = max(-effort, 0.0)
    return values
