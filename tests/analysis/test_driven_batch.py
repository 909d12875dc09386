"""Cars in batches through manoeuvres: the starts and runs of single cars."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.analysis.drive import drive_start, recorded_names, with_manoeuvre
from axletree.analysis.steady import member_starts
from axletree.analysis.studies import driven_batch
from axletree.code.backends.c import find_compiler
from axletree.core.errors import AxletreeError
from axletree.model.model import Model

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")

RUN: dict[str, Any] = {"step": 1e-3, "method": "rk4", "record_interval": 1e-2}


@lru_cache
def bicycle() -> Model:
    return at.read_model("bicycle-car")


def columns(count: int = 9) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(5)
    known = {q.name: q.default for q in bicycle().formulate().parameters}
    names = ["body.mass", *(n for n in known if n.endswith("tyre.law.cornering_stiffness"))]
    return {n: known[n] * (1.0 + 0.15 * rng.uniform(-1.0, 1.0, count)) for n in names}


@pytest.mark.parametrize("title", ["step-steer", "coasting"])
def test_members_run_as_single_cars_do(title: str) -> None:
    """From steady starts of their own; a car that coasts is searched for by itself."""
    own, outputs = columns(), ["chassis.vx", "chassis.rate"]
    found = bicycle().batch(own, title, outputs=outputs, record=[4], **RUN)
    assert not found.failures
    for k in (0, 4, 8):
        values = {name: float(column[k]) for name, column in own.items()}
        exact = bicycle().drive(title, parameters=values, outputs=[], watch=False, **RUN)
        for name in outputs:
            scale = max(float(np.max(np.abs(exact[name]))), 0.1)
            end = found[f"{name}.final"][k]
            assert end == pytest.approx(exact[name][-1], abs=1e-8 * scale)
            if k == 4:
                np.testing.assert_allclose(found.run(4)[name], exact[name], atol=1e-8 * scale)


@pytest.mark.long
def test_the_sedan_of_fourteen_freedoms(monkeypatch: pytest.MonkeyPatch) -> None:
    """All starts are found side by side; angle and course are those of the model."""
    car = at.read_model("sedan")
    title, outputs = "iso-7401-step", ["vehicle.yaw_rate", "vehicle.lateral_acceleration"]
    system = car.with_changes(car.manoeuvres[title].changes).formulate()
    rng, count = np.random.default_rng(2), 9
    own = {
        q.name: q.default * (1.0 + 0.1 * rng.uniform(-1.0, 1.0, count))
        for q in system.parameters
        if q.default > 0.0 and q.name.endswith(("body.mass", "spring.stiffness", "spring.damping"))
    }
    monkeypatch.setattr(driven_batch, "_own_start", None)  # no member is searched for by itself
    found = car.batch(own, title, outputs=outputs, record=[7], **RUN)
    monkeypatch.undo()
    assert not found.failures
    driven, wanted = with_manoeuvre(car, title)
    start = drive_start(system, wanted, {}, recorded_names(system, wanted, outputs))
    values = {name: float(column[7]) for name, column in own.items()}
    fixed = replace(start.manoeuvre, level=None)  # at its angle, which is not looked for again
    exact = driven.drive(fixed, parameters=values, outputs=outputs, watch=False, **RUN)
    assert found.manoeuvre == start.manoeuvre
    assert [f.name for f in found.run(7).findings] == [f.name for f in exact.findings]
    for name in outputs:
        scale = float(np.max(np.abs(exact[name])))
        np.testing.assert_allclose(found.run(7)[name], exact[name], rtol=0, atol=1e-8 * scale)


@pytest.mark.slow
def test_a_member_without_a_steady_start_is_marked() -> None:
    """A car that is asked for a speed that its drag and drive cannot keep."""
    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    drag = np.array([1.0, 300.0, 1.1]) * 0.3
    found = car.batch({"air.drag": drag}, "step-steer", outputs=["chassis.vx"], **RUN)
    assert found.finished.tolist() == [True, False, True]
    assert list(found.failures) == [1]
    assert "no steady start" in found.failures[1].cause
    assert np.isfinite(found["chassis.vx.final"]).tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"duration": "2 s"}, "duration is '2 s', and a manoeuvre has one of its own"),
        ({"step": 0}, "step"),
        ({"record_interval": 0}, "record_interval"),
        ({"method": ""}, "unknown method"),
        ({"threads": 0}, "threads is 0"),
    ],
)
def test_what_a_manoeuvre_does_not_take_is_refused(given: dict[str, Any], word: str) -> None:
    """Nothing that is given is silently left out."""
    with pytest.raises(AxletreeError, match=word):
        bicycle().batch({"body.mass": [1400.0, 1600.0]}, "step-steer", **given)


def test_inputs_of_each_member_are_those_of_single_cars() -> None:
    """Levels, with which each begins in a steady motion of its own, and courses."""
    times, angles = np.array([0.0, 0.2, 2.0]), np.array([[0.0, 0.02, 0.02], [0.0, 0.03, -0.01]])
    torque, outputs = [-200.0, 300.0], ["chassis.vx", "chassis.rate"]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the table of 'steer.angle' jumps")
        found = bicycle().batch(
            None, "coasting", inputs={"drive.torque": torque, "steer.angle": (times, angles)},
            outputs=outputs, **RUN,
        )  # fmt: skip
        for k in range(2):
            own = {"drive.torque": torque[k], "steer.angle": (times, angles[k])}
            one = bicycle().drive("coasting", inputs=own, outputs=[], watch=False, **RUN)
            for name in outputs:
                assert found[f"{name}.final"][k] == pytest.approx(one[name][-1], rel=1e-7)
    assert found["chassis.vx.final"][0] < found["chassis.vx.final"][1] - 1.0
    with pytest.raises(AxletreeError, match=r"two signals are given for the input steer\.angle"):
        bicycle().batch(None, "step-steer", inputs={"steer.angle": [0.0, 0.1]})


def test_members_begin_at_speeds_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Found side by side from two of the model, at the lowest speed and at the highest."""
    speeds, calls = np.linspace(15.0, 35.0, 5), []
    search = driven_batch._own_start
    monkeypatch.setattr(driven_batch, "_own_start", lambda *a: calls.append(a) or search(*a))
    outputs = ["chassis.vx", "chassis.rate"]
    found = bicycle().batch(columns(5), "step-steer", speed=speeds, outputs=outputs, **RUN)
    assert len(calls) == 2
    assert found["speed", "km/h"] == pytest.approx(3.6 * speeds)
    for k in (0, 3):
        values = {name: float(column[k]) for name, column in columns(5).items()}
        wanted = replace(found.manoeuvre, speed=float(speeds[k]))
        one = bicycle().drive(wanted, parameters=values, outputs=[], watch=False, **RUN)
        for name in outputs:
            assert found[f"{name}.final"][k] == pytest.approx(one[name][-1], rel=1e-8)


def test_speeds_from_which_more_follows_and_wrong_ones_are_refused() -> None:
    with pytest.raises(AxletreeError, match="'3 kg' is a mass") as wrong:
        bicycle().batch(None, "step-steer", speed=["20 m/s", "3 kg"])
    assert "expected values above" not in str(wrong.value)
    with pytest.raises(AxletreeError, match=r"speed is -3 \(member 1\)"):
        bicycle().batch(None, "step-steer", speed=[10.0, -3.0])
    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    with pytest.raises(AxletreeError, match=r"follows from it: its length, .*driver\.speed"):
        car.batch(None, "slalom", speed=["40 km/h", "50 km/h"])


def test_loads_that_do_not_follow_a_mass_are_told() -> None:
    """In the plane they are those of the description: as read with another mass, they do."""
    light = {"vehicle": {"fidelity": "two-track"}}
    heavy = {"vehicle": {"fidelity": "two-track", "body": {"mass": 2500.0}}}
    load, settings = "front_left_tyre.Fz", {"outputs": ["front_left_tyre.Fz"], "watch": False}
    car = at.read_model("sedan", light)
    with pytest.warns(UserWarning, match=r"loads of wheels do not follow body\.mass"):
        changed = car.drive("coasting", parameters={"body.mass": 2500.0}, **settings)
    with pytest.warns(UserWarning, match=r"loads of wheels do not follow body\.mass"):
        car.batch({"body.mass": [1400.0, 1500.0]}, "coasting", outputs=[load])
    read = at.read_model("sedan", heavy).drive("coasting", **settings)
    assert changed[load][0] < 0.8 * read[load][0]


def test_its_own_run_and_mistakes() -> None:
    pendulum = at.read_model("pendulum")
    found = pendulum.batch({"rod.mass": ["1 kg", "2 kg"]}, outputs=["energy.total"])
    assert found["energy.total.final"][1] == pytest.approx(2.0 * found["energy.total.final"][0])
    for given, word in (
        ({"parameters": {"rod.mass": [1.0, 2.0]}, "speed": 10.0}, "manoeuvre"),
        ({"parameters": {"rod.colour": [1.0, 2.0]}}, "rod.colour"),
        ({"parameters": {"rod.mass": [1.0, 2.0]}, "manoeuvre": "step"}, "step"),
    ):
        with pytest.raises(AxletreeError, match=word):
            pendulum.batch(**given)


def test_springs_far_from_those_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the model's matrix alone such cars are not found; with their own they all are, and
    begin where single cars do."""
    car = at.read_model("sedan", {"vehicle": {"fidelity": "14-dof"}})
    springs = [f"{axle}_{side}_spring.stiffness" for axle in ("front", "rear") for side in
               ("left", "right")]  # fmt: skip
    own = {name: np.array([18e3, 40e3]) for name in springs}  # N/m
    own |= {"front_anti_roll_bar.stiffness": np.array([40e3, 2e3])}  # N m/rad
    short = replace(car.manoeuvres["coasting"], duration=0.02)
    settings: dict[str, Any] = {"step": 1e-3, "method": "rk4", "record_interval": 1e-2}
    known = member_starts.member_starts
    seen: list[np.ndarray] = []

    def watched(*given: Any) -> Any:
        found = known(*given)
        seen.append(found.found)
        return found

    throttle = replace(short, driven_by=car.manoeuvres["iso-7401-step"].driven_by)
    monkeypatch.setattr(driven_batch, "member_starts", watched)
    monkeypatch.setattr(member_starts, "_MOST", 3)  # steps with the matrix of the model
    found = car.batch(own, throttle, outputs=["chassis.z"], record=[0, 1], **settings)
    monkeypatch.setattr(member_starts, "_MOST_OWN", 0)
    car.batch(own, throttle, outputs=["chassis.z"], **settings)
    assert [one.tolist() for one in seen] == [[True, True], [False, False]]
    for k in range(2):
        values = {name: float(column[k]) for name, column in own.items()}
        one = car.drive(throttle, parameters=values, outputs=[], watch=False, **settings)
        for name in one.states:
            scale = max(float(np.max(np.abs(one[name]))), 1.0)
            assert found.run(k)[name][0] == pytest.approx(one[name][0], abs=1e-9 * scale)


def test_findings_of_members_are_those_of_their_runs() -> None:
    """A metric that takes runs in rows, others one by one; the runs are not kept."""
    car = at.read_model("sedan", {"vehicle": {"fidelity": "14-dof"}})
    masses = {"body.mass": np.array([1300.0, 1500.0, 1700.0])}
    ride = replace(car.manoeuvres["four-post-road"], duration=3.2)  # measured from 3 s on
    names = ["weighted_vertical_acceleration", "vibration_dose_value", "suspension_travel"]
    kept = car.batch(masses, ride, record=range(3), **RUN)
    found = car.batch(masses, ride, findings=names, record=[1], **RUN)
    assert list(found.runs) == [1]
    for name in names:
        single = [next(f for f in kept.run(k).findings if f.name == name) for k in range(3)]
        assert found[name] == pytest.approx([one.value for one in single], rel=1e-12)
        assert found.units[name] == single[0].unit
        assert found[name][0] > 0.0
    with pytest.raises(AxletreeError, match="unknown finding 'colour'"):
        car.batch(masses, ride, findings=["colour"], **RUN)
    with pytest.raises(AxletreeError, match="findings are those of a manoeuvre"):
        bicycle().batch({"body.mass": [1.0, 2.0]}, findings=["x"])


def test_members_with_manoeuvres_of_their_own() -> None:
    """By name or as objects, equal ones together, and the table in the order of the members."""
    step = bicycle().manoeuvres["step-steer"]
    given = ["step-steer", "coasting", replace(step, speed=15.0), "step-steer",
             replace(step, angle=0.02)]  # fmt: skip
    masses = {"body.mass": np.linspace(1400.0, 1600.0, 5)}
    events = {"turns": "chassis.rate > 5 deg/s"}
    found = bicycle().batch(
        masses, given, outputs=["chassis.rate"], events=events, record=[2], **RUN
    )
    assert found["body.mass"] == pytest.approx(masses["body.mass"])
    assert (list(found.runs), found.manoeuvre) == ([2], None)
    assert [one.speed for one in found.manoeuvres.values()] == [20.0, 20.0, 15.0, 20.0, 20.0]
    for k, manoeuvre in enumerate(given):
        values = {"body.mass": float(masses["body.mass"][k])}
        one = bicycle().drive(manoeuvre, parameters=values, outputs=[], watch=False, **RUN)
        assert found["chassis.rate.final"][k] == pytest.approx(one["chassis.rate"][-1], abs=1e-9)
        above = one["chassis.rate"] > np.radians(5.0)
        assert found["turns.count"][k] == np.count_nonzero(~above[:-1] & above[1:])
    for wrong, words in (
        ([], "an empty column"),
        (["step-steer", 3], "has 3 in it"),
        (["step-steer", "wheelie"], "wheelie"),
        (["step-steer"] * 3, "columns of a batch are equally long"),
    ):
        with pytest.raises(AxletreeError, match=words):
            bicycle().batch({"body.mass": [1400.0, 1500.0]}, wrong, **RUN)


@pytest.mark.slow
def test_roads_of_each_member() -> None:
    """A manoeuvre with a road of its own reads the model again; each member is on its own."""
    car = at.read_model("sedan", {"vehicle": {"fidelity": "14-dof"}})
    drives = [replace(car.manoeuvres[n], duration=0.5) for n in ("coasting", "rough-road")]
    found = car.batch(None, [*drives, drives[1]], outputs=["chassis.z"], **RUN)
    for k, one in enumerate(drives):
        alone = car.drive(one, outputs=[], watch=False, **RUN)
        assert found["chassis.z.maximum"][k] == pytest.approx(alone["chassis.z"].max(), abs=1e-9)
    assert found["chassis.z.maximum"][2] == found["chassis.z.maximum"][1]
