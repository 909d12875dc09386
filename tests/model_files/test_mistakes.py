"""Mistakes in model files: each is refused with its line, its place and a sentence."""

# ruff: noqa: E501 - a mistake and its message are read side by side

from __future__ import annotations

import re
from pathlib import Path

import pytest

from axletree.core.errors import AxletreeError, ModelError
from axletree.model.model import Model
from axletree.model_files.read import read_model

GOOD = """\
name: press
description: A crank, a rod and a lamp.
gravity: [0, 0, -9.81 m/s^2]
ground: {frames: {anchor: [1, 0, 0]}}
components:
  crank:
    type: rigid-body
    mass: 1 kg
    inertia: [1, 1, 1]
    frames: {tip: [0.5, 0, 0]}
  rod: {type: rigid-body, mass: 2 kg, inertia: [1, 1, 1], frames: {end: [1, 0, 0]}}
  a: {type: revolute, tail: ground, head: crank, axis: y}
  b: {type: revolute, tail: crank.tip, head: rod, axis: y}
  drive: {type: joint-torque, joint: a, torque: "2*sin(3*t)"}
  brake: {type: joint-torque, joint: b}
  spring: {type: tabulated-rotational-spring-damper, joint: b, torque_at_angle: [[-1, -5], [1, 5]]}
  battery: {type: voltage-source, positive: plus, negative: ground, voltage: 12 V}
  lamp: {type: resistor, positive: plus, negative: ground, resistance: 5 Ohm}
start: {a.angle: 20 deg}
tree: [a, b]
run: {duration: 1 s, step: 1 ms, method: rk4, outputs: [energy.total], inputs: {brake.torque: 1}}
"""

Mistake = tuple[str, str, str, str]  # what is written, for what, where, the message
MISTAKES: dict[str, Mistake] = {
    # -- keys and types
    "unknown key of the file": (
        "run:", "runs:", "line 21, runs", "unknown key 'runs' in a model file; did you mean 'run'"),
    "unknown field": (
        "resistance: 5", "resistence: 5", "line 18, components.lamp.resistence",
        "unknown key 'resistence' in a resistor; did you mean 'resistance'?"),
    "unknown type": (
        "revolute, tail: ground", "revolut, tail: ground", "line 12, components.a.type",
        "unknown type 'revolut' in the catalogue; did you mean 'revolute'"),
    "missing type": (
        "type: resistor, ", "", "line 18, components.lamp", "the key 'type' is missing"),
    "missing field": (
        "    mass: 1 kg\n", "", "line 6, components.crank", r"the key 'mass' is missing: mass \[kg\]"),
    "no value": ("mass: 1 kg", "mass:", "line 8, components.crank.mass", "no value is given"),
    "a word for a component": (
        "{type: joint-torque, joint: b}", "brake", "line 15, components.brake",
        "expected a mapping with the key 'type', got 'brake'"),
    "merge key": (
        "{type: resistor", "{<<: {}, type: resistor", "line 18, components.lamp",
        "merge keys '<<' are no part of YAML 1.2"),
    # -- values
    "wrong unit": (
        "mass: 1 kg", "mass: 1 m", "line 8, components.crank.mass",
        r"'1 m' is a length \(m\), but a mass \(kg\) is expected; write for example '2.5 kg'"),
    "negative mass": (
        "mass: 1 kg", "mass: -1 kg", "line 8, components.crank.mass",
        "-1 kg is not allowed, it must be greater than 0"),
    "NaN": ("mass: 1 kg", "mass: .nan", "line 8, components.crank.mass", "nan is not a finite"),
    "infinity": ("mass: 1 kg", "mass: -.inf", "line 8, components.crank.mass", "-inf is not a finite"),
    "true for a number": (
        "mass: 1 kg", "mass: true", "line 8, components.crank.mass", "True is no quantity"),
    "triangle inequality": (
        "[1, 1, 1]\n", "[1, 1, 3]\n", "line 6, components.crank",
        r"\(1, 1, 3\) kg m\^2 violate the triangle inequality"),
    "four inertias": (
        "[1, 1, 1]\n", "[1, 1, 1, 0]\n", "line 9, components.crank.inertia",
        "expected 3 or 6 inertias .*got 4 numbers"),
    "zero axis": (
        "head: crank, axis: y", "head: crank, axis: [0, 0, 0]", "line 12, components.a.axis",
        "a zero axis has no direction"),
    "unknown axis": (
        "head: crank, axis: y", "head: crank, axis: w", "line 12, components.a.axis",
        "axis 'w' is not known; expected x, y, z"),
    "unsorted table": (
        "[[-1, -5], [1, 5]]", "[[1, 5], [-1, -5]]", "line 16, components.spring.torque_at_angle",
        "must rise, but .*sort the points"),
    "points of three": (
        "[[-1, -5], [1, 5]]", "[[-1, -5], [1, 5, 2]]", "line 16, components.spring.torque_at_angle",
        "point 2 has 3 numbers, expected x and y"),
    "gravity as a number": (
        "[0, 0, -9.81 m/s^2]", "9.81", "line 3, gravity", "expected a vector of three accelerations"),
    "gravity as a length": (
        "-9.81 m/s^2", "-9.81 m", "line 3, gravity", "is a length .*but an acceleration"),
    "description as a list": (
        "A crank, a rod and a lamp.", "[1]", "line 2, description", r"expected a sentence, got \[1\]"),
    # -- names, frames, references
    "name of the model": ("name: press", "name: my press", "line 1, name", "not a valid name"),
    "bad name": ("  lamp:", "  2lamp:", "line 18, components.2lamp", "'2lamp' is not a valid name"),
    "name ground": (
        "  lamp:", "  ground:", "line 18, components.ground",
        "the name 'ground' belongs to the inertial frame"),
    "ground among the components": (
        "  lamp:", "  ground: {frames: {anchor: [1, 0, 0]}}\n  lamp:", "line 18, components.ground",
        "go to the key 'ground' at the top of the file, beside 'components'"),
    "duplicate name": (
        "  battery:", "  lamp:", "line 18, components.lamp",
        "the key 'lamp' appears twice, first on line 17"),
    "duplicate key": (
        "mass: 1 kg\n", "mass: 1 kg\n    mass: 2 kg\n", "line 9, components.crank.mass",
        "the key 'mass' appears twice, first on line 8"),
    "unknown frame": (
        "crank.tip", "crank.top", "line 13, components.b.tail",
        "crank has no frame called 'top'; its frames: tip"),
    "frame of an unknown body": (
        "crank.tip", "crnk.tip", "line 13, components.b.tail",
        "unknown body 'crnk' in this model; did you mean 'crank'?"),
    "frame of the ground": (
        "tail: ground,", "tail: ground.anchr,", "line 12, components.a.tail",
        "ground has no frame called 'anchr'; its frames: anchor"),
    "frame of a joint": (
        "crank.tip", "a.tip", "line 13, components.b.tail", "a is a revolute, which has no frames"),
    "number for a frame": (
        "crank.tip", "5", "line 13, components.b.tail", "expected a frame such as .*got 5"),
    "two frames of one body": (
        "head: rod,", "head: crank,", "line 13, components.b",
        "joins crank.tip and crank, two frames of one body"),
    "unknown key of a frame": (
        "tip: [0.5, 0, 0]", "tip: {at: [0, 0, 0]}", "line 10, components.crank.frames.tip",
        "unknown key 'at'; expected position and turn"),
    "frame called as a parameter": (
        "frames: {tip:", "frames: {mass:", "line 6, components.crank",
        "'mass' is a parameter and cannot name a frame"),
    "point of two numbers": (
        "anchor: [1, 0, 0]", "anchor: [1, 0]", "line 4, ground.frames.anchor",
        "expected a position of three lengths"),
    "unknown key of the ground": (
        "ground: {frames", "ground: {points", "line 4, ground.points", "unknown key 'points'"),
    "ground that is a number": (
        "ground: {frames: {anchor: [1, 0, 0]}}", "ground: 5", "line 4, ground",
        "expected a mapping with the key 'frames', got 5"),
    "unknown joint": (
        "joint: a,", "joint: aa,", "line 14, components.drive.joint",
        "unknown component 'aa' in this model; did you mean 'a'?"),
    "joint without that freedom": (
        '{type: joint-torque, joint: a, torque: "2*sin(3*t)"}',
        "{type: translation-driver, joint: a}", "line 14, components.drive.joint",
        "a has no single freedom; expected one position"),
    "a body for a joint": (
        "joint: a,", "joint: rod,", "line 14, components.drive.joint", "rod has no single freedom"),
    "cyclic reference": (
        "{type: joint-torque, joint: b}",
        "{type: gear-pair, joint_a: c, joint_b: b, ratio: 2}\n"
        "  c: {type: gear-pair, joint_a: brake, joint_b: a, ratio: 2}",
        "line 15, components.brake", "the references run in a circle: brake - c - brake"),
    "reference to itself": (
        "joint: b}", "joint: brake}", "line 15, components.brake", "circle: brake - brake"),
    "one terminal twice": (
        "negative: ground, resistance", "negative: plus, resistance", "line 18, components.lamp",
        "positive and negative are the same terminal, plus"),
    # -- expressions
    "expression that does not end": (
        "2*sin(3*t)", "2*sin(3*t", "line 14, components.drive.torque",
        r"expected '\)', found the end at column 10"),
    "unknown function": (
        "2*sin(3*t)", "2*sine(3*t)", "line 14, components.drive.torque",
        "unknown function 'sine' at column 3 .*did you mean 'sin'?"),
    "unknown variable": (
        "2*sin(3*t)", "2*sin(3*x)", "line 14, components.drive.torque", "unknown name 'x' at column 9"),
    "Python in an expression": (
        '"2*sin(3*t)"', "\"__import__('os').remove('x')\"", "line 14, components.drive.torque",
        "unexpected character"),
    "a space that is none": (
        '"2*sin(3*t)"', '"2*t\\u00a0"', "line 14, components.drive.torque",
        r"unexpected character '\\xa0' at column 4"),
    "a built-in function": (
        "2*sin(3*t)", "__import__(t)", "line 14, components.drive.torque",
        "unknown function '__import__'"),
    # -- first values, tree, run
    "unknown coordinate": (
        "a.angle: 20 deg", "a.angel: 20 deg", "line 19, start.a.angel",
        "unknown coordinate, speed or state 'a.angel' in this model; did you mean 'a.angle'"),
    "metres for an angle": (
        "a.angle: 20 deg", "a.angle: 20 m", "line 19, start.a.angle", "but an angle"),
    "start that is a number": (
        "{a.angle: 20 deg}", "3", "line 19, start", "expected values by name, got 3"),
    "unknown component in the tree": (
        "[a, b]", "[a, bb]", "line 20, tree", "unknown component 'bb' in this model; did you mean"),
    "unknown domain": (
        "[a, b]", "{rotaton: [a]}", "line 20, tree.rotaton", "unknown domain 'rotaton'"),
    "unknown form": (
        "tree:", "form: embeded\ntree:", "line 20, form", "unknown form 'embeded'.*'embedded'"),
    "form that is a list": (
        "tree:", "form: [embedded]\ntree:", "line 20, form", "expected the name of a form"),
    "tree that is a word": ("[a, b]", "a", "line 20, tree", "expected a list of component names"),
    "unknown method": (
        "rk4", "rk5", "line 21, run.method", "unknown method 'rk5' in the catalogue; did you mean"),
    "negative duration": (
        "1 s,", "-1 s,", "line 21, run.duration", "-1 s is not allowed, it must be greater than 0"),
    "duration in metres": ("1 s,", "1 m,", "line 21, run.duration", "is a length"),
    "unknown key of the run": ("step:", "stp:", "line 21, run.stp", "unknown key 'stp' in a run"),
    "output of nothing": (
        "energy.total", "lmp.current", "line 21, run.outputs",
        "unknown owner 'lmp' in the output 'lmp.current'; did you mean 'lamp'?"),
    "output without quantity": (
        "energy.total", "energy", "line 21, run.outputs", "expected outputs as component.quantity"),
    "unknown input": (
        "brake.torque: 1", "brake.torqe: 1", "line 21, run.inputs.brake.torqe",
        "unknown input 'brake.torqe' in this model; did you mean 'brake.torque'?"),
    "input that is no input": (
        "brake.torque: 1", "drive.torque: 1", "line 21, run.inputs.drive.torque", "unknown input"),
    "input in metres": (
        "brake.torque: 1", "brake.torque: 1 m", "line 21, run.inputs.brake.torque", "is a length"),
}  # fmt: skip


def read(text: str, folder: Path) -> Model:
    path = folder / "bad.yaml"
    path.write_text(text, encoding="utf-8")
    return read_model(path)


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


def test_without_a_mistake_it_reads_and_formulates(tmp_path: Path) -> None:
    model = read(GOOD, tmp_path)
    assert model.formulate().degrees_of_freedom == 2
    assert model.run.inputs == {"brake.torque": 1.0}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_where_it_is(name: str, tmp_path: Path) -> None:
    old, new, where, message = MISTAKES[name]
    with pytest.raises(ModelError) as caught:
        read(changed(old, new), tmp_path)
    beginning = f"{tmp_path / 'bad.yaml'}, {where}: "
    found = [text for text in caught.value.problems if text.startswith(beginning)]
    assert found, str(caught.value)
    assert re.search(message, found[0])


WHOLE_FILES = {
    "empty": ("", ": the file is empty; expected a mapping"),
    "comments alone": ("# nothing\n", ": the file is empty"),
    "a list": ("- a\n- b\n", ", line 1: expected a mapping with the key 'components', got ['a', 'b']"),
    "a word": ("pendulum\n", ", line 1: expected a mapping"),
    "no components": ("name: a\n", ": the key 'components' is missing"),
    "components as a list": ("components: [a]\n", ", line 1, components: expected components by name"),
    "components that are none": ("components: {}\n", ", line 1, components: expected components"),
    "two documents": (f"{GOOD}---\na: 1\n", ", line 22: a second document begins here"),
    "a tab": (changed("    mass", "\tmass"), ", line 8: no valid YAML: found character '\\t'"),
    "an open bracket": (changed("0, 0]}}", "0, 0]"), ", line 5: no valid YAML: expected ','"),
    "two colons": (changed("name: press", "name: a: b"), ", line 1: no valid YAML: mapping values"),
    "a Python object": (
        changed("mass: 1 kg", "mass: !!python/object/apply:os.system ['true']"),
        ", line 8, components.crank.mass: tags such as '!!python/object/apply:os.system' are not"),
    "a harmless tag": (changed("mass: 1 kg", "mass: !!float 1"), "tags such as '!!float' are not"),
    "a list as key": ("? [a]\n: b\n", ", line 1: a key must be a word"),
    "a long key": (f"{'k' * 101}: 1\n", ", line 1: a key of 101 characters is too long"),
    "an alias as key": ("a: &a x\n*a : 1\n", ", line 2: the alias *a cannot be a key"),
    "an alias of nothing": ("a: *b\n", ", line 1, a: the alias *b has no anchor that ends before it"),
    "an alias of itself": ("a: &a [*a]\n", "the alias *a has no anchor that ends before it"),
    "too deep": (f"a: {'[' * 40}{']' * 40}", ", line 1, a: nested too deep; the limit is 12 levels"),
    "too deep by aliases": (
        "a0: &a0 [1]\n" + "".join(f"a{k}: &a{k} [*a{k - 1}]\n" for k in range(1, 20)),
        ", line 12, a11: nested too deep"),
    "alias bomb": (
        "a0: &a0 [1]\n"
        + "".join(f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]\n" for k in range(1, 10)),
        "more than 20000 values, with aliases written out"),
    "too many values": (f"components: [{'1,' * 20_001}]", "more than 20000 values"),
    "too large": (f"# {'x' * 300_000}", ": the file is too large; the limit is 256 KiB"),
    "a control character": ("a: \x07\n", ": no valid YAML: unacceptable character"),
    "a character beyond Unicode": ('a: "\\UFFFFFFFF"\n', ": no valid YAML: "),
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE_FILES)
def test_a_file_that_is_no_model(name: str, tmp_path: Path) -> None:
    text, message = WHOLE_FILES[name]
    with pytest.raises(ModelError) as caught:
        read(text, tmp_path)
    assert message in str(caught.value)


UNSOLVABLE = {
    "tree with a loop": ("[a, b]", "[a, b, rod]", "has a loop: .*leave one of them out"),
    "tree that leaves a body out": ("[a, b]", "[a]", "does not reach rod.*add one of: .*b"),
    "circuit without ground": (
        "negative: ground, voltage: 12 V}\n  lamp: {type: resistor, positive: plus, negative: ground",
        "negative: minus, voltage: 12 V}\n  lamp: {type: resistor, positive: plus, negative: minus",
        "electrical domain does not reach plus, minus; nothing connects it; add a ground"),
    "sources in parallel": (
        "{type: resistor, positive: plus, negative: ground, resistance: 5 Ohm}",
        "{type: voltage-source, positive: plus, negative: ground, voltage: 6 V}",
        r"the voltage of lamp is given.*\(lamp, battery\); put a resistor into the loop"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNSOLVABLE)
def test_a_model_that_reads_but_has_no_equations(name: str, tmp_path: Path) -> None:
    old, new, message = UNSOLVABLE[name]
    model = read(changed(old, new), tmp_path)
    with pytest.raises(AxletreeError, match=message):
        model.formulate()


def test_an_output_that_the_system_lacks_is_named_when_it_runs(tmp_path: Path) -> None:
    model = read(changed("energy.total", "lamp.curent"), tmp_path)
    system = model.formulate()
    with pytest.raises(AxletreeError, match=r"'lamp\.curent'.*did you mean 'lamp\.current'"):
        system.simulate(0.01, step=0.001, outputs=model.run.outputs)


def test_all_problems_are_reported_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = changed("mass: 1 kg", "mass: -1").replace("crank.tip", "crank.top")
    text = text.replace("5 Ohm", "0").replace("rk4", "rk9").replace("name: press", "name: 7")
    with pytest.raises(ModelError) as caught:
        read(text, tmp_path)
    lines = [int(re.findall(r"line (\d+)", found)[0]) for found in caught.value.problems]
    assert lines == [1, 8, 13, 18, 21]
    assert str(caught.value).startswith("5 problems:")


def test_what_depends_on_a_broken_component_is_not_reported(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        read(changed("revolute, tail: ground", "revolute, tail: grond"), tmp_path)
    assert len(caught.value.problems) == 1


def test_a_long_value_is_shortened(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        read(changed("[1, 1, 1]\n", f"[{', '.join(['1'] * 5000)}]\n"), tmp_path)
    assert len(str(caught.value)) < 1000


def test_a_folder_or_a_file_of_another_kind_is_said_to_be_one(tmp_path: Path) -> None:
    picture = tmp_path / "car.png"
    picture.write_bytes(b"")
    for path, kind in ((tmp_path, "a folder"), (picture, "a file of another kind")):
        said = re.escape(f"{path} is {kind}; expected the path of a model file .yaml or .yml")
        with pytest.raises(ModelError, match=said):
            read_model(path)
    with pytest.raises(ModelError, match="unknown model"):
        read_model("x" * 5000)
    with pytest.raises(ModelError, match="unknown model"):
        read_model("a\0b")
