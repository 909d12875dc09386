"""Rewritten intermediate variables change how equations are written, not what they say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy

import axletree as at
from axletree.code.system_operations import count_system
from axletree.equations.derivation import derive_equations
from axletree.equations.equations import Equations
from axletree.expr import evaluate, sin, symbol
from axletree.system.assemble import assemble
from axletree.system.forms.projected import Projected
from axletree.system.system import System
from axletree.thesis.stages import rewrite_intermediates, with_nodes


def formed(equations: Equations, start: dict[str, float]) -> System:
    return assemble(equations, Projected(), start)


def test_nodes_are_replaced_wherever_they_stand() -> None:
    x, y, z = symbol("x"), symbol("y"), symbol("z")
    part = sin(x) * y
    (found,) = with_nodes([part + 2.0 * sin(part)], {part.node: z * z})
    assert evaluate([found], {z: 3.0})[0] == pytest.approx(9.0 + 2.0 * np.sin(9.0))


def test_rates_stay_and_operations_grow() -> None:
    model = at.read_model("skidder")
    equations = derive_equations(model, model.tree)
    calls: list[Any] = []

    def expand(form: Any) -> Any:
        calls.append(form)
        return sympy.expand(form)

    rewritten, left = rewrite_intermediates(equations, expand)
    assert left == []
    # Front and rear tyres are different, left and right ones are not.
    computed = [c for c in model if c.name.endswith("_tyre")]
    assert len(calls) < 7 * len(computed) / 2 + 1
    plain, other = formed(equations, model.start), formed(rewritten, model.start)
    random = np.random.default_rng(2)
    quantities = (*plain.states, *plain.inputs)
    values = {q.symbol: q.default + float(random.uniform(-0.05, 0.05)) for q in quantities}
    values |= {q.symbol: q.default for q in plain.parameters}
    expected = evaluate(list(plain.derivatives), values)
    assert evaluate(list(other.derivatives), values) == pytest.approx(expected, rel=1e-8, abs=1e-9)
    assert count_system(other).main_code.total > count_system(plain).main_code.total


def test_what_is_given_up_is_named_and_left_alone() -> None:
    model = at.read_model("bicycle-car")
    equations = derive_equations(model, model.tree)
    same, left = rewrite_intermediates(equations, lambda form: None)
    assert left
    assert set(left) <= {
        f"{answer.component}.{value.suffix}"
        for answer in equations.answers
        for value in answer.response.intermediates
    }
    counts = [count_system(formed(e, model.start)).main_code for e in (equations, same)]
    assert counts[0] == counts[1]
