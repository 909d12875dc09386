"""Fields that name a joint, for components that drive, load or couple its freedom."""

from __future__ import annotations

from typing import Any

from axletree.core.errors import ModelError
from axletree.library.contract import Component
from axletree.library.edge import ROTATION, TRANSLATION, Domain, Edge, MotionLaw
from axletree.library.fields import structure
from axletree.library.motion.translation import Axis

_WANTED = {
    TRANSLATION: "one position: a prismatic, cylindrical or point-on-line joint",
    ROTATION: "one angle: a revolute, cylindrical or planar joint",
}


def sliding_joint(description: str) -> Any:
    """A field that names a joint with one position."""
    return _joint_reference(TRANSLATION, description)


def turning_joint(description: str) -> Any:
    """A field that names a joint with one angle."""
    return _joint_reference(ROTATION, description)


def _joint_reference(domain: Domain, description: str) -> Any:
    def check(value: Any) -> Component:
        if not isinstance(value, Component):
            raise ModelError(f"expected a joint with {_WANTED[domain]}; got {value!r}")
        if _freedom(value, domain) is None:
            raise ModelError(f"{value.name} has no single freedom; expected {_WANTED[domain]}")
        return value

    return structure("component", description, check)


def slide_of(joint: Component) -> tuple[Edge, Axis]:
    """The edge of a joint's one position, and the axis that it runs along."""
    return _single_freedom(joint, TRANSLATION)


def turn_of(joint: Component) -> tuple[Edge, Axis]:
    """The edge of a joint's one angle, and the axis that it turns about."""
    return _single_freedom(joint, ROTATION)


def _single_freedom(joint: Component, domain: Domain) -> tuple[Edge, Axis]:
    found = _freedom(joint, domain)
    if found is None:
        raise ModelError(f"{joint.name} has no single freedom; expected {_WANTED[domain]}")
    return found


def _freedom(joint: Component, domain: Domain) -> tuple[Edge, Axis] | None:
    for edge in joint.edges():
        law = edge.law
        if edge.domain == domain and isinstance(law, MotionLaw) and law.dimension == 1:
            axis = law.freedom
            if axis is not None:
                x, y, z = (float(c) for c in axis)
                return edge, (x, y, z)
    return None
