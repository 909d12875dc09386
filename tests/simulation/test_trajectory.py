"""Trajectories: columns, files and plots."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from axletree.core.errors import SimulationError
from axletree.simulation.simulate import simulate
from axletree.simulation.trajectory import Trajectory, UnknownColumnError
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


@pytest.mark.parametrize("kind", ["csv", "npz", "mat"])
def test_files_read_back_as_the_same_numbers(run: Trajectory, tmp_path: Path, kind: str) -> None:
    path = getattr(run, f"to_{kind}")(tmp_path / "new" / f"run.{kind}")
    back = Trajectory.read(path)
    assert back.names == run.names
    assert back.units == run.units
    assert back.time.tobytes() == run.time.tobytes()
    for name in run.names:
        assert back[name].tobytes() == run[name].tobytes()
    if kind != "csv":
        assert (back.states, back.method) == (run.states, "rk4")
    assert [p.name for p in path.parent.iterdir()] == [f"run.{kind}"]


@pytest.mark.parametrize("kind", ["npz", "mat"])
def test_an_incomplete_run_stays_incomplete(run: Trajectory, tmp_path: Path, kind: str) -> None:
    part = replace(run, complete=False, note="stopped")
    back = Trajectory.read(getattr(part, f"to_{kind}")(tmp_path / f"run.{kind}"))
    assert (back.complete, back.note) == (False, "stopped")


def test_the_csv_header_has_units(run: Trajectory, tmp_path: Path) -> None:
    lines = run.to_csv(tmp_path / "run.csv").read_text().splitlines()
    assert lines[0] == "time [s],mass.speed [m/s],mass.position [m],mass.energy [J]"
    assert len(lines) == 102


def test_other_tools_read_the_files(run: Trajectory, tmp_path: Path) -> None:
    import pandas
    from scipy.io import loadmat

    frame = pandas.read_csv(run.to_csv(tmp_path / "run.csv"))
    np.testing.assert_array_equal(frame["mass.position [m]"], run["mass.position"])
    content = loadmat(run.to_mat(tmp_path / "run.mat"), simplify_cells=True)["run"]
    assert list(content["names"]) == list(run.names)
    np.testing.assert_array_equal(content["data"][:, 1], run["mass.position"])


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
        ("run.npz", "nothing", "holds no trajectory"),
        ("run.mat", "nothing", "holds no trajectory"),
        ("run.txt", "", "expected a name that ends in"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(SimulationError, match=message):
        Trajectory.read(tmp_path / name)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SimulationError, match="none.npz"):
        Trajectory.read(tmp_path / "none.npz")


def test_plots_show_names_and_units(run: Trajectory, tmp_path: Path) -> None:
    path = tmp_path / "run.png"
    figure = run.plot("mass.position", "mass.speed", path=path)
    labels = [axis.get_ylabel() for axis in figure.axes]
    assert labels == ["mass.position [m]", "mass.speed [m/s]"]
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
    assert axis.get_ylabel() == "[m]"
    assert [text.get_text() for text in axis.get_legend().get_texts()] == [
        "mass.position",
        "mass.energy",
    ]
