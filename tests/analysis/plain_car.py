"""A car so plain that what it does in turns has closed forms."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import axletree as at
from axletree.vehicles.statics import wheel_heights, wheel_loads
from axletree.vehicles.vehicle import Vehicle

TEXT = """
description: A car for closed forms.
vehicle:
  body: {mass: 1200 kg, inertia: [400, 1800, 2000], centre_height: 0.5 m}
  axles:
    front:
      position: 1.1 m
      track: 1.5 m
      wheel: &wheel {mass: 15 kg, spin_inertia: 0.8, transverse_inertia: 0.4, radius: 0.3 m}
      tyre: &tyre
        stiffness: 200 kN/m
        law: {type: linear, slip_stiffness: 8.0e4, cornering_stiffness: 5.0e4}
      suspension: &suspension
        {type: independent, stiffness: 20 kN/m, damping: 1500 N*s/m, mass: 20 kg}
      steering: {ratio: 16}
      brakes: {torque: 2000 N*m}
    rear:
      position: -1.4 m
      track: 1.5 m
      wheel: *wheel
      tyre:
        stiffness: 200 kN/m
        law: {type: linear, slip_stiffness: 8.0e4, cornering_stiffness: 5.5e4}
      suspension: *suspension
      brakes: {torque: 1000 N*m}
      drive: {torque: 1500 N*m}
"""
SINGLE = {"vehicle": {"fidelity": "single-track"}}
FRICTION = {
    "type": "fiala", "width": 0.0, "slip_stiffness": 8e4, "cornering_stiffness": 5e4,
    "rolling_resistance": 0.0, "peak_friction": 1.0, "sliding_friction": 0.7,
}  # fmt: skip


def with_friction() -> dict[str, Any]:
    """With tyres that slide, on wheels that have next to no inertia about their axles."""
    axle = {"tyre": {"law": {**FRICTION}}, "wheel": {"spin_inertia": 1e-6}}
    return {"vehicle": {"fidelity": "single-track", "axles": {"front": axle, "rear": axle}}}


def plain_file(folder: Path) -> str:
    path = folder / "plain.yaml"
    path.write_text(TEXT)
    return str(path)


def plain_model(folder: Path, changes: dict[str, Any]) -> at.Model:
    return at.read_model(plain_file(folder), changes)


@dataclass(frozen=True)
class Bicycle:
    """The linear single-track model, about the centre of mass of the whole."""

    m: float
    shift: float  # of that centre ahead of the body's own
    a: float
    b: float
    C_f: float
    C_r: float

    @property
    def K(self) -> float:
        """The understeer gradient [rad/(m/s^2)]."""
        return self.m / (self.a + self.b) * (self.b / self.C_f - self.a / self.C_r)

    def held(self, V: float, beta: float, delta: float) -> tuple[float, float]:
        """Lateral acceleration and yaw moment at a sideslip of the body's centre of mass."""
        # m A = C_f (delta - B - a r/V) + C_r (-B + b r/V), A = V r, B = beta + shift r/V
        per_r_f = -(self.a + self.shift) / V
        per_r_r = (self.b - self.shift) / V
        r = (self.C_f * (delta - beta) - self.C_r * beta) / (
            self.m * V - self.C_f * per_r_f - self.C_r * per_r_r
        )
        front = self.C_f * (delta - beta + per_r_f * r)
        rear = self.C_r * (-beta + per_r_r * r)
        return V * r, self.a * front - self.b * rear


def bicycle_of(vehicle: Vehicle, C_f: float, C_r: float) -> Bicycle:
    masses = [(vehicle.body.mass, 0.0)]
    masses += [(axle.unsprung_mass, axle.position) for axle in vehicle.axles.values()]
    m = sum(mass for mass, _ in masses)
    shift = sum(mass * x for mass, x in masses) / m
    front, rear = (vehicle.axles[name].position for name in ("front", "rear"))
    return Bicycle(m, shift, front - shift, shift - rear, 2.0 * C_f, 2.0 * C_r)


def loads_and_heights(vehicle: Vehicle) -> tuple[dict[str, float], dict[str, float]]:
    return dict(wheel_loads(vehicle)), dict(wheel_heights(vehicle))
