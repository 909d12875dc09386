"""Frames: the nodes of the mechanical graph. A point is a frame with its body's axes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from axletree.core.errors import ModelError
from axletree.core.quantity import Quantity, Role
from axletree.core.vectors import Matrix, Vector
from axletree.library.fields import structure

Numbers = tuple[float, float, float]
NO_TURN: tuple[Numbers, Numbers, Numbers] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

VALID_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def checked_name(name: Any) -> str:
    if isinstance(name, str) and VALID_NAME.fullmatch(name):
        return name
    raise ModelError(
        f"{name!r} is not a valid name; use letters, digits and underscores, starting with a letter"
    )


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
        return tuple(
            Quantity(
                name=f"{self.name}.{axis}",
                unit="m",
                description=f"{axis} position of {self.name} in the axes of {self.body}",
                role=Role.PARAMETER,
                default=value,
            )
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
