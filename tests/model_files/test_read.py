"""Where models come from: names, files, Python files, and what cannot be read at all."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import axletree
from axletree.core.errors import AxletreeError, ModelError
from axletree.model.model import Model
from axletree.model_files.read import read_model

ROD = "rod: {type: rigid-body, mass: 1}"
PIN = "pin: {type: revolute, tail: ground, head: rod.top}"

PYTHON = """\
import axletree as at

ready = at.Model("ready")

def made():
    model = at.Model("made")
    model.add(at.RigidBody("rod", mass=1))
    return model

def faulty():
    return 1 / 0

def refused():
    return at.Model("no name")

number = 5
"""


def written(folder: Path, text: str, name: str = "m.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_by_name_and_by_path_it_is_the_same_model(tmp_path: Path) -> None:
    shipped = Path(axletree.__file__).parent / "data" / "models" / "four-bar.yaml"
    copy = written(tmp_path, shipped.read_text(encoding="utf-8"))
    assert (
        read_model("four-bar").formulate().derivatives == read_model(copy).formulate().derivatives
    )


def test_a_model_that_is_read_is_of_the_one_class() -> None:
    assert type(read_model("pendulum")) is Model is axletree.Model


def test_a_file_without_name_is_called_as_the_file(tmp_path: Path) -> None:
    text = f"components: {{{ROD}}}\n"
    assert read_model(written(tmp_path, text, "my-crank.yaml")).name == "my_crank"
    assert read_model(written(tmp_path, text, "2nd.yml")).name == "model"


def test_the_order_of_components_does_not_matter(tmp_path: Path) -> None:
    rod = "rod: {type: rigid-body, mass: 1, inertia: [1, 1, 1], frames: {top: [0, 0, 1]}}"
    drive = "drive: {type: joint-torque, joint: pin}"
    orders = ([rod, PIN, drive], [drive, PIN, rod])
    texts = ["components:\n" + "".join(f"  {part}\n" for part in parts) for parts in orders]
    first, second = (read_model(written(tmp_path, text)) for text in texts)
    assert [c.name for c in second] == ["rod", "pin", "drive"]
    assert first.formulate().derivatives == second.formulate().derivatives


def test_numbers_words_and_units(tmp_path: Path) -> None:
    text = """\
    gravity: ["-1 g", 0, 0x10]
    components:
      a:
        type: rigid-body
        mass: 1.5e1
        inertia: [1.e+0, .5, 500 g*m^2]
        orientation: 321
        frames:
          p: {position: [1 mm, +2, -3.5], turn: [[z, 90 deg], [x, 0.5]]}
          q: &q [0, 1, 2]
          r: *q
    """
    model = read_model(written(tmp_path, text))
    (body,) = model
    assert model.gravity == (-9.80665, 0.0, 16.0)
    assert (body.mass, body.inertia[:3]) == (15.0, (1.0, 0.5, 0.5))  # type: ignore[attr-defined]
    p, q, r = body.frames()[1:]
    assert p.position == (0.001, 2.0, -3.5)
    assert q.position == r.position == (0.0, 1.0, 2.0)
    c, s = math.cos(0.5), math.sin(0.5)
    assert p.turn == ((0.0, -c, s), (1.0, 0.0, 0.0), (0.0, s, c))


@pytest.mark.parametrize("name", ["ready", "made"])
def test_a_python_file_gives_a_model_or_a_function(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, PYTHON, "models.py")
    assert read_model(f"{path}:{name}").name == name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("redy", "unknown name 'redy' in .*models.py; did you mean 'ready'"),
        ("number", "number is no model but int; expected an axletree.Model or a function"),
        ("faulty", r"faulty\(\) in .*models.py, line 11: ZeroDivisionError: division by zero"),
        ("refused", "'no name' is not a valid name"),
    ],
)
def test_a_python_file_that_gives_none(name: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, PYTHON, "models.py")
    with pytest.raises(ModelError, match=message):
        read_model(f"{path}:{name}")


def test_a_python_file_that_does_not_run(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"bad\.py, line 2: .*syntax"):
        read_model(f"{written(tmp_path, 'a = 1' + chr(10) + 'b = = 2', 'bad.py')}:b")
    with pytest.raises(ModelError, match=r"raises\.py, line 1: KeyError: 'a'"):
        read_model(f"{written(tmp_path, '{}[' + repr('a') + ']', 'raises.py')}:b")
    with pytest.raises(ModelError, match="no Python file of this name"):
        read_model(f"{tmp_path / 'missing.py'}:b")


def test_a_python_file_that_ends_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named with the line, also where its path is relative."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "import sys\nsys.exit(3)", "ends.py")
    with pytest.raises(ModelError, match=r"^ends\.py, line 2: SystemExit: 3"):
        read_model("ends.py:b")


def test_a_file_that_is_not_there_is_looked_for_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("laden.yaml").write_text("base: sedan", encoding="utf-8")
    for name in ("laden", "laden.yml", "ladn.yaml"):
        with pytest.raises(ModelError, match=r"did you mean 'laden\.yaml'\?"):
            read_model(name)
    Path("wrong.yaml").write_text('base: "C:\\mine.yaml"', encoding="utf-8")
    with pytest.raises(ModelError, match="write paths with /, or in single quotes"):
        read_model("wrong.yaml")
    Path("wrong.yaml").write_text("base: sedann", encoding="utf-8")
    with pytest.raises(ModelError, match="unknown model 'sedann' in the catalogue; did you mean"):
        read_model("wrong.yaml")


def test_what_is_no_readable_file(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"missing\.yaml: there is no such file"):
        read_model(tmp_path / "missing.yaml")
    (tmp_path / "folder.yaml").mkdir()
    with pytest.raises(ModelError, match=r"folder\.yaml: this is a folder"):
        read_model(tmp_path / "folder.yaml")
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"a: 1\nb: \xff\xfe\x00")
    with pytest.raises(ModelError, match=r"binary\.yaml, line 2: no text in UTF-8"):
        read_model(binary)
    with pytest.raises(ModelError, match=r"x\.py: which model of it\? Write x\.py:name"):
        read_model("x.py")
    with pytest.raises(ModelError, match="null"):
        read_model("null\0byte.yaml")


def test_an_unknown_name_is_answered_with_those_that_exist() -> None:
    with pytest.raises(AxletreeError, match="unknown model 'pendulm'.*did you mean 'pendulum'"):
        read_model("pendulm")


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "marked.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + f"components: {{{ROD}}}".encode())
    assert [component.name for component in read_model(path)] == ["rod"]
