"""What a message proposes, "did you mean ...", works in the place of what was wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import axletree as at
from axletree.core.errors import AxletreeError
from axletree.core.registry import load, section
from axletree.core.units import to_si
from axletree.model_files.included_files import ready_tyre
from axletree.model_files.read import read_model
from axletree.wheel.soils.soil_file import soil_of_file
from axletree.wheel.tyres.law_files import property_file_law, read_tyre_law

MODEL = """\
name: hand
components:
  axe: {type: rigid-body, mass: 2 kg, inertia: [1, 1, 1]}
  rotor: {type: rigid-body, mass: 2 kg, inertia: [1, 1, 1]}
  axle: {type: revolute, tail: ground, head: axe, axis: y}
  axles: {type: spherical, tail: axe, head: rotor}
  axl: {type: motion-sensor, ground: ground, head: axe}
  motor: {type: joint-torque, joint: axle}
  motors: {type: force-driver, tail: ground, head: rotor}
run: {duration: 1 s, step: 1 ms}
"""


def suggestions(text: str) -> list[str]:
    """The names that a message proposes, in quotes or, of units, without."""
    found = re.search(r"did you mean ([^?]*)\?", text)
    return [name.strip("'") for name in found[1].split(" or ")] if found else []


def of_model(tmp_path: Path, old: str, new: str) -> Callable[[str], object]:
    def read(name: str) -> object:
        assert MODEL.count(old) == 1
        path = tmp_path / "hand.yaml"
        path.write_text(MODEL.replace(old, new.format(name)))
        return read_model(path).formulate()

    return read


def added_joint(name: str) -> object:
    """Between the ground and a body that another model has; of this one bodies are proposed."""
    model = at.Model("hand")
    arm = model.add(at.RigidBody("arms", 1.0, (1, 1, 1)))
    model.add(at.Revolute("arm", model.ground, arm))
    other = arm if name == "arms" else at.RigidBody(name, 1.0, (1, 1, 1))
    return model.add(at.Revolute("pin", model.ground, other, axis="x"))


def from_python(tmp_path: Path) -> Callable[[str], object]:
    path = tmp_path / "models.py"
    path.write_text(
        "import axletree as models\nfrom axletree import Model, read_model\n\n\n"
        "class Modal:\n    pass\n\n\ndef modelled():\n    return read_model('pendulum')\n\n\n"
        "mode = models.Model('mode')\n"
    )
    return lambda name: read_model(f"{path}:{name}")


def law_field(tmp_path: Path) -> Callable[[str], object]:
    path = tmp_path / "law.yaml"
    fields = load("tyre law", "composed", section("TYRES")).example
    path.write_text(f"type: composed\n{_yaml(fields)}")
    return lambda name: property_file_law({"file": path, name: read_tyre_law(path).slip})


def _yaml(fields: dict[str, Any]) -> str:
    return "".join(f"{key}: {value!r}\n" for key, value in fields.items()).replace("'", "")


def soil_field(tmp_path: Path) -> Callable[[str], object]:
    path = tmp_path / "soils.yaml"
    path.write_text("beach: {type: dry-sand-lll}\n")
    return lambda name: soil_of_file({"file": path, "soil": "beach", name: 1.0})


def pendulum(call: Callable[[Any, str], object]) -> Callable[[str], object]:
    return lambda name: call(at.read_model("pendulum").formulate(), name)


def step_steer(key: str) -> Callable[[str], object]:
    return lambda name: at.read_model("bicycle-car", {"manoeuvres": {"step-steer": {key: name}}})


CASES: dict[str, tuple[Callable[[Path], Callable[[str], object]], str]] = {
    "a unit of speed": (lambda _: lambda name: to_si(f"3 {name}", "m/s"), "kmh"),
    "a unit of mass": (lambda _: lambda name: to_si(f"3 {name}", "kg"), "kgs"),
    "a unit in a product": (lambda _: lambda name: to_si(f"3 kN/{name}", "N/rad"), "degs"),
    "a joint that turns": (lambda p: of_model(p, "joint: axle", "joint: {}"), "axel"),
    "a body": (lambda p: of_model(p, "head: axe, axis: y", "head: {}, axis: y"), "axs"),
    "a component of a tree": (lambda p: of_model(p, "run:", "tree: [{}, rotor]\nrun:"), "axlee"),
    "a speed of a manoeuvre": (lambda _: step_steer("forward"), "chassis.xv"),
    "an input of a manoeuvre": (lambda _: step_steer("steering"), "steer.angl"),
    "a body in Python": (lambda _: added_joint, "armss"),
    "a component in Python": (lambda _: lambda name: at.read_model("four-bar")[name], "crank_"),
    "a model of a file": (from_python, "model"),
    "a shipped model": (lambda _: lambda name: at.read_model(name), "pendulun"),
    "a field of a law": (law_field, "slips"),
    "a field of a soil": (soil_field, "cohesio"),
    "a ready-made tyre": (lambda _: ready_tyre, "slim-idael"),
    "a law": (lambda _: read_tyre_law, "fialla"),
    "a state": (lambda _: pendulum(lambda s, n: s.state({n: 0.1})), "pin.angl"),
    "a parameter": (
        lambda _: pendulum(lambda s, n: s.rhs(s.state(), parameters={n: 1.0})), "rod.mas",
    ),
    "an output": (lambda _: pendulum(lambda s, n: s.outputs_at(s.state(), [n])), "energy.totl"),
    "an output of a linear system": (
        lambda _: pendulum(lambda s, n: s.linearise(s.state(), outputs=[n])), "pin.angl",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_is_proposed_works(case: str, tmp_path: Path) -> None:
    made, wrong = CASES[case]
    use = made(tmp_path)
    with pytest.raises(AxletreeError) as error:
        use(wrong)
    proposed = suggestions(str(error.value))
    assert proposed
    for name in proposed:
        use(name)


@pytest.mark.parametrize(
    ("text", "expected"), [("3 kgs", "m"), ("3 degs", "kg"), ("3 sec/m", "m/s")]
)
def test_no_unit_of_another_dimension_is_proposed(text: str, expected: str) -> None:
    with pytest.raises(AxletreeError, match="unknown unit") as error:
        to_si(text, expected)
    for name in suggestions(str(error.value)):
        wrong = re.sub(r"3 [a-z]+", f"3 {name}", text)
        to_si(wrong, expected)
