"""What joints have in common: a tail, a head, a translational and a rotational edge."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.library.contract import Component
from axletree.library.edge import ROTATION, TRANSLATION, Edge, RotationLaw, TranslationLaw
from axletree.library.frame import Frame, frame


@dataclass(frozen=True, eq=False)
class Joint(Component):
    """A joint between two frames; without translation or rotation law that edge is absent.

    Example:
    >>> import axletree as at
    >>> tube = at.Cylindrical("tube", at.Model().ground, at.RigidBody("rod", mass=2.0))
    >>> [len(law.coordinates) for law in (tube.translation(), tube.rotation())]
    [1, 1]
    """

    name: str
    tail: Frame = frame("frame that the motion is measured in")
    head: Frame = frame("frame that moves")

    def translation(self) -> TranslationLaw | None:
        """How the head's origin moves in the tail: coordinates [m] and speeds [m/s], most of
        them in tail axes. None: there is no such edge.

        Example:
        >>> import axletree as at
        >>> slide = at.Prismatic("slide", at.Model().ground, at.RigidBody("sledge", 20.0))
        >>> law = slide.translation()
        >>> [f"{q.suffix} [{q.unit}]" for q in (*law.coordinates, *law.speeds)]
        ['position [m]', 'speed [m/s]']
        """
        return None

    def rotation(self) -> RotationLaw | None:
        """How the head turns in the tail: coordinates, most of them angles [rad], and speeds
        [rad/s]. None: there is no such edge.

        Example:
        >>> import axletree as at
        >>> law = at.Universal("cross", at.Model().ground, at.RigidBody("shaft", 3.0)).rotation()
        >>> [f"{q.suffix} [{q.unit}]" for q in law.coordinates]
        ['first_angle [rad]', 'second_angle [rad]']
        """
        return None

    def problems(self) -> list[str]:
        if self.tail.body == self.head.body:
            return [f"joins {self.tail.name} and {self.head.name}, two frames of one body"]
        return []

    def edges(self) -> tuple[Edge, ...]:
        found = []
        laws = ((TRANSLATION, self.translation()), (ROTATION, self.rotation()))
        for domain, law in laws:
            if law is not None:
                label = f"{domain.prefix}1"
                found.append(Edge(self.name, label, domain, self.tail.name, self.head.name, law))
        return tuple(found)
