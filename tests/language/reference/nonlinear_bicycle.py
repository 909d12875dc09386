"""Whipple's bicycle at any lean and steer, in the language, with multipliers at both wheels.

Bodies and symbols are those of Meijaard et al. 2007, table 1; x forward, y right, z down. The
rear wheel touches the ground where its frame begins, and the front wheel where the ground's
normal, less its part along the axle, points from the axle's centre.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from axletree.language import (
    Assembly,
    Body,
    Constraint,
    StateSpace,
    World,
    inertia,
    parameters,
    rotation_x,
    rotation_y,
    rotation_z,
    state_space,
    translation,
    variables,
)

x, y, yaw, lean, pitch, steer, rear_turn, front_turn = COORDINATES = variables(
    "x y yaw lean pitch steer rear_turn front_turn"
)
N_F, X_R, Y_R, X_F, Y_F = variables("N_F X_R Y_R X_F Y_F")
NAMES = (
    "w c tilt g r_R m_R Rxx Ryy r_F m_F Fxx Fyy "
    "x_B z_B m_B Bxx Byy Bzz Bxz x_H z_H m_H Hxx Hyy Hzz Hxz"
)
VALUES = (
    1.02, 0.08, math.pi / 10, 9.81, 0.3, 2.0, 0.0603, 0.12, 0.35, 3.0, 0.1405, 0.28,
    0.3, -0.9, 85.0, 9.2, 11.0, 2.8, 2.4, 0.9, -0.7, 4.0, 0.05892, 0.06, 0.00708, -0.00756,
)  # fmt: skip


@dataclass(frozen=True)
class NonlinearBicycle:
    """Its parameters are symbols, or numbers where some are given by name."""

    given: Mapping[str, Any]

    def symbol(self, name: str) -> Any:
        return self.given.get(name, parameters(name)[0])

    def assembly(self) -> Assembly:
        w, c, tilt, g, r_R, r_F = map(self.symbol, ("w", "c", "tilt", "g", "r_R", "r_F"))
        world = World(gravity=(0, 0, g))
        road = world.base.moved("road", translation(x, y), rotation_z(yaw))
        leant = road.moved("leant", rotation_x(lean))
        hub = leant.moved("hub", translation(z=-r_R))
        frame = hub.moved("frame", rotation_y(pitch))
        head = frame.moved("head", translation(w + c, 0, r_R), rotation_y(tilt))
        fork = head.moved("fork", rotation_z(steer), rotation_y(-tilt))
        axle = fork.moved("axle", translation(-c, 0, -r_F))
        x_B, z_B, x_H, z_H = map(self.symbol, ("x_B", "z_B", "x_H", "z_H"))
        places = {
            "B": frame.moved("B", translation(x_B, 0, z_B + r_R)),
            "H": fork.moved("H", translation(x_H - w - c, 0, z_H)),
            "R": hub.moved("R", rotation_y(rear_turn)),
            "F": axle.moved("F", rotation_y(front_turn)),
        }
        bodies = {name: self._body(name, place) for name, place in places.items()}
        along, down = fork.vector(y=1).in_frame(road), road.vector(z=1)
        sine = along.dot(down)
        arm = (down - along * sine) * (r_F / sympy.sqrt(1 - sine**2))
        touching = (axle.origin + arm).in_frame(world.base).exact[2]
        slips = []
        for centre, wheel, reach in (
            (hub.origin, bodies["R"], leant.vector(z=r_R).in_frame(road)),
            (axle.origin, bodies["F"], arm),
        ):
            turning = wheel.frame.angular_velocity().in_frame(road)
            slip = centre.velocity().in_frame(road) + turning.cross(reach)
            slips.append(list(slip.exact[:2]))
        held = [
            Constraint("front wheel on the ground", world, [touching], [N_F]),
            Constraint("rear wheel rolls", world, slips[0], [X_R, Y_R]),
            Constraint("front wheel rolls", world, slips[1], [X_F, Y_F]),
        ]
        return Assembly("bicycle", list(bodies.values()), [], held)

    def _body(self, name: str, frame: Any) -> Body:
        own = {key: self.symbol(f"{name}{key}") for key in ("xx", "yy")}
        if name in ("R", "F"):
            tensor = inertia(own["xx"], own["yy"], own["xx"])
        else:
            zz, xz = self.symbol(f"{name}zz"), self.symbol(f"{name}xz")
            tensor = inertia(own["xx"], own["yy"], zz, xz=-xz)
        return Body(name, frame, self.symbol(f"m_{name}"), tensor)

    def space(self) -> StateSpace:
        whole = self.assembly()
        rows = whole.kane(list(COORDINATES))
        values = dict(zip(NAMES.split(), VALUES, strict=True))
        energy = whole.kinetic_energy() + whole.potential_energy()
        return state_space(
            "bicycle", rows, list(COORDINATES), [], values,
            constraints=whole.constraints, outputs={"energy": energy},
        )  # fmt: skip
