"""The car on left and right tyres of one law: what makes a side no longer makes it drift."""

from __future__ import annotations

from dataclasses import replace

import pytest

import axletree as at
from axletree.simulation.trajectory import Trajectory
from axletree.wheel.axis_systems import TyreSide
from axletree.wheel.tyre import Tyre
from axletree.wheel.tyres.magic_formula import MagicFormula52


def braked(*, sided: bool) -> Trajectory:
    described, car = at.read_model("car"), at.Model("car")
    for part in described:
        if sided and isinstance(part, Tyre) and isinstance(part.law, MagicFormula52):
            side = TyreSide.LEFT if "left" in part.name else TyreSide.RIGHT
            part = replace(part, law=replace(part.law, side=TyreSide.LEFT), side=side)
        car.add(part)
    car.start = dict(described.start)
    brakes = {f"{part.name}.torque": -300.0 for part in described if part.name.endswith("_brake")}
    outputs = ["front_left_tyre.Fy", "front_right_tyre.Fy"]
    return car.formulate().simulate(3.0, step=1e-3, inputs=brakes, outputs=outputs)


def test_tyres_of_both_sides_keep_the_car_straight() -> None:
    drifting, straight = braked(sided=False), braked(sided=True)
    assert abs(drifting["chassis.y"][-1]) > 0.01
    assert straight["chassis.y"] == pytest.approx(0.0, abs=1e-9)
    assert straight["chassis.roll"] == pytest.approx(0.0, abs=1e-9)
    left, right = straight["front_left_tyre.Fy"], straight["front_right_tyre.Fy"]
    assert left[-1] == pytest.approx(-right[-1])
    assert abs(left[-1]) > 1.0  # each pulls to its own side
