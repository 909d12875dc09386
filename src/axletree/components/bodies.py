"""Rigid bodies, of any shape and of revolution, bodies without mass, and the ground.

``FramedBody`` is what carries frames: a main frame, further frames on rigid arms, an edge to the
ground.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import numpy as np

from axletree.components.contract import Component, Inertia
from axletree.components.edges import ROTATION, TRANSLATION, Domain, Edge, MotionLaw
from axletree.components.fields import (
    axis,
    checked_name,
    chosen,
    inertia_parameter,
    parameter,
    positive,
    structure,
    vector_parameter,
)
from axletree.components.frames import (
    GROUND,
    NO_TURN,
    Frame,
    Placement,
    checked_frames,
    checked_point,
    turn_matrix,
    turn_of_axes,
)
from axletree.components.motion_laws import (
    FixedOffset,
    FixedTurn,
    Orientation,
    Speeds,
    free_rotation,
    free_translation,
)
from axletree.core.errors import ModelError
from axletree.expr import Expr
from axletree.expr.vectors import IDENTITY, NULL, Matrix, Vector, outer

BODY_RANK = 1  # among edges of equal dimension joints enter the tree before bodies


@dataclass(frozen=True, eq=False, kw_only=True)
class FramedBody(Component):
    """A body's frames, and its own coordinates when it is chosen into the tree."""

    orientation: Orientation = chosen(Orientation.EULER_321, "angles of the body's own edge")
    speeds: Speeds = chosen(Speeds.DERIVATIVES, "speeds of the body's own edge")
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
        """The frame in which points and further frames of the body are given."""
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

    def frame_with_axes(
        self, name: str, position: Sequence[float], axes: Sequence[Sequence[float]]
    ) -> Frame:
        """A frame by its position [m] and its axes, the columns of a rotation matrix.

        Example:
        >>> import axletree as at
        >>> car = at.RigidBody("car", mass=1500.0)
        >>> seat = car.frame_with_axes("seat", (0, 0.4, 0), [(0, -1, 0), (1, 0, 0), (0, 0, 1)])
        >>> seat.turn[0]  # its x axis points to y of the car
        (0.0, -1.0, 0.0)
        """
        return self._place(Frame(self.name, name, checked_point(position), turn_of_axes(axes)))

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

    def changed_fields(self, values: Mapping[str, float]) -> dict[str, Any]:
        """Frames that were given with the body can be those that its inertia refers to."""
        found, frames = super().changed_fields(values), dict(self.frames_at)
        for label, (position, turn) in self.frames_at.items():
            x, y, z = (
                values.get(f"{label}.{axis}", number)
                for axis, number in zip("xyz", position, strict=True)
            )
            frames[label] = (x, y, z), turn
        return found if frames == self.frames_at else {**found, "frames_at": frames}

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

    mass: float = positive("kg", "mass")
    inertia: tuple[float, ...] = inertia_parameter(
        "elements Ixx, Iyy, Izz, Ixy, Ixz, Iyz of the inertia matrix", default=(0.0, 0.0, 0.0)
    )
    centre_of_mass: tuple[float, ...] = vector_parameter(
        "m", "centre of mass in the main frame", default=(0.0, 0.0, 0.0)
    )
    inertia_frame: str = structure(
        "label", "frame of the body that the inertia refers to", str, default=""
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

    mass: float = positive("kg", "mass")
    axial_inertia: float = parameter("kg*m^2", "inertia about the axis", lower=0.0)
    transverse_inertia: float = parameter(
        "kg*m^2", "inertia about any line through the centre normal to the axis", lower=0.0
    )
    axis: tuple[float, float, float] = axis("axis of revolution, a coordinate axis", default="y")

    def problems(self) -> list[str]:
        found = revolution_problems(self)
        if sorted(abs(c) for c in self.axis) != [0.0, 0.0, 1.0]:
            text = f"axis {list(self.axis)} is not a coordinate axis of the body; use x, y or z"
            found.insert(0, text)
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


def revolution_problems(body: Any, axial: str = "axial_inertia") -> list[str]:
    """What keeps inertias about an axis and about a diameter from being those of a real body."""
    about_axis, across = getattr(body, axial), body.transverse_inertia
    if about_axis <= 2.0 * across:
        return []
    return [
        f"{axial} {about_axis:g} exceeds twice transverse_inertia {across:g}; no body has such "
        "inertia (triangle inequality)"
    ]


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
