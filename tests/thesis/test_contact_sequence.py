"""Tables 4.4 and 4.5 of Morency 2007, from the shipped car."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple

import numpy as np
import pytest
from agreement import Agrees

import axletree as at
from axletree.equations.derivation import derive_equations
from axletree.expr import OperationCount, evaluate, from_sympy, symbol
from axletree.thesis.sequences import WrittenVariable, contact_sequence, written_variables
from axletree.thesis.tables import TABLE_4_4, TABLE_4_5
from axletree.wheel.tyre import Tyre

# Where ours and the printed table differ; docs/reference/thesis-tables.md gives the reasons.
DIFFERENT_4_4 = {
    "gamma": OperationCount(17, 54, 0, 133),
    "R_l": OperationCount(20, 59, 1, 146),
    "F_z": OperationCount(31, 74, 1, 169),
    "r_P/C": OperationCount(128, 390, 3, 948),
    "R_eff": OperationCount(43, 121, 2, 293),
    "r_E/C": OperationCount(197, 576, 6, 1389),
    "V_Px": OperationCount(243, 672, 4, 1646),
    "V_Py": OperationCount(243, 672, 4, 1646),
    "V_Ex": OperationCount(335, 920, 8, 2234),
    "V*_Px": OperationCount(331, 898, 6, 2222),
    "V*_Ex": OperationCount(446, 1208, 11, 2957),
    "S": OperationCount(781, 2128, 20, 5192),
    "alpha": OperationCount(574, 1570, 11, 3870),
}
DIFFERENT_4_5 = {
    "R_eff": OperationCount(3, 3, 0, 1),
    "V_Px": OperationCount(44, 71, 0, 194),
    "V_Py": OperationCount(44, 71, 0, 194),
    "V_Ex": OperationCount(44, 71, 0, 194),
    "S": OperationCount(1, 0, 1, 1),
}
LEFT = {
    "gamma": {"u_x", "u_y"},
    "R_l": {"gamma"},
    "F_z": {"R_l"},
    "r_P/C": {"u_y", "gamma", "R_l"},
    "R_eff": {"R_l"},
    "r_E/C": {"R_l", "R_eff", "r_P/C"},
    "Omega": {"gamma"},
    "V_Cx": {"u_x"},
    "V_Cy": {"u_y"},
    "V_Px": {"V_Cx", "r_P/C", "u_x"},
    "V_Py": {"V_Cy", "r_P/C", "u_y"},
    "V_Ex": {"V_Cx", "r_E/C", "u_x"},
    "V*_Px": {"V_Px", "Omega", "R_l"},
    "V*_Ex": {"V_Ex", "Omega", "R_eff"},
    "S": {"V_Ex", "V*_Ex"},
    "alpha": {"V_Py", "V*_Px"},
}


SAME = {
    "gamma": "inclination",
    "R_l": "loaded_radius",
    "F_z": "Fz",
    "R_eff": "effective_radius",
    "Omega": "spin_rate",
    "V_Cx": "VCx",
    "V_Ex": "VEx",
    "V_Py": "VPy",
}


@pytest.fixture(scope="module")
def front_left() -> dict[str, WrittenVariable]:
    return written("car", "front_left_tyre")


def written(model: str, name: str) -> dict[str, WrittenVariable]:
    described = at.read_model(model)
    tyre = described[name]
    assert isinstance(tyre, Tyre)
    equations = derive_equations(described, described.tree)
    return {variable.name: variable for variable in contact_sequence(equations, tyre)}


@pytest.mark.validation("graphs")
def test_complete_substitution_is_table_4_4(
    front_left: dict[str, WrittenVariable], agrees: Agrees
) -> None:
    ours = {name: variable.substituted for name, variable in front_left.items()}
    assert ours == {**TABLE_4_4, **DIFFERENT_4_4}
    equal = [name for name in TABLE_4_4 if name not in DIFFERENT_4_4]
    agrees(
        "tyre's variables in the states alone, rows that are equal: operations",
        counts(ours, equal), counts(TABLE_4_4, equal), abs=0, source="Morency 2007, table 4.4",
    )  # fmt: skip
    other = [name for name in TABLE_4_4 if name in DIFFERENT_4_4]
    agrees(
        "tyre's variables in the states alone, rows that differ: operations",
        counts(ours, other), counts(TABLE_4_4, other), rel=0.05, source="Morency 2007, table 4.4",
        note="the printed row of R_eff contradicts the rows that contain it, and arcsines are not "
        "counted in print; [the tables](thesis-tables.md) have the reasons.",
    )  # fmt: skip


@pytest.mark.validation("graphs")
def test_the_sequence_is_table_4_5(front_left: dict[str, WrittenVariable], agrees: Agrees) -> None:
    ours = {name: variable.sequence for name, variable in front_left.items()}
    assert ours == {**TABLE_4_5, **DIFFERENT_4_5}
    equal = [name for name in TABLE_4_5 if name not in DIFFERENT_4_5]
    agrees(
        "tyre's variables by name, rows that are equal: operations",
        counts(ours, equal), counts(TABLE_4_5, equal), abs=0, source="Morency 2007, table 4.5",
    )  # fmt: skip
    agrees(
        "tyre's variables by name, rows that differ: operations",
        counts(ours, [*DIFFERENT_4_5]), counts(TABLE_4_5, [*DIFFERENT_4_5]), abs=3,
        source="Morency 2007, table 4.5",
        note="R_eff is a misprint, one row leaves out the minus before it, and three additions of "
        "the cross products are not explained; [the tables](thesis-tables.md) have the reasons.",
    )  # fmt: skip


def counts(table: Mapping[str, OperationCount], names: Sequence[str]) -> list[tuple[int, ...]]:
    return [astuple(table[name]) for name in names]


def test_the_printed_rolling_radius_contradicts_what_is_made_of_it() -> None:
    """r_E/C and V*_Ex hold R_eff with 43 additions, its own row says 41 (and 1 for 3)."""
    printed = {name: count.additions for name, count in TABLE_4_4.items()}
    aside = printed["R_l"] - 3  # gamma, in r_P/C and r_E/C alike
    assert printed["r_E/C"] - printed["r_P/C"] == 3 * (43 - printed["R_l"])
    assert printed["V*_Ex"] == printed["V_Ex"] + printed["Omega"] + 43 + 1
    assert aside == printed["gamma"]


def test_variables_left_by_name_are_those_of_table_4_5(
    front_left: dict[str, WrittenVariable],
) -> None:
    ours = {name: set(variable.left) for name, variable in front_left.items() if variable.left}
    assert ours == LEFT


@pytest.mark.parametrize(
    ("model", "name"), [("car", "front_left_tyre"), ("skidder", "rear_right_tyre")]
)
def test_values_are_those_of_the_component(model: str, name: str) -> None:
    """The component resolves in the carrier's axes and takes shorter formulas."""
    described = at.read_model(model)
    tyre = described[name]
    assert isinstance(tyre, Tyre)
    equations = derive_equations(described, described.tree)
    random = np.random.default_rng(5)
    quantities = (*equations.speeds, *equations.coordinates, *equations.inputs)
    state = {q.symbol: float(random.normal(scale=0.2)) for q in quantities}
    state |= {q.symbol: q.default for q in equations.parameters}
    state[symbol("chassis.z")] = 1.2
    written_out = written_variables(equations, tyre)
    answer = next(a for a in equations.answers if a.component == name)
    computed = {c.suffix: c.expression for c in answer.response.intermediates}
    for theirs, ours in SAME.items():
        expected, found = evaluate([*from_sympy(written_out[theirs]), computed[ours]], state)
        assert found == pytest.approx(expected, rel=1e-9), theirs


def test_a_wheel_that_is_not_steered_has_shorter_variables(
    front_left: dict[str, WrittenVariable],
) -> None:
    rear = written("car", "rear_left_tyre")
    assert rear["r_Q/C"].substituted == front_left["r_Q/C"].substituted
    assert rear["u_x"].substituted == OperationCount(8, 26, 0, 64)
    assert rear["S"].substituted.total < front_left["S"].substituted.total
