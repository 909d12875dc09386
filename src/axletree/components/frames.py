"""Frames: the nodes of the mechanical graph. A point is a frame with its body's axes.

Frames are placed on a body by positions and turns, as model files give them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from axletree.components.fields import checked_each, checked_name, finite_number, structure
from axletree.core.arrays import ordered_product
from axletree.core.errors import ModelError
from axletree.expr import Matrix, Quantity, Role, Vector

Numbers = tuple[float, float, float]
NO_TURN: tuple[Numbers, Numbers, Numbers] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Frame:
    """A frame fixed on a body (or on the ground), by its pose in the body's main frame."""

    body: str  # "ground" or the name of a body
    label: str  # "" for the main frame
    position: Numbers = (0.0, 0.0, 0.0)  # [m], in the components of the main frame
    turn: tuple[Numbers, Numbers, Numbers] = NO_TURN  # R from this frame to the main frame

    @property
    def name(self) -> str:
        return f"{self.body}.{self.label}" if self.label else self.body

    @property
    def offset(self) -> Vector:
        """The position as expressions: a symbol ``body.label.x`` for each part that is not 0."""
        pairs = zip(self.position, self._position_quantities(), strict=True)
        return Vector(q.symbol if value else 0.0 for value, q in pairs)

    @property
    def R_main_frame(self) -> Matrix:
        return Matrix(self.turn)

    @property
    def parameters(self) -> tuple[Quantity, ...]:
        pairs = zip(self.position, self._position_quantities(), strict=True)
        return tuple(q for value, q in pairs if value)

    def _position_quantities(self) -> tuple[Quantity, ...]:
        about = f"position of {self.name} in the axes of {self.body}"
        return tuple(
            Quantity(f"{self.name}.{axis}", "m", f"{axis} {about}", Role.PARAMETER, value)
            for axis, value in zip("xyz", self.position, strict=True)
        )


GROUND = Frame("ground", "")


def _checked_frame(value: Any) -> Frame:
    if isinstance(value, Frame):
        return value
    main_frame = getattr(value, "main_frame", None)
    if isinstance(main_frame, Frame):
        return main_frame
    raise ModelError(
        f"expected a frame, got {value!r}; take model.ground, a body, body.point(x, y, z) "
        "or body.frame('name')"
    )


def frame(description: str) -> Any:
    """A field that names a frame."""
    return structure("frame", description, _checked_frame)


Turn = tuple[Numbers, Numbers, Numbers]
Placement = tuple[Numbers, Turn]


def checked_point(value: Any) -> Numbers:
    """Three lengths [m]."""
    return _three(value, "m", "a position of three lengths")


def checked_acceleration(value: Any) -> Numbers:
    """Three accelerations [m/s^2]."""
    return _three(value, "m/s^2", "a vector of three accelerations")


def _three(value: Any, unit: str, what: str) -> Numbers:
    if isinstance(value, str | Mapping) or not hasattr(value, "__len__") or len(value) != 3:
        raise ModelError(f"expected {what} [{unit}], got {value!r}")
    x, y, z = (finite_number(part, unit) for part in value)
    return x, y, z


def turn_matrix(turns: Any) -> Turn:
    """R from the turned frame to the one it starts from; turns follow one another.

    Each turn is an axis letter and an angle [rad].
    """
    R = np.eye(3)
    if isinstance(turns, str) or not hasattr(turns, "__len__"):
        raise ModelError(f"expected turns as [[axis, angle], ...], got {turns!r}")
    for item in turns:
        if isinstance(item, str) or not hasattr(item, "__len__") or len(item) != 2:
            raise ModelError(f"expected a turn as [axis, angle], got {item!r}")
        letter, angle = item
        if letter not in ("x", "y", "z"):
            raise ModelError(f"a turn is about x, y or z, got {letter!r}")
        R = ordered_product(R, _elementary("xyz".index(letter), finite_number(angle, "rad")))
    first, second, third = ((float(x), float(y), float(z)) for x, y, z in R)
    return first, second, third


_ORTHONORMAL = 1e-9  # by which products of axes may be off


def turn_of_axes(axes: Any) -> Turn:
    """R from a frame to another one, whose columns are the axes of the first: right-handed, and
    unit vectors at right angles."""
    try:
        R = np.array([[float(x) for x in row] for row in axes])
        off = np.abs(R.T @ R - np.eye(len(R))).max()
    except (TypeError, ValueError):
        raise ModelError(f"expected axes as three rows of three numbers, got {axes!r}") from None
    if not off < _ORTHONORMAL or np.linalg.det(R) < 0.0:
        raise ModelError(
            f"expected the axes of a right-handed frame, unit vectors at right angles as columns, "
            f"got {R.tolist()}"
        )
    first, second, third = ((float(x), float(y), float(z)) for x, y, z in R)
    return first, second, third


def _elementary(index: int, angle: float) -> np.ndarray:
    # Quarter turns are exact, so that structural zeros stay zeros.
    quarter = round(angle / (math.pi / 2))
    if abs(angle - quarter * (math.pi / 2)) < 1e-12:
        c, s = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarter % 4]
    else:
        c, s = math.cos(angle), math.sin(angle)
    i, j = (index + 1) % 3, (index + 2) % 3
    R = np.eye(3)
    R[i, i] = R[j, j] = c
    R[i, j], R[j, i] = -s, s
    return R


def checked_frames(value: Any) -> dict[str, Placement]:
    """``{name: [x, y, z]}`` or ``{name: {position: [x, y, z], turn: [[axis, angle], ...]}}``."""
    if not isinstance(value, Mapping):
        raise ModelError(f"expected frames as a mapping from name to position, got {value!r}")
    return checked_each(value.items(), _placement)


def _placement(name: Any, place: Any) -> Placement:
    checked_name(name)
    if not isinstance(place, Mapping):
        return checked_point(place), NO_TURN
    unknown = sorted(set(map(str, place)) - {"position", "turn"})
    if unknown:
        raise ModelError(f"unknown key {unknown[0]!r}; expected position and turn")
    turns: Sequence[Any] = place.get("turn", ())
    return checked_point(place.get("position", (0.0, 0.0, 0.0))), turn_matrix(turns)
