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
    """A field that names a joint with one position.

    Example:
    >>> import axletree as at
    >>> from axletree.library.fields import kind_of
    >>> from axletree.library.joint_reference import sliding_joint
    >>> field = kind_of(sliding_joint("slide with a seal"))
    >>> bore = at.Prismatic("bore", at.Model().ground, at.RigidBody("piston", 2.0))
    >>> field.description, field.check(bore).name
    ('slide with a seal', 'bore')
    """
    return _joint_reference(TRANSLATION, description)


def turning_joint(description: str) -> Any:
    """A field that names a joint with one angle.

    Example:
    >>> import axletree as at
    >>> from axletree.library.fields import kind_of
    >>> from axletree.library.joint_reference import turning_joint
    >>> field = kind_of(turning_joint("shaft that turns it"))
    >>> field.check(at.read_model("pendulum")["pin"]).name
    'pin'
    """
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
    """The edge of a joint's one position, and the axis that it runs along.

    Example:
    >>> import axletree as at
    >>> from axletree.library.joint_reference import slide_of
    >>> bore = at.Prismatic("bore", at.Model().ground, at.RigidBody("piston", 2.0), axis="x")
    >>> edge, axis = slide_of(bore)
    >>> print(edge.name, axis)
    bore.T1 (1.0, 0.0, 0.0)
    """
    return _single_freedom(joint, TRANSLATION)


def turn_of(joint: Component) -> tuple[Edge, Axis]:
    """The edge of a joint's one angle, and the axis that it turns about.

    Example:
    >>> import axletree as at
    >>> from axletree.library.joint_reference import turn_of
    >>> edge, axis = turn_of(at.read_model("pendulum")["pin"])
    >>> print(edge.name, axis)
    pin.R1 (0.0, 1.0, 0.0)
    """
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
