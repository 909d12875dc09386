"""Models written to files read back to the same equations."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import LINKED, form_of, models, models_in_stages, shipped_system

import axletree as at
from axletree.components.contract import Component
from axletree.components.signals import TIME, Input, TimeTable
from axletree.core.errors import FileError, ModelError
from axletree.expr import sin


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", models_in_stages(models()))
def test_a_shipped_model_survives_the_round_trip(name: str, tmp_path: Path) -> None:
    model = at.read_model(name)
    at.write_model(model, tmp_path / "copy.yaml")
    again = at.read_model(tmp_path / "copy.yaml")
    assert (again.name, again.start, again.run) == (model.name, model.start, model.run)
    written, system = again.formulate(form=form_of(name)), shipped_system(name)
    if name not in LINKED:
        assert written.derivatives == system.derivatives
        assert [q.default for q in again.parameters] == [q.default for q in model.parameters]
        return
    # Frames that are askew are written by three angles, which give their axes to rounding.
    assert [q.name for q in written.states] == [q.name for q in system.states]
    state = system.state({"chassis.vx": 20.0})
    expected, found = system.rhs(state), written.rhs(state)
    largest = max(map(abs, expected.values()))
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9 * largest)


def everything() -> Any:
    model = at.Model("everything", gravity=(0.0, 1.0, -9.0))
    plate = model.add(at.RigidBody("plate", 1.0, (1, 1, 1), orientation="quaternion"))
    arm = model.add(at.RigidBody("arm", 1.0, (1, 1, 1)))
    tilted = plate.frame("tilted", (0.1, 0.2, 0.3), [("x", 0.4), ("z", -1.2), ("y", 2.0)])
    upright = arm.frame("upright", (0, 0, 1), [("y", math.pi / 2), ("x", 0.3)])
    weld_at = model.ground.point(1, 0, 0, "post")
    model.add(at.Free("free", model.ground, plate))
    pin = model.add(at.Revolute("pin", tilted, upright, axis=(1, 2, 2)))
    model.add(at.JointTorque("push", pin, torque=3.0 * sin(2.0 * TIME)))
    model.add(at.ForceDriver("pull", weld_at, arm, force=TimeTable((0, 1, 2), (0, 5, 0))))
    curve = [[-1.0, -4.0], [0.0, 0.0], [1.0, 9.0]]
    model.add(at.TabulatedRotationalSpringDamper("spring", pin, torque_at_angle=curve))
    model.add(at.Bushing("mount", weld_at, arm, stiffness=(1, 2, 3)))
    model.tree = {"translation": ["free", "pin"], "rotation": ["free", "pin"]}
    return model


def test_frames_signals_tables_and_trees_survive(tmp_path: Path) -> None:
    model = everything()
    at.write_model(model, tmp_path / "copy.yaml")
    again = at.read_model(tmp_path / "copy.yaml")
    assert again.gravity == model.gravity
    assert again.tree == {"translation": ("free", "pin"), "rotation": ("free", "pin")}
    assert list(again.frames) == list(model.frames)
    for name, frame in model.frames.items():
        assert np.allclose(again.frames[name].turn, frame.turn, rtol=0.0, atol=1e-15)
        assert again.frames[name].position == frame.position
    assert again["push"].torque == model["push"].torque
    assert again["pull"].force == model["pull"].force
    assert again["spring"].torque_at_angle == model["spring"].torque_at_angle
    assert again["mount"].stiffness == model["mount"].stiffness
    assert again["plate"].orientation is model["plate"].orientation


class Own(Component):
    """A component that no catalogue knows."""

    def __init__(self) -> None:
        object.__setattr__(self, "name", "own")


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match=r"cannot write .*file.model\.yaml"):
        at.write_model(at.read_model("pendulum"), tmp_path / "file" / "model.yaml")


def test_what_a_file_cannot_say_is_refused(tmp_path: Path) -> None:
    model = at.Model()
    model._components["own"] = Own()
    with pytest.raises(ModelError, match="own is a Own, which is not in the catalogue"):
        at.write_model(model, tmp_path / "m.yaml")
    model = everything()
    model.add(at.JointTorque("open", model["pin"], torque=Input(5.0)))
    with pytest.raises(ModelError, match=r"open\.torque: the level of an input cannot be written"):
        at.write_model(model, tmp_path / "m.yaml")
    assert not (tmp_path / "m.yaml").exists()


@pytest.mark.slow
def test_a_model_that_no_file_may_hold_is_refused(tmp_path: Path) -> None:
    model = at.Model()
    points = [[0.001 * k, 0.0] for k in range(30_000)]
    body = model.add(at.RigidBody("body", 1.0, (1, 1, 1)))
    pin = model.add(at.Revolute("pin", model.ground, body))
    model.add(at.TabulatedRotationalSpringDamper("spring", pin, torque_at_angle=points))
    with pytest.raises(ModelError, match="KiB, and a model file may have 256; heights on a large"):
        at.write_model(model, tmp_path / "m.yaml")
    assert not (tmp_path / "m.yaml").exists()
