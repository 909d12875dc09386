"""Tyres on ground that is not flat, in models: energy, slopes, friction, landings, cautions."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from mechanisms.dropped import RADIUS, SHAPES, VERTICALS, Ice, falling, flying, peaks
from scipy.spatial.transform import Rotation

import axletree as at
from axletree.core.errors import ModelWarning

ROUGH = at.Sine(amplitude=0.03, wavelength=1.2)  # 1.2 m at the crests
FORCE = at.LinearNormalForce(stiffness=1e5, damping=500.0)
SPRING = at.LinearNormalForce(stiffness=1e5)
FIALA = at.Fiala(**at.Fiala.example)
DRY = at.DryRollingFriction()


def rolling_wheel(law: Any, force: Any = SPRING, **parts: Any) -> Any:
    """A wheel that a cart carries up, down and forward, upright."""
    model = at.Model("rolling")
    cart = model.add(at.RigidBody("cart", 1.0, (1.0, 1.0, 1.0)))
    model.add(at.Planar("plane", model.ground, cart, normal="y"))
    wheel = model.add(at.BodyOfRevolution("wheel", 20.0, 1.0, 0.6, axis="y"))
    axle = model.add(at.Revolute("axle", cart, wheel, axis="y"))
    given = {"contact": at.Toroid(crown_radius=0.1, deflects="normal"), **parts}
    model.add(at.Tyre("tyre", axle, model.ground, RADIUS, force, law, **given))
    return model


def test_a_wheel_on_icy_waves_keeps_its_energy() -> None:
    """The normal of the ground is that along which the gap closes, or this would not hold."""
    system = rolling_wheel(Ice(), surface=ROUGH, contact_steps=4).formulate()
    run = system.simulate(
        2.0, step=1e-4, record_interval=1e-3,
        initial={"plane.first": 0.1, "plane.second": RADIUS + 0.05, "plane.first_speed": 2.0},
        outputs=["energy.total", "tyre.loaded_radius"],
    )  # fmt: skip
    depth = np.maximum(RADIUS - run["tyre.loaded_radius"], 0.0)
    total = run["energy.total"] + 0.5 * SPRING.stiffness * depth**2
    assert depth.max() > 1e-3
    assert np.ptp(run["energy.total"]) > 1.0
    assert np.abs(total - total[0]).max() < 1e-3 * np.ptp(run["energy.total"])


@pytest.mark.parametrize("shape", SHAPES)
def test_a_straight_slope_is_a_tilted_road(shape: str) -> None:
    """A wheel that leans and yaws rolls down either, with all its forces."""
    slope = at.Ramp(rise=-10.0, length=60.0, edge=5.0, x=-20.0, heading="20 deg")
    along, across = (float(s) for s in slope.slopes(0.0, 0.0, slope.numbers))
    pitch, roll = -math.atan(along), math.atan(across * math.cos(math.atan(along)))
    normal = Rotation.from_euler("YX", (pitch, roll)).as_matrix()[:, 2]
    assert normal == pytest.approx(np.array([-along, -across, 1.0]) * normal[2])
    level = float(slope.height(0.0, 0.0, slope.numbers))
    parts = {"normal_force": FORCE, "contact": SHAPES[shape]}
    start = {
        "flight.z": level + 0.33, "flight.roll": 0.2, "flight.yaw": 0.4, "flight.vx": 3.0,
        "flight.wz": 0.5, "axle.rate": 11.0,
    }  # fmt: skip
    told = [f"tyre.{name}" for name in ("Fx", "Fy", "Fz", "Mz", "slip", "slip_angle", "power")]
    on_slope, on_tilted = (
        model.formulate().simulate(
            0.8, step=2e-4, record_interval=0.01, initial=start, outputs=told
        )
        for model in (
            flying(FIALA, surface=slope, **parts),
            flying(FIALA, [("y", pitch), ("x", roll)], level, **parts),
        )
    )
    assert on_slope["tyre.Fz"].max() > 100.0
    for name in (*told, "flight.x", "flight.y", "flight.z", "flight.roll", "axle.rate"):
        assert on_slope[name] == pytest.approx(on_tilted[name], rel=1e-5, abs=1e-5)


GROUNDS = {
    "bump": at.Bump(rise=0.05, length=1.5, x=1.0),
    "bicubic": at.Bicubic(
        heights=[[0.0, 0.1, 0.0], [0.1, 0.0, 0.1], [0.0, 0.1, 0.0]], length_x=6.0, length_y=6.0,
        x=-1.0, y=-3.0,
    ),
    "hill": at.Hill(rise=0.3, radius=3.0, x=2.0),
    "random": at.RandomRoad(road_class="C", realisation=1, length=40.0, longest=20.0, x=-5.0),
    "banked": at.Sine(amplitude=0.1, wavelength=9.0, heading="90 deg"),
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore::axletree.core.errors.ModelWarning")
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_wheel_rolls_flies_and_lands_on_uneven_ground(shape: str, ground: str) -> None:
    """Finite throughout, and what it gains by falling is all that it gains."""
    model = flying(
        FIALA, normal_force=VERTICALS["elasto"], contact=SHAPES[shape], surface=GROUNDS[ground]
    )
    run = model.formulate().simulate(
        1.5, watch=False, step=5e-4, record_interval=5e-3, outputs=["energy.total", "tyre.Fz"],
        initial={"flight.z": 0.7, "flight.vx": 3.0, "axle.rate": 3.0 / RADIUS, "flight.roll": 0.1},
    )  # fmt: skip
    for name in run.names:
        assert np.all(np.isfinite(run[name]))
    air, energy = run["tyre.Fz"] == 0.0, run["energy.total"]
    assert np.count_nonzero(np.diff(air.astype(int))) >= 2
    flights = np.flatnonzero(air)
    assert np.all(np.diff(energy[flights]) < 1e-3 * energy.max())


@pytest.mark.parametrize("vertical", VERTICALS)
def test_no_bounce_on_a_slope_is_higher_than_the_one_before(vertical: str) -> None:
    """A mast over the flank of a wave: a guided wheel lands on its side."""
    model = falling(
        0.3, Ice(), normal_force=VERTICALS[vertical], surface=at.Sine(amplitude=0.1, wavelength=4.0)
    )
    run = model.formulate().simulate(
        2.0, step=5e-4, record_interval=1e-3, initial={"mast.position": RADIUS + 0.3}, outputs=[]
    )
    tops = peaks(run["mast.position"])
    assert len(tops) > 2
    assert np.all(np.diff(tops) < 1e-5)


@pytest.mark.parametrize("surface", [at.Flat, at.Ramp], ids=["flat", "curved"])
def test_friction_is_that_of_the_place(surface: Any) -> None:
    """Sliding with locked wheels, on ground that is half as slippery to the right of y = 0."""
    split = at.SplitFriction(left=1.0, right=0.4, transition=0.1)
    shape = {} if surface is at.Flat else {"rise": 0.01, "length": 1.0, "edge": 0.5, "x": 90.0}
    model = flying(
        DRY, normal_force=FORCE, contact=at.Toroid(crown_radius=0.1),
        surface=surface(**shape, friction_map=split),
    )  # fmt: skip
    system = model.formulate()
    forces = {}
    for y in (2.0, -2.0):
        start = {"flight.y": y, "flight.z": RADIUS - 0.003, "flight.vx": 10.0}
        run = system.simulate(0.02, step=1e-4, initial=start, outputs=["tyre.Fx", "tyre.Fz"])
        forces[y] = float(run["tyre.Fx"][-1] / run["tyre.Fz"][-1])
    assert forces[2.0] < -0.3
    assert forces[-2.0] == pytest.approx(0.4 * forces[2.0], rel=1e-2)


def test_ground_that_is_more_curved_than_the_tyre_is_warned_of_once() -> None:
    kerb = at.Bump(rise=0.1, length=0.3)
    model = at.Model("two")
    for k in (1, 2):
        cart = model.add(at.RigidBody(f"cart_{k}", 1.0, (1.0, 1.0, 1.0)))
        model.add(at.Planar(f"plane_{k}", model.ground, cart, normal="y"))
        wheel = model.add(at.BodyOfRevolution(f"wheel_{k}", 20.0, 1.0, 0.6, axis="y"))
        axle = model.add(at.Revolute(f"axle_{k}", cart, wheel, axis="y"))
        model.add(at.Tyre(f"tyre_{k}", axle, model.ground, RADIUS, FORCE, FIALA, surface=kerb))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.formulate()
    (warning,) = [w for w in caught if issubclass(w.category, ModelWarning)]
    assert "curved by a radius of 0.0456 m, less than that of the tyre, 0.32 m" in str(
        warning.message
    )


PLATFORM = np.full((4, 5), 0.2)
MOUND = np.pad([[0.1, 0.2, 0.1]], 1)


@pytest.mark.parametrize("in_a_sum", [False, True])
@pytest.mark.parametrize(
    ("heights", "outside", "jumps"),
    [(PLATFORM, "zero", True), (PLATFORM, "held", False), (MOUND, "zero", False)],
)
def test_ground_that_jumps_at_its_border_is_warned_of(
    heights: Any, outside: str, jumps: bool, in_a_sum: bool
) -> None:
    ground: Any = at.Bicubic(heights, 40.0, 40.0, outside=outside)
    if in_a_sum:
        ground = at.SurfaceSum([ROUGH, ground])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rolling_wheel(FIALA, surface=ground).formulate()
    told = [str(w.message) for w in caught if issubclass(w.category, ModelWarning)]
    assert len(told) == int(jumps)
    assert all("jumps by up to 0.2 m at the border" in text for text in told)


def test_smooth_ground_is_not_warned_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rolling_wheel(FIALA, surface=ROUGH).formulate()


@pytest.mark.parametrize("law", [at.NoSlip(), Ice()])
def test_a_wheel_that_is_held_on_waves_keeps_its_energy(law: Any) -> None:
    """The reaction is along the normal at the very point that the gap is measured at."""
    system = rolling_wheel(law, at.NoDeflection(), surface=ROUGH, contact_steps=5).formulate()
    start = system.trim({"plane.first_speed": 2.0}, wheels=at.RollingWheels()).states
    names = ["energy.total", "energy.kinetic", *(f"tyre.contact_point.{axis}" for axis in "xyz")]
    run = system.simulate(2.0, step=5e-4, initial=start, outputs=[*names, "tyre.Fz"], watch=False)
    assert np.ptp(run["energy.kinetic"]) > 1.0
    assert np.ptp(run["tyre.Fz"]) > 1.0
    assert np.ptp(run["energy.total"]) < 1e-7 * np.ptp(run["energy.kinetic"])
    x, y, z = (run[name] for name in names[2:])
    assert z == pytest.approx(ROUGH.height(x, y, ROUGH.numbers), abs=1e-9)
