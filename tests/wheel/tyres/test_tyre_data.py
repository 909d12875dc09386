"""Measured tyre data: columns by name, in units of their own, and what is wrong with a file."""

from __future__ import annotations

import math
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axletree.core.errors import ModelError
from axletree.wheel.axis_systems import AxisSystem
from axletree.wheel.tyres.tyre_data import MOST_DATA_PROBLEMS, TyreData, read_tyre_data


def read(folder: Path, text: str | bytes) -> TyreData:
    path = folder / "data.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_tyre_data(path)


def test_units_are_converted_and_other_columns_passed_over(tmp_path: Path) -> None:
    text = (
        "# a rig\r\nalpha [deg]; time; Fz (kN);Fy[kN] ;MZ\r\n"
        "-90;0.1;4;1.5;-20\r\n\r\n45; x;0;;3e1\r\n"
    )
    data = read(tmp_path, text)
    np.testing.assert_allclose(data.slip_angle, [-math.pi / 2, math.pi / 4], rtol=1e-15)
    np.testing.assert_array_equal(data.normal_load, [4000.0, 0.0])
    np.testing.assert_array_equal(data.forces["Fy"], [1500.0, np.nan])
    np.testing.assert_array_equal(data.forces["Mz"], [-20.0, 30.0])
    np.testing.assert_array_equal(data.longitudinal_slip, [0.0, 0.0])
    np.testing.assert_array_equal(data.inclination, [0.0, 0.0])
    assert list(data.forces) == ["Fy", "Mz"]
    assert len(data) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "data.csv: the file is empty; expected a line that names the columns"),
        ("S,Fz,Fx\n", "data.csv: the file has no rows of numbers"),
        ("S,Fx\n1,2\n", "line 1: there is no column Fz; the columns are 'S', 'Fx'"),
        ("Fz,Fx\n1,2\n", "line 1: there is neither a column S nor a column alpha"),
        ("S,Fz\n1,2\n", "line 1: there is none of the columns Fx, Fy and Mz"),
        ("S,kappa,Fz,Fx\n1,1,2,3\n", "line 1: the column 'kappa' is given twice"),
        ("S,Fz [m],Fx\n1,2,3\n", r"line 1, normal_load: \[m\] is no unit of it; .* \[N\]"),
        ("S,Fz [kn],Fx\n1,2,3\n", "line 1, normal_load: unknown unit 'kn'"),
        ("S,Fz,Fx\n1,2\n", "line 2: 2 values for 3 columns"),
        ("S,Fz,Fx\n1,2,3\n1,two,3\n", "line 3: 'two' in column normal_load is no number"),
        ("S;Fz;Fx\n0,1;2;3\n", "line 2: '0,1' in .* is no number; a decimal point is expected"),
        ("S,Fz,Fx\n,2,3\n", "line 2: '' in column longitudinal_slip is no number"),
        ("S,Fz,Fx\n1,2,nan\n", "line 2: 'nan' in column Fx is not finite"),
        ("S,Fz,Fx\n1,-2,3\n", "line 2: Fz = -2 N is negative; expected ISO axes"),
        ("S,Fz,Fx\n1,2,\n", "the column Fx has no values; leave it out"),
        (b"S,Fz,Fx\n1,2,\xff\n", "line 2: no text in UTF-8"),
    ],
)
def test_mistakes(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        read(tmp_path, text)


def test_all_wrong_lines_are_named_but_not_thousands(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        read(tmp_path, "S,Fz,Fx\n" + "0,1,x\n0,1,2\n" * 3)
    assert [text.partition(": ")[0][-6:] for text in caught.value.problems] == [
        "line 2",
        "line 4",
        "line 6",
    ]
    with pytest.raises(ModelError, match="reading stopped here") as caught:
        read(tmp_path, "S,Fz,Fx\n" + "0,1,x\n" * 5000)
    assert len(caught.value.problems) == MOST_DATA_PROBLEMS + 1


@settings(max_examples=150)
@given(st.lists(st.sampled_from([*",;\t[]()#\n\r\0 ", "S", "Fz", "Fx", "kN", "1", "-2.5e3", "é"])))
def test_any_text_reads_or_is_refused(words: list[str]) -> None:
    with TemporaryDirectory() as folder:
        problems: tuple[str, ...] = ()
        try:
            assert len(read(Path(folder), "".join(words))) > 0
            assert len(read(Path(folder), "S,Fz,Fx\n1,2,3\n#" + "".join(words))) > 0
        except ModelError as error:
            problems = error.problems
        assert all("data.csv" in problem for problem in problems)


def test_a_path_without_a_file(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no such file"):
        read_tyre_data(tmp_path / "none.csv")
    with pytest.raises(ModelError, match="this is a folder"):
        read_tyre_data(tmp_path)


# Drifting to the left at 2 degrees, leaning right at 3, under 4 kN: pushed to the right.
IN_ISO = "alpha [deg],gamma [deg],Fz,S,Fx,Fy,Mz\n2,3,4000,0.1,900,-1500,40\n0,0,0,0,0,0,\n"
IN_SAE = "alpha [deg],gamma [deg],Fz,S,Fx,Fy,Mz\n-2,3,-4000,0.1,900,1500,-40\n0,0,0,0,0,0,\n"
IN_ADAPTED = "alpha [deg],gamma [deg],Fz,S,Fx,Fy,Mz\n2,3,4000,0.1,900,1500,-40\n0,0,0,0,0,0,\n"


@pytest.mark.parametrize(
    ("text", "axes"),
    [
        (IN_SAE, AxisSystem.SAE),
        (IN_SAE.replace("Fz", "normal_load").replace("-4000", "4000"), AxisSystem.SAE),
        (IN_ADAPTED, AxisSystem.ADAPTED_SAE),
    ],
)
def test_three_axis_systems_give_the_same_data(tmp_path: Path, text: str, axes: AxisSystem) -> None:
    iso = read(tmp_path, IN_ISO)
    (tmp_path / "other.csv").write_text(text)
    other = read_tyre_data(tmp_path / "other.csv", axes=axes)
    for name in ("normal_load", "longitudinal_slip", "slip_angle", "inclination"):
        np.testing.assert_array_equal(getattr(other, name), getattr(iso, name))
        assert not np.signbit(getattr(other, name)[1]), name
    for name, values in iso.forces.items():
        np.testing.assert_array_equal(other.forces[name], values)


def test_a_load_that_is_none_in_these_axes(tmp_path: Path) -> None:
    (tmp_path / "sae.csv").write_text("S,Fz,Fx\n1,2,3\n")
    with pytest.raises(ModelError, match="line 2: Fz = 2 N is positive; in the SAE axes"):
        read_tyre_data(tmp_path / "sae.csv", axes=AxisSystem.SAE)
