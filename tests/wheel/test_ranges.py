"""Where wheels leave what their laws are for: each case is refused or named."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import axletree as at
from axletree.core.errors import InitialValueError, ModelError
from axletree.simulation.simulate import StoppedRunError

LAW = at.LinearTyre(slip_stiffness=9e4, cornering_stiffness=7e4)


def wheel(law: Any = LAW, mass: float = 400.0, **parts: Any) -> at.Model:
    """One wheel of radius 0.3 m that may move in every way, 1 mm above the road."""
    model = at.Model("wheel")
    hub = model.add(at.RigidBody("hub", mass, (20.0, 20.0, 20.0)))
    model.add(at.Free("flight", model.ground.point(0.0, 0.0, 0.301), hub))
    rim = model.add(at.BodyOfRevolution("rim", 20.0, 1.0, 0.6, axis="y"))
    axle = model.add(at.Revolute("axle", hub, rim, axis="y"))
    force = at.LinearNormalForce(stiffness=2e5, damping=1e3)
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
