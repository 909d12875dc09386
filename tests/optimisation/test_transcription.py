"""The problem in numbers: derivatives, ends, ranges of rates, what is said of bad questions."""

from __future__ import annotations

import numpy as np
import pytest

import axletree as at
from axletree.core.errors import AxletreeError, FormulationError, ModelError
from axletree.expr import cos, sin, symbol
from axletree.optimisation.dynamics import dynamics
from axletree.optimisation.ipopt import _Numbers
from axletree.optimisation.optimise import OptimalControlError
from axletree.optimisation.reduction import with_chained_inputs, without_cyclic_states
from axletree.optimisation.rules import MULTIPLE_SHOOTING, RADAU_2, TRAPEZOIDAL
from axletree.optimisation.transcription import Maker, TranscriptionRule, equations_of

pytest.importorskip("casadi")


def cart() -> at.OptimalControlProblem:
    """A point that is pushed, with one of everything that a problem may have."""
    v, a, m, wind = symbol("v"), symbol("a"), symbol("m"), symbol("wind")
    system = dynamics(
        "cart",
        {"x [m]": v, "v [m/s]": a / m - 0.1 * v * v + wind * sin(symbol("x"))},
        ["a [N]", "wind [m/s^2]"],
        {"m [kg]": 1.3, "d": 0.4},
        {"effort": a * a * symbol("d") + cos(v), "power [W]": a * v, "height": v * m},
    )
    return at.OptimalControlProblem(
        system=system,
        states={"x": at.Range(-1, 4, initial=0), "v": at.Range(-2, 5, periodic=True)},
        controls={"a": at.Range(-8, 8, rate=30.0, rate_weight=0.02)},
        parameters={"m": at.Range(0.5, 2)},
        given={"wind": lambda s: 0.3 * np.sin(s)},
        path={"power": at.Range(-20, 15)},
        end={"height": at.Range(0.2, 3)},
        length=2.0,
        integral={"effort": 1.0},
        final={"height": 0.3},
    )


@pytest.mark.parametrize("rule", [TRAPEZOIDAL, RADAU_2, MULTIPLE_SHOOTING], ids=lambda r: r.name)
def test_derivatives_agree_with_differences(rule: TranscriptionRule) -> None:
    problem = cart()
    maker = Maker(problem, rule, equations_of(problem, rule), np.array([0.0, 0.3, 1.1, 2.0]))
    random = np.random.default_rng(4)
    made = maker.made(random.uniform(0.5, 1.0, maker.count))
    numbers, w = _Numbers(made), random.uniform(0.2, 0.8, maker.count)
    lam, step = random.standard_normal(len(made.rows)), 1e-6

    def slopes(function: object, at_w: np.ndarray) -> np.ndarray:
        pairs = ((at_w + step * e, at_w - step * e) for e in np.eye(len(at_w)))
        return np.array([(function(a) - function(b)) / (2 * step) for a, b in pairs]).T  # type: ignore[operator]

    def dense(entries: object, values: np.ndarray, height: int) -> np.ndarray:
        found = np.zeros((height, len(w)))
        found[entries.rows, entries.columns] = values  # type: ignore[attr-defined]
        return found

    assert numbers.gradient(w) == pytest.approx(slopes(numbers.cost, w), abs=1e-7)
    jacobian = dense(made.jacobian_map, numbers.jacobian(w), len(made.rows))
    assert jacobian == pytest.approx(slopes(numbers.constraints, w), abs=1e-7)

    def gradient_of_sum(at_w: np.ndarray) -> np.ndarray:
        matrix = dense(made.jacobian_map, numbers.jacobian(at_w), len(made.rows))
        return 0.7 * numbers.gradient(at_w) + matrix.T @ lam

    upper = dense(made.hessian_map, numbers.hessian(w, 0.7, lam), len(w))
    whole = upper + np.triu(upper, 1).T
    assert whole == pytest.approx(slopes(gradient_of_sum, w), abs=2e-6)


@pytest.mark.parametrize("rule", ["hermite-simpson", "radau-3", "multiple-shooting"])
def test_rules_come_to_the_same(rule: str) -> None:
    """One problem by methods that have nothing in common but the question."""
    expected = at.optimal_control(cart(), rule="radau-2", mesh=120).cost
    assert at.optimal_control(cart(), rule=rule, mesh=40).cost == pytest.approx(expected, rel=2e-4)


def test_ranges_hold() -> None:
    found = at.optimal_control(cart(), mesh=20)
    rates = np.diff(found["a"]) / np.diff(found.places)
    assert np.abs(rates).max() <= 30.0 + 1e-6
    assert found["power"].max() <= 15.0 + 1e-6
    assert found["v"][0] == found["v"][-1]
    assert 0.2 - 1e-7 <= found["height"][-1] <= 3.0 + 1e-7


def test_an_optimal_motion_is_run_by_the_integrator() -> None:
    found = at.optimal_control(cart(), rule="radau-3", mesh=20)
    run = found.simulate(0.0, 2.0, 1e-3)
    for name in ("x", "v"):
        assert run[name][-1] == pytest.approx(found[name][-1], abs=1e-5)


def test_sensitivities_agree_with_a_second_solution() -> None:
    problem = cart()
    slope = at.optimal_control(problem, mesh=20).sensitivities(["d"])["d"]
    costs = []
    for value in (0.399, 0.401):
        other = at.OptimalControlProblem(**{**vars(problem), "values": {"d": value}})
        costs.append(at.optimal_control(other, mesh=20).cost)
    assert slope == pytest.approx((costs[1] - costs[0]) / 0.002, rel=1e-5)


def test_a_warm_start_takes_fewer_iterations() -> None:
    cold = at.optimal_control(cart(), mesh=20)
    warm = at.optimal_control(cart(), mesh=20, start=cold)
    assert warm.answer.iterations < 0.5 * cold.answer.iterations
    assert warm.cost == pytest.approx(cold.cost, rel=1e-7)


def test_starts_are_compared_by_cost() -> None:
    """(x^2 - 1)^2 + x / 4 at the end has two minima, of which only one is the lowest."""
    x = symbol("x")
    system = dynamics("hills", {"x": symbol("u")}, ["u"], {}, {"c": (x * x - 1.0) ** 2 + 0.25 * x})
    problem = at.OptimalControlProblem(
        system=system,
        states={"x": at.Range(-2, 2)},
        controls={"u": at.Range(-1, 1, rate_weight=1e-3)},
        length=1.0,
        final={"c": 1.0},
    )
    found = at.optimal_control(problem, mesh=5, start={"x": 1.0}, further_starts=[{"x": -1.0}])
    first, second = (one.cost for one in found.starts)
    assert second < first - 0.4
    assert found.cost == second


def test_a_failure_names_constraints_and_places() -> None:
    rates = {"x [m]": symbol("v"), "v [m/s]": symbol("a")}
    problem = at.OptimalControlProblem(
        system=dynamics("cart", rates, ["a [m/s^2]"]),
        states={"x": at.Range(initial=0, final=1), "v": at.Range(initial=0, final=0)},
        controls={"a": at.Range(-1, 1, rate_weight=1.0)},
        length=1.0,  # 2 s are the least
    )
    with pytest.raises(OptimalControlError, match="equation of x is violated by .* at time") as e:
        at.optimal_control(problem, mesh=5)
    assert "widen the ranges" in str(e.value)
    assert e.value.solution.status == "Infeasible_Problem_Detected"


def test_bad_questions_are_all_named_at_once() -> None:
    system = dynamics("cart", {"x [m]": symbol("a")}, ["a [m/s]"], {"k": 1.0})
    with pytest.raises(ModelError) as error:
        at.OptimalControlProblem(
            system=system,
            states={"y": at.Range(), "x": at.Range(2, 1)},
            controls={"a": at.Range("2 kg", rate=-1.0)},
            given={"a": 0.0},
            length=-1.0,
        )
    text = str(error.value)
    for part in ("'y'", "2 to 1 m", "2 kg", "above 0", "both chosen and given", "nothing is to be"):
        assert part in text
    with pytest.raises(ModelError, match="rate_weight needs a length"):
        at.OptimalControlProblem(
            system=system, controls={"a": at.Range(rate_weight=1.0)}, length=at.Range(1, 2)
        )
    with pytest.raises(FormulationError, match="v is no state, control or parameter"):
        dynamics("cart", {"x": symbol("v")})


@pytest.mark.parametrize(
    ("asked", "said"),
    [({"mesh": [0.0, 1.0, 0.5, 2.0]}, "rise"), ({"mesh": [0.0, 1.0]}, "from 0 to 2"),
     ({"mesh": 0}, "one interval or more"), ({"rule": "simpson"}, "hermite-simpson"),
     ({"start": {"speed": 1.0}}, "'speed'"), ({"start": {"x": "2 kg"}}, "a length")],
)  # fmt: skip
def test_bad_calls_are_refused(asked: dict[str, object], said: str) -> None:
    with pytest.raises(AxletreeError, match=said):
        at.optimal_control(cart(), **asked)  # type: ignore[arg-type]


def test_a_system_that_is_not_finite_is_named() -> None:
    x = symbol("x")
    system = dynamics("root", {"x": symbol("u") - x**0.5}, ["u"], {}, {"c": symbol("u") ** 2})
    problem = at.OptimalControlProblem(
        system=system, states={"x": at.Range(initial=-1.0, final=-2.0)},
        controls={"u": at.Range(-1, 1)}, integral={"c": 1.0},
    )  # fmt: skip
    with pytest.raises(AxletreeError, match="finite"):
        at.optimal_control(problem, mesh=4)


def test_inputs_that_are_rates_of_one_another_are_joined() -> None:
    """The lane change of the page on derivatives, where they are joined by hand."""
    car = without_cyclic_states(at.read_model("bicycle-car").formulate(), ["chassis.y"])
    names = {q.name for q in car.states}
    assert "chassis.y" in names
    assert not names & {"chassis.x", "front_axle.angle", "rear_axle.angle"}
    chained = with_chained_inputs(car)
    assert [q.name for q in chained.states][-2:] == ["steer.angle", "steer.angle_rate"]
    assert [q.name for q in chained.inputs] == ["steer.angle_acceleration", "drive.torque"]
    f = chained.functions("f")
    x, u = f.point({"chassis.vx": 20.0, "steer.angle_rate": 0.3}, {"steer.angle_acceleration": 2.0})
    rates = dict(zip(f.states, f.f(x, u).tolist(), strict=True))
    assert (rates["steer.angle"], rates["steer.angle_rate"]) == (0.3, 2.0)
