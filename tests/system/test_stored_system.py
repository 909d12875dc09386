"""Systems through JSON: node for node the same, and the same run to the last bit."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.equations.derivation import derive_equations
from axletree.expr import ExternalFunction, call, symbol
from axletree.expr.stored_graph import UnstorableError, graph_of, stored_graph
from axletree.system.stored_system import DeferredEquations, stored_system, system_of_store
from axletree.system.system import System

CAR = {"vehicle": {"fidelity": "two-track"}}


@pytest.fixture(scope="module")
def car() -> at.Model:
    return at.read_model("sedan", CAR)


def through_json(system: System, components: Any = ()) -> System:
    stored = stored_system(system)
    assert stored is not None

    def derive() -> Any:
        assert system.source is not None
        derived.append(1)
        return system.source

    derived: list[int] = []
    found = system_of_store(json.loads(json.dumps(stored)), components, derive)
    found.source.__dict__["times_derived"] = derived  # type: ignore[union-attr]
    return found


def test_a_system_is_read_as_it_was(car: at.Model) -> None:
    system = car.formulate()
    found = through_json(system)
    for name in ("name", "time", "states", "inputs", "parameters", "outputs", "intermediates"):
        assert getattr(found, name) == getattr(system, name)
    for old, new in zip(system.derivatives, found.derivatives, strict=True):
        assert new.node is old.node
        assert new.coefficient == old.coefficient
    assert found.projection == system.projection
    assert found.source is not None
    assert system.source is not None
    assert found.source.limits == system.source.limits
    assert found.source.gimbals == system.source.gimbals
    assert found.freedoms_in_words == system.freedoms_in_words


def test_a_run_derives_nothing_and_is_the_same_to_the_last_bit(car: at.Model) -> None:
    system = car.formulate()
    start = system.trim({"chassis.vx": 20.0})
    settings: dict[str, Any] = {"step": 1e-3, "initial": start.states, "inputs": start.inputs}
    settings["parameters"] = {"chassis.mass": 1500.0} if "chassis.mass" in system.parameters else {}
    found = through_json(system, tuple(car))
    one, other = (each.simulate(0.2, **settings) for each in (system, found))
    for name in one.names:
        np.testing.assert_array_equal(one[name], other[name])
    assert isinstance(found.source, DeferredEquations)
    assert not found.source.__dict__["times_derived"]


def test_what_else_is_asked_for_is_derived_once(car: at.Model) -> None:
    system = car.formulate()
    found = through_json(system)
    assert found.source is not None
    assert system.source is not None
    assert found.source.graph is system.source.graph
    assert found.source.dynamics is system.source.dynamics
    derived = derive_equations(car, car.tree)  # what ``axletree run`` takes
    assert derived.coordinate_rates == system.source.coordinate_rates
    assert derived.rates == system.source.rates
    assert derived.dynamics.mass == system.source.dynamics.mass
    assert derived.limits == system.source.limits
    assert found.source.__dict__["times_derived"] == [1]
    with pytest.raises(AttributeError):
        found.source.nothing_of_this_name  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("name", ["four-bar", "rlc-circuit"])
def test_what_has_more_than_rates_is_formulated_each_time(name: str) -> None:
    system = at.read_model(name).formulate()
    assert (stored_system(system) is None) == bool(system.constraints)


def test_a_function_of_python_is_not_stored() -> None:
    half = ExternalFunction("half", ("x",), ("y",), lambda x: (0.5 * x,), c_source="")
    with pytest.raises(UnstorableError):
        stored_graph(list(call(half, symbol("x"))))


def test_numbers_alone_are_expressions_too() -> None:
    x = symbol("x")
    expressions = [x * 0.0, x / x, -3.0 * x, 1.0 / (x + 2.0)]
    assert graph_of(json.loads(json.dumps(stored_graph(expressions)))) == expressions
