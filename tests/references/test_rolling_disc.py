"""The rolling disc against its classical equations, written by hand.

In axes that lean and yaw with the disc but do not spin (x forward, y its axis, z upwards in
its plane), with the lean g, the yaw rate p, the spin s = w . y, C and A the inertias about
the axis and about a diameter, k = m r^2:

    (A + k) g'' = (C + k) s p cos(g) - A p^2 sin(g) cos(g) + m g_0 r sin(g)
    (C + k) s'  = -k g' p cos(g)
    A (p cos(g))' = A p g' sin(g) - C s g'
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.rolling_disc import GRAVITY, HOOP, Disc, rolling_disc
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import axletree as at
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.embedding import Embedded
from axletree.system.forms.partition import Partition
from axletree.system.forms.projected import Projected

OUTPUTS = ["energy.total", "tyre.Fx", "tyre.Fy", "tyre.Fz", "tyre.power"]


def slope(disc: Disc, state: np.ndarray) -> list[float]:
    """Of lean, its rate, yaw rate and spin."""
    lean, leaning, yaw, spin = state
    C, A = disc.moments
    k, sine, cosine = disc.mass * disc.radius**2, math.sin(lean), math.cos(lean)
    weight = disc.mass * GRAVITY * disc.radius
    lean_rate = (C + k) * spin * yaw * cosine - A * yaw**2 * sine * cosine + weight * sine
    yaw_rate = 2.0 * yaw * leaning * sine / cosine - C / A * spin * leaning / cosine
    return [leaning, lean_rate / (A + k), yaw_rate, -k * leaning * yaw * cosine / (C + k)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("form", [Projected(), Baumgarte(), Partition(), Embedded()])
@pytest.mark.parametrize("disc", [Disc(), HOOP])
def test_any_motion(disc: Disc, form) -> None:
    lean, yaw, rate = 0.4, 0.7, 9.0
    system = rolling_disc(disc).formulate(form=form)
    assert system.degrees_of_freedom == 3
    run = system.simulate(
        3.0,
        step=1e-3,
        initial={"lean.angle": lean, "lean.rate": 0.2, "place.rate": yaw, "axle.rate": rate},
        outputs=["energy.total"],
    )
    start = [lean, 0.2, yaw, rate + yaw * math.sin(lean)]
    exact = solve_ivp(
        lambda _, x: slope(disc, x), (0.0, 3.0), start, t_eval=run.time, rtol=1e-11, atol=1e-12
    ).y
    assert np.ptp(exact[0]) > 0.15
    assert run["lean.angle"] == pytest.approx(exact[0], abs=2e-7)
    assert run["place.rate"] == pytest.approx(exact[2], abs=2e-6)
    spin = run["axle.rate"] + run["place.rate"] * np.sin(run["lean.angle"])
    assert spin == pytest.approx(exact[3], abs=2e-6)
    energy = run["energy.total"]
    assert np.abs(energy / energy[0] - 1.0).max() < 1e-8


def steady_spin(disc: Disc, lean: float, yaw: float) -> float:
    """s of a disc that goes round in a circle: (C + k) s p = A p^2 sin(g) - m g_0 r tan(g)."""
    C, A = disc.moments
    weight = disc.mass * GRAVITY * disc.radius
    held = A * yaw**2 * math.sin(lean) - weight * math.tan(lean)
    return held / ((C + disc.mass * disc.radius**2) * yaw)


@pytest.mark.parametrize("disc", [Disc(), HOOP])
@pytest.mark.parametrize(("lean", "yaw"), [(0.3, 2.0), (-0.8, 5.0), (1.3, 12.0)])
@pytest.mark.validation("mechanisms")
def test_steady_precession(disc: Disc, lean: float, yaw: float, agrees: Agrees) -> None:
    """Lean, yaw rate and spin stay, and so do the forces; the contact point goes in a circle."""
    spin = steady_spin(disc, lean, yaw)
    system = rolling_disc(disc).formulate()
    first = {"lean.angle": lean, "place.rate": yaw, "axle.rate": spin - yaw * math.sin(lean)}
    run = system.simulate(
        2.0, step=2e-4, initial=first | {"lean.rate": 0.0}, outputs=OUTPUTS, record_interval=0.01
    )
    assert run["lean.angle"] == pytest.approx(lean, abs=1e-8)
    assert run["place.rate"] == pytest.approx(yaw, abs=1e-7)
    assert run["axle.rate"] == pytest.approx(first["axle.rate"], abs=1e-6)
    assert run["tyre.Fz"] == pytest.approx(disc.mass * GRAVITY, rel=1e-6)
    assert run["tyre.Fx"] == pytest.approx(0.0, abs=1e-6)
    # The centre goes round at the speed r s: what turns it is the lateral force alone.
    body = "hoop" if disc == HOOP else "disc"
    agrees(
        "rolling disc and hoop: side force on their circle", run["tyre.Fy"],
        disc.mass * disc.radius * spin * yaw, rel=1e-6, unit="N",
        case=f"{body} that leans by {lean:g} rad", source="Closed form, steady precession",
    )  # fmt: skip


def test_a_disc_that_spins_almost_flat() -> None:
    """Euler's disc, whose centre rests: p^2 = m g_0 r / (A sin(lying))."""
    disc, lying = Disc(), 0.05
    lean = math.pi / 2.0 - lying
    _, A = disc.moments
    yaw = math.sqrt(disc.mass * GRAVITY * disc.radius / (A * math.cos(lean)))
    assert steady_spin(disc, lean, yaw) == pytest.approx(0.0, abs=1e-10)
    run = rolling_disc(disc).formulate().simulate(
        0.2, step=2e-5, outputs=["tyre.Fz", "wheel.angular_velocity.z"], record_interval=1e-3,
        initial={"lean.angle": lean, "lean.rate": 0.0, "place.rate": yaw,
                 "axle.rate": -yaw * math.sin(lean)},
    )  # fmt: skip
    assert run["lean.angle"] == pytest.approx(lean, abs=1e-6)
    assert np.ptp(run["place.x"]) < 1e-6
    turning = yaw * math.cos(lean) ** 2
    assert run["wheel.angular_velocity.z"] == pytest.approx(turning, rel=1e-5)


@pytest.mark.parametrize("turn", [[("x", 0.3)], [("z", 1.0), ("y", -0.4)]])
def test_on_a_slope_the_disc_feels_gravity_turned(turn: list[tuple[str, float]]) -> None:
    R = Rotation.from_euler("".join(a.upper() for a, _ in turn), [x for _, x in turn]).as_matrix()
    R = R.reshape(3, 3)  # older versions of SciPy have a list of one
    first = {"lean.angle": 0.2, "place.rate": 0.5, "axle.rate": 12.0}
    tilted = rolling_disc(Disc(), turn=turn).formulate()
    level = rolling_disc(Disc())
    level.gravity = tuple(R.T @ [0.0, 0.0, -GRAVITY])
    runs = [
        s.simulate(1.0, step=1e-3, initial=first, outputs=OUTPUTS)
        for s in (tilted, level.formulate())
    ]
    for name in ("place.x", "place.y", "lean.angle", "tyre.Fx", "tyre.Fy", "tyre.Fz"):
        assert runs[0][name] == pytest.approx(runs[1][name], abs=1e-8), name
    assert np.ptp(runs[0]["lean.angle"]) > 0.05


def test_a_road_that_moves_along_changes_nothing() -> None:
    """On a belt at a constant speed the disc does, beside the belt, what it does on the ground."""
    first = {"lean.angle": 0.3, "place.rate": 0.8, "axle.rate": 9.0}
    resting = (
        rolling_disc(Disc()).formulate().simulate(1.0, step=1e-3, initial=first, outputs=OUTPUTS)
    )
    moving = (
        rolling_disc(Disc(), belt_speed=4.0)
        .formulate()
        .simulate(1.0, step=1e-3, initial=first, outputs=OUTPUTS)
    )
    for name in ("place.y", "lean.angle", "tyre.Fx", "tyre.Fy", "tyre.Fz"):
        assert moving[name] == pytest.approx(resting[name], abs=1e-8), name
    along = resting["place.x"] + 4.0 * resting.time
    assert moving["place.x"] == pytest.approx(along, abs=1e-8)


def test_a_torus_keeps_its_energy_and_rolls_on_the_circle_it_touches_with() -> None:
    disc, crown, lean = Disc(), 0.1, 0.5
    tyre = {"type": "toroid", "crown_radius": crown}
    system = rolling_disc(disc, contact=tyre).formulate()
    first = {"lean.angle": lean, "place.rate": 0.0, "axle.rate": 9.0, "lean.rate": 0.0}
    state = system.state(first)
    ring = disc.radius - crown
    assert state["place.vx"] == pytest.approx(9.0 * (ring + crown * math.cos(lean)), rel=1e-12)
    assert state["lift.position"] == pytest.approx(ring * math.cos(lean) + crown, rel=1e-12)
    run = system.simulate(2.0, step=1e-3, initial=first, outputs=OUTPUTS)
    energy = run["energy.total"]
    assert np.ptp(run["lean.angle"]) > 0.08
    assert np.abs(energy / energy[0] - 1.0).max() < 1e-9


def test_two_wheels_on_one_axle_hold_one_lateral_motion() -> None:
    """A cart on two wheels side by side: the second lateral constraint is named as redundant."""
    mass, wheel_mass, radius, spin, torque = 30.0, 2.0, 0.25, 0.08, 1.5
    model = at.Model("cart", gravity=(0.0, 0.0, -GRAVITY))
    body = model.add(at.RigidBody("body", mass, (1.0, 1.0, 2.0)))
    model.add(at.Planar("place", model.ground.point(0.0, 0.0, radius), body))
    for name, y in (("left", 0.3), ("right", -0.3)):
        wheel = model.add(
            at.BodyOfRevolution(
                f"{name}_wheel", wheel_mass, axial_inertia=spin, transverse_inertia=spin, axis="y"
            )
        )
        axle = model.add(at.Revolute(f"{name}_axle", body.point(0.0, y, 0.0), wheel, axis="y"))
        model.add(at.JointTorque(f"{name}_motor", axle, torque=torque))
        model.add(
            at.Tyre(f"{name}_tyre", axle, model.ground, unloaded_radius=radius,
                    normal_force={"type": "linear", "stiffness": 1e5}, law="no-slip")
        )  # fmt: skip
    system = model.formulate()
    assert system.degrees_of_freedom == 2
    assert len(system.redundant) == 1
    assert system.redundant[0] in ("left_tyre.Fy", "right_tyre.Fy")
    run = system.simulate(1.0, step=1e-3, outputs=["left_tyre.Fx"])
    inertia = mass + 2.0 * wheel_mass + 2.0 * spin / radius**2
    assert run["place.vx"][-1] == pytest.approx(2.0 * torque / radius / inertia, rel=1e-9)
    push = torque / radius - spin / radius**2 * run["place.vx"][-1]
    assert run["left_tyre.Fx"] == pytest.approx(push, rel=1e-9)
