"""Axle characteristics of drives against what the driven models have."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from typer.testing import CliRunner

import axletree as at
from axletree.analysis.identification.unknowns import IdentificationError
from axletree.analysis.measurements.measurement import Measurement
from axletree.analysis.studies.tyre_fit import fit_tyre
from axletree.cli.app import app
from axletree.vehicles.linear_single_track import linear_single_track
from axletree.wheel.tyres.tyre_data import read_tyre_data

SIDES = ("left", "right")
STILL_AIR = {"side": 0.0, "yaw_moment": 0.0}


@cache
def sedan(fidelity: str) -> at.Model:
    return at.read_model("sedan", {"vehicle": {"fidelity": fidelity, "air": STILL_AIR}})


@cache
def ramp(fidelity: str) -> tuple[at.Trajectory, Measurement]:
    wheels = [f"{axle}_{side}_tyre.{q}" for axle in ("front", "rear") for side in SIDES
              for q in ("Fy", "slip_angle")]  # fmt: skip
    signals = ("forward_speed", "yaw_rate", "sideslip", "lateral_acceleration", "lateral_speed")
    known = {one.quantity.name for one in sedan(fidelity).formulate().outputs}
    outputs = [n for n in (*wheels, *(f"vehicle.{q}" for q in signals)) if n in known]
    run = sedan(fidelity).drive("iso-4138-ramp", speed="80 km/h", watch=False, outputs=outputs)
    with TemporaryDirectory() as folder:
        return run, at.read_measurement(run.to_csv(Path(folder) / "ramp.csv"))


def test_stiffnesses_of_linear_axles_are_found() -> None:
    """With their trails; without these 2 % go from the front axle to the rear."""
    model = sedan("linear")
    own = linear_single_track(model.described["vehicle"]).axles
    trails = {name: axle.trail for name, axle in own.items()}
    found = at.axle_characteristics(model, ramp("linear")[1], trails=trails)
    for name, axle in own.items():
        assert found[name].cornering_stiffness[0] == pytest.approx(axle.stiffness, rel=2e-3)
        assert abs(found[name].cornering_stiffness[2]) < 1e-5
    plain = at.axle_characteristics(model, ramp("linear")[1])
    shares = [plain[n].cornering_stiffness[0] / found[n].cornering_stiffness[0] for n in own]
    assert shares == pytest.approx([0.983, 1.019], abs=2e-3)


def test_forces_and_slip_angles_are_those_of_the_wheels() -> None:
    """Of the left and the right tyre of a car in the plane; what the column gives way by counts as
    slip of the front axle."""
    run, measured = ramp("two-track")
    model = sedan("two-track")
    ratio = model.described["vehicle"].axles["front"].steering.ratio
    turned = 0.5 * sum(run[f"front_{side}_kingpin.angle"] for side in SIDES)
    lost = {"front": measured["driver.steering"] / ratio - turned, "rear": 0.0}
    assert lost["front"].max() > 0.005
    for name, axle in at.axle_characteristics(model, measured).items():
        force = sum(run[f"{name}_{side}_tyre.Fy"] for side in SIDES)
        slip = 0.5 * sum(run[f"{name}_{side}_tyre.slip_angle"] for side in SIDES)
        assert np.abs(axle.lateral_force - force).max() < 0.03 * np.abs(force).max()
        assert np.abs(axle.slip_angle + lost[name] - slip).max() < 0.02 * np.abs(slip).max()


def test_a_law_is_fitted_to_the_table(tmp_path: Path) -> None:
    own = linear_single_track(sedan("linear").described["vehicle"]).axles["rear"]
    rear = at.axle_characteristics(sedan("linear"), ramp("linear")[1])["rear"]
    data = read_tyre_data(rear.write_tyre_data(tmp_path / "rear.csv"))
    fitted = fit_tyre(at.LinearTyre(5e4, 5e4), data)
    values = {one.name: one.value for one in fitted.parameters}
    assert values["cornering_stiffness"] == pytest.approx(0.5 * own.stiffness, rel=0.025)


def test_the_command_leaves_tables_and_a_picture(tmp_path: Path) -> None:
    file = ramp("linear")[0].to_csv(tmp_path / "ramp.csv")
    words = ["tyre", "axles", "sedan", str(file), "--trail", "front=25 mm", "--out"]
    done = CliRunner().invoke(app, [*words, str(tmp_path / "axles")])
    assert done.exit_code == 0, done.output
    assert "stiffness [kN/rad]" in done.stdout
    assert sorted(one.name for one in (tmp_path / "axles").iterdir()) == [
        "axles.png", "front.csv", "rear.csv"
    ]  # fmt: skip
    fit = ["tyre", "fit", str(tmp_path / "axles" / "rear.csv"), "--law", "fiala", "--no-report"]
    done = CliRunner().invoke(app, [*fit, "--out", str(tmp_path / "law")])
    assert (done.exit_code, "converged" in done.stdout) == (0, True), done.output


def changed(**columns: np.ndarray | None) -> Measurement:
    own = ramp("linear")[1]
    kept = {n: v for n, v in {**own.columns, **columns}.items() if v is not None}
    units = {name: own.units.get(name, "rad") for name in kept}
    return Measurement(own.source, own.time, kept, units, {})


def test_drives_that_tell_nothing_are_refused() -> None:
    model, own = sedan("linear"), ramp("linear")[1]
    with pytest.raises(IdentificationError, match=r"neither vehicle\.sideslip nor"):
        at.axle_characteristics(
            model, changed(**{"vehicle.sideslip": None, "vehicle.lateral_speed": None})
        )
    with pytest.raises(IdentificationError, match=r"has no vehicle\.yaw_rate"):
        at.axle_characteristics(model, changed(**{"vehicle.yaw_rate": None}))
    slow = {"vehicle.forward_speed": 0.1 * own["vehicle.forward_speed"]}
    with pytest.raises(IdentificationError, match="expected 5 m/s or more throughout"):
        at.axle_characteristics(model, changed(**slow))
    swift = {"vehicle.yaw_rate": np.sin(9.0 * own.time)}
    with pytest.raises(IdentificationError, match="take a slow ramp, or steady turns"):
        at.axle_characteristics(model, changed(**swift))
    turned = {"vehicle.lateral_acceleration": -own["vehicle.lateral_acceleration"]}
    with pytest.raises(IdentificationError, match="look at the signs"):
        _ = at.axle_characteristics(model, changed(**turned))["rear"].cornering_stiffness
    with pytest.raises(at.AxletreeError, match="did you mean 'front'"):
        at.axle_characteristics(model, own, trails={"frant": 0.03})
    with pytest.raises(IdentificationError, match="has 2 axles and 1 trailers"):
        at.axle_characteristics(at.read_model("car-with-caravan"), own)
    with pytest.raises(IdentificationError, match="is not described by body and axles"):
        at.axle_characteristics(at.read_model("pendulum"), own)
