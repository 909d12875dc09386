"""Cars that are drawn: moments in closed form, rates of convergence, lanes as single runs."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.analysis.experiments import evaluation, lane_trials
from axletree.analysis.experiments.varied_quantities import read_distribution
from axletree.code.backends.c import find_compiler
from axletree.core.errors import AxletreeError
from axletree.simulation.batch.distributions import Sampling, drawn

G, HALF = 9.80665, 0.5 * math.cos(0.3)  # m/s^2; m, of the pendulum's centre below its hinge
ENERGY = ["energy.total.final"]
SHORT: dict[str, Any] = {"duration": 0.05, "of": ENERGY}
lanes = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")


def test_moments_of_what_is_linear() -> None:
    """Energy is -m g h: a normal mass has a normal energy."""
    found = at.monte_carlo("pendulum", {"rod.mass": "normal(2, 0.1 kg)"}, members=256, **SHORT)
    told = found.statistics(ENERGY[0])
    assert told["mean"] == pytest.approx(-2.0 * G * HALF, rel=1e-4)
    assert told["deviation"] == pytest.approx(0.1 * G * HALF, rel=0.02)
    quartile = 0.6744897501960817 * 0.1 * G * HALF  # of the normal distribution
    assert told["75 %"] - told["25 %"] == pytest.approx(2.0 * quartile, rel=0.02)
    assert found.effects(ENERGY[0])["rod.mass"] == pytest.approx(-1.0, abs=1e-9)
    assert found.explained(ENERGY[0]) == pytest.approx(1.0, abs=1e-9)


def product_of_normals() -> dict[str, tuple[float, float]]:
    return {"rod.mass": (2.0, 0.4), "gravity.z": (-G, 0.5 * G)}


def test_shares_of_a_product() -> None:
    """Of m g: first order (mu_g s_m)^2 and (mu_m s_g)^2, and both have (s_m s_g)^2 in common."""
    (m, dm), (g, dg) = product_of_normals().values()
    parts = np.array([(g * dm) ** 2, (m * dg) ** 2, (dm * dg) ** 2])
    normal = {name: at.Normal(*both) for name, both in product_of_normals().items()}
    found = at.sobol("pendulum", normal, of=ENERGY[0], count=1024, seed=2, duration=0.02)
    assert found.variance == pytest.approx(parts.sum() * HALF**2, rel=0.05)
    for name, own in zip(normal, parts, strict=False):
        assert found.first_order[name] == pytest.approx(own / parts.sum(), abs=0.03)
        total = (own + parts[2]) / parts.sum()
        assert found.total[name] == pytest.approx(total, abs=0.03)


@pytest.mark.parametrize(
    ("sampling", "fastest", "slowest"),
    [
        (Sampling.RANDOM, -0.7, -0.3),  # as n^-1/2
        (Sampling.LATIN_HYPERCUBE, -1.7, -1.3),  # of a sum as n^-3/2 (Stein 1987)
        (Sampling.SOBOL, -math.inf, -0.95),  # at least as n^-1, give or take logarithms
    ],
)
def test_means_converge_at_the_rate_of_their_plan(
    sampling: Sampling, fastest: float, slowest: float
) -> None:
    uniform = {name: (at.Uniform(-1.0, 1.0), "1") for name in "abc"}

    def error(count: int) -> float:
        tables = (drawn(uniform, count, sampling, seed) for seed in range(40))
        return float(np.sqrt(np.mean([np.mean(sum(t.values())) ** 2 for t in tables])))

    assert fastest < math.log(error(1024) / error(16)) / math.log(64) < slowest


@lanes
def test_lanes_and_single_runs_find_the_same() -> None:
    spread = {
        "*_tyre.law.cornering_stiffness": "normal(110, 4 kN/rad)",
        "body.mass": "normal(1500, 50)",
    }
    given = {"members": 3, "seed": 4, "of": ["chassis.rate.final", "chassis.vx.mean"]}
    many = at.monte_carlo("bicycle-car", spread, "step-steer", **given)
    single = at.monte_carlo("bicycle-car", spread, "step-steer", lanes=False, workers=1, **given)
    assert many.way == "side by side in lanes"
    assert single.way == "one by one: single runs were asked for"
    for name in many.columns:
        np.testing.assert_allclose(many[name], single[name], rtol=1e-8)
    values = many["*_tyre.law.cornering_stiffness"]
    alone = at.read_model("bicycle-car").drive(
        "step-steer",
        parameters={f"{axle}_tyre.law.cornering_stiffness": values[1] for axle in ("front", "rear")}
        | {"body.mass": many["body.mass"][1]},
    )
    assert many["chassis.rate.final"][1] == pytest.approx(alone["chassis.rate"][-1], rel=1e-8)


@lanes
def test_what_was_interrupted_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane_trials, "CARS_REDUCED", 8)
    masses, settings = {"rod.mass": "normal(2, 0.1 kg)"}, {"members": 20, "seed": 3, **SHORT}
    whole = at.monte_carlo("pendulum", masses, **settings)
    try_block, blocks = evaluation.try_block, []

    def interrupted(*given: Any) -> Any:
        if len(blocks) == 2:
            raise KeyboardInterrupt
        blocks.append(given)
        return try_block(*given)

    monkeypatch.setattr(evaluation, "try_block", interrupted)
    part = at.monte_carlo("pendulum", masses, folder=tmp_path, **settings)
    assert not part.complete
    assert np.isnan(part[ENERGY[0]]).tolist() == 16 * [False] + 4 * [True]
    monkeypatch.setattr(evaluation, "try_block", try_block)
    again = at.monte_carlo("pendulum", masses, folder=tmp_path, **settings)
    assert (again.complete, again.reused) == (True, 16)
    assert again[ENERGY[0]].tolist() == whole[ENERGY[0]].tolist()
    other = at.monte_carlo("pendulum", masses, folder=tmp_path, **settings | {"duration": 0.04})
    assert other.reused == 0
    anew = at.monte_carlo("pendulum", masses, folder=tmp_path, restart=True, **settings)
    assert anew.reused == 0


def test_single_cars_fail_by_themselves_and_are_kept(tmp_path: Path) -> None:
    """A place in the file goes car by car; what fails is tried again."""
    angles = {"start.pin.angle": "uniform(10, 20 deg)", "rod.mass": "uniform(-1, 1)"}
    settings = {"members": 4, "seed": 1, "workers": 1, "folder": tmp_path, **SHORT}
    found = at.monte_carlo("pendulum", angles, **settings)
    assert found.way.startswith("one by one: start.pin.angle is a place in the file")
    assert list(found.failures) == np.flatnonzero(found["rod.mass"] <= 0.0).tolist()
    assert "expected a value greater than 0" in next(iter(found.failures.values()))
    assert np.isnan(found[ENERGY[0]][list(found.failures)]).all()
    right = found.finished
    low = -found["rod.mass"] * G * 0.5 * np.cos(found["start.pin.angle"])
    assert found["start.pin.angle"].max() < 0.36  # rad
    np.testing.assert_allclose(found[ENERGY[0]][right], low[right], rtol=1e-6)
    assert "cars failed" in found.remarks[0]
    assert at.monte_carlo("pendulum", angles, **settings).reused == int(right.sum())
    with pytest.raises(AxletreeError, match="results of another"):
        at.monte_carlo("pendulum", angles, **settings | {"duration": 0.06})


@pytest.mark.slow
def test_a_procedure_reads_each_car_anew() -> None:
    """Stopping distances at equal grip: loads of brakes and drag alone tell masses apart."""
    masses = {"vehicle.body.mass": "uniform(1300, 1700 kg)"}
    light = {"vehicle": {"fidelity": "single-track"}}
    found = at.monte_carlo("sedan", masses, "iso-21994", members=2, changes=light, workers=1)
    k = 1
    own = {"vehicle": {"fidelity": "single-track", "body": {"mass": found["vehicle.body.mass"][k]}}}
    alone = at.read_model("sedan", own).procedure("iso-21994")
    assert found["stopping_distance"][k] == alone["stopping_distance"]
    assert found.way == "one by one: each run of the procedure iso-21994 follows from those before"


@pytest.mark.slow
@lanes
def test_findings_of_a_manoeuvre_by_lanes() -> None:
    light = {"vehicle": {"fidelity": "single-track"}}
    inertias = {"body.inertia.zz": "uniform(2200, 2600)"}
    trials = {"step": "iso-7401-step", "brake": "braking"}
    of = ["step:yaw_rate_overshoot", "step:vehicle.yaw_rate.final", "brake:stopping_distance"]
    given = {"members": 4, "seed": 1, "changes": light, "method": "rk4", "step": "1 ms", "of": of}
    many = at.monte_carlo("sedan", inertias, trials, **given)
    single = at.monte_carlo("sedan", inertias, trials, lanes=False, workers=1, **given)
    assert "at the angle of the steering wheel that the model needs" in many.way
    for name in of:
        np.testing.assert_allclose(many[name], single[name], rtol=2e-3)
    np.testing.assert_allclose(many[of[2]], single[of[2]], rtol=1e-6)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"parameters": {}}, "nothing varies"),
        ({"parameters": {"rod.mas": "normal(1,2)"}}, "did you mean 'rod.mass'"),
        ({"parameters": {"rod.mass": "normal(1)"}}, "expected 2 numbers: normal"),
        ({"parameters": {"rod.mass": "cauchy(1,2)"}}, "expected a distribution: normal"),
        ({"parameters": {"rod.mass": 3.0}}, "expected a distribution"),
        ({"parameters": {"rod.mass": "normal(1,2 m)"}}, "is a length"),
        ({"parameters": {"rod.mass": "uniform(2,1)"}}, "lower bound is above"),
        ({"parameters": {"x*": "uniform(1,2)"}}, "fits 'x\\*'"),
        ({"parameters": {"*": "uniform(1,2)"}}, "several units"),
        ({"parameters": {"rod.mass": "uniform(1,2)", "rod.m*": "uniform(1,2)"}}, "varied twice"),
        ({"members": 0}, "members is 0"),
        ({"sampling": "grid"}, "latin-hypercube"),
        ({"seed": -1}, "seed is -1"),
        ({"manoeuvre": "step"}, "unknown manoeuvre or procedure 'step'"),
        ({"manoeuvre": {}}, "no manoeuvre and no procedure"),
        ({"of": ["energy.totl.final"]}, "energy.totl"),
        ({"of": ["a:energy.total.final"]}, "of none of the trials"),
        ({"of": ["energy.total"]}, "write it such as 'energy.total.final'"),
        ({"number": "half"}, "number is 'half'"),
        ({"number": "float", "lanes": False}, "do not go by lanes: single runs"),
        ({"parameters": {"start.pin.angle": "uniform(1,2)"}, "lanes": True}, "a place in the file"),
        ({"workers": 0}, "0 workers"),
        ({"workers": 2, "client": "tcp://127.0.0.1:1"}, "leave out either"),
    ],
)
def test_mistakes_are_told(given: dict[str, Any], says: str) -> None:
    usual = {"model": "pendulum", "parameters": {"rod.mass": "uniform(1,2)"}, "members": 2, **SHORT}
    with pytest.raises(AxletreeError, match=says):
        at.monte_carlo(**usual | given)


def test_models_built_in_python_are_kept_in_no_folder(tmp_path: Path) -> None:
    pendulum = at.read_model("pendulum")
    masses = {"rod.mass": "uniform(1,2)"}
    assert len(at.monte_carlo(pendulum, masses, members=2, **SHORT)) == 2
    with pytest.raises(AxletreeError, match="kept in no folder"):
        at.monte_carlo(pendulum, masses, members=2, folder=tmp_path, **SHORT)


def test_distributions_take_the_unit_at_the_end() -> None:
    assert read_distribution("m", " Normal( 1.5 , 0.05 t) ") == at.Normal("1.5 t", "0.05 t")
    assert read_distribution("m", "triangular(1 kg, 2, 3 t)") == at.Triangular("1 kg", "2 t", "3 t")
    assert read_distribution("m", "uniform(-1e-3,+2.)") == at.Uniform("-1e-3", "+2.")


def test_tables_for_other_tools(tmp_path: Path) -> None:
    found = at.monte_carlo("pendulum", {"rod.mass": "uniform(1,2)"}, members=3, **SHORT)
    records = found.to_numpy()
    assert records.dtype.names == ("rod.mass", ENERGY[0])
    assert records["rod.mass"].tolist() == found["rod.mass"].tolist()
    frame = found.to_pandas()
    assert frame.attrs["units"][ENERGY[0]] == "J"
    assert found.to_xarray()[ENERGY[0]].attrs["units"] == "J"
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(found.to_parquet(tmp_path / "cars.parquet"))
    assert table.column(ENERGY[0]).to_pylist() == found[ENERGY[0]].tolist()
