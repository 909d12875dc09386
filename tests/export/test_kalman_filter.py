"""A Kalman filter as C gives what it gives in Python, and says what it cannot do."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import axletree as at

FLAGS = "-O1 -std=c99 -Wall -Wextra -pedantic -Werror -ffp-contract=off"
needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
TIME = 0.01 * np.arange(41)
STEERING = {
    "steer.angle": 0.03 * np.sin(3.0 * TIME),
    "steer.angle_rate": 0.09 * np.cos(3.0 * TIME),
    "steer.angle_acceleration": -0.27 * np.sin(3.0 * TIME),
    "drive.torque": np.full(len(TIME), 50.0),
}


def car_filter(kind: at.FilterKind) -> at.KalmanFilter:
    """Yaw rate and a tyre's force are measured; lateral speed and its friction are not."""
    return at.KalmanFilter(
        at.read_model("bicycle-car").formulate(),
        {"chassis.rate": 0.003, "front_tyre.Fy": 20.0},
        initial={"chassis.vy": 0.3},
        deviations={"chassis.vy": 1.0, "chassis.vx": 0.1, "front_tyre.law.peak_friction": 0.1},
        process_noise={"chassis.vy": 0.02},
        wandering={"front_tyre.law.peak_friction": 0.05},
        kind=kind,
        step="5 ms",
    )


def measured() -> dict[str, np.ndarray]:
    """With a gap of one channel, and of both."""
    random = np.random.default_rng(1)
    rate = 0.08 * np.sin(3.0 * TIME) + 0.003 * random.standard_normal(len(TIME))
    force = 900.0 * np.sin(3.0 * TIME) + 20.0 * random.standard_normal(len(TIME))
    force[10:14], rate[12] = np.nan, np.nan
    return {"chassis.rate": rate, "front_tyre.Fy": force}


def as_text(columns: Mapping[str, np.ndarray]) -> str:
    rows = np.column_stack([TIME, *columns.values()])
    lines = (",".join("" if np.isnan(v) else repr(v) for v in row) for row in rows.tolist())
    return "\n".join([",".join(["time", *columns]), *lines, ""])


def built(folder: Path, flags: str = FLAGS) -> Path:
    made = subprocess.run(["make", f"CFLAGS={flags}"], cwd=folder, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return folder / "example"


def filtered(example: Path, text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(example)], input=text, capture_output=True, text=True)


@needs_make
@pytest.mark.parametrize("kind", list(at.FilterKind))
def test_estimates_and_deviations_are_those_of_python(kind: at.FilterKind, tmp_path: Path) -> None:
    watch = car_filter(kind)
    example = built(at.write_kalman_filter(watch, tmp_path / "filter"))
    layout = json.loads((tmp_path / "filter/layout.json").read_text())
    inputs = [one["name"] for one in layout["inputs"]]
    done = filtered(example, as_text({**{n: STEERING[n] for n in inputs}, **measured()}))
    assert done.returncode == 0, done.stderr
    found = np.genfromtxt(done.stdout.splitlines(), delimiter=",", skip_header=1)
    given = watch.run(TIME, measured(), STEERING)
    width, largest = len(given.names), np.abs(given.means).max(axis=0)
    deviations = np.column_stack([given.deviation(name) for name in given.names])
    # A deviation of 1e-9 of the state is the root of what rounding leaves of a variance.
    small = 1e-6 * deviations.max(axis=0) + 1e-9 * largest
    assert (np.abs(found[:, 1 : 1 + width] - given.means) <= small).all()
    assert (np.abs(found[:, 1 + width :] - deviations) <= small).all()


@needs_make
def test_lines_that_are_no_measurement_are_named(tmp_path: Path) -> None:
    example = built(at.write_kalman_filter(car_filter(at.FilterKind.EXTENDED), tmp_path / "filter"))
    short = filtered(example, "names\n0.0,1.0\n")
    assert (short.returncode, short.stderr) == (2, "line 2: expected 7 numbers\n")
    row = "0,0,0,0,0.1,1.0\n"
    back = filtered(example, f"names\n0.1,{row}0.0,{row}")
    assert back.returncode == 1
    assert back.stderr.startswith("line 3: a duration, a number of steps or an input")


def test_the_layout_says_where_estimates_and_channels_stand(tmp_path: Path) -> None:
    watch = car_filter(at.FilterKind.UNSCENTED)
    folder = at.write_kalman_filter(watch, tmp_path / "filter")
    layout = json.loads((folder / "layout.json").read_text())["filter"]
    assert layout["estimates"] == list(watch.names)
    assert layout["channels"] == ["chassis.rate", "front_tyre.Fy"]
    with pytest.raises(at.AxletreeError, match="is a file; expected a folder"):
        at.write_kalman_filter(watch, folder / "filter.c")
