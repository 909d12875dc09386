"""Trajectories: columns, files and plots."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from axletree.catalogue import TRAJECTORY_FILES
from axletree.core.errors import SimulationError
from axletree.core.registry import load
from axletree.plot.panels import MOST_CURVE_POINTS, thinned
from axletree.simulation.formats import contract, mdf4
from axletree.simulation.formats.csv_text import ROWS_AT_ONCE
from axletree.simulation.simulate import simulate
from axletree.simulation.trajectory import Trajectory, UnknownColumnError, thinned_records
from axletree.system.system import System


@pytest.fixture
def run(oscillator: System) -> Trajectory:
    return simulate(oscillator, 1.0, step=0.01)


def test_columns_have_names_and_units(run: Trajectory) -> None:
    assert run.names == ("mass.speed", "mass.position", "mass.energy")
    assert run.units == {"mass.speed": "m/s", "mass.position": "m", "mass.energy": "J"}
    assert len(run) == len(run["mass.energy"]) == 101
    assert run["time"] is run.time
    assert "mass.speed" in run
    assert "nothing" not in run


def test_an_unknown_column_gets_a_suggestion(run: Trajectory) -> None:
    with pytest.raises(UnknownColumnError, match="did you mean 'mass.energy'"):
        run["mass.enrgy"]


def test_a_run_goes_on_from_its_final_state(oscillator: System) -> None:
    whole = simulate(oscillator, 2.0, step=0.01)
    first = simulate(oscillator, 1.0, step=0.01)
    second = simulate(oscillator, 1.0, step=0.01, start=1.0, initial=first.final_state)
    assert second["mass.position"][-1] == whole["mass.position"][-1]


@pytest.mark.parametrize("kind", TRAJECTORY_FILES)
def test_files_read_back_as_the_same_numbers(run: Trajectory, tmp_path: Path, kind: str) -> None:
    made = load("format", kind, TRAJECTORY_FILES)
    path = run.write(kind, tmp_path / "new" / f"run{made.suffix}")
    back = Trajectory.read(path)
    assert back.names == run.names
    assert back.units == run.units
    assert back.time.tobytes() == run.time.tobytes()
    for name in run.names:
        assert back[name].tobytes() == run[name].tobytes()
    if kind != "csv":
        assert (back.states, back.method) == (run.states, "rk4")
    assert [p.name for p in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("kind", [kind for kind in TRAJECTORY_FILES if kind != "csv"])
def test_an_incomplete_run_stays_incomplete(run: Trajectory, tmp_path: Path, kind: str) -> None:
    part = replace(run, complete=False, note="stopped")
    made = load("format", kind, TRAJECTORY_FILES)
    back = Trajectory.read(part.write(kind, tmp_path / f"run{made.suffix}"))
    assert (back.complete, back.note) == (False, "stopped")


@pytest.mark.parametrize(("kind", "extra"), [("mdf4", "mdf"), ("parquet", "parquet")])
def test_a_missing_package_is_named(
    run: Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, extra: str
) -> None:
    monkeypatch.setattr(contract, "find_spec", lambda _: None)
    with pytest.raises(SimulationError, match=rf"pip install 'axletree\[{extra}\]'"):
        run.write(kind, tmp_path / "run")
    assert not list(tmp_path.iterdir())


def test_a_table_longer_than_is_written_at_once_is_whole(tmp_path: Path) -> None:
    time = np.linspace(0.0, 1.0, 2 * ROWS_AT_ONCE + 7)
    wave = np.sin(40.0 * time)
    columns = {"a": wave, "b": -wave, "again": wave, "none": np.zeros_like(time)}
    run = Trajectory("long", time, columns, dict.fromkeys(columns, "m"), ())
    path = run.to_csv(tmp_path / "run.csv")
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    assert path.read_text().splitlines()[0] == "time [s],a [m],b [m],again [m],none [m]"
    assert table.T.tobytes("C") == np.array([time, *columns.values()]).tobytes()


def test_the_csv_header_has_units(run: Trajectory, tmp_path: Path) -> None:
    lines = run.to_csv(tmp_path / "run.csv").read_text().splitlines()
    assert lines[0] == "time [s],mass.speed [m/s],mass.position [m],mass.energy [J]"
    assert len(lines) == 102


def test_other_tools_read_the_files(run: Trajectory, tmp_path: Path) -> None:
    import asammdf
    import pandas
    import pyarrow.parquet
    from scipy.io import loadmat

    # The parser of numbers of older versions of pandas rounds the last bit; Python's does not.
    frame = pandas.read_csv(run.to_csv(tmp_path / "run.csv"), dtype=str).astype(float)
    np.testing.assert_array_equal(frame["mass.position [m]"], run["mass.position"])
    content = loadmat(run.to_mat(tmp_path / "run.mat"), simplify_cells=True)["run"]
    assert list(content["names"]) == list(run.names)
    np.testing.assert_array_equal(content["data"][:, 1], run["mass.position"])
    table = pyarrow.parquet.read_table(run.write("parquet", tmp_path / "run.parquet"))
    np.testing.assert_array_equal(table["mass.position"].to_numpy(), run["mass.position"])
    assert table.schema.field("mass.position").metadata == {b"unit": b"m"}
    with asammdf.MDF(run.write("mdf4", tmp_path / "run.mf4")) as measured:
        signal = measured.get("mass.position")
    assert signal.unit == "m"
    np.testing.assert_array_equal(signal.samples, run["mass.position"])
    np.testing.assert_array_equal(signal.timestamps, run.time)


def test_pandas_has_time_as_index(run: Trajectory) -> None:
    frame = run.to_pandas()
    assert frame.index.name == "time [s]"
    np.testing.assert_array_equal(frame["mass.speed"], run["mass.speed"])
    assert frame.attrs["units"]["mass.speed"] == "m/s"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("run.csv", "a,b\n1,2\n", "no header"),
        ("run.csv", "time [s],a [m]\n1,x\n", "holds no trajectory"),
        ("run.csv", "time [s],a [m]\n0\n1\n2\n3\n", "line 2 has 1 numbers, its header has 2"),
        ("run.csv", "time [s],a [m]\n0,1,2,3\n", "line 2 has 4 numbers, its header has 2"),
        ("run.npz", "nothing", "holds no trajectory"),
        ("run.mat", "nothing", "holds no trajectory"),
        ("run.mf4", "nothing at all" * 20, "holds no trajectory"),
        ("run.parquet", "nothing", "holds no trajectory"),
        ("run.txt", "", "expected a name that ends in"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(SimulationError, match=message):
        Trajectory.read(tmp_path / name)


@pytest.mark.parametrize("name", ["run.npz", "run.mat"])
@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_file_that_is_cut_off_is_refused(
    run: Trajectory, tmp_path: Path, name: str, share: float
) -> None:
    path = run.to_npz(tmp_path / name) if name == "run.npz" else run.to_mat(tmp_path / name)
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    says = rf"cannot read .*{name}: |{name} holds no trajectory"
    with pytest.raises(SimulationError, match=says):
        Trajectory.read(path)


def damaged_measurement(run: Trajectory, path: Path, block: bytes, place: int, value: int) -> Path:
    """A number within the last block of a kind of an MDF file is another one."""
    content = bytearray(run.write("mdf4", path).read_bytes())
    start = content.rindex(block) + place
    content[start : start + 4] = value.to_bytes(4, "little")
    path.write_bytes(content)
    return path


def test_a_damaged_measurement_does_not_end_python(run: Trajectory, tmp_path: Path) -> None:
    """The place of a channel within a record is far outside of it; asammdf reads there."""
    path = damaged_measurement(run, tmp_path / "run.mf4", b"##CN", 92, 0x0F847C77)
    with pytest.raises(SimulationError, match="holds no trajectory .it is damaged"):
        Trajectory.read(path)


@pytest.mark.slow
def test_a_measurement_in_a_circle_is_left(
    run: Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next group of channels is the group itself."""
    path = run.write("mdf4", tmp_path / "run.mf4")
    own = path.read_bytes().rindex(b"##CG")
    damaged_measurement(run, path, b"##CG", 24, own)
    monkeypatch.setattr(mdf4, "_SECONDS", 0.5)
    with pytest.raises(SimulationError, match="it is damaged.*CPU time"):
        Trajectory.read(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"units": {"a": 1}}, "units are no texts"),
        ({"states": ["b"]}, "no column of the state 'b'"),
        ({"states": [["a"]]}, r"no column of the state \['a'\]"),
        ({"complete": "perhaps"}, "'complete' is no bool"),
        ({"system": None}, "'system' is no str"),
    ],
)
def test_facts_that_make_no_run_are_refused(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    told = {"system": "s", "time_name": "time", "units": {"a": "m"}, "states": ["a"], **change}
    np.savez(tmp_path / "run.npz", data=np.zeros((3, 2)), about=np.array(json.dumps(told)))
    with pytest.raises(SimulationError, match=message):
        Trajectory.read(tmp_path / "run.npz")


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ("0,1\n1,nan\n", r"a is nan in record 2"),
        ("0,1\ninf,1\n", "time is inf in record 2"),
        ("0,1\n2,1\n1,1\n", "time goes back after record 2"),
    ],
)
def test_records_that_no_run_makes_are_refused(tmp_path: Path, records: str, message: str) -> None:
    (tmp_path / "run.csv").write_text("time [s],a [m]\n" + records)
    with pytest.raises(SimulationError, match=message):
        Trajectory.read(tmp_path / "run.csv")


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "run.csv")
    with pytest.raises(SimulationError, match="it is no file"):
        Trajectory.read(tmp_path / "run.csv")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SimulationError, match="none.npz"):
        Trajectory.read(tmp_path / "none.npz")


def test_plots_show_names_and_units(run: Trajectory, tmp_path: Path) -> None:
    path = tmp_path / "run.png"
    figure = run.plot("mass.position", "mass.speed", path=path)
    labels = [(axis.get_title(loc="left"), axis.get_ylabel()) for axis in figure.axes]
    assert labels == [("mass.position", "[m]"), ("mass.speed", "[m/s]")]
    assert figure.axes[-1].get_xlabel() == "time [s]"
    np.testing.assert_array_equal(figure.axes[0].lines[0].get_ydata(), run["mass.position"])
    assert path.read_bytes().startswith(b"\x89PNG")


def test_a_picture_of_an_unknown_kind_is_refused(run: Trajectory, tmp_path: Path) -> None:
    with pytest.raises(SimulationError, match=r"run\.foo; expected a name that ends in .*\.png"):
        run.plot("mass.position", path=tmp_path / "run.foo")
    assert not list(tmp_path.iterdir())


def test_columns_of_one_unit_share_axes(run: Trajectory) -> None:
    twice = replace(run, units={**run.units, "mass.energy": "m"})
    figure = twice.plot("mass.position", "mass.energy")
    (axis,) = figure.axes
    assert (axis.get_title(loc="left"), axis.get_ylabel()) == ("mass", "[m]")
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["position", "energy"]


@pytest.mark.parametrize("count", [MOST_CURVE_POINTS + 1, 50_000, 50_001, 51_234])
def test_a_long_course_is_drawn_by_few_points_without_losing_peaks(count: int) -> None:
    random = np.random.default_rng(count)
    time, values = np.linspace(0.0, 5.0, count), random.normal(size=count)
    values[count // 3], values[-2] = 50.0, -60.0  # of one record each
    few_times, few = thinned(time, values)
    assert len(few) <= MOST_CURVE_POINTS + 2
    assert (few_times[0], few_times[-1]) == (0.0, 5.0)
    assert np.all(np.diff(few_times) > 0.0)
    assert (few.max(), few.min()) == (50.0, -60.0)
    np.testing.assert_array_equal(few, values[np.searchsorted(time, few_times)])


def test_a_plot_of_a_long_run_has_few_points() -> None:
    time = np.linspace(0.0, 1.0, 100_000)
    run = Trajectory("long", time, {"a": np.sin(time)}, {"a": "m"}, ("a",))
    (line,) = run.plot("a").axes[0].lines
    assert len(line.get_xdata()) <= MOST_CURVE_POINTS + 2


def test_a_short_course_is_drawn_as_it_is() -> None:
    time = np.linspace(0.0, 1.0, MOST_CURVE_POINTS)
    assert thinned(time, time)[1] is time


def test_records_of_what_is_not_recorded_are_where_states_are_extreme() -> None:
    """As a plot of a load has its peak, which is computed again from a position."""
    time = np.linspace(0.0, 30.0, 30_001)
    columns = {"way.position": np.where(time == time[12_344], -1.0, 0.1)}
    run = Trajectory("tyre", time, columns, {"way.position": "m"}, ("way.position",))
    assert 12_344 in thinned_records(run, ["tyre.Fz"], most=1000)
    assert 12_344 in thinned_records(run, ["way.position"], most=1000)
    assert len(thinned_records(run, ["tyre.Fz"], most=1000)) < 1100
    assert 12_344 not in thinned_records(run, [], most=1000)
