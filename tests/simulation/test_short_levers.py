"""Motions that springs carry and that what is held hardly sees: left to the springs, in both loops.

A carriage on a slide along x bears a block on a slide along y. Guides hold x + lever y and
x - lever y by dry friction, and two springs together carry y: with M = diag(mass of both, mass of
the block) all forces have closed forms.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any, ClassVar

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.components.contract import Component, Instant, JointLoad, Response, SetValued
from axletree.components.edges import Variable
from axletree.components.fields import parameter
from axletree.components.joints import slide_of, sliding_joint
from axletree.expr import Expr, maximum, minimum
from axletree.simulation import complementarity
from axletree.simulation.complementarity import LEVER
from axletree.simulation.mlcp.methods import Pivoting
from axletree.simulation.simulate import Integrator
from axletree.system.system import System

METHOD = "complementarity"
CARRIAGE, BLOCK = 7.0, 3.0  # kg
STIFFNESS, DAMPING = 4e4, 300.0  # N/m, N s/m
ALONG, ACROSS = 2.0, 9.0  # m/s^2, of gravity
BOUND = 5e3  # N


@dataclass(frozen=True, eq=False)
class _OnSlides(Component):
    """Something on both slides."""

    name: str
    along: Component = sliding_joint("slide of the carriage")
    across: Component = sliding_joint("slide of the block")

    def measured_joints(self) -> tuple[str, ...]:
        return slide_of(self.along)[0].name, slide_of(self.across)[0].name

    def acting(self, *levers: Expr) -> tuple[JointLoad, ...]:
        return tuple(map(JointLoad, self.measured_joints(), levers))


@dataclass(frozen=True, eq=False)
class Guide(_OnSlides):
    """Dry friction against x + lever y."""

    summary: ClassVar[str] = "a guide at a slant"

    lever: float = parameter("1", "of the slant", default=1e-3)
    bound: float = parameter("N", "most of the friction", default=BOUND)

    def respond(self, now: Instant) -> Response:
        lever, bound = self.symbol("lever"), self.symbol("bound")
        rate = now.travels[0].rate + lever * now.travels[1].rate
        force = SetValued(
            Variable("force", "N", "friction"),
            rate,
            -bound,
            bound,
            smooth=-bound * maximum(minimum(rate / 1e-3, 1.0), -1.0),
            joint_loads=self.acting(rate * 0.0 + 1.0, lever),
        )
        return Response(set_valued=(force,))


@dataclass(frozen=True, eq=False)
class Cushion(_OnSlides):
    """A spring that pushes the block up, taken at the end of the step."""

    summary: ClassVar[str] = "a spring under the block"

    stiffness: float = parameter("N/m", "of the spring", default=STIFFNESS)
    damping: float = parameter("N*s/m", "of the spring", default=DAMPING)

    def respond(self, now: Instant) -> Response:
        y, rate = now.travels[1].travel, now.travels[1].rate
        stiffness, damping = self.symbol("stiffness"), self.symbol("damping")
        force = SetValued(
            Variable("force", "N", "of the spring"),
            rate,
            None,
            None,
            smooth=-stiffness * y - damping * rate,
            joint_loads=self.acting(rate * 0.0, rate * 0.0 + 1.0),
            stiffness=stiffness,
            damping=damping,
            preload=-stiffness * y,
        )
        return Response(set_valued=(force,))


@cache
def carriage(guides: int = 2, spring: bool = True) -> System:
    model = at.Model("carriage", gravity=(ALONG, -ACROSS, 0.0))
    bed = model.add(at.RigidBody("bed", CARRIAGE, (1.0, 1.0, 1.0)))
    block = model.add(at.RigidBody("block", BLOCK, (1.0, 1.0, 1.0)))
    x = model.add(at.Prismatic("x", model.ground, bed, axis="x"))
    y = model.add(at.Prismatic("y", bed, block, axis="y"))
    for number in range(guides):
        model.add(Guide(f"guide_{number}", x, y))
    for number in range(2 * spring):
        model.add(Cushion(f"cushion_{number}", x, y, 0.5 * STIFFNESS, 0.5 * DAMPING))
    return model.formulate(form="set-valued")


def held_by(
    *levers: float, duration: float = 0.5, spring: bool = True, **other: Any
) -> at.Trajectory:
    """A run with a guide at each of these levers."""
    numbers = {f"guide_{number}.lever": lever for number, lever in enumerate(levers)}
    numbers |= other.pop("parameters", {})
    other = {"step": 5e-3, "method": METHOD, "watch": False} | other
    return carriage(len(levers), spring).simulate(duration, parameters=numbers, **other)


@pytest.fixture(params=["", "none"], ids=["c", "python"])
def compiler(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("AXLETREE_CC", request.param)
    return str(request.param)


@pytest.mark.usefixtures("compiler")
@pytest.mark.filterwarnings("ignore:.*compiler")
@pytest.mark.parametrize("lever", [1e-6, 1e-4, 0.6 * LEVER])
def test_guides_that_hardly_see_a_motion_of_springs_share_alike(lever: float) -> None:
    """By the law to the letter they would take m g / (2 lever) against one another."""
    run = held_by(-lever, lever, initial={"y.position": -5e-4})
    half = -(CARRIAGE + BLOCK) * ALONG / 2.0
    for guide in ("guide_0", "guide_1"):
        assert run[f"{guide}.force"] == pytest.approx(half, rel=1e-9)
    assert not run["x.speed"].any()  # held to the last bit
    h, y, v = 5e-3, [-5e-4], 0.0
    for _ in run.time[1:]:  # implicit Euler's step of the block on its spring alone
        hard = h * STIFFNESS + DAMPING
        v = (v + h * (-ACROSS - STIFFNESS * y[-1] / BLOCK)) / (1.0 + h * hard / BLOCK)
        y.append(y[-1] + h * v)
    assert run["y.position"] == pytest.approx(np.array(y), rel=1e-9)
    assert run["y.position"][-1] == pytest.approx(-BLOCK * ACROSS / STIFFNESS, rel=1e-2)


@pytest.mark.usefixtures("compiler")
@pytest.mark.filterwarnings("ignore:.*compiler")
@pytest.mark.parametrize(("lever", "spring"), [(1.6 * LEVER, True), (0.6 * LEVER, False)])
def test_what_springs_do_not_carry_is_held_whatever_it_takes(lever: float, spring: bool) -> None:
    """Two rows that nearly depend on one another, and nothing else: statics has one answer."""
    run = held_by(-lever, lever, duration=0.1, spring=spring)
    sums, differences = (CARRIAGE + BLOCK) * ALONG, BLOCK * ACROSS / lever
    assert run["guide_1.force"] == pytest.approx(0.5 * (differences - sums), rel=1e-9)
    assert run["guide_0.force"] == pytest.approx(-0.5 * (differences + sums), rel=1e-9)
    assert not run["x.speed"].any()
    assert not run["y.speed"].any()


def test_between_the_two_the_share_of_what_springs_see_decides() -> None:
    """|A_h u| / |A_s u| is the lever for two guides at levers of both signs and two springs."""
    for share, moves in ((0.98, True), (1.02, False)):
        lever = share * LEVER
        run = held_by(-lever, lever, duration=0.02)
        assert run["y.speed"].any() == moves, share


def test_the_order_of_rows_does_not_matter() -> None:
    levers = (-2e-3, 5e-4, 3e-3)
    first = held_by(*levers, initial={"y.speed": 0.2})
    for order in permutations(range(3)):
        run = held_by(*(levers[k] for k in order), initial={"y.speed": 0.2})
        for number, k in enumerate(order):
            expected = first[f"guide_{k}.force"]
            assert run[f"guide_{number}.force"] == pytest.approx(expected, rel=1e-7), order


@pytest.mark.filterwarnings("ignore:.*press against one another")  # which is so: see the end
def test_a_fixed_number_of_sweeps_leaves_the_same_motions_to_springs() -> None:
    lever = 0.5 * LEVER
    run, exact = (
        held_by(-lever, lever, method=method, initial={"y.speed": 0.3})
        for method in ("complementarity-sweeps", METHOD)
    )
    assert run["y.position"] == pytest.approx(exact["y.position"], abs=1e-12)
    together = [each["guide_0.force"] + each["guide_1.force"] for each in (run, exact)]
    assert together[0] == pytest.approx(together[1], rel=1e-6)  # sweeps share as they come to it


def test_no_power_is_made_of_it() -> None:
    """A sliding carriage: what guides take is what the energy falls by, and it never grows."""
    level = {"gravity.x": 0.0, "gravity.y": 0.0, "guide_0.bound": 60.0, "guide_1.bound": 60.0}
    start = {"x.speed": 3.0, "y.speed": 1.0}
    levers = -0.4 * LEVER, 0.6 * LEVER
    run = held_by(*levers, duration=0.4, step=1e-4, initial=start, parameters=level)
    x, y = run["x.speed"], run["y.speed"]
    energy = 0.5 * ((CARRIAGE + BLOCK) * x**2 + BLOCK * y**2 + STIFFNESS * run["y.position"] ** 2)
    assert np.max(np.diff(energy)) < 1e-9
    late = run.time > 0.3
    assert np.max(np.abs(x[late])) < LEVER * np.max(np.abs(y[late]))
    assert energy[-1] < 1e-3 * energy[0]


# -- a vehicle on soil --------------------------------------------------------------------------
WHEELS = ("front_left", "front_right", "rear_left", "rear_right")
TORQUE = 20e3  # N m, of each brake
WHAT = "soil.side_force", "brake.friction"


def braked(
    roll: float, step: float = 5e-3, method: str | Integrator = METHOD, duration: float = 4.0
) -> at.Trajectory:
    """The skidder, braked from 1 m/s while it rolls [rad/s]."""
    start = {"chassis.vx": 1.0, "chassis.wx": roll}
    start |= {f"{wheel}_axle.rate": 1.0 / 0.94 for wheel in WHEELS}
    brakes = {f"{wheel}_brake.torque": TORQUE for wheel in WHEELS}
    system = shipped_system("skidder-on-soil", "set-valued")
    return system.simulate(
        duration, step=step, method=method, inputs=brakes, initial=start, watch=False
    )


def of_wheels(run: at.Trajectory, quantity: str) -> np.ndarray:
    return np.array([run[f"{wheel}_{quantity}"] for wheel in WHEELS])


def test_a_braked_skidder_stands_without_pressing_against_itself() -> None:
    """Side forces hold 35 kN against one another by the law to the letter, at 1 mrad/s of roll.

    Heights of its wheels differ by 6 mm of its track of 2.5 m. While it comes to rest, steps in
    which its wheels turn round may have more (see the page), less than 1 % of the load.
    """
    run = braked(roll=1e-3, step=2e-3)
    side, brake = of_wheels(run, "soil.side_force"), of_wheels(run, "brake.friction")
    against = 0.5 * (np.abs(side).sum(axis=0) - np.abs(side.sum(axis=0)))
    stands = run.time > 2.0
    assert np.max(against[stands]) < 0.1  # N
    assert np.max(np.abs(side[:, stands])) < 5.0  # N, what roll that dies away needs
    assert np.max(np.abs(brake[::2] - brake[1::2])[:, stands]) < 0.1  # N m
    assert np.max(against) < 100.0
    assert run.residual is not None
    assert run.residual.greatest < 1e-11


def test_wheels_that_turn_round_in_a_step_share_their_thrust() -> None:
    """One step of 5 ms had 3.3 kN: a rear wheel with a slip of 1.6e-5 had 30 times the slope of the
    other one, whose slip was 1.3e-4, and the thrust of one was that of both."""
    run = braked(roll=1e-3)
    side = of_wheels(run, "soil.side_force")
    against = 0.5 * (np.abs(side).sum(axis=0) - np.abs(side.sum(axis=0)))
    load = np.max(of_wheels(run, "soil.normal_force"))
    assert np.max(against) < 0.01 * load
    thrust = of_wheels(run, "soil.dry_thrust") + of_wheels(run, "soil.viscous_thrust")
    assert np.max(np.abs(thrust[::2] - thrust[1::2])) < 0.02 * load  # 8.6 kN behind


def test_it_turns_round_while_it_stops_without_pressing_against_itself() -> None:
    """Its own run. Taking rows for held that slide, one step had 7.9 kN, and brakes 20 kN m.

    The stop throws it back by its pitch: what resists its travel breaks loose, and brakes and
    thrust alone would hold the pitch, by millimetres.
    """
    model = at.read_model("skidder-on-soil")
    system = shipped_system("skidder-on-soil", "set-valued")
    run = system.simulate(
        18.0, step=2e-3, method=METHOD, inputs=model.run.inputs, watch=False,
        outputs=[f"{wheel}_{what}" for wheel in WHEELS for what in WHAT],
    )  # fmt: skip
    stops = run.time > 16.0
    side, brake = (of_wheels(run, what)[:, stops] for what in WHAT)
    assert np.max(np.abs(side)) < 150.0  # N
    assert np.max(np.abs(brake[::2] - brake[1::2])) < 2.5e3  # N m
    assert run.note == ""


@pytest.mark.long
def test_a_decade_of_shares_that_are_left_to_springs_gives_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From LEVER, at which the forces that are left out are 1 % of the load, to ten times it."""
    expected = braked(roll=1e-3, step=2e-3)
    for share in (3.0, 10.0):
        monkeypatch.setattr(complementarity, "LEVER", share * LEVER)
        method = complementarity.complementarity_method(METHOD, "another share", Pivoting())
        run = braked(roll=1e-3, step=2e-3, method=method)
        side = of_wheels(run, "soil.side_force")
        against = 0.5 * (np.abs(side).sum(axis=0) - np.abs(side.sum(axis=0)))
        assert np.max(against[run.time > 2.0]) < 0.1  # N
        for what, stands in (
            ("soil.normal_force", run.time >= 0.0),
            ("brake.friction", run.time > 2.0),
        ):
            found, before = of_wheels(run, what), of_wheels(expected, what)
            off = np.max(np.abs(found - before)[:, stands])
            assert off < 5e-4 * np.max(np.abs(before)), (share, what)


def test_its_roll_dies_away_on_the_springs_and_all_else_is_at_rest() -> None:
    run = braked(roll=1e-2)
    late = run.time > 3.0
    assert np.max(np.abs(run["chassis.vx"][late])) < 1e-7
    rates = of_wheels(run, "axle.rate")[:, late]
    rolls = np.max(np.abs(run["chassis.wx"][late]))
    assert 0.0 < rolls < 1e-4
    assert np.max(np.abs(rates)) < LEVER * rolls
    load = of_wheels(run, "soil.normal_force")[:, -1]
    assert load[0] - load[1] == pytest.approx(0.0, abs=2.0)  # N, both sides carry alike


def test_what_is_left_of_its_motion_ends_in_rest_to_the_last_bit() -> None:
    """Wheels move by their share of what the springs do, and with these they stop."""
    run = braked(roll=1e-3, duration=12.0)
    rates = np.max(np.abs(of_wheels(run, "axle.rate")), axis=0)
    middle = (run.time > 3.0) & (run.time < 3.5)
    assert 0.0 < np.max(rates[middle]) < 1e-7
    assert not rates[run.time > 11.0].any()


def test_roll_to_the_left_is_the_mirror_image_of_roll_to_the_right() -> None:
    left, right = (of_wheels(braked(roll), "soil.side_force") for roll in (4e-3, -4e-3))
    assert left == pytest.approx(-right[[1, 0, 3, 2]], abs=1e-3 * np.max(np.abs(left)))
