"""Manoeuvres as objects and in model files: their signals, their mistakes, their round trip."""

# ruff: noqa: E501 - a mistake and its message are read side by side

from __future__ import annotations

import dataclasses
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model_files.schema_check import validator
from scipy.integrate import trapezoid

import axletree as at
from axletree import catalogue
from axletree.components.fields import kind_of
from axletree.components.signals import TIME
from axletree.core.errors import ModelError
from axletree.core.problems import Problems
from axletree.core.registry import load
from axletree.core.yaml_document import read_document
from axletree.expr import Expr, Table, directional_derivative, evaluate
from axletree.model.manoeuvre import Manoeuvre
from axletree.model_files.read import read_model
from axletree.runs.acceleration_and_braking import BrakedManoeuvre

CART = """\
components:
  cart: {type: rigid-body, mass: 10 kg, inertia: [1, 1, 1]}
  arm: {type: rigid-body, mass: 1 kg, inertia: [1, 1, 1]}
  track: {type: prismatic, tail: ground, head: cart, axis: x}
  drag: {type: slide-spring-damper, joint: track, stiffness: 0, damping: 2 N*s/m}
  push: {type: joint-force, joint: track}
  pin: {type: revolute, tail: cart, head: arm, axis: z}
  steer: {type: rotation-driver, joint: pin}
  wheel: {type: rigid-body, mass: 1 kg, inertia: [1, 1, 1]}
  axle: {type: revolute, tail: cart, head: wheel, axis: y}
  brake: {type: joint-torque, joint: axle}
start: {track.speed: 4}
run: {duration: 1 s, step: 1 ms, outputs: [energy.total]}
manoeuvres:
  turn: {type: sine-steer, speed: 18 km/h, steering: steer.angle, amplitude: 2 deg, period: 4 s}
  stop:
    type: braking
    speed: 5 m/s
    forward: track.speed
    brakes: [brake.torque]
    torque: -3 N*m
    hold: 1 s
    outputs: [brake.torque]
  haul: {type: coasting, speed: 5, driven_by: push.force, duration: 2 s, initial: {axle.rate: 60 rpm}, inputs: {steer.angle: "0.1*t^2"}}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "cart.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def course(signal: Any, times: np.ndarray) -> np.ndarray:
    if isinstance(signal, Table):
        return np.asarray(signal.evaluate(times))
    return np.broadcast_to(evaluate([signal], {TIME: times})[0], times.shape)


# -- signals ----------------------------------------------------------------------------


def test_a_sine_steer_follows_its_sine() -> None:
    """1 degree over 10 s, as Morency 2007, figure 5.6, has it."""
    made = at.SineSteer(speed=20, steering=["left", "right"], amplitude="1 deg", period="10 s")
    times = np.linspace(0.0, 10.0, 41)
    assert set(made.signals) == {"left", "right"}
    expected = math.pi / 180 * np.sin(2 * math.pi * times / 10)
    assert course(made.signals["left"], times) == pytest.approx(expected, abs=1e-15)
    assert made.duration == 10.0


def test_a_step_steer_begins_and_ends_without_a_jump_in_acceleration() -> None:
    made = at.StepSteer(speed=20, steering="steer", angle=0.1, begin=2, rise=0.5)
    angle = made.signals["steer"]
    assert isinstance(angle, Expr)
    rate = directional_derivative([angle], {TIME: 1.0})[0]
    acceleration = directional_derivative([rate], {TIME: 1.0})[0]
    times = np.array([0.0, 2.0, 2.25, 2.5, 9.0])
    assert course(angle, times) == pytest.approx([0.0, 0.0, 0.05, 0.1, 0.1], abs=1e-15)
    close = np.array([1.999999, 2.000001, 2.499999, 2.500001])
    assert course(rate, close) == pytest.approx(0.0, abs=1e-9)
    assert course(acceleration, close) == pytest.approx(0.0, abs=1e-3)
    # The greatest rate is 15/8 of the mean one, in the middle.
    assert course(rate, times)[2] == pytest.approx(15 / 8 * 0.1 / 0.5)
    fine = np.linspace(2.0, 2.5, 501)
    assert trapezoid(course(rate, fine), fine) == pytest.approx(0.1, rel=1e-6)


def test_braking_is_ramped_held_and_released() -> None:
    """To 1000 N m between 2 s and 2.5 s, until 4.5 s, to 0 by 5 s (Morency 2007, figure 5.8)."""
    made = at.Braking(speed=20, brakes=["a", "b"], torque=-1000)
    times = np.array([0.0, 2.0, 2.25, 2.5, 3.0, 4.5, 4.75, 5.0, 10.0])
    expected = [0.0, 0.0, -500.0, -1000.0, -1000.0, -1000.0, -500.0, 0.0, 0.0]
    for name in ("a", "b"):
        assert course(made.signals[name], times) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"speed": -1}, "speed: -1 m/s is not allowed"),
        ({"speed": "3 kg"}, "speed: "),
        ({"speed": 1, "steering": 5}, "steering: expected a name or a list of names, got 5"),
        ({"speed": 1, "steering": ["a", "a"]}, "a name stands twice in a, a"),
        ({"speed": 1, "duration": 0}, "duration: 0 s is not allowed"),
        ({"speed": 1, "inputs": {"a": 1.0}}, "two signals are given for the input a"),
        ({"speed": 1, "driven_by": "a"}, "two signals are given for the input a"),
        ({"speed": 1, "inputs": [1]}, "inputs: expected values by name"),
        ({"speed": 1, "forward": 3}, "forward: expected the name of a state, got 3"),
    ],
)
def test_a_manoeuvre_that_makes_no_sense_is_refused(settings: dict[str, Any], says: str) -> None:
    good = {"steering": "a", "amplitude": 0.1, "period": 1.0}
    with pytest.raises(ModelError, match=says):
        at.SineSteer(**{**good, **settings})


@pytest.mark.parametrize("word", catalogue.MANOEUVRES)
def test_every_manoeuvre_of_the_catalogue_is_declared(word: str) -> None:
    kind = load("manoeuvre", word, catalogue.MANOEUVRES)
    assert issubclass(kind, Manoeuvre)
    assert kind.summary
    for item in dataclasses.fields(kind):
        declared = kind_of(item)
        assert declared is not None
        assert declared.description
    needed = [f for f in dataclasses.fields(kind) if f.default is dataclasses.MISSING]
    needed = [f for f in needed if f.default_factory is dataclasses.MISSING]
    samples = {"inputs": ["a.x"], "state": "a.speed", "grid": [[1.0, 0.0]]}
    parts = {"PATHS": "straight", "SURFACES": "flat"}
    kinds = {f.name: kind_of(f) for f in needed}
    values = {
        name: parts.get(found.section) or samples.get(found.word, 1.5)  # type: ignore[union-attr]
        for name, found in kinds.items()
    }
    if issubclass(kind, BrakedManoeuvre):
        with pytest.raises(ModelError, match="nothing brakes"):
            kind(**values)
        values["pedals"] = "b.x"
    made = kind(**values)
    assert all(
        np.isfinite(course(signal, np.linspace(0, 10, 11))).all()
        for signal in made.signals.values()
    )


def test_the_page_on_manoeuvres_has_every_kind() -> None:
    """A row for each, in the order and words of the catalogue."""
    page = Path(__file__).parent.parent.parent / "docs" / "how-to" / "manoeuvres.md"
    rows = re.findall(r"^\| `([a-z-]+)` \| `(\w+)` \| (.+) \|$", page.read_text("utf-8"), re.M)
    kinds = {word: load("manoeuvre", word, catalogue.MANOEUVRES) for word in catalogue.MANOEUVRES}
    assert rows == [(word, kind.__name__, kind.summary) for word, kind in kinds.items()]


# -- files ------------------------------------------------------------------------------


def test_a_file_has_its_manoeuvres_by_name(tmp_path: Path) -> None:
    model = read_model(written(tmp_path, CART))
    turn, stop, haul = model.manoeuvres.values()
    assert list(model.manoeuvres) == ["turn", "stop", "haul"]
    assert turn == at.SineSteer(
        speed=5.0, steering=("steer.angle",), amplitude=math.radians(2.0), period=4.0
    )
    assert isinstance(stop, at.Braking)
    assert (stop.torque, stop.hold, stop.forward) == (-3.0, 1.0, "track.speed")
    assert stop.outputs == ("brake.torque",)
    assert isinstance(haul, at.Coasting)
    assert haul.driven_by == ("push.force",)
    assert haul.initial == {"axle.rate": pytest.approx(2 * math.pi)}
    assert haul.inputs["steer.angle"] == 0.1 * TIME**2


def test_manoeuvres_survive_the_round_trip(tmp_path: Path) -> None:
    model = read_model(written(tmp_path, CART))
    at.write_model(model, tmp_path / "copy.yaml")
    assert read_model(tmp_path / "copy.yaml").manoeuvres == model.manoeuvres
    assert "driven_by: []" not in (tmp_path / "copy.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["car", "skidder", "bicycle-car", "three-wheeler"])
def test_the_vehicles_come_with_their_manoeuvres(name: str, tmp_path: Path) -> None:
    model = read_model(name)
    assert set(model.manoeuvres) >= {"sine-steer", "step-steer", "braking", "coasting"}
    at.write_model(model, tmp_path / "copy.yaml")
    assert read_model(tmp_path / "copy.yaml").manoeuvres == model.manoeuvres
    system = model.formulate()
    known = {d.quantity.name for d in (*system.outputs, *system.intermediates)}
    known |= {quantity.name for quantity in system.inputs}
    for manoeuvre in model.manoeuvres.values():
        assert set(manoeuvre.outputs or ()) <= known
        assert manoeuvre.forward in {quantity.name for quantity in system.states}


MISTAKES = {
    "unknown type": (
        "sine-steer",
        "sin-steer",
        "line 15, manoeuvres.turn.type: unknown type 'sin-steer'.*did you mean 'sine-steer'",
    ),
    "missing type": (
        "type: braking\n",
        "begin: 1 s\n",
        "line 16, manoeuvres.stop: the key 'type' is missing; `axletree list manoeuvres`",
    ),
    "unknown key": (
        "amplitude:",
        "amplitud:",
        "line 15, manoeuvres.turn.amplitud: unknown key 'amplitud' in a sine-steer; did you mean 'amplitude'",
    ),
    "missing key": (
        ", period: 4 s",
        "",
        r"line 15, manoeuvres.turn: the key 'period' is missing: time of one period \[s\]",
    ),
    "wrong unit": (
        "amplitude: 2 deg",
        "amplitude: 2 kg",
        "line 15, manoeuvres.turn.amplitude: .*kg",
    ),
    "out of bounds": (
        "period: 4 s",
        "period: 0 s",
        "line 15, manoeuvres.turn.period: 0 s is not allowed",
    ),
    "unknown input": (
        "steering: steer.angle",
        "steering: steer.angel",
        "line 15, manoeuvres.turn.steering: unknown input 'steer.angel'.*did you mean 'steer.angle'",
    ),
    "input of another unit": (
        "steering: steer.angle",
        "steering: push.force",
        "line 15, manoeuvres.turn.steering: push.force is in N and cannot follow what is in rad; give its course under 'inputs'",
    ),
    "unknown state": (
        "forward: track.speed",
        "forward: track.sped",
        "line 19, manoeuvres.stop.forward: unknown .* 'track.sped'",
    ),
    "state of another unit": (
        "forward: track.speed",
        "forward: axle.rate",
        "line 19, manoeuvres.stop.forward: axle.rate is in rad/s; expected a speed in m/s",
    ),
    "unknown owner of an output": (
        "outputs: [brake.torque]",
        "outputs: [brakes.torque]",
        "line 23, manoeuvres.stop.outputs: unknown owner 'brakes'",
    ),
    "unknown first value": (
        "axle.rate: 60 rpm",
        "axle.speed: 60 rpm",
        "line 24, manoeuvres.haul.initial.axle.speed: unknown",
    ),
    "first value of another unit": (
        "60 rpm",
        "60 kg",
        "line 24, manoeuvres.haul.initial.axle.rate: .*kg",
    ),
    "expression that cannot be read": (
        "0.1*t^2",
        "0.1*u^2",
        "line 24, manoeuvres.haul.inputs.steer.angle: .*u",
    ),
    "two things at once": (
        "driven_by: push.force",
        "driven_by: steer.angle",
        "line 24, manoeuvres.haul: two signals are given for the input steer.angle",
    ),
    "no mapping": (
        "haul: {",
        "haul: 5\n  more: {",
        "line 24, manoeuvres.haul: expected a mapping with the key 'type', got 5",
    ),
    "bad name": (
        "  haul: {",
        "  2nd: {",
        "line 24, manoeuvres.2nd: '2nd' is not a valid name; use letters, digits, underscores and hyphens",
    ),
    "no manoeuvres": (
        "manoeuvres:\n",
        "manoeuvres: []\nmore:\n",
        r"line 14, manoeuvres: expected manoeuvres by name, got \[\]",
    ),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_reported_with_its_line(case: str, tmp_path: Path) -> None:
    right, wrong, says = MISTAKES[case]
    assert CART.count(right) == 1
    with pytest.raises(ModelError, match=says):
        read_model(written(tmp_path, CART.replace(right, wrong)))


def test_a_component_that_is_wrong_is_reported_once(tmp_path: Path) -> None:
    """Its manoeuvres do not complain that it is missing, too."""
    text = CART.replace("{type: rotation-driver, joint: pin}", "{type: rotation-driver, joint: pn}")
    with pytest.raises(ModelError) as error:
        read_model(written(tmp_path, text))
    assert len(error.value.problems) == 1
    assert "line 8, components.steer.joint" in error.value.problems[0]


def test_the_schema_knows_manoeuvres() -> None:
    document = read_document(CART, Problems("cart")).plain
    assert list(validator().iter_errors(document)) == []
    for place, value in (
        (("turn", "amplitud"), 1), (("turn", "type"), "sine"), (("stop", "brakes"), 5),
        (("haul", "inputs"), [1]), (("haul", "initial"), {"axle.rate": [1]}),
    ):  # fmt: skip
        changed = read_document(CART, Problems("cart")).plain
        changed["manoeuvres"][place[0]][place[1]] = value
        assert list(validator().iter_errors(changed)) != [], place
