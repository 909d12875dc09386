"""Test benches against what the parts of the tyres on them are known to do."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from agreement import Agrees

import axletree as at
from axletree import catalogue
from axletree.analysis.studies.tyre_bench import SetupRuns, run_bench
from axletree.core.errors import ModelError
from axletree.core.registry import load
from axletree.runs.bench_contract import Bench, Subject
from axletree.simulation.trajectory import Trajectory

NAMES = list(catalogue.BENCHES)
WEIGHT = 15.0 * 9.80665  # N, of the rig


def bench(name: str) -> Bench:
    found: Bench = load("bench", name, catalogue.BENCHES)
    return found


def subject(name: str, **fields: Any) -> Subject:
    return Subject(name, at.ready_tyre(name, **fields))


@cache
def measured(bench_name: str, tyre: str) -> list[SetupRuns]:
    return run_bench(bench(bench_name), subject(tyre))


def only_run(bench_name: str, tyre: str) -> Trajectory:
    (found,) = measured(bench_name, tyre)
    (run,) = found.runs.values()
    assert run.complete
    return run


def test_there_are_those_of_the_thesis_and_a_flat_track() -> None:
    assert len(NAMES) == 2 + 8 + 3 + 1


@pytest.mark.parametrize("name", NAMES)
def test_every_bench_makes_models_that_can_be_written(name: str, tmp_path: Any) -> None:
    for k, setup in enumerate(bench(name).setups(subject("belted-advanced"))):
        assert setup.model.plots
        at.write_model(setup.model, tmp_path / f"{k}.yaml")
        again = at.read_model(tmp_path / f"{k}.yaml")
        assert [c.name for c in again] == [c.name for c in setup.model]
        assert again.run == setup.model.run


@pytest.mark.parametrize("name", NAMES)
def test_an_ideal_tyre_is_refused_or_rolls(name: str) -> None:
    if name not in ("rolling-resistance", "bore-torque"):
        with pytest.raises(ModelError, match="this one|flat surface"):
            bench(name).setups(subject("slim-ideal"))
        return
    run = only_run(name, "slim-ideal")
    assert run["tyre.Fz"] == pytest.approx(np.full(len(run), 3000.0 + WEIGHT), rel=1e-9)


@pytest.mark.validation("tyres")
def test_dry_friction_along_has_the_peak_and_the_end_of_its_curve(agrees: Agrees) -> None:
    """Andres 2009, figure 3.13: 147.15 N and 88.29 N for 15 kg; here for 3 kN more."""
    run = only_run("slip-longitudinal", "belted-slipping")
    load = 3000.0 + WEIGHT
    assert run["tyre.Fz"] == pytest.approx(np.full(len(run), load), rel=1e-6)  # no bounce
    agrees(
        "tyre belted-slipping on the bench, slip along: greatest force", run["tyre.Fx"].max(), load,
        rel=1e-3, unit="N", source="Andres 2009, figure 3.13, at 3 kN more load",
    )  # fmt: skip
    assert run["tyre.Fx"].min() == pytest.approx(-load, rel=1e-3)
    assert run["tyre.Fx"][0] == pytest.approx(-0.6 * load, rel=1e-6)
    agrees(
        "tyre belted-slipping on the bench, slip along: sliding force", run["tyre.Fx"][-1],
        0.6 * load, rel=1e-6, unit="N", source="Andres 2009, figure 3.13, at 3 kN more load",
    )  # fmt: skip
    assert run["tyre.slip"][0] == pytest.approx(-1.0)


def test_friction_across_is_odd_and_against_the_slip() -> None:
    run = only_run("slip-lateral", "belted-advanced")
    half = len(run) // 2
    there, back = run["tyre.Fy"][1:half], run["tyre.Fy"][half + 1 : -1]
    assert there == pytest.approx(-back, abs=2.0)
    assert (there < 0.0).all()
    assert (run["tyre.slip_angle"][1:half] > 0.0).all()


@pytest.mark.validation("tyres")
def test_rolling_resistance_is_against_the_rolling(agrees: Agrees) -> None:
    run = only_run("rolling-resistance", "belted-slipping")
    fast = np.abs(run["tyre.VCx"]) > 1.0
    moment = 0.01 * 0.2469 * (3000.0 + WEIGHT)
    agrees(
        "tyre belted-slipping on the bench: moment of rolling resistance",
        -run["tyre.My"][fast] * np.sign(run["tyre.VCx"][fast]), moment, rel=1e-6, unit="N m",
        source="Closed form, 0.01 times radius and load",
    )  # fmt: skip


@pytest.mark.validation("tyres")
def test_the_load_counts_less_and_less(agrees: Agrees) -> None:
    """Andres 2009, eq. (3.50): the factor is 1 at 3 kN, 0.75 at 6 kN, and 7.5 kN has the most."""
    run = only_run("load-influence", "belted-advanced")
    load, force = run["tyre.Fz"], run["tyre.Fy"]
    at_load = {kilo: np.interp(1e3 * kilo, load, force) for kilo in (3, 6, 8, 10)}
    agrees(
        "tyre belted-advanced on the bench: side force at 6 kN over that at 3 kN",
        at_load[6] / at_load[3], 2.0 * 0.75, rel=0.02, source="Andres 2009, eq. (3.50)",
    )  # fmt: skip
    assert at_load[10] == pytest.approx(at_load[8], rel=0.02)


def test_a_leaning_wheel_is_pushed_to_the_side_of_the_lean() -> None:
    run = only_run("camber-force", "belted-advanced")
    leaning = np.degrees(run["tyre.inclination"])
    assert leaning == pytest.approx(np.arange(-60.0, 61.0, 5.0), abs=1e-9)
    assert (run["tyre.Fy"] * leaning <= 1e-9).all()
    assert run["tyre.Fy"] == pytest.approx(-run["tyre.Fy"][::-1], abs=1e-6)


@pytest.mark.slow
def test_the_flat_track_has_its_loads_and_cambers() -> None:
    side, drive, camber = measured("flat-track", "belted-advanced")
    assert side.setup.carpet is not None
    levels = side.setup.carpet.levels
    for found in (side, drive):
        assert list(found.runs) == list(levels)
        for name, run in found.runs.items():
            assert run["tyre.Fz"].mean() == pytest.approx(levels[name], rel=1e-3)
    assert np.degrees(side.runs["3 kN"]["tyre.slip_angle"][[0, -1]]) == pytest.approx((15, -15))
    assert [np.degrees(run["tyre.inclination"][-1]) for run in camber.runs.values()] == (
        pytest.approx([-6.0, -3.0, 0.0, 3.0, 6.0], abs=1e-9)
    )


def test_a_law_that_knows_pressure_is_swept_over_it() -> None:
    law = at.read_tyre_law("magic-formula-6.1")
    force = {"type": "linear", "stiffness": 2e5, "damping": 500.0}
    tyre = Subject("mf", {"unloaded_radius": 0.32, "normal_force": force, "law": law})
    setups = bench("flat-track").setups(tyre)
    assert [len(setup.runs) for setup in setups] == [4, 4, 5, 3]
    pressures = [run["tyre.inflation_pressure"] for run in setups[-1].runs.values()]
    assert pressures[1] == pytest.approx(pressures[0] / 0.8)


def test_a_wheel_stays_in_the_valley_that_it_is_dropped_in() -> None:
    run = only_run("dropping", "circular-advanced")
    assert run["hub.z"][0] == 2.0
    assert run["hub.z"][run.time > 2.0].max() < 0.75  # the rims of the valley are at 0.5 m
    assert np.abs(run["hub.y"]).max() < 1e-9
    assert np.abs(run["hub.x"]).max() < 3.0


@pytest.mark.validation("tyres")
def test_the_blow_of_a_landing_is_recorded(agrees: Agrees) -> None:
    """As large as that of a mass on a spring, v sqrt(k m), along the normal of the slope."""
    run = only_run("dropping", "circular-advanced")
    touch = int(np.argmax(run["tyre.Fz"] > 0.0))
    fall = run["hub.z"][0] - run["hub.z"][touch]
    slope = 0.5 * 1.5 / 2.0  # in the middle of a cubic between level vertices, 2 m apart
    speed = np.sqrt(2.0 * 9.80665 * fall) / np.hypot(1.0, slope)
    agrees(
        "tyre circular-advanced dropped into a valley: force of the landing", run["tyre.Fz"].max(),
        speed * np.sqrt(1e6 * 15.0), rel=0.15, unit="N",
        source="Closed form, mass on a spring without damping",
    )  # fmt: skip
