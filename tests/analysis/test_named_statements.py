"""The statements of the three blocks, read back and evaluated."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

from axletree.code.system_operations import count_system
from axletree.export.named_statements import NamedStatement, named_blocks, named_intermediates
from axletree.expr import Expr, evaluate, parse_expression, symbol
from axletree.system.system import System


@pytest.fixture(scope="module")
def car() -> System:
    return shipped_system("car")


def test_intermediate_variables_of_table_4_3_have_their_names(car: System) -> None:
    first, second, third, _ = named_blocks(car)
    targets = {statement.target for statement in first}
    for corner in ("front_left", "front_right", "rear_left", "rear_right"):
        names = ("loaded_radius", "Fz", "effective_radius", "spin_rate", "VCx", "VEx", "VPy")
        assert {f"{corner}_tyre.{name}" for name in names} <= targets
        assert f"{corner}_tyre.Fy" in {statement.target for statement in second}
    assert {f"d({q.name})/dt" for q in car.states} == {
        s.target for s in third if s.target.startswith("d(")
    }


def test_calls_name_their_arguments(car: System) -> None:
    second = named_blocks(car)[1]
    calls = [str(s) for s in second if s.definition.startswith("stretched_string(")]
    assert len(calls) == 4
    assert sum("normal_load=front_left_tyre.Fz" in text for text in calls) == 1
    assert all(re.search(r", \d+ constants\)$", text) for text in calls)


@pytest.mark.parametrize("name", ["car-multibody", "slider-crank"])
def test_statements_compute_the_rates(name: str) -> None:
    """Each statement is parsed and evaluated in turn, under the names that it shows."""
    system = shipped_system(name)
    first, calls, third, constants = named_blocks(system)
    assert not calls
    values = random_values(system)
    expected = evaluate(list(system.derivatives), known(values))
    run((*constants, *first, *third), values)
    found = [values[f"d({q.name})/dt"] for q in system.states]
    assert found == pytest.approx(expected, rel=1e-9)


def test_named_values_are_what_they_are_called(car: System) -> None:
    first, _, _, constants = named_blocks(car)
    values = random_values(car)
    definitions = {d.quantity.name: d.expression for d in (*car.outputs, *car.intermediates)}
    named = [s.target for s in first if s.quantity is not None]
    expected = evaluate([definitions[name] for name in named], known(values))
    run((*constants, *first), values)
    assert [values[name] for name in named] == pytest.approx(expected, rel=1e-9)
    assert len(named) > 40


def random_values(system: System) -> dict[str, float]:
    random = np.random.default_rng(3)
    quantities = (system.time, *system.states, *system.inputs, *system.parameters)
    return {q.name: q.default + float(random.uniform(0.001, 0.01)) for q in quantities}


def known(values: dict[str, float]) -> dict[Expr, float]:
    return {symbol(name): value for name, value in values.items()}


def run(statements: Sequence[NamedStatement], values: dict[str, float]) -> None:
    """Evaluate in order, by the project's parser, which wants plain words for names."""
    names = [*values, *(statement.target for statement in statements)]
    words = {name: f"n{k}" for k, name in enumerate(dict.fromkeys(names))}
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    pattern = re.compile(rf"(?<![\w.])({'|'.join(longest_first)})(?![\w])")
    for statement in statements:
        text = pattern.sub(lambda match: words[match[0]], statement.definition)
        symbols = {words[name]: symbol(name) for name in values}
        values[statement.target] = evaluate([parse_expression(text, symbols)], known(values))[0]


def test_aliases_and_what_is_not_computed(car: System) -> None:
    found = {s.target: s.definition for s in named_intermediates(car)}
    assert list(found) == [d.quantity.name for d in car.intermediates]
    assert found["front_right_tyre.inclination"] == "front_left_tyre.inclination"
    assert found["rear_left_tyre.slip"] == "rear_left_tyre.q1"
    assert found["rear_left_tyre.turn_slip"] == ""


def test_block_2_is_its_calls(car: System) -> None:
    operations = count_system(car)
    assert [(c.name, c.calls) for c in operations.calls] == [
        ("stretched_string", 4),
        ("magic_formula_52", 4),
    ]
    assert sum((c.total for c in operations.calls[1:]), operations.calls[0].total) == (
        operations.external_calls
    )
    assert operations.main_code.total + operations.external_calls.total == operations.total.total
    assert operations.assignments > 200
