"""Wheels as circles about the axles that carry them, for pictures of mechanisms."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from axletree.library.contacts.soil_wheel import SoilWheel
from axletree.library.frame import Frame
from axletree.library.joint_reference import turn_of
from axletree.library.tyres.tyre import Tyre
from axletree.model.model import Model

CORNERS = 32  # of a circle


def wheel_outlines(
    model: Model,
    turns: Callable[[str], np.ndarray | None],
    places: Mapping[Frame, np.ndarray],
    parameters: Mapping[str, float],
) -> dict[str, np.ndarray]:
    """By wheel: instants by corners by 3 [m, ground axes].

    ``turns`` gives the rotation matrices of a body along the run, ``places`` the paths of frames.
    """
    found = {}
    for wheel in model:
        if not isinstance(wheel, Tyre | SoilWheel):
            continue
        rotations, centre = turns(wheel.carrier.body), places.get(wheel.carrier)
        if rotations is None or centre is None:
            continue
        field = "unloaded_radius" if isinstance(wheel, Tyre) else "radius"
        radius = parameters.get(f"{wheel.name}.{field}", getattr(wheel, field))
        circle = radius * _circle(np.array(turn_of(wheel.joint)[1], dtype=float))
        in_body = circle @ np.array(wheel.carrier.turn, dtype=float).T
        found[wheel.name] = centre[:, None, :] + in_body @ rotations.transpose(0, 2, 1)
    return found


def _circle(axis: np.ndarray) -> np.ndarray:
    """Of radius 1, about the axis."""
    basis = np.linalg.svd(axis[None, :])[2][1:]  # the two directions across
    angles = np.linspace(0.0, 2.0 * np.pi, CORNERS, endpoint=False)
    return np.asarray(np.stack([np.cos(angles), np.sin(angles)], axis=1) @ basis)
