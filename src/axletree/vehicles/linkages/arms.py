"""Masses of arms where a file gives none: tubes from each mount to the joint that they carry."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from axletree.vehicles.linkages.linkage import Link, Point

ARM_TUBE = 3.0  # kg/m, of a tube of steel, 33 mm across with walls of 4.2 mm


def arm_link(name: str, ball: Point, mounts: Iterable[Point], mass: float | None) -> Link:
    """Slender tubes from the mounts to the ball, which share the mass by their lengths.

    Without a mass [kg] the tubes have ``ARM_TUBE`` for each metre.
    """
    ends = [(np.array(mount), np.array(ball)) for mount in mounts]
    lengths = [float(np.linalg.norm(b - a)) for a, b in ends]
    whole = ARM_TUBE * sum(lengths) if mass is None else mass
    masses = [whole * length / sum(lengths) for length in lengths]
    middles = [0.5 * (a + b) for a, b in ends]
    centre = sum(m * c for m, c in zip(masses, middles, strict=True)) / whole
    J = np.zeros((3, 3))
    for m, c, (a, b) in zip(masses, middles, ends, strict=True):
        J += m / 12.0 * _across_tensor(b - a) + m * _across_tensor(c - centre)
    x, y, z = np.asarray(centre).tolist()
    inertia = tuple(float(J[k]) for k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    return Link(name, whole, (x, y, z), inertia)  # type: ignore[arg-type]


def _across_tensor(r: np.ndarray) -> np.ndarray:
    """|r|^2 - r r^T [m^2]."""
    tensor: np.ndarray = r @ r * np.eye(3) - np.outer(r, r)
    return tensor
