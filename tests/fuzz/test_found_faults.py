"""What changed files and wrong commands brought to light: each is refused in words."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fuzz.fuzzing import laid_out
from fuzz.readers import METRICS, READERS, RECORDS, ROAD, TRACK

import axletree as at
from axletree.analysis.studies.comparison import read_result
from axletree.analysis.studies.sweep import SweepFolder
from axletree.analysis.studies.sweep_plan import point_fingerprint, read_swept_values
from axletree.code.external_functions import _source
from axletree.core.errors import AxletreeError
from axletree.reports.results import copied_files, read_recipe


def cut_header() -> bytes:
    """An array whose header is no Python any more."""
    stream = io.BytesIO()
    np.save(stream, np.zeros((3, 3)))
    return stream.getvalue().replace(b")", b"(")


def wrong_metrics() -> bytes:
    content: dict[str, Any] = json.loads(METRICS)
    content["metrics"]["overshoot"]["unit"] = 3
    return json.dumps(content).encode()


FOUND = {
    "an array's header without its end": ("heights as NumPy", cut_header(), "array of numbers"),
    "a type that is a list": ("tyre law", b"{type: [linear]}", "tyre.yaml"),
    "points almost at one place": (
        "race track", TRACK.replace("x, y, width\n", "x, y, width\n20.0, 1e-14, 4\n").encode(),
        "are the same; remove one",
    ),
    "a path without end": ("path", b"{type: circle, radius: 1e59}", "the limit is 1000 km"),
    "a slalom without end": ("path", b"{type: slalom, cone_count: 1000000000}", "1000 km"),
    "laps without end": ("path", b"{type: skid-pad, laps: 1000000000}", "1000 km"),
    "a road far away": (
        "OpenCRG", ROAD.replace("_start_x = 0.0", "_start_x = 1e200").encode(), "not finite or do"
    ),
    "a unit that is a number": ("metrics", wrong_metrics(), "expected texts as name, unit"),
}  # fmt: skip


@pytest.mark.parametrize("what", FOUND)
def test_a_file_that_ended_in_a_traceback_is_refused(what: str, tmp_path: Path) -> None:
    name, content, message = FOUND[what]
    with pytest.raises(AxletreeError, match=message):
        READERS[name].read(laid_out(READERS[name], content, tmp_path))


@pytest.mark.parametrize("text", ["1e999", "1:1e999:3", "1,1e400"])
def test_values_of_a_sweep_beyond_numbers_are_refused(text: str) -> None:
    with pytest.raises(AxletreeError, match="mass: a value is too large"):
        read_swept_values("mass", text)


@pytest.mark.parametrize("name", ["model", "tyre property file", "tyre law", "tyre data", "soils"])
def test_nobody_waits_for_a_pipe(name: str, tmp_path: Path) -> None:
    path = tmp_path / READERS[name].file
    os.mkfifo(path)
    read = at.read_model if name == "model" else READERS[name].read
    with pytest.raises(AxletreeError, match="this is a pipe; expected a file"):
        read(path)


def test_nobody_waits_for_a_pipe_among_results(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "metrics.json")
    assert copied_files(tmp_path) == []
    with pytest.raises(AxletreeError, match="this is no plain file, but a pipe"):
        read_recipe(tmp_path)
    os.mkfifo(tmp_path / "sweep.json")
    with pytest.raises(AxletreeError, match="this is no plain file, but a pipe"):
        SweepFolder(tmp_path).begin({}, restart=False)
    (tmp_path / "points").mkdir()
    os.mkfifo(tmp_path / "points" / f"{point_fingerprint({'mass': 1.0})}.json")
    assert SweepFolder(tmp_path).read({"mass": 1.0}) is None


def test_results_that_are_nested_too_deep_are_refused(tmp_path: Path) -> None:
    (tmp_path / "metrics.json").write_text("[" * 100_000)
    (tmp_path / "run.csv").write_text(RECORDS)
    for read in (read_recipe, lambda folder: read_result(folder, "a")):
        with pytest.raises(AxletreeError, match="nested too deep"):
            read(tmp_path)


def test_a_function_in_c_is_in_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "law.c")
    with pytest.raises(AxletreeError, match="this is no file; it was to define law"):
        _source("law", tmp_path / "law.c")
