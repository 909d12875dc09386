"""Sensors: how a frame moves over the ground, as vehicle engineers say it, and in a body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.components.contract import (
    AccelerationOutput,
    BetweenFrames,
    Instant,
    NamedOutput,
    Response,
)
from axletree.components.edges import Edge
from axletree.components.frames import Frame, frame
from axletree.expr import absolute, asin, atan2, maximum, minimum, sqrt

_LEAST_SPEED = 1e-3  # m/s; a slower frame has no direction of its own


@dataclass(frozen=True, eq=False)
class MotionSensor(BetweenFrames):
    """Speeds, accelerations and angles of a frame over ground along its heading, ISO 8855.

    The heading is the direction of the frame's x axis seen from above; forward and lateral speed
    are horizontal, along the heading and to the left of it. So are the accelerations, which are
    those of the frame's origin over ground: gravity has no part in them, and in a steady turn
    the lateral one is yaw rate times speed.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> plate = model.add(at.RigidBody("plate", mass=2.0, inertia=(0.1, 0.1, 0.1)))
    >>> table = model.add(at.Planar("table", model.ground, plate))
    >>> sensor = model.add(at.MotionSensor("sensor", model.ground, plate))
    >>> slides = model.formulate().trim({"table.vx": 30.0, "table.vy": 3.0})  # m/s
    >>> print(f"{slides['sensor.sideslip']:.3f} rad")  # atan(0.1)
    0.100 rad
    """

    summary: ClassVar[str] = "speeds, accelerations and angles of a frame over ground, by ISO 8855"

    ground: Frame = frame("frame whose xy plane is horizontal, z up")
    head: Frame = frame("frame that is watched, x forward, y left")

    def edges(self) -> tuple[Edge, ...]:
        return ()

    def respond(self, now: Instant) -> Response:
        motion = now.motions[0]
        R, v, w = motion.R_tail_head, motion.velocity, motion.angular_velocity
        cosine, sine = R[0][0], R[1][0]
        # The x axis seen from above has this length, which is 1 on the level.
        level = 1.0 / sqrt(maximum(cosine * cosine + sine * sine, 1e-12))
        forward = (v[0] * cosine + v[1] * sine) * level
        lateral = (v[1] * cosine - v[0] * sine) * level
        slip = atan2(lateral, absolute(forward) + _LEAST_SPEED)
        values = {
            "x": ("m", "place along x of the ground", motion.displacement[0]),
            "y": ("m", "place along y of the ground", motion.displacement[1]),
            "heading": ("rad", "direction of the x axis, from x of the ground to the left",
                        atan2(sine, cosine)),
            "forward_speed": ("m/s", "along the heading", forward),
            "lateral_speed": ("m/s", "to the left of the heading", lateral),
            "vertical_speed": ("m/s", "upwards", v[2]),
            "sideslip": ("rad", "angle of the velocity to the left of the heading", slip),
            "yaw_rate": ("rad/s", "about the vertical, to the left", w[2]),
            "roll": ("rad", "angle of the y axis above the level",
                     asin(maximum(minimum(R[2][1], 1.0), -1.0))),
            "pitch": ("rad", "angle of the x axis below the level",
                      -asin(maximum(minimum(R[2][0], 1.0), -1.0))),
        }  # fmt: skip
        found = (NamedOutput(name, *meaning) for name, meaning in values.items())
        along, across = (cosine * level, sine * level), (-sine * level, cosine * level)
        accelerated = {
            "longitudinal_acceleration": ("horizontal, along the heading", along),
            "lateral_acceleration": ("horizontal, to the left of the heading", across),
        }
        return Response(
            outputs=tuple(found),
            accelerated=tuple(
                AccelerationOutput(
                    name, "m/s^2", text, ((direction[0], v[0]), (direction[1], v[1]))
                )
                for name, (text, direction) in accelerated.items()
            ),
        )


@dataclass(frozen=True, eq=False)
class TravelSensor(BetweenFrames):
    """How far a wheel carrier has gone up from where it is designed to be in the body.

    Example:
    >>> import axletree as at
    >>> model = at.Model(gravity=(0, 0, 0))
    >>> hub = model.add(at.RigidBody("hub", mass=30.0))
    >>> way = model.add(at.Prismatic("way", model.ground, hub, axis="z"))
    >>> sensor = model.add(at.TravelSensor("suspension", model.ground, hub))
    >>> model.formulate().trim({"way.position": "20 mm"})["suspension.travel"]  # m
    0.02
    """

    summary: ClassVar[str] = "travel of a wheel carrier in the body"

    body: Frame = frame("frame of the body where the carrier is at design, z up")
    carrier: Frame = frame("frame of the carrier")

    def edges(self) -> tuple[Edge, ...]:
        return ()

    def respond(self, now: Instant) -> Response:
        motion = now.motions[0]
        return Response(
            outputs=(
                NamedOutput("travel", "m", "up from design, body axes", motion.displacement[2]),
                NamedOutput("speed", "m/s", "rate of the travel", motion.velocity[2]),
            )
        )
