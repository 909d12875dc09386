"""Angles of steering and slip in turns, by the geometry of a vehicle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from axletree.vehicles.vehicle import Vehicle

Vector = NDArray[np.float64]


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


def with_angles(told: Mapping[str, Vector], shape: SteerGeometry) -> dict[str, Vector]:
    """Columns of turns, with curvature and angles that follow from them.

    The understeer angle is that of the road wheels less wheelbase over radius. Slip angles are
    those of the middle of an axle under wheels that stand as the steering wheel says: what
    suspension and column give way counts to the slip (Pacejka 2012, section 1.3).
    """
    u, v, r = (told[f"vehicle.{n}"] for n in ("forward_speed", "lateral_speed", "yaw_rate"))
    wheel, curvature = told["driver.steering"], r / told["path.speed"]
    ackermann = shape.wheelbase * curvature
    found = {
        **told,
        "path.curvature": curvature,
        "steer.ackermann": ackermann,
        "steer.understeer": wheel / shape.ratio - ackermann,
    }
    for name, x, ratio in zip(shape.axles, shape.positions, shape.ratios, strict=True):
        found[f"{name}.slip_angle"] = wheel / ratio - np.arctan2(v + x * r, u)
    return found
