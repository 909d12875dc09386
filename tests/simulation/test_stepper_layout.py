"""The layout of a stepper: what a program of another language finds in layout.json."""

from __future__ import annotations

import json

from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.simulation.stepper.layout import stepper_layout
from axletree.simulation.stepper.step_program import step_program


def test_a_layout_says_what_a_stepper_is() -> None:
    prepared = step_program(
        shipped_system("car"), "semi-implicit-euler", outputs=["chassis.vx_dot"],
        shapes={"steer.angle": at.LinearInput("20 ms")},
    )  # fmt: skip
    layout = json.loads(json.dumps(stepper_layout(prepared)))
    assert layout["stepper"]["abi"] // 1000 == 1
    assert layout["stepper"]["method"] == "semi-implicit-euler"
    count = prepared.operations()
    assert count is not None
    assert layout["stepper"]["operations"]["additions"] == count.additions
    by_name = {one["name"]: one for one in layout["inputs"]}
    assert by_name["steer.angle"]["shape"] == {"name": "linear", "code": 1, "time": 0.02}
    assert "shape" not in by_name["steer.angle_rate"]
    assert by_name["rear_left_brake.torque"]["shape"]["name"] == "hold"
    own = layout["starts"][0]
    assert (own["name"], own["index"]) == ("own", 0)
    assert own["states"] == {one["name"]: one["start"] for one in layout["states"]}


def test_closed_loops_start_assembled() -> None:
    prepared = step_program(shipped_system("four-bar"), outputs=[])
    layout = stepper_layout(prepared)
    start = {one["name"]: one["start"] for one in layout["states"]}
    found = shipped_system("four-bar").state()
    assert start == {name: found[name] for name in start}
