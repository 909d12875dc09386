"""Sweeps and comparisons of vehicles: places in the file, findings of manoeuvres, fidelities."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import axletree as at

DOCS = Path(__file__).parent.parent.parent / "docs"


@pytest.mark.slow
def test_fidelities_are_values_like_others() -> None:
    grid = {"vehicle.fidelity": "single-track, two-track-static", "manoeuvre.speed": "72 km/h"}
    found = at.sweep("compact-car", grid, "step-steer", duration=4.0)
    assert found.failures == {}
    assert found["vehicle.fidelity"].tolist() == ["single-track", "two-track-static"]
    gains = found["yaw_rate_gain"]
    assert gains[0] == pytest.approx(gains[1], rel=0.01)
    # What a metric finds is what a drive of the same model finds.
    model = at.read_model("compact-car", {"vehicle": {"fidelity": "single-track"}})
    step = model.manoeuvres["step-steer"]
    own = type(step)(**{**vars(step), "speed": 20.0, "duration": 4.0})
    interval = model.run.record_interval
    run = model.drive(own, outputs=[], record_interval=interval)
    (gain,) = [one.value for one in own.findings(run) if one.name == "yaw_rate_gain"]
    assert gains[0] == pytest.approx(gain, rel=1e-12)


@pytest.mark.pages
def test_the_pictures_of_the_page_can_be_made(tmp_path: Path) -> None:
    """Of a smaller grid and fewer models than those on the page."""
    make_pictures = runpy.run_path(str(DOCS / "making" / "make_sweep_pictures.py"))["make_pictures"]
    grid = {"body.mass": "900,1300", "manoeuvre.speed": "80 km/h"}
    written = make_pictures(tmp_path, grid, ("two-track", "single-track"))
    assert all((DOCS / "pictures" / path.name).is_file() for path in written)
    assert all(path.stat().st_size > 1000 for path in written)


@pytest.mark.slow
def test_a_parameter_that_the_fidelity_leaves_out_is_warned_of() -> None:
    """Dampers have no place in the plane, and the anti-roll bar has one by its share of roll."""
    grid = {"vehicle.axles.front.suspension.damping": "1,3 kN*s/m"}
    plane = {"vehicle": {"fidelity": "two-track"}}
    told = "damping has no effect on the two-track model of compact-car in step-steer: none of"
    with pytest.warns(at.ModelWarning, match=told):
        found = at.sweep("compact-car", grid, "step-steer", duration=2.0, changes=plane, workers=1)
    assert found.remarks[0].endswith("leaves out, or name outputs that it bears on")
    grid = {"vehicle.axles.front.suspension.anti_roll": "5,20 kN/m"}
    bars = at.sweep("compact-car", grid, "step-steer", duration=3.0, changes=plane, workers=1)
    assert bars.remarks == ()
    gain = bars["yaw_rate_gain"]
    assert gain[1] < 0.999 * gain[0]  # a stiffer bar in front, more understeer
