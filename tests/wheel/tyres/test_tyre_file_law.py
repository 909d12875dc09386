"""Tyre laws from names, property files and YAML files."""

from __future__ import annotations

import math
import re
import warnings
from pathlib import Path

import pytest

from axletree.catalogue import TYRES
from axletree.core.errors import ModelError, ModelWarning
from axletree.wheel.tyres.fiala import Fiala
from axletree.wheel.tyres.law_files import (
    law_of_file,
    read_tyre_law,
    with_parameters,
    write_tyre_law,
)
from axletree.wheel.tyres.magic_formula import MagicFormula52, MagicFormula61
from axletree.wheel.tyres.tyre_file import TyreFile

FIALA = """[UNITS]
LENGTH = 'mm'
FORCE = 'newton'
ANGLE = 'degrees'
[MODEL]
PROPERTY_FILE_FORMAT = 'FIALA'
[DIMENSION]
UNLOADED_RADIUS = 310
WIDTH = 190  $ of the tread
[PARAMETER]
CSLIP = 90000
CALPHA = 1000
ROLLING_RESISTANCE = 4
UMIN = 0.7
UMAX = 0.95
"""


@pytest.mark.parametrize("name", TYRES)
def test_a_law_is_written_and_read_back(name: str, tmp_path: Path) -> None:
    law = read_tyre_law(name)
    write_tyre_law(law, tmp_path / "law.yaml")
    assert read_tyre_law(tmp_path / "law.yaml") == law


def test_a_fiala_file() -> None:
    law = law_of_file(TyreFile("a.tir", FIALA))
    assert isinstance(law, Fiala)
    assert law.numbers == {
        "width": 0.19,
        "slip_stiffness": 90e3,
        "cornering_stiffness": pytest.approx(1000 * 180 / math.pi, rel=1e-15),
        "rolling_resistance": 0.004,
        "peak_friction": 0.95,
        "sliding_friction": 0.7,
    }


def test_parameters_return_to_their_places_and_units() -> None:
    file = with_parameters(TyreFile("a.tir", FIALA), {"width": 0.21, "peak_friction": 1.0})
    changed = FIALA.replace("WIDTH = 190  $", "WIDTH = 210.0 $")
    assert file.text == changed.replace("UMAX = 0.95", "UMAX = 1.0")


def test_new_coefficients_go_to_their_sections() -> None:
    text = "[MODEL]\nFITTYP = 61\n[LATERAL_COEFFICIENTS]\nPCY1 = 1.2\n[UNITS]\nMASS = 'kg'\n"
    given = {"PCY1": 1.3, "PDX1": 1.1, "RBY1": 5.0, "QBZ1": 6.0, "QSX1": 7.0, "QSY1": 8.0}
    file = with_parameters(TyreFile("a.tir", text), given | {"PKYP1": 9.0})
    assert file.number("LATERAL", "PCY1") == 1.3
    assert file.number("LONGITUDINAL", "PDX1") == 1.1
    assert file.number("LATERAL", "RBY1") == 5.0
    assert file.number("ALIGNING", "QBZ1") == 6.0
    assert file.number("OVERTURNING", "QSX1") == 7.0
    assert file.number("ROLLING", "QSY1") == 8.0
    assert file.number("TURNSLIP", "PKYP1") == 9.0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("UMIN = 0.7\n", "", r"unknown key 'UMIN' in \[PARAMETER\] of a.tir"),
        ("CSLIP = 90000", "CSLIP = -1", "a.tir: Fiala, slip_stiffness: -1 N is not allowed"),
        (
            "'FIALA'",
            "'MF_05'",
            r"a.tir, line 6, .*: there is no law for Magic Formula 5.0: .* no source that can be "
            r"cited; ask for the tyre in version 5.2",
        ),
    ],
)
def test_files_that_make_no_law(old: str, new: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        law_of_file(TyreFile("a.tir", FIALA.replace(old, new)))


def magic_formula_file(version: int, *lines: str) -> TyreFile:
    """The example of a version as a property file, with further lines of coefficients."""
    kind = {52: MagicFormula52, 61: MagicFormula61}[version]
    numbers = "".join(f"{name} = {value!r}\n" for name, value in kind.example.items())
    more = "".join(f"{line}\n" for line in lines)
    head = f"[MODEL]\nFITTYP = {version}\n[SCALING_COEFFICIENTS]\n"
    return TyreFile("a.tir", f"{head}{numbers}{more}")


@pytest.mark.parametrize(
    ("version", "lines"),
    [
        (52, ("LKZC = 1", "LKYC = 1.0", "LMP = 1")),  # factors of version 6.1, without effect
        (52, ("PDXP1 = 0.4", "QDTP1 = 10", "QDRP1 = 1")),  # of turn slip, which 5.2 has not
        (61, ("LGAX = 1", "LGAY = 1", "LGAZ = 0")),
        (61, ("REMARK = 'measured in 2019'", "MEASURED_BY = somebody")),
    ],
)
def test_what_has_no_effect_is_no_reason_to_refuse(version: int, lines: tuple[str, ...]) -> None:
    assert law_of_file(magic_formula_file(version, *lines)) == law_of_file(
        magic_formula_file(version)
    )


def test_numbers_of_a_section_that_is_not_known_are_told_to_be_passed_over() -> None:
    """Scaling factors under a misspelt heading have no effect; remarks, as texts, need none."""
    plain = magic_formula_file(52)
    lines = ["[SCALING_COEFICIENTS]", "LMUX = 0.5", "[BY]", "NAME = somebody"]
    found = TyreFile("a.tir", "\n".join([plain.text, *lines]))
    said = (
        "a.tir: the section [SCALING_COEFICIENTS] is not known, and its numbers are passed over: "
        "LMUX; did you mean [SCALING_COEFFICIENTS]?"
    )
    with pytest.warns(ModelWarning, match=re.escape(said)) as told:
        assert law_of_file(found) == law_of_file(plain)
    assert len(told) == 1


def test_what_has_an_effect_is_not_passed_over() -> None:
    with pytest.raises(ModelError, match="LKZC is no coefficient of MagicFormula52"):
        law_of_file(magic_formula_file(52, "LKZC = 0.9"))
    with pytest.raises(ModelError, match="LFZ0 = 'nominal': expected a number"):
        law_of_file(magic_formula_file(52, "LFZ0 = nominal"))  # LFZO in another spelling
    text = magic_formula_file(52).text.replace("PCY1 = ", "PCY1 = 'about' $ ", 1)
    line = next(k for k, one in enumerate(text.splitlines(), 1) if one.startswith("PCY1 ="))
    with pytest.raises(ModelError, match=rf"a.tir, line {line}: PCY1 = 'about': expected a number"):
        law_of_file(TyreFile("a.tir", text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("type: fiala\nwidth: 0.2\n", "law.yaml: fiala needs 'slip_stiffness'"),
        ("type: rubber\n", "law.yaml: unknown part 'rubber'"),
        ("- 1\n", "law.yaml: expected a mapping {type: name, ...}"),
        ("", "law.yaml: the file is empty"),
        ("a: [", "law.yaml, line"),
    ],
)
def test_yaml_files_that_make_no_law(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "law.yaml").write_text(text)
    with pytest.raises(ModelError, match=message):
        read_tyre_law(tmp_path / "law.yaml")


def test_sources_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="unknown tyre law 'fialla'.*'fiala'.*or give the path"):
        read_tyre_law("fialla")
    with pytest.raises(ModelError, match="there is no such file"):
        read_tyre_law(tmp_path / "none.yaml")


SHARED = Path(__file__).parents[3].parent / "shared" / "data" / "tyres"


@pytest.mark.parametrize("path", sorted(SHARED.glob("*/*.tir")), ids=lambda path: path.stem)
def test_published_files_make_laws(path: Path) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r".*section \[GOODYEAR\] is not known")
        law = read_tyre_law(path)
    version = {"mf61": "61", "mf62": "62"}.get(path.stem, "52")
    assert type(law).__name__ == f"MagicFormula{version}"
