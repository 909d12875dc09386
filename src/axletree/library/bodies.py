"""Rigid bodies, of any shape and of revolution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from axletree.core.expr import Expr
from axletree.core.vectors import IDENTITY, NULL, Matrix, Vector, outer
from axletree.library.contract import Inertia
from axletree.library.edge import Edge
from axletree.library.fields import (
    axis,
    inertia_parameter,
    parameter,
    structure,
    vector_parameter,
)
from axletree.library.framed import FramedBody


def _optional_label(value: Any) -> str:
    return str(value)


@dataclass(frozen=True, eq=False)
class RigidBody(FramedBody):
    """A rigid body of any shape.

    The inertia is about the centre of mass in the axes of the main frame, or, where
    ``inertia_frame`` names a frame of the body, about that frame's origin in its axes.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> rod = model.add(at.RigidBody("rod", mass="500 g", inertia=(0.02, 0.02, 0.0)))  # kg m^2
    >>> pin = model.add(at.Revolute("pin", model.ground, rod.point(0, 0, 0.5), axis="y"))
    >>> print(rod.mass, model.formulate().source.dynamics.mass[0, 0])  # kg; kg m^2 about the pin
    0.5 rod.inertia.yy + rod.mass*rod.point1.z*rod.point1.z
    """

    summary: ClassVar[str] = "rigid body: mass, inertia, named frames and points"

    name: str
    mass: float = parameter("kg", "mass", lower=0.0, above=True)
    inertia: tuple[float, ...] = inertia_parameter(
        "elements Ixx, Iyy, Izz, Ixy, Ixz, Iyz of the inertia matrix", default=(0.0, 0.0, 0.0)
    )
    centre_of_mass: tuple[float, ...] = vector_parameter(
        "m", "centre of mass in the main frame", default=(0.0, 0.0, 0.0)
    )
    inertia_frame: str = structure(
        "label", "frame of the body that the inertia refers to", _optional_label, default=""
    )

    def problems(self) -> list[str]:
        tensor = self._numeric_central_tensor() if self._inertia_place() is not None else None
        if tensor is None:
            return [f"inertia_frame {self.inertia_frame!r} is not among frames_at"]
        return inertia_problems(tensor)

    def _inertia_place(self) -> tuple[tuple[float, ...], Any] | None:
        if not self.inertia_frame:
            return self.centre_of_mass, IDENTITY
        return self.frames_at.get(self.inertia_frame)

    def _numeric_central_tensor(self) -> np.ndarray:
        tensor = inertia_matrix(self.inertia)
        if not self.inertia_frame:
            return tensor
        position, turn = self.frames_at[self.inertia_frame]
        R, r = np.array(turn), np.array(self.centre_of_mass) - np.array(position)
        shift: np.ndarray = self.mass * ((r @ r) * np.eye(3) - np.outer(r, r))
        return np.asarray(R @ tensor @ R.T - shift)

    def inertias(self) -> tuple[Inertia, ...]:
        xx, yy, zz, xy, xz, yz = self.numbers("inertia")
        tensor = Matrix(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
        mass, centre = self.symbol("mass"), self.vector("centre_of_mass")
        if self.inertia_frame:
            frame = self.frame(self.inertia_frame)
            R = frame.R_main_frame
            tensor = R.times(tensor).times(R.T) - point_tensor(mass, centre - frame.offset)
        return (Inertia(self.main_frame, mass, centre, tensor),)


@dataclass(frozen=True, eq=False)
class BodyOfRevolution(FramedBody):
    """A wheel, a rotor, a disc: its inertia does not see turns about its axis.

    Where it spins in a joint about that axis, the spin angle leaves the equations.

    Example:
    >>> import axletree as at
    >>> wheel = at.BodyOfRevolution("wheel", mass=15.0, axial_inertia=0.9, transverse_inertia=0.5)
    >>> model = at.Model()
    >>> axle = model.add(at.Revolute("axle", model.ground, model.add(wheel), axis="y"))
    >>> drive = model.add(at.JointTorque("drive", axle))
    >>> print(model.formulate().derivatives[0])  # of axle.rate, rad/s^2
    drive.torque/wheel.axial_inertia
    """

    summary: ClassVar[str] = "body of revolution: a wheel, a rotor, a disc"

    name: str
    mass: float = parameter("kg", "mass", lower=0.0, above=True)
    axial_inertia: float = parameter("kg*m^2", "inertia about the axis", lower=0.0)
    transverse_inertia: float = parameter(
        "kg*m^2", "inertia about any line through the centre normal to the axis", lower=0.0
    )
    axis: tuple[float, float, float] = axis("axis of revolution, a coordinate axis", default="y")

    def problems(self) -> list[str]:
        found = []
        if sorted(abs(c) for c in self.axis) != [0.0, 0.0, 1.0]:
            found.append(
                f"axis {list(self.axis)} is not a coordinate axis of the body; use x, y or z"
            )
        if self.axial_inertia > 2.0 * self.transverse_inertia:
            found.append(
                f"axial_inertia {self.axial_inertia:g} exceeds twice transverse_inertia "
                f"{self.transverse_inertia:g}; no body has such inertia (triangle inequality)"
            )
        return found

    def inertias(self) -> tuple[Inertia, ...]:
        index = [abs(c) for c in self.axis].index(1.0)
        axial, transverse = self.symbol("axial_inertia"), self.symbol("transverse_inertia")
        diagonal = [axial if k == index else transverse for k in range(3)]
        tensor = Matrix([diagonal[i] if i == j else 0.0 for j in range(3)] for i in range(3))
        return (Inertia(self.main_frame, self.symbol("mass"), NULL, tensor, index),)


@dataclass(frozen=True, eq=False)
class MasslessBody(FramedBody):
    """A carrier of frames without mass: a knuckle between two joints.

    Example:
    >>> import axletree as at
    >>> knuckle = at.MasslessBody("knuckle", frames_at={"hub": (0.0, 0.05, 0.0)})  # m
    >>> knuckle.frame("hub").name, knuckle.inertias()
    ('knuckle.hub', ())
    """

    summary: ClassVar[str] = "massless carrier of frames"
    own_force: ClassVar[str] = "F = 0"
    own_moment: ClassVar[str] = "M = 0"

    name: str


@dataclass(frozen=True, eq=False)
class Ground(FramedBody):
    """The inertial frame, with its own named points and frames."""

    name: str = "ground"

    def edges(self) -> tuple[Edge, ...]:
        return super().edges()[2:]


def point_tensor(mass: Expr, r: Vector) -> Matrix:
    """Inertia of a point mass at ``r`` about the origin (the parallel-axis term)."""
    return (IDENTITY.scaled(r.dot(r)) - outer(r, r)).scaled(mass)


def inertia_matrix(elements: Sequence[float]) -> np.ndarray:
    """The matrix with the elements Ixx, Iyy, Izz, Ixy, Ixz, Iyz [kg m^2]."""
    xx, yy, zz, xy, xz, yz = elements
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def inertia_problems(tensor: np.ndarray) -> list[str]:
    """What keeps a central inertia tensor from being that of a real body."""
    values = np.linalg.eigvalsh(tensor)
    slack = 1e-9 * max(1e-300, float(np.abs(values).max()))
    listed = ", ".join(f"{v:g}" for v in values)
    if values[0] < -slack:
        return [f"the principal inertias ({listed}) kg m^2 must not be negative"]
    if values[2] > values[0] + values[1] + slack:
        return [
            f"the principal inertias ({listed}) kg m^2 violate the triangle inequality: "
            "none may exceed the sum of the other two"
        ]
    return []
