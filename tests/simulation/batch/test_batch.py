"""Batches against single runs: the same rates, the same trajectories, the same failures."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanisms.bushed_wishbone_car import bushed_wishbone_car
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.code.backends.c import find_compiler
from axletree.code.printers.lanes.lane_text import LaneNumber
from axletree.components.signals import TIME
from axletree.core.errors import AxletreeError, CompilerError, SimulationError
from axletree.expr import cos
from axletree.simulation.batch.batch import first_problem, members_of
from axletree.simulation.batch.crossings import Crossing, read_crossings
from axletree.simulation.batch.distributions import Sampling
from axletree.simulation.batch.lane_code import ArrayColumns, lane_code
from axletree.simulation.integrators import EXPLICIT_EULER
from axletree.system.system import System

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")

RATES = 1e-12  # of the largest rate of a member
LONG = 1e-9  # of a state's range, over 10 s
MEMBERS = 11  # more than a block of eight, and no whole number of them


def spread(system: System, share: float, count: int, seed: int = 1) -> dict[str, np.ndarray]:
    """ArrayColumns of all parameters that may be changed one by one, about their values."""
    rng = np.random.default_rng(seed)
    return {
        q.name: q.default * (1.0 + share * rng.uniform(-1.0, 1.0, count))
        for q in system.parameters
        if q.default and "inertia" not in q.name and "product" not in q.name
    }


def single(system: System, columns: dict[str, np.ndarray], k: int, **others: Any) -> at.Trajectory:
    parameters = {name: float(column[k]) for name, column in columns.items()}
    return system.simulate(parameters=parameters, watch=False, **others)


@pytest.mark.parametrize("model", ["pendulum", "bicycle-car", "car", "quarter-car"])
@settings(max_examples=3)
@given(seed=st.integers(0, 10**6))
def test_rates_are_those_of_single_runs(model: str, seed: int) -> None:
    """Of random parameters and states, as ``System.rhs`` has them."""
    system = shipped_system(model)
    columns, rng = spread(system, 0.05, MEMBERS, seed), np.random.default_rng(seed)
    members = members_of(system, columns, None, None, None, Sampling.RANDOM, None)
    problem = first_problem(system, members, duration=1.0, step=1.0)
    x = problem.states * (1.0 + 0.05 * rng.uniform(-1.0, 1.0, (MEMBERS, len(problem.states))))
    code = lane_code(system, EXPLICIT_EULER, (), LaneNumber.DOUBLE)
    index = {q.name: k for k, q in enumerate(system.parameters)}
    found = code.rates(
        0.0,
        ArrayColumns.of(problem.states, list(enumerate(x.T))),
        ArrayColumns.of(problem.inputs, []),
        ArrayColumns.of(problem.parameters, [(index[n], c) for n, c in columns.items()]),
        MEMBERS,
    )
    names = [q.name for q in system.states]
    for k in range(MEMBERS):
        own = {name: float(column[k]) for name, column in columns.items()}
        exact = system.rhs(dict(zip(names, x[k].tolist(), strict=True)), parameters=own)
        wanted = np.array(list(exact.values()))
        np.testing.assert_allclose(found[k], wanted, rtol=0, atol=RATES * np.max(np.abs(wanted)))


METHODS = ["explicit-euler", "semi-implicit-euler", "rk4", "row4"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("model", ["pendulum", "bicycle-car", "quarter-car", "four-bar"])
def test_trajectories_are_those_of_single_runs(model: str, method: str) -> None:
    system = shipped_system(model)
    columns = {} if model == "four-bar" else spread(system, 0.02, MEMBERS)
    columns = columns or {"gravity.z": np.linspace(9.0, 10.0, MEMBERS)}
    outputs = [q.quantity.name for q in system.outputs[:2]]
    states = [q.name for q in system.states]
    run: dict[str, Any] = {
        "duration": 0.5, "step": 1e-3, "method": method, "record_interval": 5e-3,
        "outputs": [*states, *outputs],
    }  # fmt: skip
    found = system.batch(parameters=columns, record=[9], **run)
    assert not found.failures
    for k in (0, 9):
        exact = single(system, columns, k, **run)
        for name in (*states, *outputs):
            column = exact[name]
            scale = max(float(np.max(np.abs(column))), 1e-3)
            for kind, value in (
                ("minimum", column.min()), ("maximum", column.max()), ("final", column[-1]),
                ("mean", column.mean()), ("rms", np.sqrt(np.mean(column**2))),
            ):  # fmt: skip
                assert found[f"{name}.{kind}"][k] == pytest.approx(value, abs=LONG * scale)
            if k == 9:
                np.testing.assert_allclose(found.run(9)[name], column, rtol=0, atol=LONG * scale)
    np.testing.assert_array_equal(found.run(9).time, exact.time)


@pytest.mark.slow
@pytest.mark.shipped_flags
@pytest.mark.parametrize("method", ["explicit-euler", "rk4"])
def test_ten_seconds_of_the_car_as_it_is_compiled(method: str) -> None:
    """All parameters distinct, with fused products and the widest lanes of this machine."""
    system = shipped_system("car")
    columns = spread(system, 0.02, MEMBERS)
    run: dict[str, Any] = {
        "duration": 10.0, "step": 1e-3, "method": method, "record_interval": 0.1,
        "inputs": {"steer.angle": "0.02*sin(3*t)"} if "steer.angle" in names(system) else {},
    }  # fmt: skip
    found = system.batch(parameters=columns, record=[3], **run)
    exact = single(system, columns, 3, outputs=(), **run)
    for name in exact.states:
        scale = max(float(np.ptp(exact[name])), 1.0)
        np.testing.assert_allclose(found.run(3)[name], exact[name], rtol=0, atol=LONG * scale)


def names(system: System) -> list[str]:
    return [q.name for q in system.inputs]


def test_equal_laws_share_constants_only_where_all_members_allow_it() -> None:
    system = shipped_system("car")
    own = "front_left_tyre.law.PDY1"
    laws = [q.name for q in system.parameters if q.name.endswith(".law.PDY1")]
    column = np.linspace(0.8, 1.2, 4)
    run: dict[str, Any] = {"duration": 0.05, "step": 1e-3, "method": "explicit-euler"}
    together = system.batch(parameters=dict.fromkeys(laws, column), **run)
    apart = system.batch(parameters={own: column}, **run)
    for found, columns in ((together, dict.fromkeys(laws, column)), (apart, {own: column})):
        exact = single(system, columns, 3, outputs=(), **run)
        for name in exact.states:
            assert found[f"{name}.final"][3] == pytest.approx(exact[name][-1], rel=1e-10, abs=1e-12)


def test_inputs_differ_as_levels_and_as_courses(oscillator: System) -> None:
    times, forces = np.array([0.0, 0.5, 1.0]), np.array([[0.0, 1.0, 0.0], [2.0, -1.0, 3.0]])
    run: dict[str, Any] = {"duration": 1.5, "step": 1e-2, "outputs": ["mass.position"]}
    by_course = oscillator.batch(inputs={"motor.force": (times, forces)}, **run)
    by_level = oscillator.batch(inputs={"motor.force": [0.5, 2.0]}, **run)
    for k in range(2):
        course = oscillator.simulate(inputs={"motor.force": (times, forces[k])}, **run)
        level = oscillator.simulate(inputs={"motor.force": [0.5, 2.0][k]}, **run)
        for found, exact in ((by_course, course), (by_level, level)):
            end = exact["mass.position"][-1]
            assert found["mass.position.final"][k] == pytest.approx(end, abs=1e-13)


def test_signals_of_all_members_are_those_of_single_runs(oscillator: System) -> None:
    """Tables and expressions, with parameters in them."""
    expression = oscillator.parameters[0].symbol * oscillator.time.symbol
    for signal in (([0.0, 1.0], [0.0, 2.0]), "0.3*sin(4*t)", expression):
        run: dict[str, Any] = {"duration": 1.0, "step": 1e-2, "inputs": {"motor.force": signal}}
        found = oscillator.batch(parameters={"spring.frequency": [1.0, 3.0]}, **run)
        exact = oscillator.simulate(parameters={"spring.frequency": 3.0}, **run)
        end = exact["mass.position"][-1]
        assert found["mass.position.final"][1] == pytest.approx(end, abs=1e-13)


def test_a_member_that_fails_is_marked_and_disturbs_no_other() -> None:
    """Stiff members leave the stable range of explicit steps; the others are as if alone."""
    system = shipped_system("quarter-car")
    name = next(q.name for q in system.parameters if q.name.endswith("damping"))
    good = system.parameters[name].default
    mixed = np.array([good, 1e7 * good, good * 1.1, 1e7 * good, good * 0.9] * 3)
    run: dict[str, Any] = {"duration": 1.0, "step": 1e-3, "method": "explicit-euler"}
    found = system.batch(parameters={name: mixed}, record=[0, 1], **run)
    bad = np.flatnonzero(mixed > 1e3 * good).tolist()
    assert [*found.failures] == bad
    assert all(
        0.0 < one.time < 1.0 and "not finite" in one.cause for one in found.failures.values()
    )
    assert found.finished.tolist() == (mixed < 1e3 * good).tolist()
    alone = system.batch(parameters={name: mixed[found.finished]}, **run)
    for column in (n for n in found.columns if n != name):
        if column.endswith(".final"):
            assert np.isfinite(found[column]).all(), "values until then"
        np.testing.assert_array_equal(found[column][found.finished], alone[column])
    assert not found.run(1).complete
    assert found.run(0).complete


def test_single_precision_is_as_good_as_its_digits() -> None:
    system = shipped_system("bicycle-car")
    columns = spread(system, 0.05, 40)
    run: dict[str, Any] = {"duration": 1.0, "step": 1e-3, "parameters": columns}
    double, single_one = (system.batch(number=number, **run) for number in ("double", "float"))
    for name in (f"{q.name}.final" for q in system.states):
        scale = max(float(np.max(np.abs(double[name]))), 0.1)
        assert np.max(np.abs(double[name] - single_one[name])) < 1e-4 * scale


def test_means_of_many_records_keep_their_digits_in_single_precision() -> None:
    """A speed that hardly changes: sums in 32 bits had means below the minimum."""
    run: dict[str, Any] = {
        "duration": 20.0, "step": 1e-3, "parameters": {"body.mass": [1500.0, 1600.0]},
        "initial": {"chassis.vx": 20.3}, "outputs": ["chassis.vx"],
    }  # fmt: skip
    system = shipped_system("bicycle-car")
    double, single_one = (system.batch(number=number, **run) for number in ("double", "float"))
    for kind in ("mean", "rms"):
        name = f"chassis.vx.{kind}"
        np.testing.assert_allclose(single_one[name], double[name], rtol=1e-6)


def test_results_do_not_depend_on_threads_and_places() -> None:
    system = shipped_system("quarter-car")
    columns = spread(system, 0.05, 200)
    run: dict[str, Any] = {"duration": 0.1, "step": 1e-3}
    once = system.batch(parameters=columns, threads=1, **run)
    again = system.batch(parameters=columns, threads=5, **run)
    turned = system.batch(parameters={n: c[::-1] for n, c in columns.items()}, **run)
    for name in once.columns:
        np.testing.assert_array_equal(once[name], again[name])
        np.testing.assert_array_equal(once[name], turned[name][::-1])


def test_members_are_drawn_by_seed(oscillator: System) -> None:
    drawn = {"spring.frequency": at.Normal(2.0, 0.1)}
    run: dict[str, Any] = {"duration": 0.1, "step": 1e-2, "parameters": drawn, "members": 64}
    one, same, other = (oscillator.batch(seed=seed, **run) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one["spring.frequency"], same["spring.frequency"])
    assert (one["spring.frequency"] != other["spring.frequency"]).all()
    sobol = oscillator.batch(sampling="sobol", seed=1, **run)
    assert sobol["spring.frequency"].mean() == pytest.approx(2.0, abs=0.01)


def test_mistakes_are_found_before_anything_runs(oscillator: System) -> None:
    run: dict[str, Any] = {"duration": 0.1, "step": 1e-2}
    wrong: list[tuple[dict[str, Any], str]] = [
        ({}, "nothing differs"),
        (
            {"parameters": {"spring.frequency": [1.0, 2.0], "spring.mass": [1.0, 2.0]}},
            "spring.mass",
        ),
        ({"parameters": {"spring.frequency": [1.0, -2.0]}}, "member 1"),
        ({"parameters": {"spring.frequency": [1.0, np.nan]}}, "nan"),
        ({"parameters": {"spring.frequency": ["1 rad/s", "2 kg"]}}, "kg"),
        ({"parameters": {"spring.frequency": [1.0, 2.0]}, "members": 3}, "members is 3"),
        (
            {"parameters": {"spring.frequency": [1.0]}, "initial": {"mass.speed": [1.0, 2.0]}},
            "equally long",
        ),
        ({"parameters": {"spring.frequency": at.Normal(2.0, -1.0)}, "members": 2}, "negative"),
        ({"parameters": {"spring.frequency": [1.0, 2.0]}, "method": "radau"}, "radau"),
        ({"parameters": {"spring.frequency": [1.0, 2.0]}, "number": "half"}, "half"),
        ({"parameters": {"spring.frequency": [1.0, 2.0]}, "sampling": "grid"}, "grid"),
        ({"parameters": {"spring.frequency": [1.0, 2.0]}, "record": [2]}, "0 to 1"),
        ({"parameters": {"spring.frequency": [1.0, 2.0]}, "outputs": ["mass.colour"]}, "colour"),
        ({"inputs": {"motor.force": ([0.0, 1.0], [[1.0], [2.0]])}}, "2 times"),
        ({"inputs": {"motor.force": (0.0, [[1.0, 2.0], [2.0, 3.0]])}}, "1 times"),
        ({"inputs": {"motor.force": (["0 s", "1 s"], [[1.0, 2.0]])}}, "motor.force.*numbers in s"),
        ({"parameters": {"spring.frequency": [1.0, 2.0]}, "threads": 0}, "threads is 0"),
        ({"parameters": {"spring.frequency": [1.0, 2.0]}, "seed": -1}, "seed is -1"),
        (
            {"parameters": {"spring.frequency": at.Normal("2 kg", "1 kg")}, "members": 2},
            "spring.frequency.*mass",
        ),
    ]
    for given_wrong, word in wrong:
        with pytest.raises(AxletreeError, match=word):
            oscillator.batch(**run, **given_wrong)


def held_as_in_single_runs(name: str, parameter: str, duration: float) -> None:
    system = at.read_model(name).formulate(form=at.SetValuedForm())
    given = next(q for q in system.parameters if q.name == parameter)
    columns = {parameter: given.default * np.linspace(0.95, 1.05, 9)}
    states = [q.name for q in system.states]
    forces = [one.quantity.name for one in system.outputs][:3]
    run: dict[str, Any] = {
        "duration": duration, "step": 1e-3, "method": "complementarity-sweeps",
        "inputs": at.read_model(name).run.inputs, "outputs": [*states, *forces],
        "record_interval": 1e-2,
    }  # fmt: skip
    found = system.batch(parameters=columns, record=[8], **run)
    assert not found.failures
    exact = single(system, columns, 8, **run)
    for name in (*states, *forces):
        scale = max(float(np.max(np.abs(exact[name]))), 1e-3)
        share = LONG if name in states else 1e-6
        np.testing.assert_allclose(found.run(8)[name], exact[name], rtol=0, atol=share * scale)


def test_set_valued_forces_are_those_of_single_runs() -> None:
    """A wheel on soil: forces whose bounds follow others, found before the first record."""
    held_as_in_single_runs("quarter-vehicle-on-soil", "body.mass", 0.5)


@pytest.mark.slow
def test_a_skidder_on_soil_is_that_of_single_runs() -> None:
    """With motions that are left to springs."""
    held_as_in_single_runs("skidder-on-soil", "rear_body.mass", 0.3)


def test_set_valued_forces_are_refused_with_what_to_do() -> None:
    car = at.read_model("sedan").formulate(form=at.SetValuedForm())
    run: dict[str, Any] = {"step": 1e-3, "parameters": {"body.mass": [1000.0, 1100.0]}}
    with pytest.raises(SimulationError, match="complementarity"):
        car.batch(0.1, **run)
    with pytest.raises(SimulationError, match="for set-valued forces complementarity-sweeps"):
        car.batch(0.1, method="complementarity", **run)
    with pytest.raises(AxletreeError, match="number='double'"):
        car.batch(0.1, method="complementarity-sweeps", number="float", **run)


def test_without_a_compiler_it_says_so(oscillator: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AXLETREE_CC", "none")
    lane_code.cache_clear()
    with pytest.raises(CompilerError, match="doctor"):
        oscillator.batch(0.1, step=1e-2, parameters={"spring.frequency": [1.0, 2.0]})


def test_tables_have_units(oscillator: System, tmp_path: Any) -> None:
    frame = pytest.importorskip("pandas").DataFrame({"spring.frequency": [1.0, 2.0, 3.0]})
    found = oscillator.batch(0.1, step=1e-2, parameters=frame, outputs=["mass.energy"])
    table = found.to_pandas()
    assert table.attrs["units"]["mass.energy.maximum"] == "J"
    assert table["spring.frequency"].tolist() == [1.0, 2.0, 3.0]
    data = pytest.importorskip("xarray") and found.to_xarray()
    assert data["mass.energy.final"].attrs["units"] == "J"
    parquet = pytest.importorskip("pyarrow.parquet")
    read = parquet.read_table(found.to_parquet(tmp_path / "found.parquet"))
    assert read.schema.field("mass.energy.final").metadata[b"unit"] == b"J"
    np.testing.assert_array_equal(read["mass.energy.final"], found["mass.energy.final"])
    lines = found.to_csv(tmp_path / "found.csv").read_text().splitlines()
    assert lines[0].startswith("member,spring.frequency [rad/s],mass.energy.minimum [J]")
    assert float(lines[3].split(",")[1]) == 3.0
    assert "mass.energy.minimum" in found._repr_html_()
    with pytest.raises(SimulationError, match=r"record=\[1\]"):
        found.run(1)
    with pytest.raises(SimulationError, match="outputs="):
        found["mass.speed.final"]


def test_an_interrupt_leaves_what_was_run(
    oscillator: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while threads are at work: blocks that were taken are finished, others are not run."""
    seen: list[float] = []

    def interrupted(_: object, done: float) -> None:
        seen.append(done)
        raise KeyboardInterrupt

    monkeypatch.setattr("axletree.simulation.batch.lane_run.Progress.show", interrupted)
    count = 200_000  # members, which take longer than a look at the keyboard
    found = oscillator.batch(
        1.0, step=1e-2, parameters={"spring.frequency": np.linspace(1.0, 3.0, count)}, threads=1
    )
    assert seen
    assert not found.complete
    assert 0 < found.finished.sum() < count
    assert np.isnan(found["mass.speed.final"][~found.finished]).all()
    assert "interrupted" in repr(found)


@pytest.mark.slow
def test_a_corner_on_bushings_is_that_of_single_runs() -> None:
    """Stiff, and steered within a fifth of a second."""
    system = bushed_wishbone_car(("front_left",), tyres=False).formulate()
    masses = {"chassis.mass": np.linspace(1100.0, 1300.0, 9), "rack.mass": np.linspace(3.0, 4.0, 9)}
    course = {"steering.position": 0.005 * (1.0 - cos(10.0 * math.pi * TIME)) ** 2}
    run: dict[str, Any] = {
        "duration": 0.2, "step": 1e-3, "method": "row4", "inputs": course,
        "outputs": [q.name for q in system.states], "record_interval": 2e-3,
    }  # fmt: skip
    found = system.batch(parameters=masses, record=[5], **run)
    exact = single(system, masses, 5, **run)
    for name in run["outputs"]:
        scale = max(float(np.max(np.abs(exact[name]))), 1.0)
        np.testing.assert_allclose(found.run(5)[name], exact[name], rtol=0, atol=LONG * scale)


@pytest.mark.parametrize("number", ["double", "float"])
def test_events_are_those_of_single_runs(number: str) -> None:
    """First times and counts against a search through the records of each member."""
    pendulum = at.read_model("pendulum").formulate()
    events = {
        "up": "pin.angle > 5 deg", "down": "pin.angle < 5 deg", "never": "pin.angle > 3 rad",
        "fast": "energy.kinetic > 0.5 J",
    }  # fmt: skip
    known = {d.quantity.name for d in pendulum.outputs}
    events = {k: text for k, text in events.items() if text.split()[0] in {*known, "pin.angle"}}
    starts = {"pin.angle": np.radians(np.linspace(10.0, 60.0, 11))}
    found = pendulum.batch(
        "4 s", step="2 ms", initial=starts, events=events, record=range(11), number=number,
        record_interval="10 ms",
    )  # fmt: skip
    for event in read_crossings(events, pendulum):
        first, count = event.columns
        for k in range(11):
            run = found.run(k)
            if event.name not in run.columns:
                continue
            time, often = event.found_in(run.time, run[event.name])
            assert found[first][k] == pytest.approx(time, rel=1e-12, nan_ok=True)
            assert found[count][k] == often
    assert (found["down.count"] >= found["up.count"]).all()  # they begin above
    assert np.isnan(found["never.time"]).all()
    assert (found.units["up.time"], found.units["up.count"]) == ("s", "1")


def test_an_event_of_a_known_instant() -> None:
    """Of a fall: the height x crosses at t = sqrt(2 x / g), between records by a straight line."""
    event = Crossing("lands", "z", -1.0, rises=False)
    time = np.linspace(0.0, 1.0, 1001)
    first, count = event.found_in(time, -0.5 * 9.81 * time**2)
    assert first == pytest.approx(np.sqrt(2.0 / 9.81), abs=1e-6)
    assert count == 1
    assert event.found_in(time, time - 0.5)[1] == 0


def test_events_that_are_wrong_are_told() -> None:
    pendulum = at.read_model("pendulum").formulate()
    masses = {"rod.mass": [1.0, 2.0]}
    for events, words in (
        (["pin.angle"], "expected NAME > LEVEL"),
        (["pin.colour > 1"], "pin.colour"),
        (["pin.angle > 3 kg"], "3 kg"),
        ("pin.angle > 1", "write"),
        (["pin.angle > 1", "pin.angle > 1"], "stands twice"),
    ):
        with pytest.raises(AxletreeError, match=words):
            pendulum.batch("0.1 s", step="1 ms", parameters=masses, events=events)
