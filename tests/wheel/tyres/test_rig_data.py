"""Files of tyre rigs: a test of a known law in their layout gives the law's coefficients back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from axletree.analysis.studies.tyre_characteristics import slip_sweep
from axletree.analysis.studies.tyre_fit import fit_tyre
from axletree.core.column_files import read_column_text
from axletree.core.errors import AxletreeError, ModelError
from axletree.wheel.axis_systems import AxisSystem
from axletree.wheel.tyres.fiala import Fiala
from axletree.wheel.tyres.rig_data import MOST_POINTS, read_rig_data, rig_columns

TRUE = Fiala(0.17, 95e3, 70e3, 0.01, 1.05, 0.6)
START = Fiala(0.12, 60e3, 100e3, 0.02, 0.8, 0.8)
LOADS, INCLINATIONS = (1000.0, 3000.0, 5000.0), (0.0, 2.0, 4.0)  # N, deg
NAMES = ("ET", "V", "SA", "IA", "SL", "P", "FX", "FY", "FZ", "MZ", "TSTC")
UNITS = ("sec", "kph", "deg", "deg", "none", "kPa", "N", "N", "N", "N-m", "degC")
SWEEP, TRANSITION, WARM_UP = 150, 60, 200  # records


def rig_test(pressures: tuple[float, ...] = (83.0,)) -> dict[str, np.ndarray]:
    """In ISO axes and the units above: a cold start, sweeps at levels, and ways between them."""
    levels = [(F, g, p) for p in pressures for g in INCLINATIONS for F in LOADS]
    parts = [_sweep(*levels[0], count=WARM_UP)]
    parts[0][:, 5] = np.linspace(20.0, 60.0, WARM_UP)  # degC
    for level in levels:
        parts += [_between(parts[-1], _sweep(*level)), _sweep(*level)]
    records = np.vstack(parts)
    load, angle, slip, inclination, pressure, temperature = records.T
    load = load + 15.0 * np.random.default_rng(1).standard_normal(len(load))
    found = slip_sweep(TRUE, load, slip, np.radians(angle), np.radians(inclination))
    forces = (np.broadcast_to(getattr(found, n), load.shape) for n in ("Fx", "Fy", "Mz"))
    fx, fy, mz = forces
    time = 0.01 * np.arange(len(load))
    speed = np.full(len(load), 40.0)
    values = (time, speed, angle, inclination, slip, pressure, fx, fy, load, mz, temperature)
    return dict(zip(NAMES, values, strict=True))


def _sweep(load: float, inclination: float, pressure: float, count: int = SWEEP) -> np.ndarray:
    """Slip angle there and back, with some slip in the second half, at one set of levels."""
    s = np.linspace(0.0, 2.0 * np.pi, count)
    slip = np.where(s > np.pi, 0.1 * np.sin(2.0 * s), 0.0)
    level = np.array([load, 0.0, 0.0, inclination, pressure, 60.0])
    records = np.tile(level, (count, 1))
    records[:, 1], records[:, 2] = 12.0 * np.sin(s), slip
    return records


def _between(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    share = np.linspace(0.0, 1.0, TRANSITION)[:, None]
    return np.asarray((1.0 - share) * before[-1] + share * after[0])


def in_axes(columns: dict[str, np.ndarray], axes: AxisSystem) -> dict[str, np.ndarray]:
    names = {"SA": "slip_angle", "FY": "Fy", "FZ": "Fz", "MZ": "Mz"}
    return {n: axes.signs.get(names.get(n, ""), 1.0) * values for n, values in columns.items()}


def write(path: Path, columns: dict[str, np.ndarray], units: tuple[str, ...] = UNITS) -> Path:
    lines = ["Test 1234, round 5", "\t".join(columns), "\t".join(units)]
    rows = zip(*columns.values(), strict=True)
    lines += ["\t".join(repr(float(value)) for value in row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("axes", AxisSystem)
def test_coefficients_come_back_from_signs_that_are_told(tmp_path: Path, axes: AxisSystem) -> None:
    found = read_rig_data(write(tmp_path / "rig.dat", in_axes(rig_test(), axes)))
    assert found.axes is axes
    fit = fit_tyre(START, found.data)
    expected = {**TRUE.numbers, "rolling_resistance": START.rolling_resistance}
    assert fit.law.numbers == pytest.approx(expected, rel=1e-6)


def test_sweeps_are_taken_and_what_lies_between_is_not(tmp_path: Path) -> None:
    columns = rig_test()
    found = read_rig_data(write(tmp_path / "rig.dat", in_axes(columns, AxisSystem.SAE)))
    assert len(found.sweeps) >= len(LOADS) * len(INCLINATIONS)
    loads = sorted({round(one.load, -2) for one in found.sweeps})
    assert loads == list(LOADS)
    inclinations = sorted({round(np.degrees(one.inclination), 1) for one in found.sweeps})
    assert inclinations == list(INCLINATIONS)
    near = np.abs(found.data.normal_load[:, None] - np.array(LOADS)).min(axis=1)
    assert near.max() < 0.09 * 5000.0  # nothing of the ways between loads
    cold = np.flatnonzero(columns["TSTC"] >= 20.0 + 0.8 * 40.0)[0]
    assert any(f"{cold} records" in note for note in found.notes if "warm-up" in note)
    text = found.table().text()
    assert "signs: sae axes, told by the signs of FZ and FY" in text
    assert "83 kPa" in text
    assert "40 km/h" in text


def test_a_matlab_file_is_read_as_a_table_is(tmp_path: Path) -> None:
    columns = in_axes(rig_test(), AxisSystem.SAE)
    units = np.array(UNITS, dtype=object)
    channel = {"name": np.array(NAMES, dtype=object), "units": units}
    savemat(tmp_path / "rig.mat", {**columns, "channel": channel, "tireid": "205/55 R16"})
    of_text = read_rig_data(write(tmp_path / "rig.dat", columns)).data
    of_matlab = read_rig_data(tmp_path / "rig.mat").data
    np.testing.assert_array_equal(of_text.slip_angle, of_matlab.slip_angle)
    np.testing.assert_array_equal(of_text.forces["Mz"], of_matlab.forces["Mz"])


def test_american_units_are_the_same_tyre(tmp_path: Path) -> None:
    """1 lbf = 4.4482216152605 N, 1 ft lbf = 1.3558179483314 N m, 1 psi = 6.894757 kPa."""
    columns = in_axes(rig_test(), AxisSystem.SAE)
    other = dict(columns)
    for name in ("FX", "FY", "FZ"):
        other[name] = columns[name] / 4.4482216152605
    other["MZ"] = columns["MZ"] / 1.3558179483314004
    other["P"], other["V"] = columns["P"] / 6.894757293168, columns["V"] / 1.609344
    units = ("sec", "mph", "deg", "deg", "none", "psi", "lb", "lb", "lb", "ft-lb", "degF")
    one = read_rig_data(write(tmp_path / "si.dat", columns)).data
    two = read_rig_data(write(tmp_path / "us.dat", other, units)).data
    np.testing.assert_allclose(two.normal_load, one.normal_load, rtol=1e-12)
    np.testing.assert_allclose(two.forces["Mz"], one.forces["Mz"], rtol=1e-11, atol=1e-9)


def test_one_pressure_of_several_is_chosen(tmp_path: Path) -> None:
    path = write(tmp_path / "rig.dat", in_axes(rig_test((69.0, 83.0)), AxisSystem.SAE))
    both = read_rig_data(path)
    assert any("--pressure takes those of one level" in note for note in both.notes)
    one = read_rig_data(path, pressure="83 kPa")
    assert {round(s.pressure, -3) for s in one.sweeps} == {83e3}
    assert len(one.data) < 0.6 * len(both.data)
    with pytest.raises(ModelError, match="no level of pressure is near 200 kPa"):
        read_rig_data(path, pressure="2 bar")


def test_a_warm_up_may_be_given(tmp_path: Path) -> None:
    path = write(tmp_path / "rig.dat", in_axes(rig_test(), AxisSystem.SAE))
    all_of_it = read_rig_data(path, warm_up="0 s")
    later = read_rig_data(path, warm_up="2 s")
    assert len(all_of_it.data) - len(later.data) == pytest.approx(200, abs=60)
    assert len(all_of_it.data) <= MOST_POINTS


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"FZ": None}, "there is no column FZ"),
        ({"SA": None, "SL": None}, "there is no column SA, SL or SR"),
        ({"FX": None, "FY": None, "MZ": None}, "none of the columns FX, FY and MZ"),
        ({"SA": 0.0, "SL": 0.0}, "no sweep was found"),
    ],
)
def test_what_is_missing_is_named(
    tmp_path: Path, change: dict[str, float | None], says: str
) -> None:
    columns = in_axes(rig_test(), AxisSystem.SAE)
    units = dict(zip(NAMES, UNITS, strict=True))
    for name, value in change.items():
        if value is None:
            del columns[name], units[name]
        else:
            columns[name] = value * columns[name]
    path = write(tmp_path / "rig.dat", columns, tuple(units.values()))
    found = read_column_text(path)
    with pytest.raises(ModelError, match=says):
        read_rig_data(path, columns=found)


def test_units_and_signs_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    columns = in_axes(rig_test(), AxisSystem.SAE)
    wrong = list(UNITS)
    wrong[NAMES.index("FY")] = "deg"
    with pytest.raises(AxletreeError, match="FY: 'deg' is a unit of an angle"):
        read_rig_data(write(tmp_path / "rig.dat", columns, tuple(wrong)))
    wrong[NAMES.index("FY")] = "-"
    with pytest.raises(AxletreeError, match="FY"):
        read_rig_data(write(tmp_path / "rig.dat", columns, tuple(wrong)))
    turned = {**columns, "FY": -columns["FY"]}
    with pytest.raises(ModelError, match="as in none of them; state the signs by --axes"):
        read_rig_data(write(tmp_path / "rig.dat", turned))
    given = read_rig_data(tmp_path / "rig.dat", axes=AxisSystem.SAE)
    assert given.axes is AxisSystem.SAE


def test_plain_tables_are_left_to_their_reader(tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    path.write_text("alpha [deg],Fz,Fy\n1,2000,-900\n", encoding="utf-8")
    assert rig_columns(path) is None
    path.write_text("SA,FZ,FY\ndeg,N,N\n1,-2000,x\n2,-2000,1\n", encoding="utf-8")
    with pytest.raises(ModelError, match="line 3: 'x' in column 'FY' is no number"):
        rig_columns(path)
