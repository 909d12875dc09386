"""Six freedoms: three positions and an orientation, and which speeds go with them."""

from __future__ import annotations

import enum

from axletree.library.edge import RotationLaw, TranslationLaw, Variable
from axletree.library.motion.quaternion import QuaternionRotation
from axletree.library.motion.rotation import AboutAxes, EulerWithHeadSpeeds
from axletree.library.motion.translation import XYZ, AlongAxes, WithHeadSpeeds

X, Y, Z = XYZ


class Orientation(enum.Enum):
    """How an orientation with three freedoms is described."""

    EULER_321 = "321"  # yaw, pitch, roll: about z, then y, then x
    EULER_312 = "312"  # yaw, roll, pitch
    EULER_313 = "313"  # precession, nutation, spin
    QUATERNION = "quaternion"


class Speeds(enum.Enum):
    """Which speeds go with the coordinates of a free edge."""

    DERIVATIVES = "derivatives"  # rates of the coordinates
    BODY = "body"  # velocity and angular velocity in the head's components


_SEQUENCES = {
    Orientation.EULER_321: ((Z, Y, X), ("yaw", "pitch", "roll")),
    Orientation.EULER_312: ((Z, X, Y), ("yaw", "roll", "pitch")),
    Orientation.EULER_313: ((Z, X, Z), ("precession", "nutation", "spin")),
}

_POSITIONS = tuple(
    Variable(letter, "m", f"{letter} position of the head in the axes of the tail")
    for letter in "xyz"
)
_BODY_TURN_SPEEDS = tuple(
    Variable(
        f"w{letter}", "rad/s", f"{letter} component, in the head's axes, of its angular velocity"
    )
    for letter in "xyz"
)


def free_translation(speeds: Speeds) -> TranslationLaw:
    whose = "tail" if speeds is Speeds.DERIVATIVES else "head"
    velocities = tuple(
        Variable(
            f"v{letter}", "m/s", f"{letter} component, in the axes of the {whose}, of the velocity"
        )
        for letter in "xyz"
    )
    if speeds is Speeds.DERIVATIVES:
        return AlongAxes(XYZ, _POSITIONS, velocities)
    return WithHeadSpeeds(_POSITIONS, velocities)


def free_rotation(orientation: Orientation, speeds: Speeds) -> RotationLaw:
    if orientation is Orientation.QUATERNION:
        parts = tuple(
            Variable(f"e{k}", "1", f"component {k} of the unit quaternion", 1.0 if k == 0 else 0.0)
            for k in range(4)
        )
        return QuaternionRotation(parts, _BODY_TURN_SPEEDS)
    axes, names = _SEQUENCES[orientation]
    angles = tuple(
        Variable(name, "rad", f"angle {k} of the {orientation.value} Euler angles")
        for k, name in enumerate(names, start=1)
    )
    if speeds is Speeds.BODY:
        return EulerWithHeadSpeeds(axes, angles, _BODY_TURN_SPEEDS)
    rates = tuple(Variable(f"{name}_rate", "rad/s", f"rate of {name}") for name in names)
    return AboutAxes(axes, angles, rates)
