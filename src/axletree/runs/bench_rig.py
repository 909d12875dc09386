"""The rig that benches are built of: slides and hinges between the ground and the wheel.

From the ground outwards they are ``track`` along x, ``cross`` along y, ``lift`` along z,
``yaw`` about z, ``lean`` about x and ``axle`` about y. Those that a bench does not name are not
there; the others are free, or follow a function of time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from axletree.components.bodies import BodyOfRevolution, MasslessBody, RigidBody
from axletree.components.contract import Component
from axletree.components.drivers import RotationDriver, TranslationDriver
from axletree.components.frames import Frame
from axletree.components.joints import Prismatic, Revolute
from axletree.components.loads import JointForce
from axletree.model.model import Model, Plot, Run
from axletree.runs.bench_contract import TYRE, Subject
from axletree.wheel.tyre import Tyre

FREE = None  # of a joint that nothing drives
_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
_SLIDES = {"track": _X, "cross": _Y, "lift": _Z}
HINGES = {"yaw": _Z, "lean": _X, "axle": _Y}
HUB_MASS = 8.5  # kg; with wheel and rim 15 kg, which weigh 147 N (Andres 2009, figure 3.13)
_STEP, SHORT_STEP = 1e-4, 2e-5  # s
RECORD_INTERVAL = 0.01  # s
LANDING_INTERVAL = 5e-4  # s, of wheels that land: a stiff tyre touches for a few ms


def rig(title: str, subject: Subject, moves: Mapping[str, Any], **fields: Any) -> Model:
    """A wheel whose joints are free or move as ``moves`` says; ``fields`` are further ones of
    the tyre."""
    model = Model(title.replace("-", "_"))
    joints = [name for name in (*_SLIDES, *HINGES) if name in moves]
    frame: Frame = model.ground.main_frame
    for name in joints:
        body = _body(model, subject, name, joints)
        joint = _joint(model, name, frame, body)
        frame = body
        if moves[name] is not FREE:
            _drive(model, name, joint, moves[name])
    model.add(Tyre(TYRE, model["axle"], model.ground.main_frame, **{**subject.fields, **fields}))
    model.start = {"lift.position": subject.radius} if "lift" in moves else {}
    return model


def free_wheel(title: str, subject: Subject, **fields: Any) -> Model:
    """A wheel that nothing guides: its hub weighs next to nothing."""
    model = Model(title.replace("-", "_"))
    hub = model.add(RigidBody("hub", 0.1, (1e-3, 1e-3, 1e-3)))
    wheel = _body(model, subject, "axle", ["axle"])
    model.add(Revolute("axle", hub.main_frame, wheel, axis=_Y))
    model.add(Tyre(TYRE, model["axle"], model.ground.main_frame, **{**subject.fields, **fields}))
    model.start = {"hub.z": subject.radius}
    return model


def press_down(model: Model, force: float | str) -> None:
    """Press the wheel down by a force [N], a number or an expression of t."""
    up: Any = f"-({force})" if isinstance(force, str) else -force
    model.add(JointForce("load", model["lift"], up))


def inclination_runs(steepest: int, step: int) -> dict[str, dict[str, float]]:
    """Runs at inclinations to both sides [degrees], for a lean that is driven by a number."""
    angles = range(-steepest, steepest + 1, step)
    return {f"{angle} deg": {"lean_drive.angle": math.radians(angle)} for angle in angles}


def propose_run(
    model: Model,
    subject: Subject,
    duration: float,
    plots: Sequence[Plot],
    record_interval: float = RECORD_INTERVAL,
) -> None:
    """Propose the run and its plots."""
    step = SHORT_STEP if subject.moves_within else _STEP
    model.run = Run(duration, step, "rk4", record_interval)
    model.plots = tuple(plots)


def _body(model: Model, subject: Subject, joint: str, joints: Sequence[str]) -> Frame:
    """What a joint carries: the wheel, the hub that carries the axle, or a slider."""
    if joint == "axle":
        return model.add(_wheel(subject)).main_frame
    if joint == joints[-2]:
        return model.add(RigidBody("hub", HUB_MASS, (0.1, 0.1, 0.1))).main_frame
    return model.add(MasslessBody(f"{joint}_slider")).main_frame


def _wheel(subject: Subject) -> BodyOfRevolution:
    """A wheel; only a little of one where the tyre has a rim of its own."""
    mass, axial, transverse = (0.5, 0.01, 0.006) if subject.has_rim else (6.5, 0.26, 0.156)
    return BodyOfRevolution("wheel", mass, axial, transverse, axis=_Y)


def _joint(model: Model, name: str, tail: Frame, head: Frame) -> Component:
    if name in _SLIDES:
        return model.add(Prismatic(name, tail, head, axis=_SLIDES[name]))
    return model.add(Revolute(name, tail, head, axis=HINGES[name]))


def _drive(model: Model, name: str, joint: Component, course: Any) -> None:
    if name in _SLIDES:
        model.add(TranslationDriver(f"{name}_drive", joint, course))
    else:
        model.add(RotationDriver(f"{name}_drive", joint, course))
