"""The bushing: an elastic mount with six by six stiffness and damping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.core.vectors import IDENTITY, Matrix, Vector
from axletree.library.contract import Component, Computed, Instant, Load, Response
from axletree.library.fields import matrix_parameter
from axletree.library.frame import Frame, frame

Rows = tuple[tuple[float, ...], ...]
NONE = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Bushing(Component):
    """A mount that is at rest where the two frames coincide.

    With d the displacement of the head and phi its rotation vector, both in tail
    components, the stored energy is half of ``(d, phi) [[K, G], [G^T, H]] (d, phi)``.
    The rotation vector is taken as the sine of the angle times the axis, and the moment is
    the exact gradient of the energy, so that nothing is gained on a round trip. This is for
    small angles: about one axis the moment is H sin(2 angle) / 2, which lacks 1 % at 7
    degrees and 5 % at 16, and falls beyond 45.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> box = model.add(at.RigidBody("box", mass="10 kg", inertia=(1, 1, 1)))
    >>> mount = model.add(at.Bushing("mount", model.ground, box, (1e5, 1e5, 2e5), (9, 9, 9)))
    >>> sunk = model.formulate().steady_state()["box.position.z"]  # K in N/m, H in N m/rad
    >>> print(f"{1e6 * sunk:.2f} um")  # -10 * 9.80665 / 2e5
    -490.33 um
    """

    summary: ClassVar[str] = "elastic mount: six by six stiffness and damping"

    name: str
    tail: Frame = frame("frame that the stiffness is given in")
    head: Frame = frame("frame that moves")
    stiffness: Rows = matrix_parameter("N/m", "force per displacement, K", 3, default=NONE)
    rotational_stiffness: Rows = matrix_parameter(
        "N*m/rad", "moment per rotation, H", 3, default=NONE
    )
    coupling_stiffness: Rows = matrix_parameter("N/rad", "force per rotation, G", 3, default=NONE)
    damping: Rows = matrix_parameter("N*s/m", "force per velocity", 3, default=NONE)
    rotational_damping: Rows = matrix_parameter(
        "N*m*s/rad", "moment per angular velocity", 3, default=NONE
    )
    coupling_damping: Rows = matrix_parameter(
        "N*s/rad", "force per angular velocity", 3, default=NONE
    )

    def problems(self) -> list[str]:
        found = []
        for name in ("stiffness", "damping"):
            prefixes = ("", "rotational_", "coupling_")
            K, H, G = (np.array(getattr(self, prefix + name)) for prefix in prefixes)
            whole = np.block([[K, G], [G.T, H]])
            if not np.allclose(whole, whole.T, rtol=1e-9, atol=0.0):
                found.append(f"{name} and rotational_{name} must be symmetric matrices")
            elif np.linalg.eigvalsh(whole)[0] < -1e-9 * np.abs(whole).max(initial=0.0):
                found.append(
                    f"the six by six {name} has a negative eigenvalue; "
                    "such a mount would be a source of energy"
                )
        return found

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.tail, self.head),)

    def respond(self, now: Instant) -> Response:
        motion = now.motions[0]
        d, v, w = motion.displacement, motion.velocity, motion.angular_velocity
        phi = _sine_vector(motion.R_tail_head)
        K, G, H = (self._matrix(name) for name in STIFFNESSES)
        C, E, D = (self._matrix(name) for name in DAMPINGS)
        elastic_force, elastic_moment = K @ d + G @ phi, G.T @ d + H @ phi
        # d(phi)/dt = (tr(R) I - R) w / 2, whose transpose carries the moment to w.
        R = motion.R_tail_head
        carrier = (IDENTITY.scaled(R[0][0] + R[1][1] + R[2][2]) - R).scaled(0.5)
        load = Load(
            self.tail,
            self.head,
            force=-(elastic_force + C @ v + E @ w),
            moment=-(carrier.T @ elastic_moment + E.T @ v + D @ w),
        )
        return Response(
            loads=(load,),
            potential_energy=0.5 * (d.dot(elastic_force) + phi.dot(elastic_moment)),
            outputs=(
                *_components("F", "N", "force on the head", load.force),
                *_components("M", "N*m", "moment on the head", load.moment),
                Computed("power", "W", "power delivered to the bodies", load.power(motion)),
            ),
        )

    def _matrix(self, name: str) -> Matrix:
        numbers = self.numbers(name)
        return Matrix((numbers[0:3], numbers[3:6], numbers[6:9]))


STIFFNESSES = ("stiffness", "coupling_stiffness", "rotational_stiffness")
DAMPINGS = ("damping", "coupling_damping", "rotational_damping")


def _sine_vector(R: Matrix) -> Vector:
    """The axis of a rotation times the sine of its angle."""
    return Vector((R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1])) * 0.5


def _components(letter: str, unit: str, what: str, vector: Vector) -> tuple[Computed, ...]:
    return tuple(
        Computed(f"{letter}{axis}", unit, f"{axis} component of the {what}, tail axes", value)
        for axis, value in zip("xyz", vector, strict=True)
    )
