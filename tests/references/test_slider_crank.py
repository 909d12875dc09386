"""The slider-crank: closed forms for a given motion of the crank, and statics by hand.

With crank r and rod l, the slider stands at x = r cos(a) + sqrt(l^2 - r^2 sin(a)^2), and the
rod dips by the angle s with sin(s) = (r/l) sin(a): Norton, Design of Machinery, eqs. (13.1).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from agreement import Agrees

import axletree as at
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.partition import Partition

R, L = 0.1, 0.35  # [m]
CRANK, ROD, SLIDER = (0.8, 1.2e-3), (0.6, 6.1e-3), 0.9  # masses [kg], inertias [kg m^2]
SPEED = 12.0  # of the crank [rad/s]


def slider_crank(gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Any:
    model = at.Model("slider_crank", gravity=gravity)
    crank = model.add(at.RigidBody("crank", CRANK[0], (CRANK[1],) * 3))
    rod = model.add(at.RigidBody("rod", ROD[0], (ROD[1],) * 3))
    slider = model.add(at.RigidBody("slider", SLIDER, (1e-3,) * 3))
    model.add(at.Revolute("shaft", model.ground, crank.point(-R / 2, 0, 0), axis="z"))
    model.add(at.Revolute("big_end", crank.point(R / 2, 0, 0), rod.point(-L / 2, 0, 0), axis="z"))
    model.add(at.Revolute("small_end", rod.point(L / 2, 0, 0), slider, axis="z"))
    model.add(at.Prismatic("guide", model.ground, slider, axis="x"))
    return model


def driven() -> Any:
    model = slider_crank()
    model.add(at.RotationDriver("motor", model["shaft"], angle=f"0.3 + {SPEED}*t"))
    return model


def closed_forms() -> dict[str, Any]:
    """Position, speed and acceleration of the slider, and kinetic energy, over the angle."""
    a = sympy.Symbol("a")
    dip = sympy.asin(R / L * sympy.sin(a))
    x = R * sympy.cos(a) + L * sympy.cos(dip)
    middle = sympy.Matrix([R * sympy.cos(a) + L / 2 * sympy.cos(dip), R / 2 * sympy.sin(a)])
    rate = {q: sympy.diff(q, a) * SPEED for q in (x, dip)}
    velocity = middle.diff(a) * SPEED
    energy = (
        (CRANK[1] + CRANK[0] * R**2 / 4) * SPEED**2
        + ROD[0] * velocity.dot(velocity)
        + ROD[1] * rate[dip] ** 2
        + SLIDER * rate[x] ** 2
    ) / 2
    found = {
        "x": x,
        "speed": rate[x],
        "acceleration": sympy.diff(rate[x], a) * SPEED,
        "dip": dip,
        "energy": energy,
        "torque": sympy.diff(energy, a),  # power of the motor over the speed of the crank
    }
    return {name: sympy.lambdify(a, value, "numpy") for name, value in found.items()}


BRANCHES = {
    "translation": ["shaft", "big_end", "guide"],
    "rotation": ["motor", "big_end", "guide"],
}
TREES = [
    pytest.param(None, id="least"),
    pytest.param(BRANCHES, id="two branches"),
    pytest.param(["crank", "rod", "slider"], id="absolute", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.validation("mechanisms")
def test_motion_for_a_given_motion_of_the_crank(tree: Any, agrees: Agrees) -> None:
    system = driven().formulate(tree=tree)
    assert system.degrees_of_freedom == 0
    run = system.simulate(1.0, step=1e-3)
    angle = 0.3 + SPEED * run.time
    exact = closed_forms()
    assert np.abs(run["slider.position.x"] - exact["x"](angle)).max() < 1e-9
    chosen = "least tree" if tree is None else "two trees" if tree is BRANCHES else "bodies as tree"
    agrees(
        "slider-crank: speed of the slider over 1 s", run["slider.velocity.x"],
        exact["speed"](angle), abs=1e-8, unit="m/s", case=chosen,
        source="Closed form, geometry of the crank",
    )  # fmt: skip
    assert np.abs(run["slider.position.y"]).max() < 1e-9
    assert np.abs(run["energy.kinetic"] - exact["energy"](angle)).max() < 1e-8


@pytest.mark.validation("mechanisms")
def test_forces_for_a_given_motion_of_the_crank(agrees: Agrees) -> None:
    run = driven().formulate().simulate(1.0, step=1e-3)
    angle = 0.3 + SPEED * run.time
    exact = closed_forms()
    torque, acceleration = exact["torque"](angle), exact["acceleration"](angle)
    agrees(
        "slider-crank: torque of the motor over 1 s", run["motor.torque"], torque,
        abs=1e-6 * np.abs(torque).max(), unit="N m", source="Closed form, power over speed",
    )  # fmt: skip
    # The small end is the only joint that pushes the slider along its guide.
    dip = exact["dip"](angle)
    x, y = run["small_end.reaction.force.x"], run["small_end.reaction.force.y"]
    along = x * np.cos(dip) + y * np.sin(dip)
    force = SLIDER * acceleration
    assert np.abs(along - force).max() < 1e-6 * np.abs(force).max()


def test_statics_by_hand() -> None:
    """A push F on the slider, balanced by F r sin(a + s) / cos(s) on the crank."""
    push, angle = 200.0, 0.9
    model = slider_crank()
    slider = model["slider"]
    dip = np.arcsin(R / L * np.sin(angle))
    torque = push * R * np.sin(angle + dip) / np.cos(dip)
    model.add(at.ForceDriver("push", model.ground, slider, direction="-x", force=push))
    model.add(at.JointTorque("brake", model["shaft"], torque=-torque))
    run = model.formulate().simulate(1e-4, step=1e-4, initial={"shaft.angle": angle})
    assert abs(run["shaft.rate_dot"][0]) < 1e-8
    side = push * np.tan(dip)  # the rod is pressed with F / cos(s)
    assert abs(run["guide.Fy"][0]) == pytest.approx(side, rel=1e-9)
    shaft = (run["shaft.reaction.force.x"][0], run["shaft.reaction.force.y"][0])
    assert np.hypot(*shaft) == pytest.approx(push / np.cos(dip), rel=1e-9)
    assert shaft[0] == pytest.approx(push, rel=1e-9)


@pytest.mark.parametrize("form", [None, Baumgarte(), Partition()])
def test_free_motion_keeps_its_energy(form: Any) -> None:
    model = slider_crank(gravity=(0.0, -9.81, 0.0))
    system = model.formulate(form=form)
    run = system.simulate(2.0, step=5e-4, initial={"shaft.angle": 0.4, "shaft.rate": 14.0})
    energy = run["energy.total"]
    assert np.ptp(run["shaft.angle"]) > 6.3  # past both dead centres
    assert np.abs(energy - energy[0]).max() < 1e-6
