"""What carries frames: a main frame, further frames on rigid arms, an edge to the ground."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import ClassVar

from axletree.core.errors import ModelError
from axletree.library.contract import Component
from axletree.library.edge import ROTATION, TRANSLATION, Domain, Edge, MotionLaw
from axletree.library.fields import choice, structure
from axletree.library.frame import GROUND, NO_TURN, Frame, checked_name
from axletree.library.motion.free import Orientation, Speeds, free_rotation, free_translation
from axletree.library.motion.rotation import FixedTurn
from axletree.library.motion.translation import FixedOffset
from axletree.library.placement import Placement, checked_frames, checked_point, turn_matrix

BODY_RANK = 1  # among edges of equal dimension joints enter the tree before bodies


@dataclass(frozen=True, eq=False, kw_only=True)
class FramedBody(Component):
    """A body's frames, and its own coordinates when it is chosen into the tree."""

    orientation: Orientation = choice(
        Orientation, "angles of the body's own edge", default=Orientation.EULER_321
    )
    speeds: Speeds = choice(Speeds, "speeds of the body's own edge", default=Speeds.DERIVATIVES)
    frames_at: dict[str, Placement] = structure(
        "frames", "named points and frames of the body", checked_frames, default=dict
    )
    _placed: list[Frame] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        for label, (position, turn) in self.frames_at.items():
            self._place(Frame(self.name, label, position, turn))

    # Terminal equations of the body's own edges: d'Alembert's loads (Morency 2007, table 4.1).
    own_force: ClassVar[str] = "F = -m a + m g"
    own_moment: ClassVar[str] = "M = -J dw/dt - w x J w"

    @property
    def main_frame(self) -> Frame:
        """The frame that points and further frames of the body are told in."""
        return Frame(self.name, "")

    def point(self, x: float, y: float, z: float, name: str = "") -> Frame:
        """A point of the body, from the origin of its main frame [m], in the axes of that.

        Example:
        >>> import axletree as at
        >>> rod = at.RigidBody("rod", mass=1.0)
        >>> rod.point(0, 0, 0.5).name, rod.point(0, 0, -0.5, name="end").name
        ('rod.point1', 'rod.end')
        """
        position = checked_point((x, y, z))
        taken = {frame.label for frame in self._placed}
        free = (f"point{k}" for k in itertools.count(len(taken) + 1))
        label = name or next(word for word in free if word not in taken)
        same = [f for f in self._placed if (f.position, f.turn) == (position, NO_TURN)]
        return same[0] if same and not name else self._place(Frame(self.name, label, position))

    def frame(
        self,
        name: str,
        position: Sequence[float] | None = None,
        turn: Sequence[tuple[str, float]] = (),
    ) -> Frame:
        """The frame of this name; placed anew where a position [m] or turns [rad] are given.

        Both are from the main frame; ``turn`` lists rotations that follow one another.

        Example:
        >>> import axletree as at
        >>> car = at.RigidBody("car", mass=1500.0)
        >>> kingpin = car.frame("kingpin", (1.2, 0.7, 0), turn=[("y", -0.08), ("x", 0.2)])
        >>> car.frame("kingpin").position  # m
        (1.2, 0.7, 0.0)
        """
        if position is None and not turn:
            return self._known(name)
        return self._place(
            Frame(self.name, name, checked_point(position or (0.0, 0.0, 0.0)), turn_matrix(turn))
        )

    def _known(self, name: str) -> Frame:
        known = {frame.label: frame for frame in self._placed}
        if name not in known:
            listed = ", ".join(known) or "none"
            raise ModelError(f"{self.name} has no frame called {name!r}; its frames: {listed}")
        return known[name]

    def _place(self, new: Frame) -> Frame:
        checked_name(new.label)
        if new.label in {item.name for item in fields(self)}:
            # The symbols of its position would be those of the parameter.
            raise ModelError(f"{self.name}: {new.label!r} is a parameter and cannot name a frame")
        for frame in self._placed:
            if frame.label == new.label and frame != new:
                raise ModelError(f"{self.name}: two different frames are both called {new.label!r}")
        if new not in self._placed:
            self._placed.append(new)
        return new

    def frames(self) -> tuple[Frame, ...]:
        return (self.main_frame, *self._placed)

    def _own(self, domain: Domain, law: MotionLaw, load: str) -> Edge:
        label = f"{domain.prefix}1"
        return Edge(self.name, label, domain, GROUND.name, self.name, law, BODY_RANK, load)

    def edges(self) -> tuple[Edge, ...]:
        """The body's own edges from the ground, then a rigid arm to each further frame."""
        law_T, law_R = free_translation(self.speeds), free_rotation(self.orientation, self.speeds)
        own = [
            self._own(TRANSLATION, law_T, self.own_force),
            self._own(ROTATION, law_R, self.own_moment),
        ]
        for k, frame in enumerate(self._placed, start=2):
            arm, turn = FixedOffset(frame.offset), FixedTurn(frame.R_main_frame)
            own.append(Edge(self.name, f"T{k}", TRANSLATION, self.name, frame.name, arm))
            own.append(Edge(self.name, f"R{k}", ROTATION, self.name, frame.name, turn))
        return tuple(own)
