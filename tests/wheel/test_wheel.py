"""The contract of wheels: both kinds of the package keep it, and a third one needs no more.

What the third kind tells is known by hand: a spring under the lowest point of a wheel on level
ground.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from mechanisms.shipped_run import models, models_in_stages, shipped_system

import axletree as at
from axletree import catalogue
from axletree.components.contract import Component, Instant, Load, NamedOutput, Response
from axletree.components.fields import kind_of, parameter, part
from axletree.components.frames import Frame, frame
from axletree.components.joints import turning_joint
from axletree.expr import maximum
from axletree.expr.expression import ONE, ZERO
from axletree.expr.vectors import Vector
from axletree.ground.surfaces import Flat, Surface
from axletree.model.model import Model
from axletree.plot.mechanism import mechanism_poses
from axletree.plot.ride import RideError, RideView, draw_ride, ride_frames
from axletree.reports.animation.wheels import wheel_outputs
from axletree.reports.data_sheet import mechanism_sheet
from axletree.reports.run_report import write_report
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System
from axletree.wheel.soils.soil_wheel import SoilWheel
from axletree.wheel.soils.supports import GivenLoad
from axletree.wheel.tyre import Tyre
from axletree.wheel.wheel import GroundPatch, Wheel, WheelOutputs, wheels_of

MASS, RADIUS, STIFFNESS, SPEED = 40.0, 0.3, 20e3, 2.0  # kg, m, N/m, m/s
WEIGHT = MASS * 9.80665  # N


@dataclass(frozen=True, eq=False)
class Roller(Wheel):
    """A spring under the lowest point, without friction; the ground is level."""

    outputs: ClassVar[WheelOutputs] = WheelOutputs(
        "push", "drag", contact_point="foot", forward_direction="ahead", normal_direction="up"
    )

    name: str
    joint: Component = turning_joint("axle")
    road: Frame = frame("ground")
    size: float = parameter("m", "radius", lower=0.0)
    stiffness: float = parameter("N/m", "of the spring", lower=0.0)
    surface: Surface = part("SURFACES", "shape of the ground", default=Flat)

    def drawn_radius(self, values: Mapping[str, float]) -> float:
        return self.value("size", values, self.size)

    def respond(self, now: Instant) -> Response:
        x, y, z = now.motions[0].displacement
        depth = maximum(self.symbol("size") - z, 0.0)
        push = self.symbol("stiffness") * depth
        vectors = {"foot": (x, y, ZERO), "ahead": (ONE, ZERO, ZERO), "up": (ZERO, ZERO, ONE)}
        told = {"push": push, "drag": ZERO, "depth": depth}
        for word, vector in vectors.items():
            told |= {f"{word}.{axis}": c for axis, c in zip("xyz", vector, strict=True)}
        return Response(
            loads=(Load(self.road, self.carrier, Vector((ZERO, ZERO, push))),),
            outputs=tuple(NamedOutput(n, "1", n, value) for n, value in told.items()),
        )


@dataclass(frozen=True, eq=False)
class Sinker(Roller):
    """The same on ground that stays pressed; it tells how deep it is, and not where."""

    outputs: ClassVar[WheelOutputs] = WheelOutputs("push", "drag", sinkage="depth")
    is_soft_ground: ClassVar[bool] = True

    def drawn_width(self, values: Mapping[str, float]) -> float:
        return 0.1

    def patches(self, values: Mapping[str, float]) -> Sequence[GroundPatch]:
        return (GroundPatch("gravel", 1.0, 0.0, 0.0, 2.0, 1.0),)


def cart(kind: type[Roller]) -> Model:
    """A wheel that slides along without turning, on a body that can only go along and up."""
    model = at.Model("cart")
    sledge = model.add(at.MasslessBody("sledge"))
    body = model.add(at.RigidBody("body", MASS, (1.0, 1.0, 1.0)))
    rim = model.add(at.BodyOfRevolution("rim", 1e-3, axial_inertia=1e-3, transverse_inertia=1e-3))
    model.add(at.Prismatic("track", model.ground, sledge, axis="x"))
    model.add(at.Prismatic("lift", sledge, body, axis="z"))
    axle = model.add(at.Revolute("axle", body, rim, axis="y"))
    model.add(kind("roller", axle, model.ground, size=RADIUS, stiffness=STIFFNESS))
    model.start = {"lift.position": RADIUS - WEIGHT / STIFFNESS, "track.speed": SPEED}
    return model


@cache
def driven(kind: type[Roller]) -> tuple[Model, System, Trajectory]:
    model = cart(kind)
    system = model.formulate()
    return model, system, system.simulate(1.0, step=1e-3, record_interval=0.02)


KINDS = {kind.__name__: kind for kind in (Roller, Sinker)}


def wheels_named(name: str) -> list[Wheel]:
    """Of a shipped model, a ready-made tyre, or a kind of this file."""
    if name in KINDS:
        return wheels_of(cart(KINDS[name]))
    if name in catalogue.READY_TYRES:
        axle = at.read_model("quarter-car")["axle"]
        return [Tyre("tyre", axle, at.Model().ground, **at.ready_tyre(name))]
    return wheels_of(at.read_model(name))


ALL = [*models(), *catalogue.READY_TYRES, *KINDS]


def test_wheels_of_both_kinds_are_tried() -> None:
    kinds = {type(wheel) for name in ("sedan", "rover", *KINDS) for wheel in wheels_named(name)}
    assert kinds == {Tyre, SoilWheel, Roller, Sinker}


@pytest.mark.parametrize("name", ALL)
def test_every_wheel_keeps_the_rules(name: str) -> None:
    for wheel in wheels_named(name):
        keeps_the_rules(wheel)


def keeps_the_rules(wheel: Wheel) -> None:
    # 1: joint, road and surface are fields, so that a model file can give them.
    own = {item.name: kind_of(item) for item in fields(wheel)}
    assert all(own[field] is not None for field in ("joint", "road", "surface"))
    assert isinstance(wheel.surface, Surface)
    # 2: it sees the carrier and the rate of the axle.
    assert (wheel.carrier.name, wheel.rim_frame.name) == (wheel.axle.tail, wheel.axle.head)
    assert wheel.measures() == ((wheel.road, wheel.carrier),)
    assert wheel.measured_joints() == (wheel.axle.name,)
    assert np.linalg.norm(wheel.axis) == pytest.approx(1.0)
    # 3: sizes are those of the run, or its own.
    radius, width = wheel.drawn_radius({}), wheel.drawn_width({})
    assert radius > 0.0
    assert width is None or width > 0.0
    full = {q.name: 2.0 * q.default for q in wheel.parameters()}
    assert wheel.drawn_radius(full) == pytest.approx(2.0 * radius)
    surface = wheel.values_of("surface", full)
    assert surface == pytest.approx({n: 2.0 * x for n, x in wheel.surface.numbers.items()})
    # 4, 5: names are each other's, and ruts have a depth.
    assert len(set(wheel.outputs.names)) == len(wheel.outputs.names)
    assert len(wheel.contact_names()) in (0, 9)
    assert wheel.is_soft_ground == (wheel.outputs.sinkage is not None)
    assert all(p.length > 0.0 and p.width > 0.0 for p in wheel.patches({}))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", models_in_stages(models()))
def test_a_named_output_is_one_of_every_model(name: str) -> None:
    wheels = wheels_of(at.read_model(name))
    if not wheels:
        return
    system = shipped_system(name)
    known = {d.quantity.name: d.quantity for d in (*system.outputs, *system.intermediates)}
    for wheel in wheels:
        forces = wheel.force_names(known)
        assert len(forces) == 3
        assert [known[n].unit for n in forces] == ["N", "N", "N"]
        assert set(wheel.contact_names()) <= known.keys()
        if wheel.outputs.sinkage is not None:
            assert known[f"{wheel.name}.{wheel.outputs.sinkage}"].unit == "m"


@pytest.mark.parametrize("name", list(catalogue.READY_TYRES))
def test_every_ready_tyre_tells_its_force_or_has_it_as_a_reaction(name: str) -> None:
    model = at.read_model("quarter-car")
    tyre = Tyre("other", model["axle"], model.ground, **at.ready_tyre(name))
    model.add(tyre)
    system = model.formulate()
    known = {d.quantity.name for d in (*system.outputs, *system.intermediates)}
    assert {*tyre.force_names(known), *tyre.contact_names()} <= known


@pytest.mark.parametrize("kind", [Roller, Sinker])
def test_a_third_kind_is_in_the_data_sheet(kind: type[Roller]) -> None:
    model, system, _ = driven(kind)
    rows = {row.name: row.value for row in mechanism_sheet(model, system)}
    assert rows["initial load of roller"] == pytest.approx(WEIGHT)


def test_a_third_kind_is_in_a_picture_of_the_drive() -> None:
    model, _, run = driven(Roller)
    ride = ride_frames(model, run)
    (wheel,) = ride.wheels
    assert wheel.radius == RADIUS
    assert wheel.contact == pytest.approx(np.outer(run.time, (SPEED, 0.0, 0.0)), abs=1e-9)
    assert wheel.force[:, 2] == pytest.approx(WEIGHT, rel=1e-3)
    assert draw_ride(ride, [0.0, 1.0], RideView()).axes


def test_a_wheel_that_does_not_tell_where_it_is_is_not_in_that_picture() -> None:
    model, _, run = driven(Sinker)
    with pytest.raises(RideError, match="cart has no wheel on the ground"):
        ride_frames(model, run)


@pytest.mark.parametrize("kind", [Roller, Sinker])
def test_a_third_kind_is_in_the_picture_of_the_mechanism(kind: type[Roller]) -> None:
    model, system, run = driven(kind)
    larger = {"roller.size": 2.0 * RADIUS}
    poses = mechanism_poses(system, model, run, inputs={}, parameters=larger)
    assert poses is not None
    (circle,) = poses.wheels
    across = circle.max(axis=1) - circle.min(axis=1)
    assert across[0] == pytest.approx([4.0 * RADIUS, 0.0, 4.0 * RADIUS])


@pytest.mark.parametrize("kind", [Roller, Sinker])
def test_a_third_kind_is_in_the_animation(kind: type[Roller]) -> None:
    """On the ground below its middle, pushed up by the weight; one that sinks leaves a rut."""
    model, system, run = driven(kind)
    recorded = {name.removeprefix("roller.") for name in wheel_outputs(model, system)}
    assert recorded == set(kind.outputs.names)
    scene = at.animation(model, run, system=system, rate=50.0).scene
    assert scene.actor("roller").spin is not None
    (force,) = scene.forces
    assert force.point == pytest.approx(np.outer(scene.time, (SPEED, 0.0, 0.0)), abs=1e-9)
    assert force.vector[:, :2] == pytest.approx(0.0, abs=1e-9)
    assert force.vector[:, 2] == pytest.approx(WEIGHT, rel=1e-3)
    labels = [ground.label for ground in scene.grounds]
    if kind is Roller:
        assert (labels, scene.ruts) == (["road"], ())
        return
    assert labels == ["soft ground", "patch: gravel"]
    (rut,) = scene.ruts
    assert rut.sinkage == pytest.approx(WEIGHT / STIFFNESS, rel=1e-3)
    assert np.ptp(rut.top[0], axis=0) == pytest.approx([0.0, 0.1, 0.0])
    assert rut.top[..., 2] - rut.floor[..., 2] == pytest.approx(WEIGHT / STIFFNESS, rel=1e-3)


@pytest.mark.parametrize("kind", [Roller, Sinker])
def test_a_third_kind_has_a_report(kind: type[Roller], tmp_path: Path) -> None:
    model, system, run = driven(kind)
    text = write_report(system, model, run, tmp_path).read_text(encoding="utf-8")
    assert "animation of cart" in text
    assert "initial load of roller" in text


def test_a_patch_of_soil_is_where_the_run_had_it() -> None:
    """By the parameters of the run; named by its law."""
    sand, clay = at.WongReece("dry-sand-lll"), at.WismerLuth("300 kPa")
    spots = tuple(at.SoilPatch(law, length=4.0, width=2.0, x=10.0) for law in (sand, clay))
    wheel = wheels_of(at.read_model("soil-bin"))[0]
    wheel = replace(wheel, law=at.SoilMap(sand, spots), normal_force=GivenLoad(1e3))  # N
    first, second = wheel.patches({f"{wheel.name}.law.patches.1.x": 12.0})
    assert first == GroundPatch("WongReece", 12.0, 0.0, 0.0, 4.0, 2.0)
    assert second == GroundPatch("WismerLuth", 10.0, 0.0, 0.0, 4.0, 2.0)
