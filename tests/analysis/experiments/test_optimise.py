"""Optima that are known: quadratics, limits that hold, the front of ZDT1, a damped mass."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from analysis.experiments.quarter_car import DAMPING, MASS, START, STIFFNESS, write_quarter_car

import axletree as at
from axletree.analysis.experiments import evaluation, searches
from axletree.analysis.experiments.evaluation import CarTable
from axletree.analysis.experiments.goals import limit_of, read_goal, read_limit
from axletree.analysis.experiments.optimise import pareto_front
from axletree.analysis.experiments.searches import SEARCHES, SearchTask
from axletree.code.backends.c import find_compiler
from axletree.core.errors import AxletreeError

Function = Callable[[np.ndarray], dict[str, np.ndarray]]
lanes = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")


@dataclass(frozen=True)
class _Quantity:
    name: str


@dataclass(frozen=True)
class StandIn:
    """Functions of x0, x1, ... in place of runs."""

    function: Function
    width: int

    def cars(self, values: Sequence[np.ndarray]) -> CarTable:
        columns = self.function(np.array(values))
        return CarTable(
            columns=columns, units={}, model="", trials="", findings=(), failures={}, way="",
            quantities=[_Quantity(f"x{k}") for k in range(self.width)],
        )  # fmt: skip


def searched(
    search: str, function: Function, width: int, goals: Sequence[str], limits: Sequence[str] = (),
    **settings: Any,
) -> tuple[SearchTask, np.ndarray, np.ndarray]:  # fmt: skip
    """The task, values and goals of all cars that keep the limits."""
    try:
        read = tuple(limit_of(*read_limit(one)) for one in limits)
        given = {"most": None, "population": None, "seed": 3, **settings}
        task = SearchTask(
            runner=StandIn(function, width),  # type: ignore[arg-type]
            goals=tuple(map(read_goal, goals)), limits=read, scales=None,
            nominal=dict.fromkeys(goals, 1.0), lower=np.full(width, -1.0),
            upper=np.full(width, 3.0), start=np.zeros(width), **given,
        )  # fmt: skip
        SEARCHES[search](task)
    except AxletreeError as error:
        if "axletree[optimise]" in str(error):
            pytest.skip(str(error))
        raise
    values = np.concatenate([one.values for one in task.tried])
    found = np.concatenate([one.goals for one in task.tried])
    beyond = np.concatenate([one.excess for one in task.tried])
    kept = (beyond <= 1e-6).all(axis=1)
    return task, values[kept], found[kept]


def valley(x: np.ndarray) -> dict[str, np.ndarray]:
    """A quadratic whose axes are turned, 30 times as steep along one as along the other."""
    along, aside = x[0] + x[1] - 3.0, x[0] - x[1] + 1.0
    return {"f": along**2 + 30.0 * aside**2, "x": x[0]}


@pytest.fixture
def _differences(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand-ins have no runs whose adjoint could be taken."""
    monkeypatch.setattr(searches, "exact_slopes", lambda *_: (None, "differences"))


@pytest.mark.usefixtures("_differences")
@pytest.mark.parametrize("search", ["cma-es", "gradient"])
def test_the_floor_of_a_valley(search: str) -> None:
    _, values, found = searched(search, valley, 2, ["f"])
    best = int(found[:, 0].argmin())
    np.testing.assert_allclose(values[best], [1.0, 2.0], atol=2e-3)


@pytest.mark.usefixtures("_differences")
@pytest.mark.parametrize("search", ["cma-es", "gradient"])
def test_the_best_within_a_limit(search: str) -> None:
    """With x at most 1/2, by a multiplier of Lagrange: the derivative along y is 0."""
    _, values, found = searched(search, valley, 2, ["f"], ["x <= 0.5"])
    best = int(found[:, 0].argmin())
    y = (3.0 - 0.5 + 30.0 * (0.5 + 1.0)) / 31.0
    np.testing.assert_allclose(values[best], [0.5, y], atol=0.02)


def zdt1(x: np.ndarray) -> dict[str, np.ndarray]:
    """Zitzler, Deb and Thiele (2000), eq. 7; its front is f2 = 1 - sqrt(f1), where g is 1."""
    share = (x + 1.0) / 4.0
    g = 1.0 + 9.0 * share[1:].mean(axis=0)
    return {"f1": share[0], "f2": g * (1.0 - np.sqrt(share[0] / g))}


def test_the_front_of_zdt1() -> None:
    _, _, found = searched("nsga-2", zdt1, 5, ["f1", "f2"], population=40, most=4000)
    front = found[pareto_front(found, np.arange(len(found)))]
    assert np.abs(front[:, 1] - (1.0 - np.sqrt(front[:, 0]))).mean() < 0.01
    assert np.diff(np.sort(front[:, 0])).max() < 0.1  # all of it, from 0 to 1
    assert front[:, 0].min() < 0.02
    assert front[:, 0].max() > 0.98


def test_a_front_is_what_nothing_is_better_than() -> None:
    goals = np.random.default_rng(1).integers(0, 12, (300, 3)).astype(float)
    rows = np.arange(5, 300)
    found = pareto_front(goals, rows)
    beaten = [
        ((goals[rows] <= goals[k]).all(axis=1) & (goals[rows] < goals[k]).any(axis=1)).any()
        for k in rows
    ]
    assert {*map(tuple, goals[found])} == {*map(tuple, goals[rows[~np.array(beaten)]])}
    assert len({*map(tuple, goals[found])}) == len(found)
    assert pareto_front(goals, rows[:0]).tolist() == []


@lanes
@pytest.mark.parametrize("search", ["cma-es", "gradient"])
def test_the_damper_that_brings_a_mass_to_rest(search: str, tmp_path: Path) -> None:
    """Released from x0, the integral of x^2 is x0^2 (1 + 4 zeta^2)/(4 zeta omega): least at 1/2.

    (The first integral criterion of every text on control, as Ogata 2010, section 8.)
    """
    pytest.importorskip("cma")
    car = write_quarter_car(tmp_path)
    bounds = {"strut.damping": "1:6 kN*s/m", "strut.stiffness": "15:20 kN/m"}
    found = at.optimise(
        car, bounds, of="way.position.rms", search=search, duration=3.0, cars=480, seed=1
    )
    # The stiffer the better: at the upper bound, and there with half of the critical damping.
    stiffness, damping = found.best["strut.stiffness"], found.best["strut.damping"]
    assert stiffness == pytest.approx(20e3, rel=2e-3)
    assert damping == pytest.approx(math.sqrt(stiffness * MASS), rel=0.02)
    zeta, omega = 0.5, math.sqrt(20e3 / MASS)
    square = START**2 * (1.0 + 4.0 * zeta**2) / (4.0 * zeta * omega) / 3.0
    assert found.best_goals["way.position.rms"] == pytest.approx(math.sqrt(square), rel=2e-3)


@lanes
def test_exact_slopes_are_those_of_a_closed_form(tmp_path: Path) -> None:
    """x(T) of a damped oscillation, differentiated by complex steps (Squire and Trapp 1998)."""
    from axletree.analysis.experiments.exact_slopes import exact_slopes
    from axletree.analysis.experiments.trials import make_trials
    from axletree.analysis.studies.sweep_plan import RunSettings
    from axletree.analysis.studies.workers import LocalProcesses

    of = ["way.position.final", "way.speed.final"]
    units = {"strut.damping": "", "strut.stiffness": ""}
    plan = make_trials(write_quarter_car(tmp_path), None, units, of, RunSettings(), {})
    runner = evaluation.evaluator(plan, of, LocalProcesses(1), None, None, False)
    goal = read_goal("way.position.final**2 + 0.1*way.speed.final")
    limit = limit_of(read_goal("way.speed.final", -1.0), "-2")
    slopes, said = exact_slopes(runner, (goal,), (limit,))
    assert slopes is not None
    assert said.startswith("exact slopes")

    def end(c: complex, k: complex, t: float = 0.5) -> tuple[complex, complex]:
        decay = c / (2.0 * MASS)
        omega = np.sqrt(k / MASS - decay**2)
        swing = np.exp(-decay * t) * np.sin(omega * t) / omega
        still = np.exp(-decay * t) * np.cos(omega * t)
        return START * (still + decay * swing), -START * k / MASS * swing

    def goals(c: complex, k: complex) -> np.ndarray:
        x, v = end(c, k)
        return np.array([x**2 + 0.1 * v, -v / 2.0])

    h = 1e-20
    by_c = goals(DAMPING + h * 1j, STIFFNESS).imag / h
    by_k = goals(DAMPING, STIFFNESS + h * 1j).imag / h
    rows, limits = slopes(np.array([DAMPING, STIFFNESS]))
    np.testing.assert_allclose(rows[0], [by_c[0], by_k[0]], rtol=1e-8)
    np.testing.assert_allclose(limits[0], [by_c[1], by_k[1]], rtol=1e-8)
    for trials, names, why in (
        ({"": None}, ["way.position.rms"], "final values"),
        ({"a": None, "b": None}, ["a:way.position.final"], "own run"),
    ):
        plan = make_trials(write_quarter_car(tmp_path), trials, units, names, RunSettings(), {})
        runner = evaluation.evaluator(plan, names, LocalProcesses(1), None, None, False)
        none, said = exact_slopes(runner, tuple(map(read_goal, names)), ())
        assert none is None
        assert why in said


@lanes
def test_a_search_that_was_interrupted_ends_as_if_it_were_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("cma")
    car = write_quarter_car(tmp_path)
    bounds = {"strut.damping": "1:6 kN*s/m", "strut.stiffness": "15:20 kN/m"}
    settings: dict[str, Any] = {"of": "way.position.rms", "cars": 64, "duration": 0.2, "seed": 5}
    whole = at.optimise(car, bounds, **settings)
    try_block, blocks = evaluation.try_block, []

    def interrupted(*given: Any) -> Any:
        if len(blocks) == 2:
            raise KeyboardInterrupt
        blocks.append(given)
        return try_block(*given)

    monkeypatch.setattr(evaluation, "try_block", interrupted)
    part = at.optimise(car, bounds, folder=tmp_path / "out", **settings)
    assert (part.complete, part.ending, len(part)) == (False, "interrupted", 32)
    monkeypatch.setattr(evaluation, "try_block", try_block)
    again = at.optimise(car, bounds, folder=tmp_path / "out", **settings)
    assert (again.complete, again.reused, len(again)) == (True, 32, 64)
    for name in whole.columns:
        assert again[name].tolist() == whole[name].tolist()


@lanes
def test_weights_fronts_and_limits_that_nothing_keeps(tmp_path: Path) -> None:
    pytest.importorskip("pymoo")
    car, swing = write_quarter_car(tmp_path), {"duration": 0.2, "cars": 64}
    bounds = {"strut.damping": "1:6 kN*s/m", "strut.stiffness": "15:20 kN/m"}
    goals = ["way.position.rms", "way.speed.rms"]
    front = at.optimise(car, bounds, of=goals, population=16, **swing)
    assert front.search == "nsga-2"
    assert len(front.front) > 1
    assert front.best_car in front.front
    weighted = at.optimise(car, bounds, of=dict.fromkeys(goals, 1.0), **swing)
    assert weighted.search == "cma-es"
    sums = sum(weighted[name] / weighted.nominal[name] for name in goals)
    assert weighted.best_car == int(np.argmin(sums))
    none = at.optimise(car, bounds, of=goals[0], limits=["way.speed.rms <= 1 mm/s"], **swing)
    assert len(none.front) == 0
    assert "model as it is" in repr(none)
    with pytest.raises(AxletreeError, match=r"keeps all limits: way\.speed\.rms <= 1 mm/s"):
        _ = none.best


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"parameters": {"rod.mass": "1"}}, "no bounds LOWER:UPPER"),
        ({"parameters": {"rod.mass": "2:1"}}, "a lower and an upper"),
        ({"parameters": {"rod.mass": [1.0]}}, "has 1 bounds"),
        ({"parameters": {"rod.mass": "1:2 m"}}, "is a length"),
        ({"parameters": {}}, "nothing varies"),
        ({"of": []}, "nothing is made small"),
        ({"of": "3 + 4"}, "names no finding"),
        ({"of": "energy.total.final +"}, "no expression of findings"),
        ({"of": "energy.totl.final"}, "energy.totl"),
        ({"of": {"energy.total.final": -1.0}}, "numbers above 0"),
        ({"of": "sqrt(energy.total.final)"}, "no number for pendulum"),
        ({"of": ["pin.angle.final", "pin.rate.final"], "search": "gradient"}, "give them weights"),
        ({"search": "simplex"}, "unknown search 'simplex'"),
        ({"search": "cma-es"}, "two quantities or more"),
        ({"limits": ["energy.total.final < 3"]}, "no constraint; expected FINDING <= VALUE"),
        ({"limits": ["energy.total.final <= 3 m"]}, "is a length"),
        ({"cars": 0}, "cars is 0"),
        ({"population": 1}, "population is 1"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_mistakes_are_told(given: dict[str, Any], says: str) -> None:
    if given.get("search") == "cma-es":
        pytest.importorskip("cma")
    usual = {"model": "pendulum", "parameters": {"rod.mass": "1:2 kg"}, "duration": 0.05,
             "of": "energy.total.final", "search": "gradient"}  # fmt: skip
    with pytest.raises(AxletreeError, match=says):
        at.optimise(**usual | given)


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_the_front_is_that_of_a_comparison_of_all_pairs(width: int) -> None:
    """Of rounded numbers, so that goals and whole cars are equal now and then."""
    goals = np.random.default_rng(width).integers(0, 12, (300, width)).astype(float)
    rows = np.arange(20, 300)
    worse = [
        any((goals[j] <= goals[k]).all() and (goals[j] < goals[k]).any() for j in rows)
        for k in rows
    ]
    assert pareto_front(goals, rows).tolist() == rows[~np.array(worse)].tolist()
