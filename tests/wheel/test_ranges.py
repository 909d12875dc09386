"""Where wheels leave what their laws are for: each case is refused or named."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.core.errors import InitialValueError, ModelError
from axletree.simulation.simulate import StoppedRunError, form_for
from axletree.simulation.trajectory import Trajectory
from axletree.wheel.tyres.magic_formula_shape import BeyondRange

LAW = at.LinearTyre(slip_stiffness=9e4, cornering_stiffness=7e4)


SPRING = at.LinearNormalForce(stiffness=2e5, damping=1e3)


def wheel(law: Any = LAW, mass: float = 400.0, force: Any = SPRING, **parts: Any) -> at.Model:
    """One wheel of radius 0.3 m that may move in every way, 1 mm above the road."""
    model = at.Model("wheel")
    hub = model.add(at.RigidBody("hub", mass, (20.0, 20.0, 20.0)))
    model.add(at.Free("flight", model.ground.point(0.0, 0.0, 0.301), hub))
    rim = model.add(at.BodyOfRevolution("rim", 20.0, 1.0, 0.6, axis="y"))
    axle = model.add(at.Revolute("axle", hub, rim, axis="y"))
    model.add(at.Tyre("tyre", axle, model.ground, 0.3, force, law, **parts))
    return model


@pytest.mark.parametrize(
    "belt", [at.TorsionBelt(), at.LongitudinalLateralBelt(), at.QuadBelt(damping=100.0)]
)
def test_a_belt_starts_with_its_rolling_wheel(belt: Any) -> None:
    """At rest under a wheel that rolls it would be torn round by the springs of the side walls."""
    system = wheel(belt=belt).formulate()
    rolls = {"flight.vx": 6.0, "flight.vy": 0.5, "axle.rate": 20.0}
    state = system.state(rolls)
    expected = {"belt_rate": 20.0, "belt_vx": 6.0, "belt_vy": 0.5, "belt_vz": 0.0}
    moving = {name: state[f"tyre.{name}"] for name in expected if f"tyre.{name}" in state}
    assert moving == pytest.approx({name: expected[name] for name in moving}, abs=1e-12)
    assert moving
    rates = system.rhs(state)
    for name in ("belt_x", "belt_y", "belt_z", "belt_twist"):
        assert rates.get(f"tyre.{name}", 0.0) == pytest.approx(0.0, abs=1e-12)


def test_a_belt_that_is_given_a_speed_has_it() -> None:
    model = wheel(belt=at.TorsionBelt())
    state = model.formulate().state({"axle.rate": 20.0, "tyre.belt_rate": 3})
    assert state["tyre.belt_rate"] == 3.0
    model.start = {"axle.rate": 20.0, "tyre.belt_rate": 4.0}
    assert model.formulate().state()["tyre.belt_rate"] == 4.0
    model.start = {"axle.rate": 20.0}
    assert model.formulate().state()["tyre.belt_rate"] == pytest.approx(20.0)


def test_a_belt_that_is_given_at_rest_under_a_rolling_wheel_is_named() -> None:
    system = wheel(belt=at.TorsionBelt()).formulate()
    rolls = {"flight.vx": 6.0, "axle.rate": 20.0}
    short: Any = {"step": 1e-4, "outputs": [], "watch": False}
    assert system.simulate(0.01, initial=rolls, **short).note == ""
    assert system.simulate(0.01, initial={"tyre.belt_rate": 0.0}, **short).note == ""  # at rest
    told = r"tyre\.belt_rate starts at 0, and what carries it moves at 20 rad/s"
    with pytest.warns(UserWarning, match=told):
        run = system.simulate(0.01, initial={**rolls, "tyre.belt_rate": 0.0}, **short)
    assert "leave it out of the first values" in run.note
    again = system.simulate(0.01, initial=run.final_state, **short)
    assert again.note == ""


def test_a_wheel_that_falls_flat_is_named() -> None:
    system = wheel().formulate()
    leaning = {"flight.roll": 1.2, "flight.z": 0.1}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            note = system.simulate(1.5, step=1e-3, initial=leaning).note
        except StoppedRunError as error:
            note = str(error)
            assert "smaller step" not in note
    assert "tyre: the wheel leans by more than 85 degrees" in note
    assert not caught or "85 degrees" in str(caught[-1].message)


def test_a_start_inside_the_ground_is_refused() -> None:
    system = wheel().formulate()
    with pytest.raises(InitialValueError, match="tyre: its centre is below the road"):
        system.simulate(0.1, step=1e-3, initial={"flight.z": -0.4})
    with pytest.warns(UserWarning, match="from t = 0 s on tyre: it is pressed in by more"):
        system.simulate(0.01, step=1e-4, initial={"flight.z": -0.2})


def test_a_wheel_that_stands_is_within_its_range() -> None:
    run = wheel().formulate().simulate(0.5, step=1e-3)
    assert run.note == ""


def test_loads_beyond_those_of_a_law_are_named() -> None:
    law = at.Calspan(**at.Calspan.example)
    most = law.AOmega * law.A2
    light, heavy = (share * most / 9.80665 - 20.0 for share in (0.8, 1.2))
    assert wheel(law, light).formulate().simulate(0.2, step=1e-3, initial=at_rest(light)).note == ""
    with pytest.warns(UserWarning, match="tyre: its load is above AOmega times A2"):
        run = wheel(law, heavy).formulate().simulate(0.2, step=1e-3, initial=at_rest(heavy))
    assert "above AOmega times A2" in run.note


def test_a_law_that_is_called_beyond_its_range_warns() -> None:
    """Of numbers and of arrays; Calspan's friction is none there."""
    law = at.Calspan(**at.Calspan.example)
    assert law(at.Contact(3e3, 0.0, 0.1)).Fy < -2e3
    for load in (3e4, np.array([3e3, 3e4])):
        with pytest.warns(at.ModelWarning, match="Calspan: its load is above AOmega times A2"):
            law(at.Contact(load, 0.0, 0.1))


MAGIC = at.MagicFormula52(**at.MagicFormula52.example)
SHORT = at.ShortMagicFormula(**at.ShortMagicFormula.example)


@pytest.mark.parametrize(
    ("law", "half"),
    [
        # 1 + a (1 - Fz/Fz0) = 1/2, and PDY1 + PDY2 (Fz/Fz0 - 1) = PDY1/2, before PDX's
        (SHORT, (1.0 + 0.5 / SHORT.load_dependency) * SHORT.nominal_load),
        (MAGIC, (1.0 - 0.5 * MAGIC.PDY1 / MAGIC.PDY2) * MAGIC.FNOMIN),
    ],
)
def test_a_load_at_which_friction_is_half_gone_is_named(law: Any, half: float) -> None:
    """A greater one leaves nothing of it, which looks like a tyre on ice."""
    slides = at.Contact(0.99 * half, 0.0, 0.3, forward_speed=20.0)
    assert -float(law(slides).Fy) > 0.3 * half
    told = "its load is so large that"
    with pytest.warns(at.ModelWarning, match=f"{type(law).__name__}: {told}"):
        law(replace(slides, normal_load=1.01 * half))
    mass = 1.1 * half / 9.80665 - 20.0
    short: Any = {"step": 1e-3, "initial": at_rest(mass), "watch": False}
    with pytest.warns(UserWarning, match=f"tyre: {told}"):
        run = wheel(law, mass).formulate().simulate(0.05, **short)
    assert told in run.note


def at_rest(mass: float) -> dict[str, float]:
    """On its spring."""
    return {"flight.z": -0.001 - (mass + 20.0) * 9.80665 / 2e5}


def test_a_soil_that_does_not_carry_a_wheel_is_named() -> None:
    given = {"components": {"soil": {"normal_force": {"type": "linear", "stiffness": "2 kN/m"}}}}
    system = at.read_model("soil-bin", given).formulate()
    with pytest.warns(UserWarning, match="soil: it sinks in by more than its radius"):
        run = system.simulate(1.0, step=5e-3, outputs=[])
    assert "the soil does not carry it" in run.note


def test_soil_that_cannot_carry_a_vehicle_is_refused() -> None:
    """In place of wheels that stand in it to their axles."""
    soil = {"law": {"type": "wong-reece", "soil": "sandy-loam-lll-22"}}
    with pytest.raises(ModelError, match=r"front: the soil, WongReece, cannot carry its wheels"):
        at.read_model("truck-4x2", {"vehicle": {"soil": soil}})


def test_a_contact_point_starts_with_its_rolling_wheel() -> None:
    """As a belt does."""
    system = wheel(contact_dynamics=at.SecondOrderContact()).formulate()
    state = system.state({"flight.vx": 6.0, "flight.vy": 0.5, "axle.rate": 20.0})
    moving = (state["tyre.contact_vx"], state["tyre.contact_vy"])
    assert moving == pytest.approx((6.0, 0.5), abs=1e-12)
    rates = system.rhs(state)
    assert (rates["tyre.contact_x"], rates["tyre.contact_y"]) == pytest.approx((0.0, 0.0))


def test_loads_of_a_tyre_without_deflection_are_named() -> None:
    """Its load is a reaction, which is solved for."""
    law = at.Calspan(**at.Calspan.example)
    rolls = {"flight.vx": 3.0, "flight.z": -0.001, "axle.rate": 10.0}
    for mass, word in ((400.0, ""), (4000.0, "above AOmega times A2")):
        system = wheel(law, mass, at.NoDeflection()).formulate()
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            run = system.simulate(0.05, step=1e-3, initial=rolls)
        assert (word in run.note) if word else not run.note


def test_a_peak_of_the_load_between_the_records_that_are_looked_at_is_named() -> None:
    """A blow of some milliseconds at the end of a fall, in a run of 40 s."""
    system = wheel(at.Calspan(**at.Calspan.example), 5.0).formulate()
    given = {"step": 1e-3, "initial": {"flight.z": 1.0}, "outputs": ["tyre.Fz"], "watch": False}
    loads = system.simulate(40.0, **given, parameters={"tyre.law.A2": 1e6})["tyre.Fz"]
    seen = loads[np.linspace(0, len(loads) - 1, 1000).astype(int)].max()
    assert seen < 0.9 * loads.max()
    most = {"tyre.law.A2": 0.5 * (seen + loads.max())}
    with pytest.warns(UserWarning, match=r"tyre: its load is above AOmega times A2"):
        system.simulate(40.0, **given, parameters=most)


def on_soil(form: str) -> at.System:
    model = at.Model("wheel")
    hub = model.add(at.RigidBody("hub", 100.0, (20.0, 20.0, 20.0)))
    model.add(at.Free("flight", model.ground.point(0.0, 0.0, 0.3), hub))
    rim = model.add(at.BodyOfRevolution("rim", 20.0, 1.0, 0.6, axis="y"))
    axle = model.add(at.Revolute("axle", hub, rim, axis="y"))
    law = at.read_model("soil-bin")["soil"].law
    model.add(at.SoilWheel("soil", axle, model.ground, 0.3, 0.15, law))
    return model.formulate(form=form)


def test_a_wheel_that_falls_flat_on_soil_is_named() -> None:
    leaning = {"flight.roll": 1.2, "flight.z": -0.15}
    with pytest.warns(UserWarning, match="soil: the wheel leans by more than 85 degrees"):
        on_soil("projected").simulate(0.4, step=1e-3, initial=leaning, outputs=[], watch=False)


def test_a_start_inside_soil_is_refused() -> None:
    with pytest.raises(InitialValueError, match="soil: its centre is below the ground; start it"):
        on_soil("projected").simulate(0.1, step=1e-3, initial={"flight.z": -0.4}, outputs=[])


@pytest.mark.parametrize(("depth", "starts"), [(0.3, False), (1e-6, True)])
def test_a_rigid_contact_that_starts_closed_is_refused(depth: float, starts: bool) -> None:
    """Where it would be held inside."""
    model = at.Model("ball")
    ball = model.add(at.RigidBody("ball", 1.0, (1.0, 1.0, 1.0)))
    model.add(at.Free("flight", model.ground, ball))
    model.add(at.PointContact("floor", ball, model.ground, friction=0.5))
    system, begin = model.formulate(form="set-valued"), {"flight.z": -depth}
    if starts:
        assert system.simulate(0.1, step=1e-3, method="complementarity", initial=begin).note == ""
        return
    with pytest.raises(InitialValueError, match=r"floor: it is closed by more than 1 mm"):
        system.simulate(0.1, step=1e-3, method="complementarity", initial=begin)


# -- creep -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("slope", "creeps"), [(0.0, False), (0.01, True), (0.14, True)])
def test_a_wheel_that_creeps_on_soil_with_smooth_methods_is_named(
    slope: float, creeps: bool
) -> None:
    """On the level it stands, on a slope it goes back at up to 26 mm/s."""
    stopped = stop_on_soil("rk4", slope)
    assert (abs(stopped["way.speed"][-1]) > 1e-3) == creeps
    assert ("soil: it creeps for a second or more" in stopped.note) == creeps


@pytest.mark.slow
def test_a_wheel_that_is_held_on_soil_stands() -> None:
    stopped = stop_on_soil("complementarity", 0.14)
    assert abs(stopped["way.speed"][-1]) < 1e-12
    assert stopped.note == ""


def stop_on_soil(method: str, slope: float) -> Trajectory:
    model = at.read_model("soil-track")
    stop = replace(model.manoeuvre("slope-stop"), duration=4.0, slope=slope)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run = model.formulate(form=form_for(method)).drive(
            stop, method=method, watch=False, outputs=[], record_interval=0.02
        )
    assert [str(one.message) for one in caught] == ([f"soil_track: {run.note}"] if run.note else [])
    return run


def test_a_block_that_creeps_on_a_slope_with_smooth_methods_is_named() -> None:
    model = at.Model("block", gravity=(1.0, 0.0, -9.8))
    block = model.add(at.RigidBody("block", 1.0, (1.0, 1.0, 1.0)))
    model.add(at.Free("place", model.ground, block))
    model.add(at.PointContact("floor", block, model.ground, friction=0.5))
    start = {"place.z": -1e-5}
    with pytest.warns(UserWarning, match=r"floor: it slides for a second or more, slower than"):
        slides = model.formulate().simulate(1.5, step=1e-3, initial=start, watch=False)
    assert slides["place.vx"][-1] == pytest.approx(0.01 / 0.5 / 9.8, rel=1e-3)
    system = model.formulate(form="set-valued")
    held = system.simulate(1.5, step=1e-3, method="complementarity")
    assert (held.note, abs(held["place.x"][-1]) < 1e-12) == ("", True)


def test_slides_both_ways_faster_than_it_rolls_is_named() -> None:
    """The Magic Formula has a weight on each force: together they are not against the sliding."""
    told = "its slip times the tangent of its slip angle is above 4"
    slides = {"flight.vx": 1.0, "flight.vy": 8.0, "axle.rate": 40.0}
    short: Any = {"step": 1e-4, "outputs": [], "watch": False}
    with pytest.warns(UserWarning, match=told):
        run = wheel(MAGIC).formulate().simulate(0.08, initial=slides, **short)
    assert told in run.note
    rolls = {"flight.vx": 10.0, "flight.vy": 1.0, "axle.rate": 34.0}
    assert told not in wheel(MAGIC).formulate().simulate(0.08, initial=rolls, **short).note
    for law, slip in ((MAGIC, at.Carcass(4e5, 1.5e5)), (LAW, at.KinematicSlip())):
        run = wheel(law, slip=slip).formulate().simulate(0.08, initial=slides, **short)
        assert told not in run.note


@pytest.mark.parametrize("slip", [0.5, 2.0, 8.0])
def test_up_to_the_limit_its_force_is_against_the_sliding(slip: float) -> None:
    """Within 15 degrees, beyond up to five times that."""

    def off(tangent: float) -> float:
        found = MAGIC(at.Contact(4000.0, slip, np.arctan(tangent)))
        direction = np.arctan2(-float(found.Fy), float(found.Fx))
        return float(abs(np.degrees(direction - np.arctan2(tangent, slip))))

    assert max(off(tangent) for tangent in np.geomspace(0.05, 4.0 / slip * 0.99, 9)) < 15.5
    with pytest.warns(at.ModelWarning, match="tens of degrees off the sliding"):
        off(4.0 / slip * 1.01)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert off(20.0) > 12.0
    assert replace(MAGIC, beyond=BeyondRange.HELD).limits(at.Contact(1.0, 9.0, 1.5), {}) == ()
