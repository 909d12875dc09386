"""Loads of joints for designers: against Newton and Euler, statics and a closed form."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.described_car import described_car, motion_outputs
from mechanisms.double_wishbone_car import double_wishbone_car
from typer.testing import CliRunner

import axletree as at
from axletree.analysis.joint_loads import JointLoads
from axletree.cli.app import app
from axletree.core.errors import SimulationError

CORNER = ("front_left",)
RACK = (0.012, -0.05, 0.4)  # m, m/s, m/s^2
GRAVITY = 9.80665


@pytest.mark.validation("mechanisms")
def test_loads_are_those_of_newton_and_euler_in_any_axes(agrees: Agrees) -> None:
    model = double_wishbone_car(CORNER, tyres=False)
    system, random = model.formulate(), np.random.default_rng(3)
    first = {f"free.{name}": 0.1 * random.normal() for name in ("x", "yaw", "pitch", "roll")}
    first |= {f"free.{name}": random.normal() for name in ("vx", "vy", "vz", "wx", "wy", "wz")}
    first |= {"front_left_lower.angle": 0.06, "front_left_lower.rate": 0.8}
    first["front_left_axle.rate"] = 58.0
    names = "", "_rate", "_acceleration"
    rack = {f"steering.position{n}": x for n, x in zip(names, RACK, strict=True)}
    state = system.state(first, inputs=rack)
    moved = system.outputs_at(state, motion_outputs(model), inputs=rack)
    m, joints = described_car(model, moved, RACK)
    columns = {name: np.array([value]) for name, value in state.items()}
    units = {q.name: q.unit for q in system.states}
    run = at.Trajectory("car", np.zeros(1), columns, units, tuple(columns))
    given = {"system": system, "inputs": rack}
    by_tail, by_ground, by_arm = (
        at.joint_loads(run, axes=axes, **given) for axes in (None, "ground", "front_left_lower_arm")
    )
    (arm,) = (k for k, name in enumerate(joints) if name == "front_left_lower")
    R_arm = m.oracle().point(m.joints[arm].head).R
    largest = max(np.abs(x).max() for pair in m.reactions()[0] for x in pair)
    for name, joint, (force, moment) in zip(joints, m.joints, m.reactions()[0], strict=True):
        if joint.kind in ("Free", "Prismatic"):  # the latter's driver has a part of it
            continue
        R = m.oracle().point(joint.tail).R
        for found, turned in (
            (by_tail[name], np.eye(3)), (by_ground[name], R), (by_arm[name], R_arm.T @ R)
        ):  # fmt: skip
            agrees(
                "loads of joints in a frame's axes",
                np.array([*found.force[0], *found.moment[0]]),
                np.array([*(turned @ force), *(turned @ moment)]),
                abs=1e-9 * largest, unit="N, N m",
                source="Independent model, Newton and Euler in maximal coordinates",
                case=f"{name} of a car on a double wishbone",
            )  # fmt: skip


@pytest.fixture(scope="module")
def steady() -> JointLoads:
    run = at.read_model("double-wishbone-sports-car").drive("coasting", record_interval="0.1 s")
    return at.joint_loads(run.between(0.0, 0.0), axes="ground")


@pytest.mark.slow
def test_loads_move_every_body_of_a_car_that_coasts(steady: JointLoads) -> None:
    """All decelerate alike, and what acts on each carries its weight."""
    bodies = {c.name: c for c in at.read_model("double-wishbone-sports-car")
              if isinstance(c, at.RigidBody | at.BodyOfRevolution)}  # fmt: skip
    assert len(bodies) == 17
    total = {name: np.zeros(3) for name in bodies}
    for load in steady.loads:
        for end, sign in ((load.head, 1.0), (load.tail, -1.0)):
            if (body := end.partition(".")[0]) in total:
                total[body] += sign * load.force[0]
    slowing = total["body"][0] / bodies["body"].mass
    assert -0.6 < slowing < -0.4  # m/s^2
    for name, body in bodies.items():
        expected = body.mass * np.array([slowing, 0.0, GRAVITY])
        np.testing.assert_allclose(total[name], expected, atol=1e-6 * body.mass, err_msg=name)
    assert steady.caveat == ""


def test_extremes_of_a_pendulum_are_those_of_its_energy() -> None:
    """At the bottom m g + m l w^2, with w^2 = 2 m g l (1 - cos a) / (I + m l^2); where it turns
    back m g cos a along the rod and m g sin a (1 - m l^2 / (I + m l^2)) across."""
    m, inertia, lever, a = 1.0, 0.083, 0.5, 0.3
    whole = inertia + m * lever**2
    found = at.joint_loads(at.read_model("pendulum").drive(record_interval="1 ms"), axes="rod")
    extremes = {(one.of, one.which): one for one in found.extremes()}
    bottom = extremes["force.size", "maximum"]
    spin = 2.0 * m * GRAVITY * lever * (1.0 - math.cos(a)) / whole
    assert bottom.value == pytest.approx(m * (GRAVITY + lever * spin), rel=1e-5)
    assert bottom.force == pytest.approx((0.0, 0.0, bottom.value), abs=0.05)
    turning = extremes["force.z", "minimum"]
    assert turning.value == pytest.approx(m * GRAVITY * math.cos(a), rel=1e-5)
    across = m * GRAVITY * math.sin(a) * (1.0 - m * lever**2 / whole)
    assert abs(turning.force[0]) == pytest.approx(across, rel=1e-5)
    half_swings = turning.time / (math.pi * math.sqrt(whole / (m * GRAVITY * lever)))
    assert half_swings == pytest.approx(round(half_swings), abs=0.02 * max(1.0, half_swings))
    assert found.units()["pin.force.x"] == "N"
    assert "pin.moment.x" not in found.columns()


def mounted_box() -> Any:
    """On a bushing whose head is turned by 90 degrees, with a stop that it does not reach."""
    model = at.Model("mounted")
    frames = {"side": {"position": (0.2, 0.0, 0.0), "turn": [["z", math.pi / 2]]}}
    box = model.add(at.RigidBody("box", 10.0, (1.0, 1.0, 1.0), frames_at=frames))
    model.add(at.Free("place", model.ground, box))
    damping = {"damping": (1e3, 1e3, 2e3), "rotational_damping": (50.0, 50.0, 50.0)}
    model.add(at.Bushing("mount", model.ground, box, (1e5, 2e5, 4e5), (900.0,) * 3, **damping))
    model.add(at.ForceDriver("push", model.ground, box.frame("side")))
    return model


def test_bushings_and_loads_are_among_them() -> None:
    system = mounted_box().formulate()
    names = [f"mount.{word}{axis}" for word in "FM" for axis in "xyz"]
    run = system.simulate(0.2, step=1e-3, method="rk4", outputs=names, inputs={"push.force": 30.0})
    found = at.joint_loads(run, system=system, inputs={"push.force": 30.0})
    mount = found["mount"]
    assert not mount.is_reaction
    recorded = np.column_stack([run[name] for name in names])
    given = np.hstack([mount.force, mount.moment])
    np.testing.assert_allclose(given, recorded, atol=1e-9 * np.abs(recorded).max())
    turned = at.joint_loads(run, axes="box.side", system=system, inputs={"push.force": 30.0})
    yaw = run["place.yaw"][-1]
    assert abs(yaw) < 1e-3
    assert turned["mount"].force[-1, 1] == pytest.approx(-mount.force[-1, 0], abs=0.1)


def test_what_the_motion_leaves_open_is_told() -> None:
    """A planar linkage on parallel hinges: which of them takes a moment across is open."""
    found = at.joint_loads(at.read_model("four-bar").drive())
    assert any(not load.is_determined for load in found.loads)
    assert "does not determine the loads of" in found.caveat


def test_runs_that_do_not_know_what_they_are_made_of_are_refused() -> None:
    system = at.read_model("pendulum").formulate()
    run = system.simulate(0.1, step=0.01)
    with pytest.raises(SimulationError, match=r"was not driven by a model.*system=system"):
        at.joint_loads(run)
    with pytest.raises(SimulationError, match="'rood'.*did you mean 'rod'"):
        at.joint_loads(run, system=system, axes="rood")
    with pytest.raises(SimulationError, match="'pinn'.*did you mean 'pin'"):
        at.joint_loads(run, system=system)["pinn"]


def test_a_circuit_has_no_joints() -> None:
    with pytest.raises(SimulationError, match="rlc_circuit has no joints, and no springs"):
        at.joint_loads(at.read_model("rlc-circuit").drive())


def test_set_valued_forces_are_told_to_be_smooth_here() -> None:
    """The run solves for the forces of its soil wheel, which joints are loaded by."""
    found = at.joint_loads(at.read_model("quarter-vehicle-on-soil").drive(record_interval=0.1))
    assert found.caveat.startswith(
        "forces that the run found as set-valued ones are by their smooth laws here; extremes are"
    )


def test_the_command_leaves_tables_and_a_page(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        app, ["loads", "pendulum", "--axes", "ground", "--out", str(tmp_path)]
    )
    assert result.exit_code == 0, result.output
    assert "on rod from ground" in result.output
    rows = list(csv.DictReader((tmp_path / "extremes.csv").read_text().splitlines()))
    assert {row["of"] for row in rows} == {"force.x", "force.z", "force.size"}
    (largest,) = (row for row in rows if row["of"] == "force.size")
    history = np.genfromtxt(tmp_path / "loads.csv", delimiter=",", names=True, deletechars="")
    size = np.hypot(history["pin.force.x_[N]"], history["pin.force.z_[N]"])
    assert float(largest["time [s]"]) == pytest.approx(history["time_[s]"][size.argmax()])
    kept = json.loads((tmp_path / "metrics.json").read_text())["metrics"]["maximum_joint_force"]
    assert kept["unit"] == "N"
    assert kept["value"] == pytest.approx(size.max())
    assert "Largest forces" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_command_refuses_a_frame_that_there_is_not(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        app, ["loads", "pendulum", "--axes", "grund", "--out", str(tmp_path / "out")]
    )
    assert result.exit_code == 2
    assert "did you mean 'ground'" in result.output
    assert not (tmp_path / "out").exists()


def test_loads_of_few_records_say_so() -> None:
    """The first and the last alone, where the pendulum swings through 30 times its period."""
    model = at.read_model("pendulum")
    assert at.joint_loads(model.drive(record_interval="20 ms")).caveat == ""
    found = at.joint_loads(model.drive(record_interval="10 s"))
    assert found.caveat.startswith("extremes are those of 2 records, 10 s apart: shorter peaks")
