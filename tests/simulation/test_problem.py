"""Settings of a run: texts with units, inputs in all their kinds, and what is wrong with them."""

from __future__ import annotations

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.core.errors import SimulationError
from axletree.expr import sin
from axletree.simulation.problem import SettingsError
from axletree.system.system import System


@pytest.fixture(scope="module")
def hoist() -> System:
    """A mass on a slide that a force lifts."""
    model = at.Model("hoist")
    load = model.add(at.RigidBody("load", 2.0, (1.0, 1.0, 1.0)))
    slide = model.add(at.Prismatic("slide", model.ground, load, axis="z"))
    model.add(at.JointForce("pull", slide))
    model.add(at.SlideSpringDamper("rope", slide, stiffness=50.0))
    return model.formulate()


def test_texts_carry_units(hoist: System) -> None:
    plain = hoist.simulate(
        0.5,
        step=1e-3,
        initial={"slide.position": 0.02},
        parameters={"rope.stiffness": 80.0},
        inputs={"pull.force": 20.0},
    )
    with_units = hoist.simulate(
        "500 ms",
        step="1 ms",
        initial={"slide.position": "2 cm"},
        parameters={"rope.stiffness": "0.08 kN/m"},
        inputs={"pull.force": "0.02 kN"},
    )
    assert with_units.time.tolist() == plain.time.tolist()
    assert with_units["slide.position"].tolist() == plain["slide.position"].tolist()


def test_an_input_may_be_a_text_of_t(hoist: System) -> None:
    t = hoist.time.symbol
    runs = [
        hoist.simulate(0.5, step=1e-3, inputs={"pull.force": force})
        for force in ("20 + 3*sin(5*t)", 20.0 + 3.0 * sin(5.0 * t))
    ]
    assert np.ptp(runs[0]["slide.position"]) > 1e-3
    assert runs[0]["slide.position"].tolist() == runs[1]["slide.position"].tolist()


def test_all_wrong_texts_are_named_at_once(hoist: System) -> None:
    with pytest.raises(SettingsError) as caught:
        hoist.simulate(
            "1 kg",
            step=-1.0,
            initial={"slide.position": "2 N"},
            parameters={"load.mass": "heavy"},
            inputs={"pull.force": "3*u"},
        )
    duration, step, position, mass, force = caught.value.problems
    assert duration.startswith("duration: '1 kg' is a mass")
    assert step == "step is -1.0; expected a positive number of seconds"
    assert position.startswith("state 'slide.position': '2 N' is a force")
    assert mass.startswith("parameter 'load.mass': 'heavy' is no quantity")
    assert "'pull.force' cannot be used: as a value" in force
    assert "as an expression of t" in force


@pytest.mark.parametrize(("wrong", "found"), [(lambda t: 0.0, "type function"), (None, "NoneType")])
def test_an_input_of_another_kind_is_refused_with_what_is_expected(
    hoist: System, wrong: object, found: str
) -> None:
    with pytest.raises(SettingsError, match=rf"{found}; expected a number, a text such as"):
        hoist.simulate(1.0, step=1e-3, inputs={"pull.force": wrong})


def test_a_parameter_that_was_zero_is_explained(hoist: System) -> None:
    with pytest.raises(SettingsError, match="'rope.damping'.*was 0 when the equations were formed"):
        hoist.simulate(1.0, step=1e-3, parameters={"rope.damping": 5.0})


def test_rates_at_one_instant_take_texts_too(hoist: System) -> None:
    rates = hoist.rhs({"slide.position": "10 cm", "slide.speed": "36 km/h"})
    assert rates["slide.position"] == pytest.approx(10.0)
    assert rates["slide.speed"] == pytest.approx(-9.80665 - 50.0 * 0.1 / 2.0)


def test_a_bound_that_is_excluded_is_refused() -> None:
    """A massless body has no equations of its own: its mass was declared to be above zero."""
    system = shipped_system("pendulum")
    with pytest.raises(SimulationError, match=r"'rod.mass' is 0.*greater than 0"):
        system.simulate(0.1, step=0.01, parameters={"rod.mass": 0})
