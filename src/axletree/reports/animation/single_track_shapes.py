"""Motorcycles and bicycles that look like what they are, with who rides them.

They are shaped from where the wheels are and how large, from the steering axis, and from mass and
height of the centre of mass; parts are placed in shares of the way from the rear wheel to the
steering head, and in radii of the larger wheel above the ground. The physics know nothing of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from axletree.reports.animation.body_shapes import drawn_out
from axletree.reports.animation.mesh import EMPTY_MESH, Mesh, ball, bar, box, disc
from axletree.reports.animation.scene import ShownPiece

_PAINT, _SUIT, _METAL, _DARK = "#d55e00", "#0072b2", "part", "tyre"
_LAMP, _TAIL = "lamp", "force"  # words of the page's theme
_POWERED: Final = 120.0  # kg of frame and rider, from which on it has an engine
_RIDDEN: Final = 1.7  # radii above the ground, from which on a centre of mass is of a rider, too
_HEAD: Final = 2.85  # radii above the ground, of the steering head
_FORK: Final = 2.25  # radii, of a fork


class SingleTrackKind(Enum):
    """What two wheels in line carry."""

    MOTORCYCLE = "motorcycle"
    BICYCLE = "bicycle"


@dataclass(frozen=True)
class SteeringAxis:
    """A point of it and its direction, upwards, in the axes of a body [m]."""

    point: np.ndarray
    up: np.ndarray

    def at_height(self, z: float) -> np.ndarray:
        """Where the axis is at a height [m].

        Example:
        >>> import numpy as np
        >>> from axletree.reports.animation.single_track_shapes import SteeringAxis
        >>> SteeringAxis(np.zeros(3), np.array([-0.75, 0.0, 1.0])).at_height(2.0).tolist()
        [-1.5, 0.0, 2.0]
        """
        return np.asarray(self.point + self.up * (z - self.point[2]) / self.up[2])


@dataclass(frozen=True)
class FrameMeasures:
    """Of the body with the seat, in its axes [m]."""

    rear: np.ndarray  # centre of the rear wheel
    axis: SteeringAxis
    radius: float  # of the larger wheel
    ground: float
    mass: float  # kg, with the rider
    centre: float  # height of the centre of mass in these axes

    @property
    def kind(self) -> SingleTrackKind:
        """By mass."""
        powered = self.mass > _POWERED
        return SingleTrackKind.MOTORCYCLE if powered else SingleTrackKind.BICYCLE

    @property
    def ridden(self) -> bool:
        """Whether the centre of mass is so high that somebody sits on it."""
        return self.centre - self.ground > _RIDDEN * self.radius

    def place(self, share: float, height: float, side: float = 0.0) -> np.ndarray:
        """A share of the way to the steering head, radii above the ground and to the left."""
        head = self.axis.at_height(self.ground + _HEAD * self.radius)
        x = self.rear[0] + share * (head[0] - self.rear[0])
        return np.array([x, side * self.radius, self.ground + height * self.radius])


def frame_shape(measures: FrameMeasures) -> list[ShownPiece]:
    """What is sprung, or all but the fork."""
    if measures.kind is SingleTrackKind.MOTORCYCLE:
        return [*_motorcycle(measures), *(_motorcyclist(measures) if measures.ridden else [])]
    return [*_bicycle(measures), *(_cyclist(measures) if measures.ridden else [])]


def fork_shape(
    kind: SingleTrackKind, axle: np.ndarray, axis: SteeringAxis, radius: float, width: float,
    *, sprung: bool,
) -> list[ShownPiece]:  # fmt: skip
    """What is steered, in its axes; ``sprung``: tubes that slide on their wheel's own legs."""
    thin, apart = (0.13 if kind is SingleTrackKind.MOTORCYCLE else 0.075) * radius, 0.62 * width
    up, tubes = axis.up, EMPTY_MESH
    first = 1.1 * radius if sprung else 0.0
    for side in (-1.0, 1.0):
        foot = axle + np.array([0.0, side * apart, 0.0])
        tubes += bar(foot + first * up, foot + _FORK * radius * up, thin)
    crown = axle + _FORK * radius * up
    clamp = bar(crown + [0.0, -apart, 0.0], crown + [0.0, apart, 0.0], 1.6 * thin)
    clamp += bar(crown - 0.35 * radius * up, crown + 0.3 * radius * up, 1.6 * thin)
    grip = crown + 0.30 * radius * up
    handlebar, grips = EMPTY_MESH, EMPTY_MESH
    for side in (-1.0, 1.0):
        inner = grip + np.array([0.0, side * 0.2 * radius, 0.0])
        outer = grip + np.array([-0.35 * radius, side * 0.72 * radius, 0.12 * radius])
        end = outer + np.array([-0.14 * radius, side * 0.42 * radius, -0.04 * radius])
        handlebar += bar(grip, inner, 0.09 * radius) + bar(inner, outer, 0.09 * radius)
        grips += bar(outer, end, 0.12 * radius)
    pieces = [ShownPiece(tubes + clamp + handlebar, _METAL), ShownPiece(grips, _DARK)]
    if kind is SingleTrackKind.MOTORCYCLE:
        lamp = crown + np.array([0.42 * radius, 0.0, 0.0])
        shell = disc(np.array([1.0, 0.0, 0.0]), 0.32 * radius, 0.4 * radius)
        glass = disc(np.array([1.0, 0.0, 0.0]), 0.27 * radius, 0.1 * radius)
        pieces.append(ShownPiece(shell.placed(np.eye(3), lamp), _PAINT))
        front = lamp + np.array([0.18 * radius, 0.0, 0.0])
        pieces.append(ShownPiece(glass.placed(np.eye(3), front), _LAMP))
    return pieces


def legs_shape(axle: np.ndarray, axis: SteeringAxis, radius: float, width: float) -> Mesh:
    """The lower ends of a sprung fork, which go along with the wheel."""
    legs = EMPTY_MESH
    for side in (-1.0, 1.0):
        foot = axle + np.array([0.0, side * 0.62 * width, 0.0])
        legs += bar(foot - 0.12 * radius * axis.up, foot + 1.25 * radius * axis.up, 0.19 * radius)
    return legs + bar(
        axle + [0.0, -0.62 * width, 0.0], axle + [0.0, 0.62 * width, 0.0], 0.12 * radius
    )


def swing_arm_shape(axle: np.ndarray, pivot: np.ndarray, radius: float, width: float) -> Mesh:
    """Two arms from the rear wheel to the pivot."""
    arms = EMPTY_MESH
    for side in (-1.0, 1.0):
        out = np.array([0.0, side * (0.5 * width + 0.12 * radius), 0.0])
        arms += bar(axle + out, pivot + out, 0.2 * radius)
    return arms + bar(pivot + [0.0, -0.4 * radius, 0.0], pivot + [0.0, 0.4 * radius, 0.0],
                      0.2 * radius)  # fmt: skip


def _motorcycle(m: FrameMeasures) -> list[ShownPiece]:
    r = m.radius

    def outline(*corners: tuple[float, float]) -> list[tuple[float, float]]:
        return [(float(p[0]), float(p[2])) for p in (m.place(*corner) for corner in corners)]

    tank = drawn_out(
        outline((0.56, 2.42), (0.90, 2.42), (0.985, 2.75), (0.97, 3.12), (0.86, 3.38), (0.66, 3.28),
                (0.55, 2.85)), 0.46 * r, 0.2 * r,
    )  # fmt: skip
    tail = drawn_out(
        outline((-0.20, 2.98), (0.05, 2.42), (0.38, 2.25), (0.58, 2.35), (0.56, 2.62), (0.10, 2.78),
                (-0.17, 3.16)), 0.30 * r, 0.08 * r,
    )  # fmt: skip
    seat = drawn_out(
        outline((-0.10, 2.98), (0.12, 2.72), (0.57, 2.56), (0.57, 2.78), (0.46, 2.86),
                (0.14, 2.98)), 0.36 * r, 0.06 * r,
    )  # fmt: skip
    engine = drawn_out(
        outline((0.40, 0.95), (0.55, 0.62), (0.86, 0.66), (0.98, 1.25), (0.86, 2.15), (0.52, 2.2)),
        0.44 * r, 0.1 * r,
    )  # fmt: skip
    beams, pipe = EMPTY_MESH, EMPTY_MESH
    for side in (-0.34, 0.34):
        beams += bar(m.place(0.97, 2.62, 0.6 * side), m.place(0.42, 1.35, side), 0.17 * r)
        beams += bar(m.place(0.42, 1.35, side), m.place(0.10, 2.5, 0.7 * side), 0.12 * r)
        beams += bar(m.place(0.40, 1.2, side), m.place(0.40, 1.2, 1.9 * side), 0.1 * r)
    corners = [(0.92, 1.6), (0.99, 0.7), (0.50, 0.55)]
    for (a, b), (c, d) in zip(corners, corners[1:], strict=False):
        pipe += bar(m.place(a, b, -0.3), m.place(c, d, -0.3), 0.15 * r)
    pipe += bar(m.place(0.50, 0.55, -0.45), m.place(0.02, 0.85, -0.62), 0.3 * r)
    lamp = box(m.place(-0.205, 3.0, -0.2), m.place(-0.17, 3.12, 0.2))
    return [
        ShownPiece(tank + tail, _PAINT), ShownPiece(seat, _DARK), ShownPiece(engine, "plate"),
        ShownPiece(beams + pipe, _METAL), ShownPiece(lamp, _TAIL),
    ]  # fmt: skip


def _motorcyclist(m: FrameMeasures) -> list[ShownPiece]:
    return _person(
        m, hip=(0.36, 3.12), shoulder=(0.66, 4.5), head=(0.77, 5.12), elbow=(0.83, 3.75, 0.95),
        hand=(0.91, 3.42, 0.92), knees=((0.74, 2.75), (0.74, 2.75)), feet=((0.42, 1.3),) * 2,
        apart=0.58, bulk=1.0,
    )  # fmt: skip


def _bicycle(m: FrameMeasures) -> list[ShownPiece]:
    r, tube = m.radius, 0.09 * m.radius
    crank, saddle = m.place(0.52, 0.8), m.place(0.28, 2.55)
    high, low = m.place(0.985, 2.95), m.place(1.0, 2.55)
    frame = bar(crank, low, 1.2 * tube) + bar(saddle, high, tube) + bar(crank, saddle, tube)
    frame += bar(low - 0.2 * r * m.axis.up, high + 0.15 * r * m.axis.up, 1.3 * tube)
    for side in (-1.0, 1.0):
        out = np.array([0.0, side * 0.17 * r, 0.0])
        near = np.array([0.0, side * 0.1 * r, 0.0])
        frame += bar(m.rear + out, crank + near, 0.7 * tube)
        frame += bar(m.rear + out, saddle + near, 0.6 * tube)
    seat = box(m.place(0.12, 2.78, -0.2), m.place(0.36, 2.9, 0.2))
    seat += box(m.place(0.36, 2.78, -0.07), m.place(0.48, 2.88, 0.07))
    post = bar(saddle, m.place(0.27, 2.8), 0.8 * tube)
    axle = np.array([0.0, 1.0, 0.0])
    cranks = disc(axle, 0.3 * r, 0.04 * r).placed(np.eye(3), crank + [0.0, -0.2 * r, 0.0])
    for side, height in ((1.0, 1.27), (-1.0, 0.33)):
        cranks += bar(crank + [0.0, side * 0.22 * r, 0.0], m.place(0.52, height, side * 0.22), tube)
        cranks += bar(m.place(0.52, height, side * 0.2), m.place(0.52, height, side * 0.5), tube)
    return [ShownPiece(frame, _PAINT), ShownPiece(seat, _DARK), ShownPiece(post + cranks, _METAL)]


def _cyclist(m: FrameMeasures) -> list[ShownPiece]:
    return _person(
        m, hip=(0.27, 3.05), shoulder=(0.68, 4.45), head=(0.84, 4.95), elbow=(0.85, 3.75, 0.62),
        hand=(0.90, 3.28, 0.85), knees=((0.72, 2.6), (0.66, 2.0)), feet=((0.54, 1.3), (0.54, 0.38)),
        apart=0.36, bulk=0.8,
    )  # fmt: skip


def _person(
    m: FrameMeasures, *, hip: tuple[float, float], shoulder: tuple[float, float],
    head: tuple[float, float], elbow: tuple[float, float, float], hand: tuple[float, float, float],
    knees: tuple[tuple[float, float], ...], feet: tuple[tuple[float, float], ...], apart: float,
    bulk: float,
) -> list[ShownPiece]:  # fmt: skip
    """The first knee and foot are the left ones; ``bulk`` scales what is thick."""
    r = bulk * m.radius
    back, neck = m.place(*hip), m.place(*shoulder)
    suit = bar(back, neck, 0.72 * r) + ball(back, 0.44 * r) + ball(neck, 0.4 * r)
    dark = EMPTY_MESH
    for side, knee, foot in zip((1.0, -1.0), knees, feet, strict=True):
        joint = m.place(knee[0], knee[1], side * apart)
        ankle = m.place(foot[0], foot[1], side * 0.8 * apart)
        upper = m.place(shoulder[0], shoulder[1], side * 0.45)
        middle = m.place(elbow[0], elbow[1], side * elbow[2])
        suit += bar(m.place(hip[0], hip[1], side * 0.3), joint, 0.38 * r) + ball(joint, 0.22 * r)
        suit += bar(joint, ankle, 0.3 * r) + bar(upper, middle, 0.28 * r) + ball(middle, 0.17 * r)
        suit += bar(middle, m.place(hand[0], hand[1], side * hand[2]), 0.24 * r)
        dark += ball(m.place(hand[0], hand[1], side * hand[2]), 0.19 * r)
        dark += box(ankle - [0.3 * r, 0.16 * r, 0.2 * r], ankle + [0.5 * r, 0.16 * r, 0.1 * r])
    top = m.place(*head)
    visor = box(top + [0.2 * r, -0.3 * r, -0.12 * r], top + [0.47 * r, 0.3 * r, 0.14 * r])
    return [
        ShownPiece(suit, _SUIT), ShownPiece(dark, _DARK), ShownPiece(ball(top, 0.46 * r), _LAMP),
        ShownPiece(visor, "glass"),
    ]  # fmt: skip
