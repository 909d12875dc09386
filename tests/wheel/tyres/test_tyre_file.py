"""Tyre property files: read, converted, changed and written without loss."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from axletree.core.errors import FileError, ModelError
from axletree.wheel.tyres.tyre_file import (
    LARGEST_TYRE_FILE,
    TyreFile,
    TyreFormat,
    new_tyre_file,
    read_tyre_file,
    recognised_format,
    tyre_file_from_bytes,
    write_tyre_file,
)
from axletree.wheel.tyres.tyre_file_text import MOST_PROBLEMS

# Invented numbers; every peculiarity that such files are known to have, in one.
TEXT = (
    "! a tyre of no maker\r\n"
    "$------------------------------units\n"
    "[UNITS]   $ all but one differ from SI\r\n"
    "LENGTH            ='mm'\n"
    " FORCE            = 'kN'\n"
    "ANGLE             = 'Degrees'\n"
    "MASS              = 'kg'\n"
    "TIME              = 'second'\n"
    "PRESSURE          = bar\n"
    "\n"
    "[MODEL]\n"
    "PROPERTY_FILE_FORMAT ='USER'\n"
    "FITTYP            = 6   $ which is version 5.2\r\n"
    "TYRESIDE          = \"LEFT\"   ! not 'RIGHT'\n"
    "REMARK            = 'costs 3 $! =\"much\"' $ quoted\n"
    "LONGVL            = 16500.0\n"
    "[DIMENSION]\n"
    "UNLOADED_RADIUS   = 310.5           $Free radius = R0\n"
    "WIDTH             = +2.05D+2\n"
    "[VERTICAL]\n"
    "FNOMIN            = 4.5d0\n"
    "VERTICAL_STIFFNESS= 0.21            $in kN/mm\n"
    "[TIRE_CONDITIONS]\n"
    "IP                = 2.2\n"
    "[INERTIA]\n"
    "MASS              = 9.25\n"
    "[SHAPE]\n"
    "{radial width}\n"
    " 1.0   0.0  $ crown\n"
    " 0.95\t1.0\n"
    "[DEFLECTION_LOAD_CURVE]\n"
    "{pen fz}\n"
    "0   0\n"
    "20  4.1\n"
    "[SLIP_ANGLE_RANGE]\n"
    "ALPMIN            = -45\n"
    "[LATERAL]\n"
    "pcy1              = 1.3\n"
    "PKY1              = -.25E+02\n"
    "[HOUSE_SECTION]\n"
    "COLOUR            = 'very black'\n"
    "WEIGHTS           = 7"
)


@pytest.fixture
def file() -> TyreFile:
    return TyreFile("sample.tir", TEXT)


def test_a_file_is_written_back_byte_for_byte(tmp_path: Path) -> None:
    for k, content in enumerate(
        [TEXT.encode(), b"\xef\xbb\xbf[UNITS]\r\r\nMASS='kg'", b"[A]\nX='\xe9'\n\n$\xff\x85"]
    ):
        source, target = tmp_path / f"{k}.tir", tmp_path / f"{k}.copy.tir"
        source.write_bytes(content)
        write_tyre_file(read_tyre_file(source), target)
        assert target.read_bytes() == content


@pytest.mark.parametrize(
    ("section", "key", "expected"),
    [
        ("DIMENSION", "UNLOADED_RADIUS", 0.3105),
        ("DIMENSION", "WIDTH", 0.205),
        ("VERTICAL", "FNOMIN", 4500.0),
        ("VERTICAL", "VERTICAL_STIFFNESS", 210e3),
        ("TIRE_CONDITIONS", "IP", 220e3),
        ("OPERATING_CONDITIONS", "IP", 220e3),
        ("SLIP_ANGLE_RANGE", "ALPMIN", -math.pi / 4),
        ("MODEL", "LONGVL", 16.5),
        ("LATERAL_COEFFICIENTS", "PCY1", 1.3),
        ("lateral", "pky1", -25.0),
        ("HOUSE_SECTION", "WEIGHTS", 7.0),
    ],
)
def test_numbers_are_in_si_units(file: TyreFile, section: str, key: str, expected: float) -> None:
    assert file.value(section, key) == pytest.approx(expected, rel=1e-15)


def test_a_key_in_two_sections_has_two_values(file: TyreFile) -> None:
    assert file.value("UNITS", "MASS") == "kg"
    assert file.value("INERTIA", "MASS") == 9.25


def test_texts(file: TyreFile) -> None:
    assert file.value("MODEL", "REMARK") == 'costs 3 $! ="much"'
    assert file.value("MODEL", "TYRESIDE") == "LEFT"
    assert file.value("HOUSE_SECTION", "colour") == "very black"
    assert ("MODEL", "FITTYP") in file
    assert ("MODEL", "USE_MODE") not in file


def test_tables(file: TyreFile) -> None:
    assert file.table("SHAPE").rows == ((1.0, 0.0), (0.95, 1.0))
    assert file.table("SHAPE").heads == ("radial", "width")
    assert file.table("DEFLECTION_LOAD_CURVE").rows == ((0.0, 0.0), (0.02, 4100.0))
    with pytest.raises(ModelError, match=r"\[MODEL\] has no table; expected one"):
        file.table("MODEL")


def test_the_same_table_twice_is_not_chosen_from() -> None:
    text = "[SHAPE]\n1 0\n[VERTICAL]\nFNOMIN=1\n[SHAPE]\n1 1\n"
    with pytest.raises(ModelError, match=r"2 tables, in lines 1 and 5; expected one"):
        TyreFile("a.tir", text).table("SHAPE")


def test_coefficients_gather_the_numbers_of_formulas(file: TyreFile) -> None:
    found = file.coefficients()
    assert found["MASS"] == 9.25
    assert found["INFLPRES"] == 220e3
    assert found["PKY1"] == -25.0
    assert found["FITTYP"] == 6.0
    assert not {"LENGTH", "TYRESIDE", "COLOUR", "WEIGHTS", "IP"} & set(found)


def test_a_coefficient_with_two_values_is_refused() -> None:
    file = TyreFile("a.tir", "[LATERAL]\nPCY1=1\n[ALIGNING]\nPCY1=2\n")
    with pytest.raises(ModelError, match=r"a.tir, line 4: PCY1 is 2 in \[ALIGNING_COEFFICIENTS\]"):
        file.coefficients()


@pytest.mark.parametrize(
    ("number", "name", "expected"),
    [
        (6.0, "USER", TyreFormat.MF52),
        (6.0, None, TyreFormat.MF52),
        (52.0, None, TyreFormat.MF52),
        (5.0, "MF_05", TyreFormat.MF50),
        (None, "PAC2002", TyreFormat.PAC2002),
        (5.0, "PAC2002", TyreFormat.PAC2002),
        (6.0, "pac2002", TyreFormat.PAC2002),
        (61.0, "USER", TyreFormat.MF61),
        (62.0, "MF-TYRE", TyreFormat.MF62),
        (None, "FIALA", TyreFormat.FIALA),
    ],
)
def test_the_law_is_recognised(
    number: float | None, name: str | None, expected: TyreFormat
) -> None:
    assert recognised_format(number, name) is expected


@pytest.mark.parametrize(
    ("number", "name", "message"),
    [
        (None, None, "FITTYP is absent and PROPERTY_FILE_FORMAT is absent: these do not identify"),
        (None, "USER", "do not identify the law"),
        (None, "FTIRE", "do not identify the law"),
        (7.0, "USER", "FITTYP is 7 .* not known; expected one of 6 "),
        (61.0, "PAC2002", "contradict"),
    ],
)
def test_a_law_that_is_not_recognised(number: float | None, name: str | None, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        recognised_format(number, name)


def test_the_law_of_a_file(file: TyreFile) -> None:
    assert file.format is TyreFormat.MF52
    with pytest.raises(ModelError, match=r"a.tir, \[MODEL\]: FITTYP is absent"):
        _ = TyreFile("a.tir", "[MODEL]\n").format
    text = "$ a tyre\n[MODEL]\nPROPERTY_FILE_FORMAT = 'USER'\nFITTYP = 7\n"
    with pytest.raises(ModelError, match=r"a.tir, line 4, \[MODEL\]: FITTYP is 7 .* not known"):
        _ = TyreFile("a.tir", text).format
    with pytest.raises(ModelError, match=r"a.tir, line 3, \[MODEL\]: FITTYP is absent and .*FTIRE"):
        _ = TyreFile("a.tir", text.replace("FITTYP = 7\n", "").replace("USER", "FTIRE")).format


def test_a_changed_value_changes_nothing_else(file: TyreFile) -> None:
    changed = file.with_value("DIMENSION", "UNLOADED_RADIUS", 0.32125)
    assert changed.text == TEXT.replace("= 310.5           $F", "= 321.25          $F")
    assert changed.number("DIMENSION", "UNLOADED_RADIUS") == 0.32125
    assert file.with_value("VERTICAL", "FNOMIN", 4500.0) is file
    longer = file.with_value("MODEL", "FITTYP", 1.0 / 3.0)
    assert "FITTYP            = 0.3333333333333333 $ which" in longer.text
    sided = file.with_value("MODEL", "TYRESIDE", "it's")
    assert 'TYRESIDE          = "it\'s"   ! not' in sided.text


def test_new_keys_and_sections_come_at_the_end(file: TyreFile) -> None:
    added = file.with_value("LATERAL_COEFFICIENTS", "PDY1", 0.9).with_value("NEW", "A", 2)
    assert "PKY1              = -.25E+02\nPDY1                     = 0.9\n[HOUSE" in added.text
    assert added.text.endswith("= 7\n[NEW]\nA                        = 2.0\n")
    assert added.number("LATERAL", "PDY1") == 0.9


def test_a_new_file_reads_back(tmp_path: Path) -> None:
    model = {"PROPERTY_FILE_FORMAT": "FIALA"}
    new = new_tyre_file("new", {"MODEL": model, "PARAMETER": {"CALPHA": 45836.6236}})
    write_tyre_file(new, tmp_path / "new.tir")
    again = read_tyre_file(tmp_path / "new.tir")
    assert again.format is TyreFormat.FIALA
    assert again.number("PARAMETER", "CALPHA") == 45836.6236
    assert again.value("UNITS", "LENGTH") == "meter"


def test_stiffness_by_degree_is_converted_by_radian() -> None:
    text = "[UNITS]\nANGLE='degree'\n[PARAMETER]\nCALPHA = 800\n"
    assert TyreFile("a.tir", text).number("PARAMETER", "CALPHA") == pytest.approx(
        800 * 180 / math.pi
    )


def test_every_problem_is_named_at_once() -> None:
    text = (
        "STRAY = 1\n[UNITS\n[UNITS] x\n[UNITS]\nLENGTH='furlong'\nFORCE=3\n[MODEL]\n"
        "= 4\nA B? = 1\nSIDE = 'LEFT\nSIDE = 'LEFT' RIGHT\nEMPTY = $ nothing\nBIG = 1e999\n"
        "ODD = 1.2.3\n[VERTICAL]\nFNOMIN = four\nFREFF = 1\nFREFF = 1\nnonsense\n"
        "[SHAPE]\n{radial\n1 2\n1 2 3\n1e400 1\n[LATERAL]\n0.5\nPCY1 = 'x'\n"
    )
    with pytest.raises(ModelError) as caught:
        TyreFile("bad.tir", text)
    found = {int(p.split(",")[1].split(":")[0].split()[1]): p for p in caught.value.problems}
    assert list(found) == [1, 2, 3, 5, 6, 8, 9, 10, 11, 12, 13, 14, 18, 19, 21, 23, 24, 26]
    for line, part in {
        1: "STRAY stands before the first section",
        2: "'[UNITS' is no section; expected a name as in [UNITS]",
        3: "'x' after the section's name is no comment",
        5: "LENGTH = 'furlong' is no unit that is known; expected one of meter,",
        6: "FORCE = 3.0 is no unit",
        9: "'A B?' before '=' is no key",
        10: 'the quotation mark of "\'LEFT" is not closed',
        11: "'RIGHT' after the value is no comment",
        12: "EMPTY: the value is missing",
        13: "'1e999' is too large",
        14: "'1.2.3' is no number and no text",
        18: "FREFF is given twice in [VERTICAL], first in line 17",
        19: "cannot read 'nonsense'; expected [SECTION], KEY = value",
        21: "not closed by '}'",
        23: "a row of 3 in a table of 2 columns ([SHAPE])",
        24: "too large",
        26: "'0.5' has no key",
    }.items():
        assert part in found[line]


def test_problems_end_somewhere() -> None:
    with pytest.raises(ModelError, match="is this a tyre property file") as caught:
        TyreFile("novel.tir", "It was a dark night\n" * 10_000)
    assert len(caught.value.problems) == MOST_PROBLEMS + 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "bad.tir: no section was found"),
        (b"[UNITS]\nA\0B", "bad.tir, line 2: a zero byte"),
        (b"$" * (LARGEST_TYRE_FILE + 1), "bad.tir: the file is too large; the limit is 1024 KiB"),
    ],
)
def test_what_is_no_tyre_file(content: bytes, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        tyre_file_from_bytes(content, "bad.tir")


def test_paths_that_are_no_files(tmp_path: Path, file: TyreFile) -> None:
    with pytest.raises(ModelError, match="there is no such file"):
        read_tyre_file(tmp_path / "none.tir")
    with pytest.raises(ModelError, match="this is a folder"):
        read_tyre_file(tmp_path)
    with pytest.raises(FileError, match="it is a folder"):
        write_tyre_file(file, tmp_path)


def test_what_is_asked_for_and_is_not_there(file: TyreFile) -> None:
    with pytest.raises(ModelError, match=r"unknown key 'FNOMINAL' in \[VERTICAL\].*'FNOMIN'"):
        file.value("VERTICAL", "FNOMINAL")
    with pytest.raises(ModelError, match="unknown section 'VERTICALS'.*'VERTICAL'"):
        file.value("VERTICALS", "FNOMIN")
    with pytest.raises(ModelError, match="line 14: TYRESIDE = 'LEFT': expected a number"):
        file.number("MODEL", "TYRESIDE")


@pytest.mark.parametrize(
    ("section", "key", "value", "message"),
    [
        ("MODEL", "A=B", 1.0, "'A=B' is no name"),
        ("MODEL", "A", math.nan, "MODEL.A = nan is not a finite number"),
        ("MODEL", "A", "'\"", "both quotation marks"),
        ("MODEL", "A", "a\nb", "a text is one line"),
        ("DIMENSION", "WIDTH", 1e307, "too large for its unit"),
    ],
)
def test_values_that_no_file_can_hold(
    file: TyreFile, section: str, key: str, value: float | str, message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        file.with_value(section, key, value)


def test_a_character_outside_the_encoding(tmp_path: Path) -> None:
    file = tyre_file_from_bytes(b"[A]\nX='\xe9'\n", "a.tir").with_value("A", "X", "\u03b1")
    with pytest.raises(ModelError, match="'\u03b1' cannot be written in latin-1"):
        write_tyre_file(file, tmp_path / "a.tir")


SHARED = Path(__file__).parents[3].parent / "shared" / "data" / "tyres"
FORMATS = {"mf52": "MF52", "mf61": "MF61", "mf62": "MF62"}


@pytest.mark.parametrize("path", sorted(SHARED.glob("*/*.tir")), ids=lambda path: path.stem)
def test_published_files(path: Path, tmp_path: Path) -> None:
    file = read_tyre_file(path)
    assert file.format.name == FORMATS.get(path.stem, "PAC2002")
    assert file.coefficients()["FNOMIN"] > 1000
    write_tyre_file(file, tmp_path / "copy.tir")
    assert (tmp_path / "copy.tir").read_bytes() == path.read_bytes()
