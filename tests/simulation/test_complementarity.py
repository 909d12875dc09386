"""Steps with set-valued forces: C and Python alike, laws with compliance, records, failures."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

import axletree as at
from axletree.components.contract import (
    Component,
    Instant,
    JointLoad,
    Response,
    SetValued,
    reaction_symbol,
)
from axletree.components.edges import Variable
from axletree.components.fields import parameter
from axletree.components.joints import slide_of, sliding_joint
from axletree.expr.expression import ONE
from axletree.model.model import Model
from axletree.simulation.complementarity import BOUND_PASSES
from axletree.simulation.mlcp.methods import ProjectedSweeps
from axletree.simulation.simulate import StoppedRunError
from axletree.system.system import System

METHOD = "complementarity"
GRAVITY = 9.81


@dataclass(frozen=True, eq=False)
class Resistance(Component):
    """A force along a slide with every part of a set-valued law."""

    summary: ClassVar[str] = "a force that resists a slide"

    name: str
    joint: Component = sliding_joint("joint that is resisted")
    most: float = parameter("N", "greatest force, 0 for none", default=0.0, lower=0.0)
    viscosity: float = parameter("N*s/m", "c of the regularised law", default=0.0, lower=0.0)
    offset: float = parameter("m/s", "velocity that is held without force", default=0.0)
    lost: float = parameter("1", "share of the force that is lost on its way", default=0.0)

    def measured_joints(self) -> tuple[str, ...]:
        return (slide_of(self.joint)[0].name,)

    def respond(self, now: Instant) -> Response:
        most, viscosity = self.symbol("most"), self.symbol("viscosity")
        force = SetValued(
            Variable("force", "N", "force on the head"),
            velocity=now.travels[0].rate,
            lower=None if most.is_zero else -most,
            upper=None if most.is_zero else most,
            smooth=-viscosity * (now.travels[0].rate - self.symbol("offset")),
            joint_loads=(JointLoad(self.measured_joints()[0], ONE),),
            compliance=viscosity if viscosity.is_zero else 1.0 / viscosity,
            offset=self.symbol("offset"),
        )
        lost = -self.symbol("lost") * reaction_symbol(self.name, force.reaction)
        against = (JointLoad(self.measured_joints()[0], lost),)
        return Response(set_valued=(force,), joint_loads=() if lost.is_zero else against)


def sled(form: str = "set-valued", mass: float = 2.0, push: object = 0.0, **law: float) -> System:
    model = at.Model("sled", gravity=(0.0, 0.0, 0.0))
    body = model.add(at.RigidBody("body", mass, (1.0, 1.0, 1.0)))
    rail = model.add(at.Prismatic("rail", model.ground, body, axis="x"))
    model.add(at.JointForce("push", rail, force=push))
    model.add(Resistance("drag", rail, **law))
    return model.formulate(form=form)


def test_a_compliance_is_implicit_viscous_friction() -> None:
    """Peiret et al., eq. (25): each step divides the speed by 1 + h c / m, at any c."""
    run = sled(viscosity=5e3).simulate(0.1, step=0.01, method=METHOD, initial={"rail.speed": 3.0})
    divided = 1.0 + 0.01 * 5e3 / 2.0
    assert run["rail.speed"] == pytest.approx(3.0 / divided ** np.arange(11), rel=1e-12)
    assert run["drag.force"][1:] == pytest.approx(-5e3 * run["rail.speed"][1:], rel=1e-12)


def test_an_offset_is_the_velocity_that_is_held() -> None:
    """Eqs. (27) to (30): F + c (offset - v), within bounds."""
    run = sled(viscosity=100.0, offset=0.5, most=4.0).simulate(2.0, step=1e-3, method=METHOD)
    expected = np.clip(-100.0 * (run["rail.speed"] - 0.5), -4.0, 4.0)
    assert run["drag.force"][1:] == pytest.approx(expected[1:], abs=1e-9)
    assert run["rail.speed"][-1] == pytest.approx(0.5)
    rising = run.time < 0.22
    assert run["rail.speed"][rising] == pytest.approx(4.0 / 2.0 * run.time[rising])


def test_open_bounds_hold_whatever_acts() -> None:
    run = sled(push="1000000*sin(9*t)").simulate(1.0, step=1e-3, method=METHOD)
    assert not run["rail.speed"].any()
    assert run["drag.force"][1:] == pytest.approx(-1e6 * np.sin(9.0 * run.time[:-1]), abs=1e-6)


@pytest.mark.parametrize("compiler", ["", "none"])
def test_loads_may_follow_a_set_valued_force(
    compiler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A quarter of the force is lost, so that it has to be a third larger to hold."""
    monkeypatch.setenv("AXLETREE_CC", compiler)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = sled(push=3.0, most=5.0, lost=0.25).simulate(0.2, step=0.01, method=METHOD)
    assert run["drag.force"] == pytest.approx(-4.0)
    assert not run["rail.speed"].any()


def test_forces_that_vanish_are_zero() -> None:
    """Whatever the force was in the step before: nothing is left of it but zero."""
    run = sled(push="where(t < 0.5, 3, 0)", most=5.0, viscosity=0.0).simulate(
        1.0, step=0.01, method=METHOD
    )
    assert run["drag.force"][1:50] == pytest.approx(-3.0)
    assert not run["drag.force"][52:].any()
    assert not run["rail.speed"].any()


def test_the_order_is_one() -> None:
    """A sled with dry and viscous friction, pushed: the exact motion is an exponential."""
    system = sled(push=7.0, viscosity=3.0)
    exact = 7.0 / 3.0 * (1.0 - np.exp(-3.0 * 1.0 / 2.0))
    errors = []
    for step in (0.02, 0.01, 0.005):
        run = system.simulate(1.0, step=step, method=METHOD)
        errors.append(abs(run["rail.speed"][-1] - exact))
    assert np.log2(np.array(errors[:-1]) / errors[1:]) == pytest.approx([1.0, 1.0], abs=0.03)


def tumbling(orientation: str = "321") -> Model:
    """A box with a flywheel that is braked, on a plane with friction and restitution."""
    model = at.Model("box", gravity=(1.0, 0.0, -GRAVITY))
    box = model.add(at.RigidBody("box", 10.0, (0.5, 0.6, 0.7), orientation=orientation))
    wheel = model.add(at.BodyOfRevolution("wheel", 1.0, 0.02, 0.01, axis="z"))
    axle = model.add(at.Revolute("axle", box, wheel, axis="z"))
    model.add(at.FrictionBrake("brake", axle, torque="0.1 + 0.1*t"))
    for index, (x, y) in enumerate(((0.3, 0.3), (0.3, -0.3), (-0.3, 0.3), (-0.3, -0.3))):
        corner = box.point(x, y, -0.4)
        model.add(at.PointContact(f"c{index}", corner, model.ground, friction=0.4, restitution=0.2))
    model.start = {"box.z": 0.5}
    return model


def in_both_languages(
    system: System, method: str, first: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> list[at.Trajectory]:
    runs = []
    for compiler in ("", "none"):
        monkeypatch.setenv("AXLETREE_CC", compiler)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run = system.simulate(0.6, step=4e-3, method=method, initial=first, watch=False)
            runs.append(run)
    return runs


@pytest.mark.shipped_flags
@pytest.mark.parametrize("method", [METHOD, "complementarity-sweeps"])
@pytest.mark.parametrize("orientation", ["321", pytest.param("quaternion", marks=pytest.mark.slow)])
def test_generated_python_gives_what_c_gives(
    orientation: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bounds of friction settle to 1e-10, in one pass more or less as rounding has it."""
    system = tumbling(orientation).formulate(form="set-valued")
    spin = "box.yaw_rate" if orientation == "321" else "box.wz"
    first = {"box.vx": 0.3, spin: 1.0, "axle.rate": 4.0}
    runs = in_both_languages(system, method, first, monkeypatch)
    assert runs[0]["c0.normal_force"].max() > 100.0
    for column in runs[0].names:
        scale = 1.0 + np.abs(runs[0][column]).max()
        np.testing.assert_allclose(runs[1][column], runs[0][column], rtol=0, atol=1e-6 * scale)


@pytest.mark.shipped_flags
def test_with_bounds_that_are_given_the_two_differ_by_rounding_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = sled(push="3*sin(9*t)", most=2.0)
    runs = in_both_languages(system, METHOD, {"rail.speed": 0.3}, monkeypatch)
    assert not runs[0]["rail.speed"].all()  # it stands now and then
    for column in runs[0].names:
        np.testing.assert_allclose(runs[1][column], runs[0][column], rtol=1e-12, atol=1e-13)


def test_records_tell_the_forces_of_the_steps_that_end_there() -> None:
    system = sled(push=3.0, most=5.0)
    run = system.simulate(0.1, step=0.01, method=METHOD, initial={"rail.speed": 1.0})
    change = np.diff(run["rail.speed"]) / 0.01 * 2.0
    assert run["drag.force"][1:] + 3.0 == pytest.approx(change)
    assert run["drag.force"][0] == pytest.approx(run["drag.force"][1])  # of the first step
    assert run["rail.speed_dot"][1:] == pytest.approx(change / 2.0)


def test_inputs_are_tables_expressions_and_numbers() -> None:
    model = at.Model("sled", gravity=(0.0, 0.0, 0.0))
    body = model.add(at.RigidBody("body", 2.0, (1.0, 1.0, 1.0)))
    rail = model.add(at.Prismatic("rail", model.ground, body, axis="x"))
    model.add(at.JointForce("push", rail))
    model.add(Resistance("drag", rail, most=5.0))
    system = model.formulate(form="set-valued")
    exact = np.where(np.linspace(0.0, 1.0, 101) < 0.5, 0.0, 1.0)
    for signal in (([0.0, 1.0], [0.0, 10.0]), "10*t"):
        run = system.simulate(
            1.0, step=0.01, method=METHOD, inputs={"push.force": signal}, outputs=["push.force"]
        )
        assert run["push.force"] == pytest.approx(10.0 * run.time)
        assert not run["rail.speed"][exact == 0.0].any()
        assert run["rail.speed"][-1] == pytest.approx(0.5 * 0.5**2 * 5.0, rel=0.05)
    run = system.simulate(1.0, step=0.01, method=METHOD, inputs={"push.force": 4.0})
    assert not run["rail.speed"].any()


@pytest.mark.filterwarnings("ignore:.*press against one another")
def test_sweeps_come_near_what_pivoting_finds() -> None:
    """At a fixed cost, while a box falls, slides and comes to rest."""
    system = tumbling().formulate(form="set-valued")
    exact, near = (
        system.simulate(2.0, step=2e-3, method=m, initial={"box.vx": 0.5}, watch=False)
        for m in (METHOD, "complementarity-sweeps")
    )
    for name in ("box.x", "box.z", "box.pitch"):
        assert near[name] == pytest.approx(exact[name], abs=5e-3)
    assert abs(near["box.vx"][-1]) < 1e-6
    weight = sum(near[f"c{k}.normal_force"][-1] for k in range(4))
    assert weight == pytest.approx(11.0 * GRAVITY, rel=1e-6)
    assert exact.residual is not None
    assert near.residual is not None
    assert exact.residual.greatest < 1e-8  # of every step, or the run would have stopped
    assert 1e-8 < near.residual.greatest <= 1.0
    assert near.residual.poor < 0.02 * near.steps  # those of impacts
    assert exact.steps == near.steps == 1000
    assert near["box.z"][round(near.residual.time / 2e-3)] > 0.0
    assert exact.note == ""  # four corners share by least norm
    assert "normal_force" in near.note


@pytest.mark.shipped_flags
def test_how_a_run_is_cut_changes_no_bit() -> None:
    system = tumbling().formulate(form="set-valued")
    settings = {"step": 4e-3, "method": METHOD, "watch": False}  # it tumbles differently by steps
    whole = system.simulate(0.4, **settings)
    again = system.simulate(0.4, **settings, record_interval=8e-3)
    assert (whole["box.x"][::2] == again["box.x"]).all()


@pytest.mark.shipped_flags
def test_without_set_valued_forces_it_is_semi_implicit_euler() -> None:
    model = at.Model("pendulum", gravity=(0.0, 0.0, -GRAVITY))
    arm = model.add(at.RigidBody("arm", 1.0, (0.1, 0.1, 0.1), (0.5, 0.0, 0.0)))
    model.add(at.Revolute("pin", model.ground, arm, axis="y"))
    system = model.formulate(form="set-valued")
    runs = [system.simulate(1.0, step=0.01, method=m) for m in (METHOD, "semi-implicit-euler")]
    assert (runs[0]["pin.angle"] == runs[1]["pin.angle"]).all()


def press() -> System:
    model = at.Model("press")
    body = model.add(at.RigidBody("body", 1.0, (1.0, 1.0, 1.0)))
    column = model.add(at.Prismatic("column", model.ground, body, axis="z"))
    model.add(at.TranslationDriver("ram", column, position="0.5 - t"))
    model.add(at.PointContact("plate", body, model.ground))
    return model.formulate(form="set-valued")


@pytest.mark.parametrize("compiler", ["", "none"])
def test_what_cannot_be_solved_stops_the_run(
    compiler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A driver pushes a body through a rigid plane from 0.5 s on."""
    monkeypatch.setenv("AXLETREE_CC", compiler)
    system = press()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(StoppedRunError, match="plate.normal_force") as stopped:
            system.simulate(1.0, step=0.01, method=METHOD)
    assert "no values within their bounds" in str(stopped.value)
    assert stopped.value.trajectory.time[-1] == pytest.approx(0.5, abs=0.011)


def test_sweeps_do_the_same_in_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the air, in impacts and at rest: as many sweeps over as many problems."""
    done, solve = [], ProjectedSweeps.solve

    def counted(solver: ProjectedSweeps, problem: Any, start: Any = None) -> Any:
        done.append((solver.sweeps, solver.subspace_steps, problem.size))
        return solve(solver, problem, start)

    monkeypatch.setenv("AXLETREE_CC", "none")
    monkeypatch.setattr(ProjectedSweeps, "solve", counted)
    system, outputs = tumbling().formulate(form="set-valued"), ["c0.normal_force"]
    settings = {"step": 4e-3, "method": "complementarity-sweeps", "outputs": outputs}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = system.simulate(0.4, **settings, watch=False)
    assert not run["c0.normal_force"].all()
    assert run["c0.normal_force"].any()
    assert len(done) == BOUND_PASSES[ProjectedSweeps] * (
        run.steps + 1
    )  # the first is solved for its record
    assert set(done) == {(30, 0, 13)}  # three of each corner, and the brake


@pytest.mark.parametrize("compiler", ["", "none"])
def test_sweeps_say_what_they_left_unsolved(compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The residual is the velocity that is left over its parts: 0 until the plate is met, then
    that of the ram, against which nothing moves."""
    monkeypatch.setenv("AXLETREE_CC", compiler)
    system = press()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        run = system.simulate(1.0, step=0.01, method="complementarity-sweeps")
    assert any("not solved for: the residual is 1.0e+00 at most" in str(w.message) for w in said)
    assert run.residual is not None
    assert run.residual.greatest == pytest.approx(1.0)
    assert run.residual.time == pytest.approx(0.5, abs=0.011)
    assert run.residual.poor == pytest.approx(50, abs=1)
    assert "are not solved for" in run.note


def test_no_residual_is_told_of_steps_that_are_not_solved() -> None:
    run = sled("projected", push=3.0, most=5.0).simulate(0.1, step=0.01, method="rk4")
    assert run.residual is None
    assert run.steps == 10


def test_states_that_are_not_finite_are_named() -> None:
    system = sled(push="1/(t - 0.05)", most=5.0)
    with pytest.raises(StoppedRunError, match="rail"):
        system.simulate(0.1, step=0.01, method=METHOD, outputs=[])
