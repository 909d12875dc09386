"""The wheel on soft ground: the model of the package, its mirror image, what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

import axletree as at
from axletree.analysis.energy import audit_energy
from axletree.system.forms.contract import Form
from axletree.system.system import System
from axletree.wheel.soils.contract import WheelInSoil

LAW = at.Brixius(4e5, section_height=0.14)
# Where thrust, resistance and pull of Peiret et al., table 1, balance; by a program of its own.
STEADY = {
    "way.speed": 2.423505,
    "axle.rate": 9.066965,
    "soil.slip": 0.298452,
    "soil.traction": 1574.803,
    "soil.resistance": 363.050,
    "soil.drawbar_pull": 1211.753,
}


@pytest.fixture(scope="module")
def quarter() -> System:
    return at.read_model("quarter-vehicle-on-soil").formulate(form="set-valued")


def test_the_model_reaches_the_steady_state(quarter: System) -> None:
    run = quarter.simulate(60.0, step=1e-2, method="complementarity")
    assert not run["soil.sinkage"].any()
    for name, value in STEADY.items():
        assert run[name][-1] == pytest.approx(value, rel=2e-6), name
    assert run["soil.wheel_numeric"][-1] == pytest.approx(4e5 * 0.2 * 0.762 / 2452.5)


def test_the_audit_closes_on_the_smooth_path(quarter: System) -> None:
    audit = audit_energy(quarter, 8.0, step=1e-3)
    assert dict(audit.rows)["soil"] < -100.0
    assert audit.residual < 1e-6


def on_the_plane(heading: float, torque: float) -> System:
    """A carrier that may go anywhere, upright, with its wheel turned by the heading."""
    model = at.Model("plane", gravity=(0.0, 0.0, 0.0))
    body = model.add(at.RigidBody("body", 100.0, (5.0, 5.0, 5.0)))
    model.add(at.Planar("place", model.ground, body))
    wheel = model.add(at.BodyOfRevolution("wheel", 1.0, 2.0, 1.0, axis="y"))
    axle = model.add(at.Revolute("axle", body, wheel, axis="y"))
    model.add(at.JointTorque("drive", axle, torque=torque))
    model.add(at.SoilWheel("soil", axle, model.ground, 0.4, 0.2, LAW, at.GivenLoad(2e3)))
    model.start = {"place.angle": heading}
    return model.formulate(form="set-valued")


@pytest.mark.parametrize(("heading", "torque"), [(2.0, 400.0), (0.5, -400.0)])
def test_it_drives_where_it_heads_and_alike_in_reverse(heading: float, torque: float) -> None:
    straight = on_the_plane(0.0, 400.0).simulate(1.0, step=5e-3, method="complementarity")
    run = on_the_plane(heading, torque).simulate(1.0, step=5e-3, method="complementarity")
    sign = math.copysign(1.0, torque)
    gone = sign * straight["place.x"][-1]
    assert straight["place.x"][-1] > 0.5
    assert run["place.x"][-1] == pytest.approx(gone * math.cos(heading), rel=1e-9)
    assert run["place.y"][-1] == pytest.approx(gone * math.sin(heading), rel=1e-9)
    assert run["soil.traction"][-1] == pytest.approx(sign * straight["soil.traction"][-1])
    assert run["soil.slip"][-1] == pytest.approx(straight["soil.slip"][-1])


@pytest.mark.parametrize(("speed", "held"), [(5e-7, True), (5e-6, False)])
def test_a_wheel_at_rest_holds_its_side_force_without_give(speed: float, held: bool) -> None:
    """At rest is what neither moves nor turns by more than 1e-6 m/s; a slow wheel drifts."""
    first = {"place.vx": speed, "axle.rate": speed / 0.4, "place.vy": 0.4 * speed}
    run = on_the_plane(0.0, 1e-9).simulate(
        0.01, step=5e-3, method="complementarity", initial=first, watch=False
    )
    assert (run["place.vy"][1] == 0.0) == held
    assert abs(run["place.vy"][1]) < 1e-3 * speed


def test_four_braked_wheels_share_what_holds_them_on_a_slope() -> None:
    """Twelve rows hold five freedoms: the rest is shared alike."""
    mass, slope = 1000.0, 0.15
    down, pressed = 9.81 * math.sin(slope), 9.81 * math.cos(slope)
    model = at.Model("parked", gravity=(-down, 0.0, -pressed))
    body = model.add(at.RigidBody("body", mass - 4.0, (1.0, 1.0, 1.0)))
    model.add(at.Prismatic("way", model.ground, body, axis="x"))
    load = at.GivenLoad(mass * pressed / 4.0)
    for k in range(4):
        wheel = model.add(at.BodyOfRevolution(f"wheel{k}", 1.0, 2.0, 1.0, axis="y"))
        axle = model.add(at.Revolute(f"axle{k}", body, wheel, axis="y"))
        model.add(at.FrictionBrake(f"brake{k}", axle, torque=800.0))
        model.add(at.SoilWheel(f"soil{k}", axle, model.ground, 0.4, 0.2, LAW, load))
    first = {"way.speed": -2.0, **{f"axle{k}.rate": -5.0 for k in range(4)}}
    run = model.formulate(form="set-valued").simulate(
        10.0, step=1e-2, method="complementarity", initial=first, watch=False
    )
    stands = run.time > 5.0
    assert np.abs(run["way.speed"]).max() == 2.0
    assert not run["way.speed"][stands].any()
    for k in range(4):
        assert not run[f"axle{k}.rate"][stands].any()
        assert run[f"soil{k}.drawbar_pull"][stands] == pytest.approx(mass * down / 4.0, rel=1e-9)


def test_parts_that_do_not_go_together_are_refused() -> None:
    model = at.Model("m")
    wheel = model.add(at.BodyOfRevolution("wheel", 1.0, 1.0, 1.0, axis="y"))
    axle = model.add(at.Revolute("axle", model.ground, wheel, axis="y"))
    with pytest.raises(at.AxletreeError, match="soil: law: expected a SoilLaw, got a GivenLoad"):
        at.SoilWheel("soil", axle, model.ground, 0.4, 0.2, at.GivenLoad(1e3))
    with pytest.raises(at.AxletreeError, match="Brixius knows no sinkage, so what carries the"):
        at.SoilWheel("soil", axle, model.ground, 0.4, 0.2, LAW)
    with pytest.raises(at.AxletreeError, match="law: Brixius knows no sinkage; take one such as"):
        at.SoilUnderneath(LAW)


@pytest.mark.parametrize("form", [at.Projected(), at.Baumgarte(), at.Partition()])
def test_joints_as_constraints_give_the_same_motion(form: Form) -> None:
    """Of 249 kg 100 kg are pushed along on a slide of their own."""
    eliminated, held = at.Model("eliminated"), at.Model("held")
    for model, mass in ((eliminated, 249.0), (held, 149.0)):
        body = model.add(at.RigidBody("body", mass, (5.0, 5.0, 5.0)))
        way = model.add(at.Prismatic("way", model.ground, body, axis="x"))
        wheel = model.add(at.BodyOfRevolution("wheel", 1.0, 2.0, 1.0, axis="y"))
        axle = model.add(at.Revolute("axle", body, wheel, axis="y"))
        model.add(at.JointTorque("drive", axle, torque="600*min(t, 1)"))
        model.add(at.SlideSpringDamper("pull", way, damping=500.0))
        model.add(at.SoilWheel("soil", axle, model.ground, 0.381, 0.2, LAW, at.GivenLoad(2452.5)))
    load = held.add(at.RigidBody("load", 100.0, (5.0, 5.0, 5.0)))
    held.add(at.Prismatic("guide", held.ground, load, axis="x"))
    held.add(at.PointOnPlane("push", load, held["body"], normal="x"))
    free = eliminated.formulate(form="set-valued")
    bound = held.formulate(form=at.SetValuedForm(form))
    assert len(bound.constraints) == 1
    ends = [system.simulate(3.0, step=5e-3, method="complementarity") for system in (free, bound)]
    for name in ("way.speed", "axle.rate", "soil.traction", "soil.slip"):
        assert ends[1][name][-1] == pytest.approx(ends[0][name][-1], rel=1e-6), name
    assert ends[1]["guide.position"][-1] == pytest.approx(ends[1]["way.position"][-1], abs=1e-6)


def test_a_form_that_is_none_is_refused() -> None:
    with pytest.raises(at.AxletreeError, match="unknown form 'augmented'"):
        at.Model("m").formulate(form="augmented")


@pytest.mark.parametrize("scheme", ["global", "local", "dissipative"])
def test_a_wheel_that_is_torn_loose_has_the_thrust_of_full_slip(scheme: str) -> None:
    """From no slip to nearly full slip within a step, from which on it spins with all thrust."""
    model = at.Model("torn")
    body = model.add(at.RigidBody("body", 1e6, (5.0, 5.0, 5.0)))
    model.add(at.Prismatic("way", model.ground, body, axis="x"))
    wheel = model.add(at.BodyOfRevolution("wheel", 1.0, 2.0, 1.0, axis="y"))
    axle = model.add(at.Revolute("axle", body, wheel, axis="y"))
    model.add(at.JointTorque("drive", axle, torque=1e5))
    law, load = at.Brixius(4e5, section_height=0.14), at.GivenLoad(2452.5)
    model.add(at.SoilWheel("soil", axle, model.ground, 0.381, 0.2, law, load, scheme))
    first = {"way.speed": 1.0, "axle.rate": 1.01 / 0.381}
    run = model.formulate(form="set-valued").simulate(
        0.1, step=1e-2, method="complementarity", initial=first, watch=False
    )
    number = law.mobility_number(2452.5, WheelInSoil(0.381, 0.2), law.numbers)
    greatest = 2452.5 * law.thrust_ratio(1.0, number)
    assert run["soil.slip"][0] == pytest.approx(0.01, rel=0.02)
    assert run["soil.slip"][1] > 0.99
    assert run["soil.traction"] == pytest.approx(np.full(11, greatest), rel=1e-3)
