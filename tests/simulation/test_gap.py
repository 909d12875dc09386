"""A mechanism that is driven beyond its reach is reported, whatever the form of its equations."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import axletree as at
from axletree.simulation.simulate import StoppedRunError
from axletree.simulation.trajectory import Trajectory
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.partition import Partition
from axletree.system.forms.projected import Projected
from axletree.system.system import System

SPAN, LINK = 0.5, 0.2  # m: of the ground, and of each of the three links
# Crank, and coupler and follower stretched into one line, make a triangle on the ground.
DEAD_CENTRE = math.acos((SPAN**2 + LINK**2 - (2 * LINK) ** 2) / (2 * SPAN * LINK))


def four_bar(form: Projected | Baumgarte | Partition | None = None) -> System:
    model = at.Model("torn")
    far = model.ground.point(SPAN, 0, 0, "far")
    links = [model.add(at.RigidBody(name, 1.0, (0.01, 0.01, 0.01))) for name in "abc"]
    ends = [(link.point(-LINK / 2, 0, 0, "p"), link.point(LINK / 2, 0, 0, "q")) for link in links]
    crank = model.add(at.Revolute("j1", model.ground, ends[0][0], axis="y"))
    model.add(at.Revolute("j2", ends[0][1], ends[1][0], axis="y"))
    model.add(at.Revolute("j3", ends[1][1], ends[2][0], axis="y"))
    model.add(at.Revolute("j4", far, ends[2][1], axis="y"))
    model.add(at.RotationDriver("drive", crank))
    model.start = {"j2.angle": 1.0}
    return model.formulate(form=form)


def driven(system: System, last: float) -> Trajectory:
    """One second in which the drive turns from 0.3 rad to ``last``, by a table."""
    drive = (np.array([0.0, 1.0]), np.array([0.3, last]))
    return system.simulate(1.0, step=0.005, inputs={"drive.angle": drive})


def complaint(system: System, last: float) -> str:
    """What is said of a run, as a warning or, where its values did not stay finite, an error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            driven(system, last)
        except StoppedRunError as error:
            return str(error)
    return str(caught[0].message)


FORMS = [Projected(), Partition(), Baumgarte(alpha=50.0, beta=50.0)]


@pytest.mark.parametrize("form", FORMS)
def test_a_torn_mechanism_is_reported_with_the_time_and_the_constraint(
    form: Projected | Baumgarte | Partition,
) -> None:
    message = complaint(four_bar(form), last=1.3)
    since = float(message.split("from t = ")[1].split(" s")[0])
    assert since == pytest.approx((DEAD_CENTRE - 0.3) / (1.3 - 0.3), abs=0.03)
    assert "that of j4.F" in message


def test_the_note_of_the_trajectory_says_so_too() -> None:
    with pytest.warns(UserWarning, match="constraints are violated") as caught:
        run = driven(four_bar(Partition(newton_steps=3)), last=1.3)
    assert str(caught[0].message) == f"torn: {run.note}"


VARIABLE = ["rk45", "dop853", "radau", "bdf", "lsoda", "cvode", "ida"]


@pytest.mark.parametrize("method", VARIABLE)
def test_solvers_with_error_control_name_the_loop_and_when_it_is_in_line(method: str) -> None:
    """However seldom it is recorded: here at the start and the end alone."""
    if method in ("cvode", "ida"):
        pytest.importorskip("sksundae")
    system = four_bar(Projected())
    inputs = {"drive.angle": "0.3 + t"}
    with pytest.raises(StoppedRunError, match="of the loop of j1, j2, j3, j4") as caught:
        system.simulate(1.0, method=method, inputs=inputs, outputs=(), record_interval=1.0)
    when = float(str(caught.value).split("; at t = ")[1].split(" s there is a dead centre")[0])
    assert when == pytest.approx(DEAD_CENTRE - 0.3, abs=1e-4)
    assert "tolerances" not in str(caught.value)


def test_a_dead_centre_that_is_passed_is_named() -> None:
    """A parallelogram may fold into a line and go on either way, with nothing driven."""
    model = at.Model("parallelogram", gravity=(0, 0, 0))
    links = [model.add(at.RigidBody(name, 1.0, (0.01, 0.01, 0.01))) for name in "abc"]
    lengths = (0.2, 0.5, 0.2)
    ends = [
        (link.point(-length / 2, 0, 0, "p"), link.point(length / 2, 0, 0, "q"))
        for link, length in zip(links, lengths, strict=True)
    ]
    model.add(at.Revolute("j1", model.ground, ends[0][0], axis="y"))
    model.add(at.Revolute("j2", ends[0][1], ends[1][0], axis="y"))
    model.add(at.Revolute("j3", ends[1][1], ends[2][1], axis="y"))
    model.add(at.Revolute("j4", model.ground.point(0.5, 0, 0, "far"), ends[2][0], axis="y"))
    model.start = {"j1.angle": -0.9001, "j2.angle": 0.9001, "j3.angle": -0.9001, "j1.rate": 2.0}
    system = model.formulate()
    for settings in ({"method": "rk45"}, {"method": "rk4", "step": 1e-3}):
        with pytest.warns(UserWarning, match="there is a dead centre") as caught:
            run = system.simulate(1.0, record_interval=0.25, outputs=(), watch=False, **settings)
        assert run.note == str(caught[0].message).removeprefix("parallelogram: ")
        when = float(run.note.split("at t = ")[1].split(" s there")[0])
        assert when == pytest.approx(0.9001 / 2.0, abs=1e-3)  # the cranks turn at one speed
        system.simulate(0.4, record_interval=0.2, outputs=(), watch=False, **settings)  # no word


@pytest.mark.parametrize("form", FORMS)
def test_a_mechanism_within_its_reach_is_no_warning(
    form: Projected | Baumgarte | Partition,
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = driven(four_bar(form), last=0.7)
    assert run.complete
    assert run.note == ""
