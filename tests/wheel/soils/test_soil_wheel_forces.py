"""Forces of the wheel on soft ground: those of its law, their power, their rest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest
from scipy.integrate import simpson

import axletree as at
from axletree.analysis.energy import audit_energy
from axletree.simulation.simulate import form_for
from axletree.system.system import System
from axletree.wheel.soils.contract import SoilLaw, WheelInSoil

RADIUS, WIDTH, MASS, LOAD = 0.381, 0.2, 250.0, 2452.5
SLANT = (-0.5, -1.0, -9.81)  # of gravity; runs are on the level unless they say otherwise
SOLVED = "complementarity"
MAGIC = at.Paved(at.MagicFormula62(**at.MagicFormula62.example), 2e5)
LAWS: dict[str, SoilLaw] = {
    "sand": at.WongReece("lete-sand-wong", order=6),
    "clay": at.WongReece("heavy-clay-wes-25", order=6),
    "loam": at.WongReece("sandy-loam-lll-15", order=6),
    "snow": at.WongReece("snow-sweden", order=6),
    "cone": at.Brixius(4e5, section_height=0.14),
    "paved": at.Paved(at.Fiala(**at.Fiala.example), 2e5),
    "edge": at.Border(MAGIC, at.WongReece("lete-sand-wong", order=6), 0.1, 0.05, 0.5),
}


def on_axle(model: at.Model, body: at.RigidBody, law: SoilLaw, **other: object) -> None:
    wheel = model.add(at.BodyOfRevolution("wheel", 1.0, 6.0, 3.0, axis="y"))
    axle = model.add(at.Revolute("axle", body, wheel, axis="y"))
    model.add(at.JointTorque("drive", axle))
    model.add(at.FrictionBrake("brake", axle))
    model.add(at.SoilWheel("soil", axle, model.ground, RADIUS, WIDTH, law, **other))


@cache
def flat(name: str, method: str = SOLVED) -> System:
    """A carrier that goes anywhere at one height, under a given load."""
    model = at.Model("flat", gravity=SLANT)
    body = model.add(at.RigidBody("body", MASS - 1.0, (20.0, 20.0, 20.0)))
    model.add(at.Planar("place", model.ground, body))
    on_axle(model, body, LAWS[name], normal_force=at.GivenLoad(LOAD))
    return model.formulate(form=form_for(method))


@cache
def quarter(name: str, support: str = "own", surface: str = "flat") -> System:
    """A carrier on slides along x and z, carried by the soil."""
    model = at.Model("quarter", gravity=SLANT)
    sled = model.add(at.MasslessBody("sled"))
    body = model.add(at.RigidBody("body", MASS - 1.0, (20.0, 20.0, 20.0)))
    model.add(at.Prismatic("way", model.ground, sled, axis="x"))
    model.add(at.Prismatic("lift", sled, body, axis="z"))
    under = {
        "own": at.OwnSupport(),
        "underneath": at.SoilUnderneath(LAWS["sand"]),
        "linear": at.YieldingGround(2e5),
    }[support]
    ground = at.Ramp(rise=3.0, length=12.5, edge=0.5) if surface == "ramp" else at.Flat()
    on_axle(model, body, LAWS[name], normal_force=under, surface=ground)
    return model.formulate(form="set-valued")


@cache
def leaning(name: str = "sand", method: str = SOLVED) -> System:
    model = at.Model("leaning", gravity=(0.0, 0.0, -9.81))
    body = model.add(at.RigidBody("body", MASS - 1.0, (20.0, 20.0, 20.0)))
    model.add(at.Free("place", model.ground, body))
    on_axle(model, body, LAWS[name])
    return model.formulate(form=form_for(method))


def run(
    system: System, duration: float, step: float, first: Mapping[str, float], **other: object
) -> at.Trajectory:
    held = {"drive.torque": 0.0, "brake.torque": 0.0, **other.pop("inputs", {})}
    method = other.pop("method", SOLVED)
    known = {quantity.name for quantity in system.parameters}
    level = {name: 0.0 for name in ("gravity.x", "gravity.y") if name in known}
    return system.simulate(
        duration, step=step, method=method, initial=first, inputs=held, parameters=level | other,
        watch=False,
    )  # fmt: skip


# -- forces ----------------------------------------------------------------------------------
@pytest.mark.sampled(5)
@pytest.mark.parametrize("method", [SOLVED, "rk4"])
@pytest.mark.parametrize("name", ["sand", "clay", "cone", "paved"])
@pytest.mark.parametrize("speeds", [(3.0, 0.4, 3.4), (3.0, -0.9, 2.0), (-2.0, 0.3, -2.6)])
def test_a_wheel_that_drifts_steadily_has_the_forces_of_its_law(
    name: str, method: str, speeds: tuple[float, float, float]
) -> None:
    """So heavy that nothing changes its speeds."""
    forward, left, rolling = speeds
    greater = max(abs(forward), abs(rolling))
    slip = math.copysign(abs(forward - rolling) / greater, abs(rolling) - abs(forward))
    wheel = WheelInSoil(RADIUS, WIDTH, slip, lateral_slip=left / greater, speed=greater)
    law, first = LAWS[name], {"place.vx": forward, "place.vy": left, "axle.rate": rolling / RADIUS}
    heavy = {"body.mass": 1e13, "wheel.axial_inertia": 1e13, "wheel.transverse_inertia": 1e13}
    found = run(flat(name, method), 0.03, 1e-2, first, method=method, **heavy)
    expected, sign = law(LOAD, wheel), math.copysign(1.0, forward)
    told = {
        "traction": sign * expected.gross_traction,
        "resistance": sign * expected.compaction_resistance,
        "side_force": expected.lateral_force,
        "torque": sign * expected.torque,
        "drawbar_pull": sign * expected.drawbar_pull,
    }
    if isinstance(law, at.WongReece):
        places = ("sinkage", "entry_angle", "exit_angle")
        told |= {place: getattr(expected, place) for place in places}
    for output, value in told.items():
        assert found[f"soil.{output}"][-1] == pytest.approx(value, rel=1e-6, abs=1e-6), output


def test_a_soil_beside_carries_a_wheel_by_the_cone_index() -> None:
    """Peiret et al., eq. (22): it sinks as by the stresses of its slip, and pulls by its law."""
    pull = {"drive.torque": "500*min(t/5, 1)"}
    system = quarter("cone", "underneath")
    first = {"lift.position": RADIUS - 0.02, "way.speed": 1.0, "axle.rate": 1.0 / RADIUS}
    found = run(system, 1.0, 5e-3, first, inputs=pull)
    slip, load = found["soil.slip"][-1], found["soil.normal_force"][-1]
    wheel = WheelInSoil(RADIUS, WIDTH, slip)
    sand, cone = LAWS["sand"], LAWS["cone"]
    assert found["soil.sinkage"][-1] == pytest.approx(sand(load, wheel).sinkage, rel=1e-3)
    assert found["soil.resistance"][-1] == pytest.approx(
        cone(load, wheel).compaction_resistance, rel=1e-3
    )


def test_soil_is_damped_in_proportion_to_its_stiffness() -> None:
    """Peiret et al., eqs. (21, 22): c_n = eta_n F_n / z."""
    law, depth, sinking, eta = LAWS["sand"], 0.02, 0.1, 0.03
    force = law.at_sinkage(depth, WheelInSoil(RADIUS, WIDTH), law.numbers).normal_force
    first = {"lift.position": RADIUS - depth, "lift.speed": -sinking}
    number = {"soil.normal_force.damping_time": eta}
    found = run(quarter("sand"), 1e-4, 1e-6, first, **number)["soil.normal_force"][0]
    assert found == pytest.approx(force + eta * force / depth * sinking, rel=1e-4)


def test_what_a_tyre_pushes_without_slip_fades_at_rest() -> None:
    place = {"place.x": -1.0, "place.z": RADIUS - 0.012}
    moving = {"place.vx": 3.0, "axle.rate": 3.0 / RADIUS}
    pushes = []
    for first in (place, place | moving):
        found = run(leaning("edge"), 1e-3, 1e-3, first)
        pushes.append((found["soil.lateral_force"] - found["soil.side_force"])[0])
    assert pushes[0] == 0.0
    assert abs(pushes[1]) > 1.0


# -- lean and slopes -------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["sand", "edge"])
def test_the_power_of_a_leaning_wheel_is_what_its_loads_do(name: str) -> None:
    """By velocities of the reactions, and by forces and moments on carrier and wheel.

    On an edge of asphalt, with pushes and moments of the tyre, too.
    """
    first = {
        "place.z": RADIUS * math.cos(0.2) - 0.02,
        "place.roll": 0.2,
        "place.yaw": 0.3,
        "place.vx": 2.0,
        "place.vy": 0.3,
        "place.wx": 0.5,
        "place.wz": 0.7,
        "axle.rate": 6.5,
    }
    off = {"drive.torque": 0.0, "brake.torque": 0.0}
    audit = audit_energy(leaning(name), 0.1, step=1.25e-4, initial=first, inputs=off)
    work = dict(audit.rows)["soil"]
    assert work < -10.0
    assert audit.residual < 1e-8
    found = run(leaning(name, "rk4"), 0.1, 1.25e-4, first, method="rk4")
    told = simpson(found["soil.power"], x=found.time)
    assert told == pytest.approx(work, rel=1e-6)


@pytest.mark.parametrize("method", [SOLVED, "rk4"])
def test_left_and_right_are_mirror_images(method: str) -> None:
    ends = []
    for side in (1.0, -1.0):
        first = {
            "place.z": RADIUS * math.cos(0.15) - 0.02,
            "place.roll": side * 0.15,
            "place.vx": 2.0,
            "place.vy": side * 0.4,
            "place.wx": side * 0.3,
            "axle.rate": 6.0,
        }
        found = run(leaning(method=method), 0.05, 1e-3, first, method=method)
        names = ("place.x", "place.z", "axle.rate", "soil.drawbar_pull", "soil.normal_force")
        turned = ("place.y", "place.roll", "place.yaw", "soil.side_force")
        ends.append([found[n][-1] for n in names] + [side * found[n][-1] for n in turned])
    assert ends[0] == pytest.approx(ends[1], rel=1e-9)
    assert abs(ends[0][-1]) > 100.0


def test_a_ramp_is_a_plane_with_gravity_at_a_slant() -> None:
    """A braked wheel comes to rest on either and stands alike."""
    slope = math.atan(3.0 / 12.0)
    brake = {"brake.torque": 1500.0}
    middle = 0.5 * 12.5
    place = {
        "way.position": middle,
        "lift.position": 1.5 + (RADIUS - 0.01) / math.cos(slope),
    }
    start = {"way.speed": math.cos(slope), "lift.speed": math.sin(slope), "axle.rate": 2.0}
    ramp = run(quarter("sand", surface="ramp"), 8.0, 1e-2, {**place, **start}, inputs=brake)
    down = {"gravity.x": -9.81 * math.sin(slope), "gravity.z": -9.81 * math.cos(slope)}
    along = {"lift.position": RADIUS - 0.01, "way.speed": 1.0, "axle.rate": 2.0}
    plane = run(quarter("sand"), 8.0, 1e-2, along, inputs=brake, **down)
    for found in (ramp, plane):
        assert found["soil.drawbar_pull"][-1] == pytest.approx(MASS * -down["gravity.x"], rel=1e-9)
        assert found["soil.normal_force"][-1] == pytest.approx(MASS * -down["gravity.z"], rel=1e-9)
    assert ramp["soil.sinkage"][-1] == pytest.approx(plane["soil.sinkage"][-1], rel=1e-9)
    assert ramp["soil.slope"][-1] == pytest.approx(slope, rel=1e-12)


# -- energy ----------------------------------------------------------------------------------
def random_motions(count: int) -> list[dict[str, float]]:
    random, found = np.random.default_rng(6), []
    for _ in range(count):
        size = 10.0 ** random.uniform(-3.0, 0.7)
        v = size * random.normal(size=4)
        names = ("place.vx", "place.vy", "place.rate", "axle.rate")
        found.append(dict(zip(names, v * (1.0, 0.5, 0.5, 1.0 / RADIUS), strict=True)))
    return found


@pytest.mark.parametrize("name", ["sand", "clay", "snow", "cone", "paved"])
def test_soil_never_adds_energy(name: str) -> None:
    """From any motion: turning against the way, sideways, spinning on the spot, locked."""
    for first in random_motions(25):
        for step in (1e-3, 3e-3, 1e-2):
            energy = run(flat(name), 10 * step, step, first)["energy.kinetic"]
            assert np.diff(energy).max() <= 1e-13 * energy[0]
            assert energy[-1] < energy[0]


def gained(found: at.Trajectory, step: float, torque: float = 0.0) -> float:
    """Energy beyond the work of a torque about the axle, the most of any step [J]."""
    energy = found["energy.kinetic"] + found["energy.potential"]
    return float((np.diff(energy) - step * torque * found["axle.rate"][1:]).max())


@pytest.mark.parametrize("name", ["sand", "loam", "clay"])
@pytest.mark.parametrize("step", [1e-3, 3e-3, 1e-2])
def test_nothing_comes_back_of_a_sinkage(name: str, step: float) -> None:
    """Without slip, from within the soil, and dropped from 1, 5 and 20 cm above it."""
    law = LAWS[name]
    depths = np.linspace(0.0, 0.3, 60001)
    force = law.at_sinkage(depths, WheelInSoil(RADIUS, WIDTH, 0.0), law.numbers).normal_force
    work = np.concatenate([[0.0], np.cumsum(0.5 * (force[1:] + force[:-1]) * np.diff(depths))])
    starts = ((0.03, 0.0), (0.04, -0.4), (0.03, 0.2), (-0.01, 0.0), (-0.05, 0.0), (-0.2, 0.0))
    for depth, speed in starts:
        first = {"lift.position": RADIUS - depth, "lift.speed": speed}
        found = run(quarter(name), 99e-2, step, first)
        sinkage = found["soil.sinkage"]
        assert gained(found, step) <= 1e-12
        assert sinkage.max() < 0.3
        energy = found["energy.kinetic"] + found["energy.potential"]
        taken = np.diff(np.interp(sinkage[[0, -1]], depths, work))[0]
        assert energy[0] - energy[-1] >= taken - 1e-9  # damping takes some beside it
        assert found["lift.speed"][-1] == 0.0


@pytest.mark.filterwarnings("ignore:.*sinks in by more than its radius")
@pytest.mark.parametrize(
    ("name", "support"),
    [("sand", "own"), ("loam", "own"), ("clay", "own"), ("snow", "own"), ("cone", "underneath")],
)
def test_energy_never_grows_beyond_the_work_of_the_drive(name: str, support: str) -> None:
    """However a wheel sinks, rises, rolls, spins and locks, and whatever drives and brakes it."""
    random = np.random.default_rng(11)
    for step in (1e-3, 3e-3, 1e-2):
        for torque, brake in ((0.0, 0.0), (0.0, 2e3), (300.0, 0.0), (-300.0, 0.0), (500.0, 100.0)):
            travel, rolling = 10.0 ** random.uniform(-2.0, 0.7) * random.normal(size=2)
            depth, rise = random.uniform(-0.05, 0.12), 0.3 * random.normal()
            first = {"lift.position": RADIUS - depth, "lift.speed": rise, "way.speed": travel}
            given = {"drive.torque": torque, "brake.torque": brake}
            start = {**first, "axle.rate": rolling / RADIUS}
            found = run(quarter(name, support), 200 * step, step, start, inputs=given)
            assert gained(found, step, torque) <= 1e-11


def test_a_wheel_that_slip_dug_in_stays_in_its_rut_until_it_rolls_out() -> None:
    """It spins on a slope that it cannot climb, locks, and is driven over fresh ground."""
    soft, step = quarter("sand"), 2e-3
    spun = run(
        soft, 3.0, step, {"lift.position": RADIUS - 0.03}, inputs={"drive.torque": 900.0},
        **{"gravity.x": -4.0},
    )  # fmt: skip
    dug = spun["soil.sinkage"][-1]
    assert spun["soil.slip"][-1] > 0.9
    place = {"lift.position": spun["lift.position"][-1]}
    stood = run(soft, 2.0, step, place, inputs={"brake.torque": 3e3})
    assert np.ptp(stood["soil.sinkage"]) == 0.0
    assert stood["soil.normal_force"][-1] == pytest.approx(MASS * 9.81, rel=1e-12)
    out = run(soft, 6.0, step, place, inputs={"drive.torque": 350.0})
    assert gained(out, step, 350.0) <= 1e-11
    sinkage, slip = out["soil.sinkage"][-1], out["soil.slip"][-1]
    law = LAWS["sand"]
    carried = law.at_sinkage(sinkage, WheelInSoil(RADIUS, WIDTH, slip), law.numbers).normal_force
    assert sinkage < 0.8 * dug
    assert carried == pytest.approx(out["soil.normal_force"][-1], rel=1e-3)


@pytest.mark.parametrize("step", [1e-3, 3e-3, 1e-2])
def test_a_spring_meets_a_falling_wheel_in_the_step_that_touches(step: float) -> None:
    """Undamped: it bounces, never higher."""
    stiffness = 2e5
    for height in (0.001, 0.05, 0.2):
        found = run(quarter("cone", "linear"), 99e-2, step, {"lift.position": RADIUS + height})
        depth = np.maximum(found["soil.sinkage"], 0.0)
        energy = found["energy.kinetic"] + found["energy.potential"]
        assert np.diff(energy + 0.5 * stiffness * depth**2).max() <= 1e-9
        assert found["soil.normal_force"].max() > 1.2 * LOAD


# -- steps and rest --------------------------------------------------------------------------
def test_steps_from_1_to_10_ms_give_one_result_to_order_one() -> None:
    first = {"lift.position": RADIUS - 0.015, "way.speed": 1.0, "axle.rate": 3.0}
    drive = {"drive.torque": "300*min(t/0.5, 1)"}
    ends = {}
    for step in (1e-3, 2e-3, 5e-3, 1e-2):
        found = run(quarter("sand"), 2.0, step, first, inputs=drive)
        ends[step] = np.array([found["way.speed"][-1], found["axle.rate"][-1]])
    reference = 2.0 * ends[1e-3] - ends[2e-3]
    errors = {step: np.abs(end - reference) / reference for step, end in ends.items()}
    assert errors[1e-2].max() < 5e-3
    for step in (2e-3, 5e-3, 1e-2):
        assert errors[step] / errors[1e-3] == pytest.approx(step / 1e-3 * np.ones(2), rel=0.15)


def test_a_wheel_braked_while_it_drifts_stops_on_a_side_slope_and_stays() -> None:
    first = {"place.vx": 2.0, "place.vy": -0.8, "axle.rate": 2.0 / RADIUS}
    slope = {"gravity.y": -1.0, "gravity.x": -0.5}
    for name in ("sand", "clay", "paved"):
        found = run(flat(name), 20.0, 1e-2, first, inputs={"brake.torque": 1500.0}, **slope)
        stands = found.time > 6.0
        for speed in ("place.vx", "place.vy", "axle.rate"):
            assert not found[speed][stands].any(), (name, speed)
        assert found["soil.side_force"][-1] == pytest.approx(MASS * 1.0, rel=1e-9)
        assert found["soil.drawbar_pull"][-1] == pytest.approx(MASS * 0.5, rel=1e-9)
