"""The vehicles of the benchmark, and how their code is measured."""

from __future__ import annotations

import pytest

import axletree as at
from axletree.expr import OperationCount
from axletree.thesis.stages import (
    SKIDDER,
    THESIS_CAR,
    MeasuredStage,
    ThesisVehicle,
    TimedDrive,
    example_law,
    law_operations,
    measure_code,
    stages,
)


@pytest.mark.parametrize(("vehicle", "cotree", "tree"), [(THESIS_CAR, 36, 68), (SKIDDER, 20, 60)])
def test_states_of_both_trees(vehicle: ThesisVehicle, cotree: int, tree: int) -> None:
    """Morency 2007, sections 5.3.5 and 5.4.5; wheels start where the joints have them."""
    assert len(vehicle.form().states) == cotree
    system = vehicle.form_in_tree()
    assert len(system.states) == tree
    start = vehicle.start_in_tree(system)
    assert start["chassis.vx"] == at.read_model(vehicle.model).start["chassis.vx"]
    assert start["front_left_tyre.y"] == -start["front_right_tyre.y"] > 0.5
    assert 0.3 < start["rear_left_tyre.z"] < 1.0


def test_another_law_changes_the_calls_and_not_the_main_code() -> None:
    """Morency 2007, table 5.4: the main code hardly depends on the law."""
    none: list[TimedDrive] = []
    own = measure_code(THESIS_CAR.form, none)
    other = measure_code(lambda: THESIS_CAR.form(example_law("fiala")), none)
    assert own.operations.calls[-1].name == "magic_formula_52"
    assert other.operations.calls[-1].name == "fiala"
    assert own.operations.main_code == other.operations.main_code
    assert own.with_lag == own.operations.main_code + own.operations.calls[0].total


def test_the_main_code_of_the_car() -> None:
    """Slip lag included, tyre law not; the bounds are what the design asks."""
    count = measure_code(THESIS_CAR.form, []).with_lag
    assert count.additions <= 400
    assert count.multiplications <= 520
    assert count.divisions <= 25
    assert count.functions <= 48


def test_a_linear_law_is_counted_by_hand() -> None:
    """C_S S, C_alpha alpha, C_gamma gamma, t C_alpha alpha and the sign of the speed, which is one
    over the greater of its size and another; a sum; in the air nothing: one comparison, and a
    selection for each of three forces and moments."""
    assert law_operations(example_law("linear")) == OperationCount(1, 5, 1, 2 + 1 + 3)


def test_a_drive_is_timed_and_compared() -> None:
    vehicle = ThesisVehicle("pendulum", {})
    found = measure_code(
        vehicle.form,
        [TimedDrive("swing", {}, duration=0.5), TimedDrive("coarse", {}, duration=20.0, step=0.2)],
    )
    assert found.states == 2
    assert found.operations.main_code == OperationCount(0, 1, 0, 1)
    assert found.drives["swing"].converged is True
    assert found.drives["coarse"].converged is False
    assert all(drive.euler > 0.0 for drive in found.drives.values())
    alone = measure_code(vehicle.form, [TimedDrive("swing", {}, duration=0.5)], euler_only=True)
    assert alone.drives["swing"].runge_kutta is None


def test_every_row_of_the_tables_has_its_stage() -> None:
    titles = [stage.title for stage in stages()]
    assert titles[0] == "tyre laws"
    for name in ("cotree", "tree", "simplify", "combine"):
        assert {f"car, {name}", f"skidder, {name}"} <= set(titles)
    assert "car, fiala" in titles
    measured = MeasuredStage()
    next(stages()).work(measured)
    assert {"magic-formula-5.2", "fiala"} <= set(measured.laws)
