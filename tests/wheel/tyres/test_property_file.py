"""Property files as laws: their side, their axes, and their place in a model file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from model_files.schema_check import validator

import axletree as at
from axletree.core.errors import ModelError
from axletree.core.problems import Problems
from axletree.core.yaml_document import read_document
from axletree.model_files.included_files import source_files
from axletree.wheel.axis_systems import AxisSystem, TyreSide
from axletree.wheel.tyre import Tyre
from axletree.wheel.tyres.law_files import read_tyre_law, write_tyre_law
from axletree.wheel.tyres.magic_formula import MagicFormula62
from axletree.wheel.tyres.tyre_file import new_tyre_file, write_tyre_file

LAW = MagicFormula62(**MagicFormula62.example)
MODEL = """\
components:
  wheel: {type: body-of-revolution, mass: 20, axial_inertia: 1, transverse_inertia: 0.6, axis: y}
  cart: {type: rigid-body, mass: 400, inertia: [1, 1, 1]}
  track: {type: planar, tail: ground, head: cart, normal: y}
  axle: {type: revolute, tail: cart, head: wheel, axis: y}
  tyre:
    type: tyre
    joint: axle
    road: ground
    unloaded_radius: 0.32
    normal_force: {type: linear, stiffness: 200000}
    law: {type: property-file, file: FILE}
"""


def write_file(path: Path, side: str = "LEFT", **changed: float) -> Path:
    numbers = {**LAW.numbers, **changed}
    formula = {name: value for name, value in numbers.items() if name != "FNOMIN"}
    sections = {
        "MODEL": {"FITTYP": 62.0, "TYRESIDE": side},
        "VERTICAL": {"FNOMIN": numbers["FNOMIN"]},
        "PARAMETER": formula,
    }
    path.parent.mkdir(exist_ok=True)
    write_tyre_file(new_tyre_file(path.name, sections), path)
    return path


def write_model_with(folder: Path, file: str) -> Path:
    path = folder / "rig.yaml"
    path.write_text(MODEL.replace("FILE", file))
    return path


def tyre_of(path: Path) -> Tyre:
    tyre = at.read_model(path)["tyre"]
    assert isinstance(tyre, Tyre)
    return tyre


@pytest.mark.parametrize(
    ("word", "side"),
    [("LEFT", TyreSide.LEFT), ("right", TyreSide.RIGHT), ("UNKNOWN", TyreSide.EITHER)],
)
def test_the_law_knows_the_side_of_the_file(tmp_path: Path, word: str, side: TyreSide) -> None:
    assert read_tyre_law(write_file(tmp_path / "a.tir", word)) == replace(LAW, side=side)


def test_a_symmetric_file_makes_a_symmetric_law(tmp_path: Path) -> None:
    assert read_tyre_law(write_file(tmp_path / "a.tir", "SYMMETRIC")) == LAW.symmetric()


def test_an_unknown_side_is_reported_with_its_line(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.tir", "UPPER")
    with pytest.raises(ModelError, match=r"a.tir, line 14: TYRESIDE = 'UPPER' is not known; .*"):
        read_tyre_law(path)


def test_a_value_that_is_refused_is_reported_with_its_line(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.tir", PCX1=-1.0)
    line = 1 + path.read_text().splitlines().index(f"{'PCX1':<24} = -1.0")
    with pytest.raises(ModelError, match=f"a.tir, line {line}: PCX1: -1 is not allowed"):
        read_tyre_law(path)


def test_axes_are_for_property_files() -> None:
    with pytest.raises(ModelError, match="fiala: axes are for property files"):
        read_tyre_law("fiala", axes=AxisSystem.SAE)


def test_a_model_file_takes_a_property_file_beside_it_or_below(tmp_path: Path) -> None:
    write_file(tmp_path / "tyres" / "a.tir")
    assert tyre_of(write_model_with(tmp_path, "tyres/a.tir")).law == replace(
        LAW, side=TyreSide.LEFT
    )


def test_further_fields_replace_those_of_the_file(tmp_path: Path) -> None:
    write_file(tmp_path / "a.tir")
    model = write_model_with(tmp_path, "a.tir, LMUY: 0.5, turn_slip: true, slip_measure: tangent")
    law = tyre_of(model).law
    assert isinstance(law, MagicFormula62)
    assert (law.LMUY, law.turn_slip, law.slip_measure.value) == (0.5, True, "tangent")
    assert law.PDX1 == LAW.PDX1


def test_a_file_in_other_axes(tmp_path: Path) -> None:
    write_file(tmp_path / "a.tir")
    law = tyre_of(write_model_with(tmp_path, "a.tir, axes: sae")).law
    assert law == read_tyre_law(tmp_path / "a.tir", axes=AxisSystem.SAE)
    assert isinstance(law, MagicFormula62)
    assert law.PHY1 == -LAW.PHY1 != 0.0


def test_what_is_written_holds_the_coefficients(tmp_path: Path) -> None:
    write_file(tmp_path / "a.tir")
    model = at.read_model(write_model_with(tmp_path, "a.tir"))
    (tmp_path / "elsewhere").mkdir()
    at.write_model(model, tmp_path / "elsewhere" / "rig.yaml")
    assert "property-file" not in (tmp_path / "elsewhere" / "rig.yaml").read_text()
    assert tyre_of(tmp_path / "elsewhere" / "rig.yaml").law == replace(LAW, side=TyreSide.LEFT)


def test_in_python_the_path_is_that_of_the_working_folder(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.tir")
    rig = at.read_model(write_model_with(tmp_path, "a.tir"))
    tyre = rig["tyre"]
    assert isinstance(tyre, Tyre)
    made = replace(tyre, law={"type": "property-file", "file": str(path)})
    assert made.law == tyre.law == at.read_tyre_law(path)


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("b.tir", r"rig.yaml, line 12, components.tyre.law: .*b.tir: there is no such file"),
        ("../a.tir", r"line 12, components.tyre.law.file: '../a.tir' is outside the folder"),
        ("/etc/a.tir", r"line 12, components.tyre.law.file: '/etc/a.tir' is outside the folder"),
        ("3", r"components.tyre.law.file: expected a path, got 3"),
        ('"a\\0b"', r"components.tyre.law.file: 'a\\x00b' is no path"),
        ("a.tir, axes: down", "components.tyre.law.axes: 'down' is not one of iso, sae"),
        ("a.tir, PCX2: 1", "components.tyre.law: unknown field 'PCX2' in MagicFormula62; did"),
        ("a.tir, PCX1: -1", "components.tyre.law: .*a.tir: MagicFormula62, PCX1: -1 is not"),
        (
            "broken.tir",
            r"line 12, components.tyre.law: .*broken.tir, line 2: PDX1: .* is no number",
        ),
    ],
)
def test_mistakes(tmp_path: Path, file: str, message: str) -> None:
    write_file(tmp_path / "a.tir")
    (tmp_path / "broken.tir").write_text("[LONGITUDINAL_COEFFICIENTS]\nPDX1 = 1,2\n")
    with pytest.raises(ModelError, match=message):
        at.read_model(write_model_with(tmp_path, file))


def test_a_link_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    write_file(tmp_path / "outside" / "a.tir")
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "a.tir").symlink_to(tmp_path / "outside" / "a.tir")
    with pytest.raises(ModelError, match="outside the folder of the model"):
        at.read_model(write_model_with(tmp_path / "inside", "a.tir"))


def test_a_law_in_a_yaml_file_may_name_a_property_file(tmp_path: Path) -> None:
    write_file(tmp_path / "a.tir")
    (tmp_path / "law.yaml").write_text("{type: property-file, file: a.tir, LMUY: 0.5}")
    assert read_tyre_law(tmp_path / "law.yaml") == replace(LAW, side=TyreSide.LEFT, LMUY=0.5)


def test_the_schema_lets_a_property_file_through_and_wants_its_path() -> None:
    document = read_document(MODEL, Problems("rig.yaml")).plain
    assert validator().is_valid(document)
    document["components"]["tyre"]["law"]["axes"] = "sae"
    assert validator().is_valid(document)
    del document["components"]["tyre"]["law"]["file"]
    assert not validator().is_valid(document)
    document["components"]["tyre"]["law"] = "property-file"
    assert not validator().is_valid(document)


def test_a_law_in_a_yaml_file_is_one_of_components_and_of_vehicles(tmp_path: Path) -> None:
    """With fields beside it that replace its own; files that lead in a circle are refused."""
    law = at.Fiala(**at.Fiala.example)
    write_tyre_law(law, tmp_path / "mine.yaml")
    rig = MODEL.replace("{type: property-file, file: FILE}", "mine.yaml")
    (tmp_path / "rig.yaml").write_text(rig)
    assert tyre_of(tmp_path / "rig.yaml").law == law
    changed = "{type: property-file, file: mine.yaml, width: 20 cm}"
    car = f"base: sedan\nvehicle: {{axles: {{front: {{tyre: {{law: {changed}}}}}}}}}\n"
    (tmp_path / "car.yaml").write_text(car)
    model = at.read_model(tmp_path / "car.yaml")
    assert model.described["vehicle"].axles["front"].tyre.law == replace(law, width=0.2)
    assert {"car.yaml", "mine.yaml"} <= set(source_files(tmp_path / "car.yaml"))
    for text in (rig, car):
        validator().validate(read_document(text, Problems("text")).plain)
    (tmp_path / "mine.yaml").write_text("{type: property-file, file: mine.yaml}")
    with pytest.raises(ModelError, match="'mine.yaml' is another file of a law"):
        at.read_model(tmp_path / "rig.yaml")
    (tmp_path / "mine.yaml").write_text("{like: belted-advanced}")
    with pytest.raises(ModelError, match="expected {type: name"):
        at.read_model(tmp_path / "rig.yaml")


def test_a_path_alone_is_a_law_of_components_and_of_vehicles(tmp_path: Path) -> None:
    write_file(tmp_path / "my.tir", side="UNKNOWN")
    rig = MODEL.replace("{type: property-file, file: FILE}", "my.tir")
    (tmp_path / "rig.yaml").write_text(rig)
    assert tyre_of(tmp_path / "rig.yaml").law == LAW
    car = "base: sedan\nvehicle:\n  axles:\n    front: {tyre: {law: my.tir}}\n"
    car += "    rear: {tyre: {law: belted-advanced, slip: kinematic}}\n"
    (tmp_path / "car.yaml").write_text(car)
    model = at.read_model(tmp_path / "car.yaml")
    assert model.described["vehicle"].axles["front"].tyre.law == LAW
    rear = model.described["vehicle"].axles["rear"].tyre.law
    assert type(rear).__name__ == "AdvancedFriction"
    assert {"car.yaml", "my.tir"} <= set(source_files(tmp_path / "car.yaml"))
    for text in (rig, car):
        validator().validate(read_document(text, Problems("text")).plain)
