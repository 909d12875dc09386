"""Stephenson's third six-bar: a four-bar whose coupler point moves a dyad to the ground.

Positions are compared with the two loop equations (Norton, Design of Machinery, section
4.8), solved by SciPy along the motion.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from scipy.optimize import fsolve

import axletree as at

CRANK, COUPLER, ROCKER = 0.25, 0.8, 0.6  # [m]
POINT = (0.5, 0.35)  # of the coupler, from the crank's end [m]
LINK, OUTPUT = 1.0, 0.8  # [m]
PIVOT, SECOND_PIVOT = (0.8, 0.1), (1.5, 0.4)  # of rocker and output [m]
SPEED = 3.0  # of the crank [rad/s]
GUESS = (1.0, 1.8, 0.5, 2.1)  # angles of coupler, rocker, link, output at the start [rad]


def six_bar() -> Any:
    model = at.Model("six_bar", gravity=(0.0, -9.81, 0.0))

    def bar(name: str, length: float) -> Any:
        """A slender bar with its frame at its start; mass of 1 kg/m."""
        inertia = length**3 / 12
        centre = (length / 2, 0.0, 0.0)
        body = at.RigidBody(name, length, (1e-3, inertia, inertia), centre_of_mass=centre)
        return model.add(body)

    crank, coupler, rocker = bar("crank", CRANK), bar("coupler", COUPLER), bar("rocker", ROCKER)
    link, output = bar("link", LINK), bar("output", OUTPUT)
    ground = model.ground
    model.add(at.Revolute("a", ground, crank, axis="z"))
    model.add(at.Revolute("b", crank.point(CRANK, 0, 0, "end"), coupler, axis="z"))
    model.add(at.Revolute("d", ground.point(*PIVOT, 0, "pivot"), rocker, axis="z"))
    model.add(at.Revolute("e", coupler.point(*POINT, 0, "point"), link, axis="z"))
    model.add(at.Revolute("g", ground.point(*SECOND_PIVOT, 0, "second"), output, axis="z"))
    ends = coupler.point(COUPLER, 0, 0, "end"), rocker.point(ROCKER, 0, 0, "end")
    model.add(at.Revolute("c", *ends, axis="z"))
    ends = link.point(LINK, 0, 0, "end"), output.point(OUTPUT, 0, 0, "end")
    model.add(at.Revolute("f", *ends, axis="z"))
    coupler_0, rocker_0, link_0, output_0 = GUESS
    model.start = {
        "a.angle": 0.0, "b.angle": coupler_0, "d.angle": rocker_0,
        "e.angle": link_0 - coupler_0, "g.angle": output_0,
    }  # fmt: skip
    return model


def turned(length: float, angle: float) -> np.ndarray:
    return length * np.array([np.cos(angle), np.sin(angle)])


def loops(unknown: np.ndarray, crank: float) -> np.ndarray:
    """Zero where both loops close; all angles count from the ground's x axis."""
    coupler, rocker, link, output = unknown
    end = turned(CRANK, crank)
    first = end + turned(COUPLER, coupler) - PIVOT - turned(ROCKER, rocker)
    point = turned(np.hypot(*POINT), coupler + np.arctan2(POINT[1], POINT[0]))
    second = end + point + turned(LINK, link) - SECOND_PIVOT - turned(OUTPUT, output)
    return np.concatenate([first, second])


def solved_along(angles: np.ndarray) -> np.ndarray:
    """The four angles for each angle of the crank, each from the one before."""
    found, guess = [], np.array(GUESS)
    for angle in angles:
        guess, _, status, message = fsolve(loops, guess, angle, full_output=True, xtol=1e-12)
        assert status == 1, message
        found.append(guess)
    return np.array(found).T


TREE = ["a", "b", "d", "e", "g"]


def driven() -> Any:
    model = six_bar()
    model.add(at.RotationDriver("motor", model["a"], angle=f"{SPEED}*t"))
    return model


@pytest.mark.validation("mechanisms")
@pytest.mark.parametrize("rotation", [None, ["motor", *TREE[1:]]], ids=["least", "chosen"])
def test_positions_over_a_turn_of_the_crank(rotation: Any, agrees: Agrees) -> None:
    tree = None if rotation is None else {"translation": TREE, "rotation": rotation}
    run = driven().formulate(tree=tree).simulate(2.2, step=1e-3, record_interval=0.02)
    coupler, rocker, link, output = solved_along(SPEED * run.time)
    angles = {"coupler": coupler, "rocker": rocker, "link": link, "output": output}
    for name, angle in angles.items():
        agrees(
            "six-bar linkage: cosine and sine of an angle over a turn of the crank",
            [run[f"{name}.rotation.11"], run[f"{name}.rotation.21"]],
            [np.cos(angle), np.sin(angle)], abs=1e-9,
            source="Norton, Design of Machinery, section 4.8, by SciPy",
            case=f"{name}, {'least' if rotation is None else 'chosen'} tree",
        )  # fmt: skip
    assert np.ptp(output) > 0.1


def test_one_freedom_and_energy_of_the_free_mechanism() -> None:
    system = six_bar().formulate(tree=TREE)
    assert len(system.source.speeds) == 5
    assert len(system.constraints) == 4
    assert system.degrees_of_freedom == 1
    run = system.simulate(2.0, step=5e-4, initial={"a.angle": 0.3, "a.rate": 5.0})
    energy = run["energy.total"]
    assert np.ptp(run["energy.kinetic"]) > 0.5
    assert np.abs(energy - energy[0]).max() < 1e-5
