"""The contract of wheels: what every kind has in common, and what others ask of any of them.

Reports, plots, animations and data sheets know this contract and no kind: a wheel of another kind
is shown as all others are.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.contract import Component
from axletree.components.edges import Edge
from axletree.components.frames import Frame
from axletree.components.joints import turn_of
from axletree.components.motion_laws import Axis
from axletree.ground.surfaces import Surface


@dataclass(frozen=True)
class WheelOutputs:
    """Names of a wheel's outputs, each without the name of the wheel; None: it has none.

    Example:
    >>> import axletree as at
    >>> at.Tyre.outputs.load, at.SoilWheel.outputs.load
    ('Fz', 'normal_force')
    >>> at.SoilWheel.outputs.sinkage
    'sinkage'
    """

    load: str  # [N], of the ground on the wheel, along the normal of the ground
    forward: str  # [N], along the ground
    left: tuple[str, ...] = ()  # [N]; of several the first that the model has
    contact_point: str | None = None  # [m], three in road axes: contact_point.x, .y, .z
    forward_direction: str | None = None  # [1], likewise
    normal_direction: str | None = None  # [1], likewise
    sinkage: str | None = None  # [m], below the ground where nobody has driven

    @property
    def contact_frame(self) -> tuple[str, ...]:
        """The nine components of point, forward and normal; empty unless all are outputs."""
        vectors = (self.contact_point, self.forward_direction, self.normal_direction)
        return () if None in vectors else tuple(f"{v}.{axis}" for v in vectors for axis in "xyz")

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        sunk = () if self.sinkage is None else (self.sinkage,)
        return (self.load, self.forward, *self.left, *sunk, *self.contact_frame)


@dataclass(frozen=True)
class GroundPatch:
    """A rectangle of other ground, in the axes of the road frame."""

    label: str
    x: float  # [m], of its middle
    y: float  # [m]
    heading: float  # [rad], of its length, from the x axis to the left
    length: float  # [m]
    width: float  # [m]


class Wheel(Component, ABC):
    """A wheel on the ground over the xy plane of a road frame, on the axle that carries it.

    A kind of wheel is a frozen dataclass and keeps these rules; ``tests/wheel/test_wheel.py``
    holds every kind to them.

    1. It has the fields ``joint``, an axle of one angle, ``road``, the frame that the ground lies
       in, z up, and ``surface``, the shape of the ground and its friction. The road may move.
    2. The axle's tail is the carrier and its head the wheel; its axis points to the left where the
       wheel rolls forward at a positive rate. Forces depend on the motion of the carrier and on
       the rate of the axle, never on the spin angle: ``measures`` and ``measured_joints`` ask for
       no more, in this order.
    3. ``drawn_radius`` and ``drawn_width`` are for pictures. Like all that may change from run to
       run they are handed the parameters of the run by full names; others are the wheel's own.
    4. ``outputs`` names what the wheel tells of itself: the force of the ground by its components
       along normal, forward and left, forward being across axis and normal; and, if it has them,
       where it touches the ground and how deep it has sunk. A name that is there is an output of
       every model with such a wheel, but where a law replaces the force by a constraint.
    5. ``is_soft_ground`` says whether wheels leave ruts: then ``sinkage`` has a name. ``patches``
       are rectangles of other ground.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.wheel import wheels_of
    >>> for name in ("quarter-car", "soil-bin"):
    ...     (wheel,) = wheels_of(at.read_model(name))
    ...     print(wheel.name, wheel.carrier.name, wheel.drawn_radius({}), wheel.outputs.load)
    tyre upright 0.31 Fz
    soil post 0.4 normal_force
    """

    joint: Component
    road: Frame
    surface: Surface

    outputs: ClassVar[WheelOutputs]
    is_soft_ground: ClassVar[bool] = False

    @abstractmethod
    def drawn_radius(self, values: Mapping[str, float]) -> float:
        """The radius [m] without load, by the parameters of a run.

        Example:
        >>> import axletree as at
        >>> at.read_model("soil-bin")["soil"].drawn_radius({"soil.radius": 0.5})  # m
        0.5
        """

    def drawn_width(self, values: Mapping[str, float]) -> float | None:
        """The width [m] likewise; None of a wheel that does not tell it.

        Example:
        >>> import axletree as at
        >>> wheels = at.read_model("soil-bin")["soil"], at.read_model("quarter-car")["tyre"]
        >>> [wheel.drawn_width({}) for wheel in wheels]  # m
        [0.25, None]
        """
        return None

    def patches(self, values: Mapping[str, float]) -> Sequence[GroundPatch]:
        """Rectangles of other ground than elsewhere, by the parameters of a run.

        Example:
        >>> import axletree as at
        >>> at.read_model("soil-bin")["soil"].patches({})
        ()
        """
        return ()

    @property
    def axis(self) -> Axis:
        """The wheel's axis, in carrier and wheel components."""
        return turn_of(self.joint)[1]

    @property
    def axle(self) -> Edge:
        """The edge that turns."""
        return turn_of(self.joint)[0]

    @property
    def carrier(self) -> Frame:
        """The frame that carries the wheel and does not spin with it."""
        return self._frame(self.axle.tail)

    @property
    def rim_frame(self) -> Frame:
        """The frame that spins."""
        return self._frame(self.axle.head)

    def _frame(self, name: str) -> Frame:
        return next(frame for frame in self.joint.frames() if frame.name == name)

    def frames(self) -> tuple[Frame, ...]:
        return (self.road, self.carrier)

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.road, self.carrier),)

    def measured_joints(self) -> tuple[str, ...]:
        return (self.axle.name,)

    def contact_names(self) -> tuple[str, ...]:
        """Full names of the components of the contact point and of the directions forward and
        normal; none where these are no outputs.

        Example:
        >>> import axletree as at
        >>> at.read_model("quarter-car")["tyre"].contact_names()[:3]
        ('tyre.contact_point.x', 'tyre.contact_point.y', 'tyre.contact_point.z')
        """
        return tuple(f"{self.name}.{word}" for word in self.outputs.contact_frame)

    def force_names(self, known: Container[str]) -> tuple[str, ...]:
        """Full names of the force along the normal, forward and, if one is known, to the left.

        Example:
        >>> import axletree as at
        >>> at.read_model("soil-bin")["soil"].force_names(("soil.side_force",))
        ('soil.normal_force', 'soil.drawbar_pull', 'soil.side_force')
        """
        left = (word for word in self.outputs.left if f"{self.name}.{word}" in known)
        words = (self.outputs.load, self.outputs.forward, *itertools.islice(left, 1))
        return tuple(f"{self.name}.{word}" for word in words)

    def value(self, name: str, values: Mapping[str, float], own: float) -> float:
        """A parameter, by the parameters of a run and otherwise the wheel's own.

        Example:
        >>> import axletree as at
        >>> tyre, run = at.read_model("quarter-car")["tyre"], {"tyre.unloaded_radius": 0.3}  # m
        >>> [tyre.value("unloaded_radius", values, 0.31) for values in ({}, run)]
        [0.31, 0.3]
        """
        return float(values.get(f"{self.name}.{name}", own))

    def values_of(self, field: str, values: Mapping[str, float]) -> dict[str, float]:
        """The numbers of a part, such as the surface, by the parameters of a run.

        Example:
        >>> import dataclasses
        >>> import axletree as at
        >>> waves = at.Sine(amplitude="1 cm", wavelength="8 m")
        >>> tyre = dataclasses.replace(at.read_model("quarter-car")["tyre"], surface=waves)
        >>> tyre.values_of("surface", {"tyre.surface.amplitude": 0.03})["amplitude"]  # m
        0.03
        """
        own = getattr(self, field).numbers
        return {name: self.value(f"{field}.{name}", values, x) for name, x in own.items()}


def wheels_of(components: Iterable[Component]) -> list[Wheel]:
    """The wheels of a model, in its order.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.wheel import wheels_of
    >>> [wheel.name for wheel in wheels_of(at.read_model("motorcycle"))]
    ['rear_tyre', 'front_tyre']
    """
    return [component for component in components if isinstance(component, Wheel)]
