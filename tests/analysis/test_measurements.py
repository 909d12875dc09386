"""Measured data: what is put into a file in other names, units, signs and times comes back."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from axletree.analysis.measurements.agreement import agreement, statistics
from axletree.analysis.measurements.alignment import find_delay
from axletree.analysis.measurements.boundaries import boundary
from axletree.analysis.measurements.channel_sources import MeasurementError
from axletree.analysis.measurements.filters import ZeroPhaseButterworth
from axletree.analysis.measurements.measurement import Measurement, read_measurement
from axletree.analysis.measurements.validation import validate
from axletree.catalogue import TRAJECTORY_FILES
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.registry import UnknownNameError, load
from axletree.model_files.channel_file import Channel, ChannelMap, Tolerance, read_channels
from axletree.simulation.trajectory import Trajectory

TIME = np.linspace(0.0, 8.0, 801)  # s
G = 9.80665  # m/s^2


def steer(t: np.ndarray) -> np.ndarray:
    """A sine with dwell in miniature [rad], at rest at both ends."""
    return np.where((t > 1.0) & (t < 4.0), 0.8 * np.sin(2.0 * np.pi * (t - 1.0) / 1.5), 0.0)


def lagging(t: np.ndarray, size: float, lag: float) -> np.ndarray:
    return np.asarray(size * np.exp(-((t - 2.5 - lag) ** 2)) * np.sin(3.0 * (t - lag)))


def made_run() -> Trajectory:
    columns = {
        "driver.steering": steer(TIME),
        "vehicle.yaw_rate": lagging(TIME, 0.4, 0.1),
        "vehicle.lateral_acceleration": lagging(TIME, 7.0, 0.2),
        "vehicle.forward_speed": 22.0 - 0.2 * TIME,
        "front_left_tyre.Fz": 4000.0 + lagging(TIME, 1500.0, 0.25),
    }
    units = {
        "driver.steering": "rad", "vehicle.yaw_rate": "rad/s",
        "vehicle.lateral_acceleration": "m/s^2", "vehicle.forward_speed": "m/s",
        "front_left_tyre.Fz": "N",
    }  # fmt: skip
    return Trajectory("car", TIME, columns, units, ())


MAP = """
time: {column: Zeit, unit: ms}
channels:
  driver.steering: {column: LWI, unit: deg, sign: -1, offset: 1.5}
  vehicle.yaw_rate: {column: Gierrate, unit: deg/s, delay: 40 ms, tolerance: [0.5 deg/s, 5 %]}
  vehicle.lateral_acceleration: {column: ay, unit: g}
  vehicle.forward_speed: {column: v}
  front_left_tyre.Fz: {column: FzVL, unit: kN}
"""


def write_logged(path: Path, run: Trajectory, late: float = 0.0) -> None:
    """As loggers have it: other names and units, decimal commas, a title, a yaw rate 40 ms late."""
    time = run.time + late
    yaw_rate = np.interp(run.time - 0.04, run.time, run["vehicle.yaw_rate"])
    columns = [
        1e3 * time, 1.5 - np.degrees(run["driver.steering"]), np.degrees(yaw_rate),
        run["vehicle.lateral_acceleration"] / G, 3.6 * run["vehicle.forward_speed"],
        1e-3 * run["front_left_tyre.Fz"],
    ]  # fmt: skip
    rows = zip(*columns, strict=True)
    lines = [";".join(repr(float(v)).replace(".", ",") for v in row) for row in rows]
    head = "Messung 17 vom Vormittag\nZeit;LWI;Gierrate;ay;v;FzVL\nms;°;°/s;g;km/h;kN\n"
    path.write_text(head + "\n".join(lines) + "\n", encoding="cp1252")


def test_names_units_signs_offsets_delays_and_decimal_commas_come_back(tmp_path: Path) -> None:
    run = made_run()
    write_logged(tmp_path / "drive.csv", run)
    (tmp_path / "map.yaml").write_text(MAP, encoding="utf-8")
    measured = read_measurement(tmp_path / "drive.csv", tmp_path / "map.yaml")
    # 40 ms are four intervals: what the delayed channel begins with is cut off at the end.
    assert measured.time[-1] == pytest.approx(8.0 - 0.04)
    for name in run.names:
        wanted = np.interp(measured.time, run.time, run[name])
        np.testing.assert_allclose(measured[name], wanted, atol=1e-11 * np.abs(wanted).max())
    assert dict(measured.units) == dict(run.units)
    assert measured.tolerances["vehicle.yaw_rate"].absolute == pytest.approx(math.radians(0.5))
    assert measured.tolerances["vehicle.yaw_rate"].relative == pytest.approx(0.05)
    assert list(measured.notes) == ["vehicle.yaw_rate: earlier by 40 ms, as stated"]


def test_a_delay_of_all_channels_is_found_and_stated(tmp_path: Path) -> None:
    run = made_run()
    write_logged(tmp_path / "drive.csv", run, late=0.3217)
    (tmp_path / "map.yaml").write_text(MAP, encoding="utf-8")
    measured = read_measurement(tmp_path / "drive.csv", tmp_path / "map.yaml")
    found = agreement(run, measured, align="vehicle.lateral_acceleration")
    assert found.delay == pytest.approx(0.3217, abs=1e-6)
    for one in found.channels.values():
        assert one.statistics.normalised_rms < 1e-4  # by straight lines between records
        assert one.statistics.determination > 0.999999
    assert any("321.7 ms earlier, as found by cross-correlation" in note for note in found.notes)
    stated = agreement(run, measured, delay="321.7 ms")
    assert any("321.7 ms earlier, as stated" in note for note in stated.notes)
    with pytest.raises(MeasurementError, match="leave one of them out"):
        agreement(run, measured, delay=0.1, align="vehicle.yaw_rate")


def test_noise_is_the_error_that_is_left() -> None:
    run, random = made_run(), np.random.default_rng(5)
    noise = 0.01 * random.standard_normal(len(run))
    columns = {"vehicle.yaw_rate": run["vehicle.yaw_rate"] + noise}
    measured = Measurement("noisy", TIME, columns, {"vehicle.yaw_rate": "rad/s"}, {})
    found = agreement(run, measured)["vehicle.yaw_rate"]
    np.testing.assert_allclose(found.residual, -noise, atol=1e-15)
    assert found.statistics.rms_error == pytest.approx(math.sqrt(np.mean(noise**2)), rel=1e-12)


@pytest.mark.parametrize("kind", TRAJECTORY_FILES)
def test_files_of_this_package_are_measurements_bit_by_bit(tmp_path: Path, kind: str) -> None:
    run = made_run()
    path = run.write(kind, tmp_path / f"run{load('format', kind, TRAJECTORY_FILES).suffix}")
    measured = read_measurement(path)
    assert measured.names == run.names
    assert measured.time.tobytes() == run.time.tobytes()
    for name in run.names:
        assert measured[name].tobytes() == run[name].tobytes()


@pytest.mark.slow
def test_channels_of_an_mdf_file_have_times_and_units_of_their_own(tmp_path: Path) -> None:
    asammdf = pytest.importorskip("asammdf")
    slow, fast = np.arange(0.0, 4.0, 0.02), np.arange(0.5, 5.0, 0.01)
    path = tmp_path / "drive.mf4"
    with asammdf.MDF(version="4.10") as file:
        speed = asammdf.Signal(3.6 * (20.0 + slow), slow, name="VehSpd", unit="km/h")
        rate = asammdf.Signal(np.degrees(0.1 * fast), fast, name="YawRate", unit="deg/s")
        file.append([speed])
        file.append([rate])
        file.save(path)
    channels = ChannelMap((
        Channel("vehicle.forward_speed", "VehSpd"), Channel("vehicle.yaw_rate", "YawRate"),
    ))  # fmt: skip
    measured = read_measurement(path, channels)
    assert (measured.time[0], measured.time[-1]) == (pytest.approx(0.5), pytest.approx(3.98))
    np.testing.assert_allclose(measured["vehicle.forward_speed"], 20.0 + measured.time, rtol=1e-12)
    np.testing.assert_allclose(measured["vehicle.yaw_rate"], 0.1 * measured.time, rtol=1e-12)
    lost = ChannelMap((Channel("vehicle.yaw_rate", "YawRat"),))
    with pytest.raises(ModelError, match="unknown column 'YawRat'.*did you mean 'YawRate'"):
        read_measurement(path, lost)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(MeasurementError, match=r"cannot read .*drive\.mf4: "):
        read_measurement(path, channels)
    path.write_bytes(b"no MDF")
    with pytest.raises(MeasurementError, match="does not begin as an MDF file does"):
        read_measurement(path, channels)


def test_matlab_files_have_vectors_structs_and_channels(tmp_path: Path) -> None:
    rate = np.degrees(0.1 * TIME)
    plain = {"t": TIME, "rate": rate, "channel": {"name": ["rate"], "units": ["deg/s"]}}
    struct = {"rate": {"time": TIME, "data": rate, "unit": "deg/s"}}
    for content in (plain, struct):
        savemat(tmp_path / "drive.mat", content)
        channels = ChannelMap((Channel("vehicle.yaw_rate", "rate"),))
        measured = read_measurement(tmp_path / "drive.mat", channels)
        np.testing.assert_allclose(measured["vehicle.yaw_rate"], 0.1 * TIME, rtol=1e-12)


def test_every_mistake_of_a_channel_file_is_named_with_its_line(tmp_path: Path) -> None:
    text = """time: {column: t, unit: kg}
channels:
  vehicle.yawrate: {column: a}
  vehicle.yaw_rate: {column: b, unit: m, sign: 2}
  driver.steering: {column: c, unit: deg, delay: 3 m, colour: red}
  driver.brake: {unit: "%"}
  vehicle.roll: {column: d, unit: deg, tolerance: 3}
filter: {order: 0, cutoff: 10 Hz}
intervall: 10 ms
"""
    (tmp_path / "map.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        read_channels(tmp_path / "map.yaml")
    said = "\n".join(caught.value.problems)
    for line, words in (
        (1, "time.unit: 'kg' is a unit of a mass"),
        (3, "did you mean 'vehicle.yaw_rate'"),
        (4, "sign: expected 1 or -1"),
        (4, "unit: 'm' is a unit of a length"),
        (5, "unknown key 'colour'"),
        (5, "delay: '3 m' is a length"),
        (6, "expected a column"),
        (7, "expected texts such as 0.5 deg/s and 5 %"),
        (8, "order: expected a whole number from 1 to 10"),
        (9, "did you mean 'interval'"),
    ):
        assert any(f"line {line}" in one and words in one for one in caught.value.problems), (
            f"{words} in {said}"
        )
    assert len(caught.value.problems) == 10


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty"),
        ("- 1\n", "expected a mapping with the key 'channels'"),
        ("channels: {}\n", "expected channels by their names"),
        ("channels: [1\n", "no valid YAML"),
        ("channels: !!python/object/apply:os.system ['true']\n", "tags such as"),
    ],
)
def test_a_file_that_is_no_channel_file(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "map.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=says):
        read_channels(tmp_path / "map.yaml")


YAW = ChannelMap((Channel("vehicle.yaw_rate", "r"),))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty"),
        ("time,r\ns,rad/s\n", "no row of it holds numbers"),
        ("0,1\n1,2\n", "no row above the first 2 numbers names the columns"),
        ("time,q\ns,1\n0,1\n1,2\n", "unknown column 'r'"),
        ("time,r\n0,1\n1,2\n", "says no unit of r"),
        ("time,r\ns,kg\n0,1\n1,2\n", "'kg' is a unit of a mass"),
        ("time,r\ns,rad/s\n0,1\n2,2\n1,3\n", "2 s in record 2 is followed by 1 s"),
        ("x,r\nm,rad/s\n0,1\n1,2\n", "has no column called time"),
        ("time,r\ns,rad/s\n0,1\n1,two\n2,3\n", "line 4: 'two' in column 'r' is no number"),
        ("time,r\ns,rad/s\n0,1\n1\n2,3\n", "line 4: 1 values for 2 columns"),
        ("time,r\ns,rad/s\n0,1\n1,\n2,nan\n3,4\n", "the longest from 0 s to 3 s; state how long"),
        ("time,r\ns,rad/s\n0,1\n,2\n2,3\n", "there is no time in record 2"),
        ("time,r\nm,rad/s\n0,1\n1,2\n", "'m' is a unit of a length"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "drive.csv").write_text(text, encoding="utf-8")
    with pytest.raises(AxletreeError, match=says):
        read_measurement(tmp_path / "drive.csv", YAW)


def test_files_of_no_kind_and_places_without_files(tmp_path: Path) -> None:
    (tmp_path / "drive.xyz").write_text("", encoding="utf-8")
    with pytest.raises(MeasurementError, match=r"ends in \.csv"):
        read_measurement(tmp_path / "drive.xyz")
    with pytest.raises(MeasurementError, match="there is no such file"):
        read_measurement(tmp_path / "nothing.csv")
    (tmp_path / "drive.mat").write_bytes(b"MATLAB 5.0 and no more")
    with pytest.raises(ModelError, match="cannot be read as a MATLAB file"):
        read_measurement(tmp_path / "drive.mat")
    (tmp_path / "drive.npz").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(MeasurementError, match="cannot read"):
        read_measurement(tmp_path / "drive.npz")


def logged(names: str = "t,r,v", units: str = "s,rad/s,m/s") -> str:
    """Yaw rate and speed that rise by the second; times 0.1 s apart."""
    rows = [f"{0.1 * k:.1f},{0.2 * k:.1f},{20 + k}" for k in range(20)]
    return "\n".join([names, units, *rows]) + "\n"


TWO = {"vehicle.yaw_rate": "r", "vehicle.forward_speed": "v"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize(
    "changed",
    [
        lambda text: text,
        lambda text: text.replace(",", ";").replace(".", ","),  # decimal commas
        lambda text: text.replace(",", "\t").replace("\n", "\r\n"),
        lambda text: "Logger,3.1\n\nDate,2026\n" + text,  # numbers above the names
        lambda text: text.replace("\n", ",\n"),
    ],
    ids=["commas", "decimal commas", "tabs", "lines above", "commas at ends"],
)
def test_tables_as_people_have_them(
    tmp_path: Path, encoding: str, changed: Callable[[str], str]
) -> None:
    (tmp_path / "drive.csv").write_bytes(changed(logged()).encode(encoding))
    measured = read_measurement(tmp_path / "drive.csv", TWO)
    np.testing.assert_allclose(measured["vehicle.yaw_rate"], 2.0 * measured.time, atol=1e-12)
    np.testing.assert_allclose(measured["vehicle.forward_speed"], 20.0 + 10.0 * measured.time)


@pytest.mark.parametrize("day", ["2026-11-18 ", "2026-11-18T", ""])
def test_dates_and_times_of_day_are_seconds_from_the_first(tmp_path: Path, day: str) -> None:
    rows = [f"{day}10:59:{59 + 0.25 * k:06.3f},{k}" for k in range(4)]
    rows += [f"{day}11:00:{0.25 * k:06.3f},{k + 4}" for k in range(4)]
    text = "\n".join(["Stamp,r [rad/s]", *rows])
    (tmp_path / "drive.csv").write_text(text, encoding="utf-8")
    given = {"time": "Stamp", "channels": {"vehicle.yaw_rate": "r"}}
    measured = read_measurement(tmp_path / "drive.csv", given)
    np.testing.assert_allclose(measured.time, 0.25 * np.arange(8), atol=1e-6)
    assert measured.notes == ()


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_dates_of_a_parquet_file_are_seconds_from_the_first(tmp_path: Path, unit: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    first = np.datetime64("2026-11-18T10:00:00", unit)
    stamps = first + np.arange(5).astype("timedelta64[s]").astype(f"timedelta64[{unit}]")
    words = ["on"] * 5
    table = pyarrow.table({"Stamp": stamps, "r": np.arange(5.0), "said": words})
    parquet.write_table(table, tmp_path / "drive.parquet")
    channels = {"vehicle.yaw_rate": {"column": "r", "unit": "rad/s"}}
    given = {"time": "Stamp", "channels": channels}
    measured = read_measurement(tmp_path / "drive.parquet", given)
    assert measured.time.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_a_time_without_a_unit_is_in_seconds_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "drive.csv").write_text("t,r [rad/s]\n0,1\n1,2\n", encoding="utf-8")
    measured = read_measurement(tmp_path / "drive.csv", {"vehicle.yaw_rate": "r"})
    assert measured.notes == ("t is taken in seconds, as the file says no unit of it",)


def test_columns_that_share_a_name_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "drive.csv"
    path.write_text(logged("t,r,r", "s,rad/s,deg/s"), encoding="utf-8")
    with pytest.raises(ModelError, match="unknown column 'r'.*Known: t, r#1, r#2"):
        read_measurement(path, {"vehicle.yaw_rate": "r"})
    measured = read_measurement(path, {"vehicle.yaw_rate": "r#2"})
    np.testing.assert_allclose(measured["vehicle.yaw_rate", "deg/s"], 20.0 + 10.0 * measured.time)


def test_channels_of_an_mdf_file_that_share_a_name_are_told_apart(tmp_path: Path) -> None:
    asammdf = pytest.importorskip("asammdf")
    time = np.arange(0.0, 1.0, 0.1)
    words = np.array([b"on"] * len(time))
    with asammdf.MDF(version="4.10") as file:
        for factor in (1.0, 2.0):
            file.append([asammdf.Signal(factor * time, time, name="r", unit="rad/s")])
        file.append([asammdf.Signal(words, time, name="said", encoding="utf-8")])
        file.save(tmp_path / "drive.mf4")
    measured = read_measurement(tmp_path / "drive.mf4")
    assert measured.names == ("r#1", "r#2")  # what holds no numbers is left out
    np.testing.assert_allclose(measured["r#2"], 2.0 * measured.time, atol=1e-12)
    with pytest.raises(ModelError, match="unknown column 'r'.*did you mean 'r#"):
        read_measurement(tmp_path / "drive.mf4", {"vehicle.yaw_rate": "r"})


def test_lines_that_are_wrong_alike_are_said_once(tmp_path: Path) -> None:
    rows = [f"{k};{k};1,{k:03d}.5" for k in range(30)]
    text = "\n".join(["t;r;v", "s;rad/s;m/s", *rows])
    (tmp_path / "drive.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        read_measurement(tmp_path / "drive.csv", TWO)
    assert len(caught.value.problems) == 4
    assert "are there commas between thousands?" in caught.value.problems[0]
    assert "line 6: the same here, and in 27 lines in all" in caught.value.problems[3]


def test_a_gap_is_bridged_where_that_is_stated(tmp_path: Path) -> None:
    rows = [f"{0.1 * k:.1f},{'' if k in (4, 5) else k}" for k in range(20)]
    (tmp_path / "drive.csv").write_text("time,r\ns,rad/s\n" + "\n".join(rows), encoding="utf-8")
    bridged = ChannelMap(YAW.channels, bridge=0.3)
    measured = read_measurement(tmp_path / "drive.csv", bridged)
    np.testing.assert_allclose(measured["vehicle.yaw_rate"], 10.0 * measured.time, atol=1e-12)
    assert "straight lines over 1 gap(s) of up to 0.3 s" in measured.notes[0]


@pytest.mark.parametrize("order", [1, 2, 4])
@pytest.mark.parametrize("frequency", [2.0, 5.0, 8.0])
def test_a_filter_has_the_gain_of_its_formula_and_no_phase(order: int, frequency: float) -> None:
    time = np.arange(0.0, 20.0, 0.01)
    wave = np.sin(2.0 * np.pi * frequency * time)
    chosen = ZeroPhaseButterworth(order, cutoff=5.0)
    inner = slice(500, 1500)
    filtered = chosen(wave, 0.01)[inner]
    gain = chosen.gain(frequency, sampling=100.0)
    np.testing.assert_allclose(filtered, gain * wave[inner], atol=2e-6)
    if frequency == 5.0:
        assert gain == pytest.approx(math.sqrt(0.5))
    line = 3.0 + 2.0 * time
    np.testing.assert_allclose(chosen(line, 0.01), line, atol=1e-9)


def test_a_filter_that_cannot_act_says_so() -> None:
    with pytest.raises(MeasurementError, match="a cut-off of 60 Hz is too high"):
        ZeroPhaseButterworth(2, 60.0)(np.zeros(100), 0.01)
    with pytest.raises(MeasurementError, match="5 values are too few"):
        ZeroPhaseButterworth(2, 5.0)(np.zeros(5), 0.01)


def test_statistics_have_their_closed_forms() -> None:
    """m = sin(w t) and s = a sin(w t) + b over whole periods."""
    count, a, b = 1600, 0.8, 0.3
    time = np.arange(count) / count * 4.0
    measured = np.sin(2.0 * np.pi * time)
    found = statistics(time, a * measured + b, measured)
    assert found.mean_error == pytest.approx(b)
    assert found.rms_error == pytest.approx(math.sqrt((1.0 - a) ** 2 / 2.0 + b * b))
    assert found.maximum_error == pytest.approx(b + 1.0 - a)
    assert math.sin(2.0 * math.pi * found.maximum_at) == pytest.approx(-1.0)
    assert found.normalised_rms == pytest.approx(found.rms_error / 2.0)
    assert found.correlation == pytest.approx(1.0)
    assert found.determination == pytest.approx(1.0 - ((1.0 - a) ** 2 / 2.0 + b * b) / 0.5)
    still = statistics(time, np.zeros(count), np.ones(count))
    assert still.rms_error == 1.0
    assert all(map(math.isnan, (still.correlation, still.determination, still.normalised_rms)))


@pytest.mark.parametrize("delay", [-0.637, 0.0, 0.0137, 1.2])
def test_a_delay_is_found_between_records(delay: float) -> None:
    here, there = np.arange(0.0, 8.0, 0.01), np.arange(-0.5, 9.0, 0.0173)
    found = find_delay(here, lagging(here, 1.0, 0.0), there, lagging(there - delay, -1.0, 0.0) * -1)
    assert found is not None
    assert found.delay == pytest.approx(delay, abs=2e-4)
    assert found.correlation > 0.999
    assert find_delay(here, 0.0 * here, there, there) is None
    assert find_delay(here, here, there, there - delay) is None  # a ramp is alike at any shift


def test_a_boundary_is_the_union_of_rectangles() -> None:
    """About a straight line y = 2 x, points at a distance d along y: |d| (1 / (ey + 2 ex)) <= 1."""
    x = np.linspace(0.0, 10.0, 11)
    off = np.array([0.0, 0.3, -0.5, 0.9])
    points = np.array([2.2, 3.7, 5.1, 8.4])
    found = boundary(
        ("x", "y"), (x, 2.0 * x), (points, 2.0 * points + off),
        (Tolerance(absolute=0.1), Tolerance(absolute=0.4)),
    )  # fmt: skip
    np.testing.assert_allclose(found.use, np.abs(off) / (0.4 + 2.0 * 0.1), atol=1e-12)
    assert found.share_within == 0.75
    assert not found.is_met
    # Against the same by brute force, on a curve with a relative tolerance.
    fine = np.linspace(0.0, 10.0, 200_001)
    angle = np.linspace(0.0, 10.0, 2001)
    curved = boundary(
        ("x", "y"), (angle, np.sin(angle)), (points, np.cos(points)),
        (Tolerance(0.2), Tolerance(0.3)),
    )  # fmt: skip
    brute = [
        np.maximum(np.abs(fine - px) / 0.2, np.abs(np.sin(fine) - py) / 0.3).min()
        for px, py in zip(points, np.cos(points), strict=True)
    ]
    np.testing.assert_allclose(curved.use, brute, rtol=1e-3)


def test_a_boundary_over_time_without_a_width_compares_at_the_same_time() -> None:
    y = np.linspace(0.0, 1.0, 101)
    found = boundary(("time", "y"), (y, y), (y, 1.04 * y), (Tolerance(), None))
    np.testing.assert_allclose(found.use, 0.04 * y / 0.05, atol=1e-12)
    assert found.is_met
    assert not found.is_stated


def test_methods_of_standards_name_what_is_not_measured() -> None:
    run = made_run()
    measured = Measurement("same", TIME, run.columns, run.units, {})
    found = agreement(run, measured)
    cross = validate(found, "iso-19364")
    assert [one.y for one in cross.boundaries] == ["driver.steering", "vehicle.yaw_rate"]
    assert {one.x for one in cross.boundaries} == {"vehicle.lateral_acceleration"}
    assert cross.is_met
    assert "not measured: vehicle.roll" in cross.notes
    assert "no statement of conformity" in cross.in_words
    dwell = validate(found, "iso-19365")
    assert dwell.values == ()
    assert any("vehicle.heading not measured" in note for note in dwell.notes)
    with pytest.raises(UnknownNameError, match="unknown method of validation.*'iso-19364'"):
        validate(found, "iso-19346")
    alone = agreement(run, measured, names=["vehicle.forward_speed"])
    with pytest.raises(MeasurementError, match="cross plots over vehicle.lateral_acceleration"):
        validate(alone, "iso-19364")


def test_characteristic_values_of_a_noisy_record_are_those_of_the_run() -> None:
    """The wheel counts as at rest up to the onset; values within the tolerance are within."""
    time = np.arange(0.0, 8.0, 0.005)
    still = np.zeros_like(time)
    angle = np.where((time > 1.0) & (time < 3.0), np.sin(np.pi * (time - 1.0)), 0.0)
    columns = {
        "driver.steering": angle, "vehicle.yaw_rate": 0.2 * angle, "vehicle.x": 20.0 * time,
        "vehicle.y": 2.0 * np.maximum(time - 1.0, 0.0), "vehicle.heading": still,
    }  # fmt: skip
    units = dict(zip(columns, ("rad", "rad/s", "m", "m", "rad"), strict=True))
    run = Trajectory("car", time, columns, units, ())
    random = np.random.default_rng(2)
    noisy = {**columns, "driver.steering": angle + 1e-3 * random.standard_normal(len(time))}
    noisy["vehicle.y"] = 1.001 * columns["vehicle.y"]
    found = agreement(run, Measurement("noisy", time, noisy, units, {}))
    values = {one.finding.name: one for one in validate(found, "iso-19365").values}
    assert values["lateral_displacement"].measured == pytest.approx(
        values["lateral_displacement"].finding.value, rel=0.01
    )
    assert values["lateral_displacement"].is_met
    strict = validate(found, "iso-19365", value_tolerance=1e-9).values
    assert not all(one.is_met for one in strict)


def test_what_has_nothing_in_common_is_refused() -> None:
    run = made_run()
    other = Measurement("m.csv", TIME, {"a": TIME}, {"a": "m"}, {})
    with pytest.raises(MeasurementError, match="no channel of m.csv is in the run"):
        agreement(run, other)
    wrong = Measurement("m.csv", TIME, {"vehicle.yaw_rate": TIME}, {"vehicle.yaw_rate": "m"}, {})
    with pytest.raises(MeasurementError, match="is in rad/s in the run and in m in m.csv"):
        agreement(run, wrong)
    yaw_rate = {"vehicle.yaw_rate": TIME}, {"vehicle.yaw_rate": "rad/s"}
    later = Measurement("m.csv", TIME + 50.0, *yaw_rate, {})
    with pytest.raises(MeasurementError, match="too little in common; give a delay"):
        agreement(run, later)
    same = Measurement("m.csv", TIME, {"vehicle.yaw_rate": 0.0 * TIME}, yaw_rate[1], {})
    with pytest.raises(MeasurementError, match="no shift in time can be found"):
        agreement(run, same, align="vehicle.yaw_rate")
