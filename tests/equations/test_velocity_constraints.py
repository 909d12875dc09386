"""Motions that components hold: a skate, which must not slip sideways, on a sleigh."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import axletree as at
from axletree.components.contract import Component, Instant, Load, Response, VelocityConstraint
from axletree.components.edges import Basis, Variable
from axletree.components.frames import Frame, frame
from axletree.expr.vectors import Vector
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.embedding import Embedded
from axletree.system.forms.partition import Partition
from axletree.system.forms.projected import Projected
from axletree.system.system import System

MASS, INERTIA, AHEAD = 3.0, 0.5, 0.4  # of the sleigh; its centre of mass ahead of the skate
START = {"runner.vx": 1.0, "runner.vy": 0.0, "runner.rate": 0.8}


@dataclass(frozen=True, eq=False)
class Skate(Component):
    """Its frame moves along its own x axis and nowhere else."""

    summary: ClassVar[str] = "a skate"
    name: str
    at: Frame = frame("frame of the skate")
    ground: Frame = frame("the ice")

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.ground, self.at),)

    def respond(self, now: Instant) -> Response:
        aside = Load(self.ground, self.at, Vector((0.0, 1.0, 0.0)), basis=Basis.HEAD)
        reaction = Variable("side_force", "N", "force on the skate, to its left")
        return Response(
            constraints=(VelocityConstraint(reaction, now.motions[0].velocity_head[1], (aside,)),)
        )


def sleigh() -> at.Model:
    """Chaplygin's sleigh: a body in the plane on one skate."""
    model = at.Model("sleigh", gravity=(0.0, 0.0, 0.0))
    body = model.add(
        at.RigidBody(
            "body", mass=MASS, inertia=(0.3, 0.3, INERTIA), centre_of_mass=(AHEAD, 0.0, 0.0)
        )
    )
    model.add(at.Planar("runner", model.ground, body, normal="z"))
    model.add(Skate("skate", at=body.main_frame, ground=model.ground.main_frame))
    return model


@pytest.mark.parametrize("form", [Projected(), Baumgarte(), Partition(), Embedded()])
def test_the_sleigh_of_chaplygin(form) -> None:
    """v' = a w^2, (I + m a^2) w' = -m a v w, of the skate's speed v and the turning rate w."""
    system = sleigh().formulate(form=form)
    run = system.simulate(5.0, step=1e-3, initial=START, outputs=["skate.side_force"])

    def slope(_: float, state: np.ndarray) -> list[float]:
        v, w = state
        return [AHEAD * w * w, -MASS * AHEAD * v * w / (INERTIA + MASS * AHEAD**2)]

    exact = solve_ivp(slope, (0.0, 5.0), [1.0, 0.8], rtol=1e-11, atol=1e-12).y[:, -1]
    angle = run["runner.angle"]
    along = run["runner.vx"] * np.cos(angle) + run["runner.vy"] * np.sin(angle)
    across = run["runner.vy"] * np.cos(angle) - run["runner.vx"] * np.sin(angle)
    assert along[-1] == pytest.approx(exact[0], abs=1e-8)
    assert run["runner.rate"][-1] == pytest.approx(exact[1], abs=1e-8)
    assert np.abs(across).max() < 1e-8
    force = MASS * (
        run["runner.rate"] * along + AHEAD * slope(0.0, np.array([along, run["runner.rate"]]))[1]
    )
    assert run["skate.side_force"] == pytest.approx(force, abs=1e-6)


def test_a_skate_takes_away_a_speed_and_no_place() -> None:
    system = sleigh().formulate()
    assert system.degrees_of_freedom == 2
    assert len(system.source.coordinates) == 3
    (row,) = system.constraints
    assert not row.is_holonomic
    run = system.simulate(1.0, step=1e-3, initial={**START, "runner.x": 3.0, "runner.angle": 1.2,
                          "runner.vx": np.cos(1.2), "runner.vy": np.sin(1.2)})  # fmt: skip
    assert run["runner.x"][0] == 3.0


def test_first_speeds_are_made_to_fit() -> None:
    system = sleigh().formulate()
    found = system.state({"runner.angle": np.pi / 2.0, "runner.vy": 2.0})
    assert found["runner.vx"] == pytest.approx(0.0, abs=1e-12)


def test_energy_stays() -> None:
    system: System = sleigh().formulate()
    run = system.simulate(5.0, step=1e-3, initial=START, outputs=["energy.total"])
    energy = run["energy.total"]
    assert np.abs(energy / energy[0] - 1.0).max() < 1e-10
