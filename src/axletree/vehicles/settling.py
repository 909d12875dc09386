"""How a vehicle and what it tows settle on their springs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.trailer import Trailer
from axletree.vehicles.unit import Unit


@dataclass(frozen=True)
class Settled:
    """Weights [N] on the springs of axles, and those that hitches put on what tows."""

    axles: Mapping[str, float]  # by unit and axle
    hitches: Mapping[str, float]  # by trailer; negative where it lifts what tows it


def full_name(unit: str, axle: str) -> str:
    """Of an axle in a model; the towing vehicle has no name."""
    return f"{unit}_{axle}" if unit else axle


def settled(units: Mapping[str, Unit], loaded: bool) -> Settled:
    """Of units one behind the other, with their loads or without them.

    Forces and moments balance. Where that leaves a choice, as with more axles than two, bodies are
    stiff and settle on all springs, so that both sides of a hitch go down alike. With s the way of
    a body's centre down and p its slope, an axle at x carries k (s + p x).
    """
    listed = list(units.items())
    size = 2 * len(listed)
    A, right = np.zeros((size + len(listed) - 1,) * 2), np.zeros(size + len(listed) - 1)
    for i, (_, unit) in enumerate(listed):
        own = slice(2 * i, 2 * i + 2)
        x, k = _springs(unit)
        rows = np.array([np.ones(len(x)), x])
        A[own, own] = rows * k @ rows.T
        mass = unit.sprung_mass if loaded else unit.body.mass
        right[own] = STANDARD_GRAVITY * np.array([mass, unit.moment_of_loads if loaded else 0.0])
        if isinstance(unit, Trailer):
            ends = [-1.0, -unit.hitch.position, 1.0, unit.hitch.coupling]
            joint = size + i - 1
            A[joint, 2 * i - 2 : 2 * i + 2] = A[2 * i - 2 : 2 * i + 2, joint] = ends
    found = np.linalg.solve(A, right)
    axles = {
        full_name(name, axle): float(load)
        for i, (name, unit) in enumerate(listed)
        for axle, load in zip(unit.axles, _carried(unit, found[2 * i : 2 * i + 2]), strict=True)
    }
    names = [name for name, unit in listed if isinstance(unit, Trailer)]
    return Settled(axles, dict(zip(names, found[size:].tolist(), strict=True)))


def _springs(unit: Unit) -> tuple[np.ndarray, np.ndarray]:
    """Places [m] of the axles and rates [N/m] of a wheel of each."""
    x = np.array([axle.position for axle in unit.axles.values()])
    return x, np.array([axle.suspension.wheel_rate() for axle in unit.axles.values()])


def _carried(unit: Unit, way: np.ndarray) -> np.ndarray:
    x, k = _springs(unit)
    return np.asarray(k * (way[0] + way[1] * x))
