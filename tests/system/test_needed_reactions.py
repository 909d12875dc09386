"""Loads that depend on reactions: what a system makes of them, and where there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest
from mechanisms.two_wheeler import told, two_wheeler

import axletree as at
from axletree.analysis.linear.jacobians import slopes_of
from axletree.components.contract import (
    Component,
    Instant,
    Load,
    Response,
    VelocityConstraint,
    reaction_symbol,
)
from axletree.components.edges import Basis, Variable
from axletree.components.fields import parameter
from axletree.components.frames import Frame, frame
from axletree.core.errors import FormulationError
from axletree.expr import where
from axletree.expr.vectors import Vector
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.partition import Partition
from axletree.system.forms.projected import Projected
from axletree.wheel.tyre import Tyre

FIALA = at.Fiala(**at.Fiala.example)
NORMAL = Variable("normal", "N", "normal force")


@dataclass(frozen=True, eq=False)
class Runner(Component):
    """Its frame slides on the plane z = 0 of the ground, against dry friction along x."""

    summary: ClassVar[str] = "a runner"
    name: str
    at: Frame = frame("frame of the runner")
    ground: Frame = frame("the ice")
    friction: float = parameter("1", "coefficient of friction", lower=0.0)

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.ground, self.at),)

    def respond(self, now: Instant) -> Response:
        (motion,) = now.motions
        direction = where(motion.velocity[0] > 0.0, -1.0, 1.0)
        force = direction * self.symbol("friction") * reaction_symbol(self.name, NORMAL)
        up = Load(self.ground, self.at, Vector((0.0, 0.0, 1.0)), basis=Basis.TAIL)
        held = VelocityConstraint(
            NORMAL, motion.velocity[2], (up,), position=motion.displacement[2], steps=1
        )
        rub = Load(self.ground, self.at, Vector((force, 0.0, 0.0)), basis=Basis.TAIL)
        return Response(loads=(rub,), constraints=(held,))


def sledge(friction: float) -> at.Model:
    """A block on two runners, in the plane."""
    model = at.Model("sledge")
    block = model.add(at.RigidBody("block", 10.0, (1.0, 1.0, 1.0)))
    model.add(at.Planar("plane", model.ground, block, normal="y"))
    for name, along in (("front", 0.6), ("rear", -0.4)):
        point = block.point(along, 0.0, -0.3)
        model.add(Runner(name, at=point, ground=model.ground.main_frame, friction=friction))
    model.start = {"plane.second": 0.3}
    return model


def test_loops_that_are_one_link_leave_it_to_the_other_forms() -> None:
    with pytest.raises(FormulationError, match="loads depend on reactions; the form 'projected'"):
        sledge(0.35).formulate(form="embedded")


@pytest.mark.parametrize("form", [Projected(), Baumgarte(), Partition()])
def test_a_sledge_brakes_by_its_weight_alone(form: Any) -> None:
    """Friction transfers load: front (b + mu h) / L of the weight, whatever the speed."""
    mu, weight = 0.35, 98.0665
    system = sledge(mu).formulate(form=form)
    run = system.simulate(
        0.5, step=0.01, initial={"plane.first_speed": 4.0},
        outputs=["front.normal", "rear.normal", "front.normal_residual"],
    )  # fmt: skip
    assert run["plane.first_speed"][-1] == pytest.approx(4.0 - mu * 9.80665 * 0.5, rel=1e-12)
    front = weight * (0.4 + mu * 0.3)
    assert run["front.normal"] == pytest.approx(np.full(len(run), front), rel=1e-12)
    assert run["rear.normal"] == pytest.approx(np.full(len(run), weight - front), rel=1e-12)
    assert np.abs(run["front.normal_residual"]).max() < 1e-12 * weight


@pytest.mark.parametrize("tree", [None, ["block", "shoe"]])
def test_a_shoe_without_mass_feels_the_same(tree: Any) -> None:
    """In absolute coordinates the mass matrix is singular, and the whole is solved at once."""
    model = at.Model("sledge")
    block = model.add(at.RigidBody("block", 10.0, (1.0, 1.0, 1.0)))
    shoe = model.add(at.MasslessBody("shoe"))
    model.add(at.Planar("plane", model.ground, block, normal="y"))
    hinge = model.add(at.Revolute("hinge", block.point(0.6, 0.0, -0.3), shoe, axis="y"))
    model.add(at.RotationDriver("bolt", hinge, angle="0*t"))
    for name, point in (("front", shoe.main_frame), ("rear", block.point(-0.4, 0.0, -0.3))):
        model.add(Runner(name, at=point, ground=model.ground.main_frame, friction=0.35))
    model.start = {"plane.second": 0.3, "block.z": 0.3}
    system = model.formulate(tree=tree)
    speed = "block.vx" if tree else "plane.first_speed"
    values = told(system, system.state({speed: 4.0}))
    assert values["front.normal"] == pytest.approx(98.0665 * (0.4 + 0.35 * 0.3), rel=1e-11)
    assert values[f"{speed}_dot"] == pytest.approx(-0.35 * 9.80665, rel=1e-11)


def test_its_equations_can_be_read() -> None:
    """b holds the reactions by name, which the multipliers are, too."""
    system = sledge(0.35).formulate()
    equations = system.equations()
    names = {str(s) for s in equations.forcing.free_symbols | equations.forcing.atoms()}
    assert any("front.friction" in name for name in names)
    assert "front.normal" in equations.text()
    assert [q.name for q in system.states] == [
        "plane.first_speed", "plane.second_speed", "plane.rate",
        "plane.first", "plane.second", "plane.angle",
    ]  # fmt: skip


def test_its_energy_goes_into_friction() -> None:
    audit = (
        sledge(0.35).formulate().audit_energy(0.5, step=0.01, initial={"plane.first_speed": 4.0})
    )
    (front, rear) = (share.work[-1] for share in audit.shares)
    gone = 0.5 * 10.0 * ((4.0 - 0.35 * 9.80665 * 0.5) ** 2 - 16.0)
    assert front + rear == pytest.approx(gone, rel=1e-9)
    assert audit.relative_residual < 1e-10


def test_a_load_that_is_not_determined_is_refused() -> None:
    """Three runners in a row, or a slide that keeps the block at its height."""
    model = sledge(0.1)
    block = model["block"]
    third = block.point(0.1, 0.0, -0.3)  # type: ignore[attr-defined]
    model.add(Runner("middle", at=third, ground=model.ground.main_frame, friction=0.1))
    with pytest.raises(FormulationError, match="normal, which the equations of sledge do not"):
        model.formulate()
    model = at.Model("slide")
    block = model.add(at.RigidBody("block", 10.0, (1.0, 1.0, 1.0)))
    model.add(at.Prismatic("rail", model.ground, block, axis="x"))
    model.add(Runner("only", at=block.main_frame, ground=model.ground.main_frame, friction=0.1))
    with pytest.raises(FormulationError, match=r"loads depend on only\.normal"):
        model.formulate()


@pytest.mark.slow
def test_a_car_on_springs_has_loads_that_are_determined() -> None:
    """Four rigid tyres under the shipped car: its suspension tells their loads apart."""
    described, car = at.read_model("car"), at.Model("rigid_car")
    for part in described:
        is_tyre = isinstance(part, Tyre)
        given = {"normal_force": at.NoDeflection(), "rolling_radius": at.LoadedRadius()}
        car.add(replace(part, **given) if is_tyre else part)
    car.start = described.start
    system = car.formulate()
    assert system.redundant == ()
    states = dict(system.trim({"chassis.vx": 20.0}, wheels=at.RollingWheels()).states)
    values = told(system, states)
    loads = [values[f"{c.name}.Fz"] for c in car if isinstance(c, Tyre)]
    residuals = [values[f"{c.name}.Fz_residual"] for c in car if isinstance(c, Tyre)]
    assert len(loads) == 4
    assert np.abs(residuals).max() < 1e-9
    assert min(loads) > 1000.0


def test_slopes_of_the_rates_are_exact() -> None:
    """Through the search for the loads, against differences."""
    system = two_wheeler(FIALA).formulate()
    given = {"body.vx": 15.0, "body.roll": 0.1, "body.vy": 0.3}
    start = dict(system.trim(given, wheels=at.RollingWheels(slip={"front_tyre": -0.03})).states)
    symbols = [q.symbol for q in system.states]
    values = {q.symbol: q.default for q in system.parameters} | {system.time.symbol: 0.0}
    exact = slopes_of(system.derivatives, symbols)(
        values | {q.symbol: start[q.name] for q in system.states}
    )
    assert system.source is not None
    names = [f"{q.name}_dot" for q in system.source.speeds]
    for k, quantity in enumerate(system.states):
        width = 1e-5 * max(1.0, abs(start[quantity.name]))
        above, below = (
            told(system, {**start, quantity.name: start[quantity.name] + end})
            for end in (width, -width)
        )
        difference = [(above[name] - below[name]) / (2.0 * width) for name in names]
        assert exact[: len(names), k] == pytest.approx(difference, rel=1e-6, abs=1e-5)
