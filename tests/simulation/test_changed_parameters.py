"""Parameters that are changed for a run pass the checks of those in a file."""

from __future__ import annotations

from typing import Any

import pytest
from typer.testing import CliRunner

import axletree as at
from axletree.cli.app import app
from axletree.core.errors import AxletreeError, ModelError, TrimError

NEGATIVE = r"rod: the principal inertias \(-1, .*\) kg m\^2 must not be negative"


@pytest.fixture(scope="module")
def pendulum() -> Any:
    return at.read_model("pendulum").formulate()


def test_an_inertia_that_no_body_has_is_refused_wherever_it_is_given(pendulum: Any) -> None:
    wrong = {"rod.inertia.yy": -1.0}
    calls = [
        lambda: pendulum.simulate(0.1, step=0.01, parameters=wrong),
        lambda: pendulum.state(parameters=wrong),
        lambda: pendulum.rhs(pendulum.state(), parameters=wrong),
        lambda: pendulum.trim(parameters=wrong),
        lambda: pendulum.linearise(parameters=wrong),
    ]
    for call in calls:
        with pytest.raises(AxletreeError, match=NEGATIVE):
            call()


def test_an_inertia_that_grows_beyond_the_others_is_refused(pendulum: Any) -> None:
    with pytest.raises(AxletreeError, match="triangle inequality"):
        pendulum.state(parameters={"rod.inertia.yy": 100.0})


def test_the_command_refuses_it_with_a_sentence() -> None:
    done = CliRunner().invoke(app, ["run", "pendulum", "--parameter", "rod.inertia.yy=-1"])
    assert done.exit_code == 2
    assert "must not be negative" in done.output


def shifted_plate(**changed: float) -> Any:
    """Its inertia is about a frame: what is central follows from the frame's place."""
    values = {"z": 0.5, "mass": 2.0, "yy": 0.8} | changed
    model = at.Model("plate")
    plate = at.RigidBody(
        "plate", values["mass"], (0.8, values["yy"], 0.4), inertia_frame="edge",
        frames_at={"edge": (0.0, 0.0, values["z"])},
    )  # fmt: skip
    model.add(plate)
    model.add(at.Revolute("pin", model.ground, plate.frame("edge"), axis="y"))
    return model


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [("plate.edge.z", "z", 0.9), ("plate.mass", "mass", 9.0), ("plate.inertia.yy", "yy", 0.1)],
)
def test_what_follows_from_parameters_is_checked(name: str, key: str, value: float) -> None:
    """The same sentence as from a body that is made so."""
    with pytest.raises(ModelError) as made:
        shifted_plate(**{key: value})
    with pytest.raises(AxletreeError) as run:
        shifted_plate().formulate().state(parameters={name: value})
    assert made.value.problems[0] in str(run.value)


def test_a_steady_motion_is_not_found_by_a_parameter_that_cannot_be() -> None:
    """Gravity draws the rod down from there, and so would a spring: its stiffness were negative."""
    model = at.read_model("pendulum")
    model.add(at.RotationalSpringDamper("spring", model["pin"], stiffness=1.0))
    with pytest.raises(TrimError, match="found cannot be: parameter 'spring.stiffness' is -"):
        model.formulate().trim({"pin.angle": 0.5}, find=["spring.stiffness"])


def test_values_of_parts_are_checked() -> None:
    system = at.read_model("quarter-car").formulate()
    with pytest.raises(AxletreeError, match="'tyre.normal_force.stiffness' is -1.0 N/m"):
        system.state(parameters={"tyre.normal_force.stiffness": -1.0})
    taken = system.state(parameters={"tyre.normal_force.stiffness": 2e5})
    assert taken == system.state()


def test_values_that_are_right_are_taken(pendulum: Any) -> None:
    """Half the inertia about all axes."""
    halves = {q.name: 0.5 * q.default for q in pendulum.parameters if ".inertia." in q.name}
    still = {"pin.angle": 0.3, "pin.rate": 0.0}
    before, after = (pendulum.rhs(still, parameters=changed) for changed in ({}, halves))
    assert abs(after["pin.rate"]) > abs(before["pin.rate"])


def test_a_damper_may_be_switched_off() -> None:
    """In a file one without anything is an oversight; in a run it is a question."""
    model = at.read_model("pendulum")
    model.add(at.RotationalSpringDamper("damper", model["pin"], damping=2.0))
    system = model.formulate()
    state = {"pin.rate": 1.0, "pin.angle": 0.0}
    assert system.rhs(state)["pin.rate"] < 0.0
    run = system.simulate(0.1, step=0.01, initial=state, parameters={"damper.damping": 0.0})
    assert run["energy.total"][-1] == pytest.approx(run["energy.total"][0], abs=1e-6)
    with pytest.raises(ModelError, match="all zero"):
        at.RotationalSpringDamper("damper", model["pin"], damping=0.0)
