"""Trees of bodies, described once and built in Axletree and in three other programs.

Each program answers with the rates of speeds at a state. Joint angles, positions and their rates
mean the same in all of them; the base of a free tree has its velocity and angular velocity in
its own axes, as Axletree has, and what a program has in others is converted here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

import axletree as at

Array = np.ndarray
GRAVITY = (0.0, 0.0, -9.80665)
OFF_DIAGONAL = ((0, 1), (0, 2), (1, 2))


@dataclass(frozen=True)
class Link:
    """A body on a joint; the first of a tree may be free."""

    name: str
    parent: str | None  # None for the ground
    kind: str  # free, revolute or prismatic
    axis: tuple[float, float, float]
    position: tuple[float, float, float]  # of the joint, from the parent's centre of mass
    centre: tuple[float, float, float]  # of mass, from the joint
    mass: float
    inertia: tuple[float, float, float, float, float, float]  # xx, yy, zz, xy, xz, yz elements
    yaw: float = 0.0  # of the joint's axes in the parent's, about z

    @property
    def tensor(self) -> Array:
        xx, yy, zz, xy, xz, yz = self.inertia
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    @property
    def turn(self) -> Array:
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


@dataclass(frozen=True)
class State:
    """Of a tree: the base if it is free, then the joints in the order of the links."""

    place: Array  # of the base
    angles: Array  # yaw, pitch and roll of the base
    velocity: Array  # and angular velocity of the base, in its axes
    joints: Array
    rates: Array
    efforts: Array  # forces and torques of the joints

    @property
    def rotation(self) -> Array:
        (cy, cp, cr), (sy, sp, sr) = np.cos(self.angles), np.sin(self.angles)
        z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
        y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
        x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
        return np.asarray(z @ y @ x)


def random_state(links: Sequence[Link], random: Random) -> State:
    def numbers(count: int, size: float = 1.0) -> Array:
        return np.array([random.uniform(-size, size) for _ in range(count)])

    free = links[0].kind == "free"
    n = len(links) - free
    base = (
        (numbers(3), numbers(3), numbers(6, 3.0)) if free else (np.zeros(3),) * 2 + (np.zeros(6),)
    )
    return State(*base, numbers(n), numbers(n, 5.0), numbers(n, 50.0))


def chain(count: int, random: Random) -> list[Link]:
    """Bodies that hang on one another by axes of any direction, each of any inertia."""
    links = []
    for k in range(count):
        axis = np.array([random.gauss(0.0, 1.0) for _ in range(3)])
        root = np.array([[random.gauss(0.0, 1.0) for _ in range(3)] for _ in range(3)])
        tensor = 0.1 * root @ root.T + 0.2 * np.eye(3)  # such that no two are less than the third
        place = [tuple(random.uniform(-0.5, 0.5) for _ in range(3)) for _ in range(2)]
        tensor = np.trace(tensor) * np.eye(3) - tensor
        elements = tuple(
            float(tensor[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        )
        parent = f"body{k - 1}" if k else None
        unit = tuple(float(x) for x in axis / np.linalg.norm(axis))
        links.append(Link(f"body{k}", parent, "revolute", unit, *place, 1.0 + k, elements))
    return links


def car(steer: float) -> list[Link]:
    """The multibody part of the car of Morency 2007, appendix A.1; its steering is held."""
    still, links = (0.0, 0.0, 0.0), []
    links.append(
        Link(
            "body", None, "free", still, still, still, 2077.0, (330.0, 1925.0, 1925.0, 0, 110.0, 0)
        )
    )
    for name, hub in (
        ("front_left", (1.353, 0.76, 0.0)), ("front_right", (1.353, -0.76, 0.0)),
        ("rear_left", (-1.487, 0.795, 0.0)), ("rear_right", (-1.487, -0.795, 0.0)),
    ):  # fmt: skip
        mass, wheel = (1.0, 0.5, 1.0, 0, 0, 0), (0.78, 1.56, 0.78, 0, 0, 0)
        down, across = (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)
        links.append(Link(f"{name}_mass", "body", "prismatic", down, hub, still, 10.0, mass))
        yaw = steer if name.startswith("front") else 0.0
        links.append(
            Link(
                f"{name}_wheel", f"{name}_mass", "revolute", across, still, still, 28.0, wheel, yaw
            )
        )
    return links


def skidder() -> list[Link]:
    """The multibody part of the skidder of Morency 2007, appendix A.2; its hinge is free."""
    still, across, upwards = (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    cube = (7280.0, 7280.0, 7280.0, 0.0, 0.0, 0.0)
    to_hinge, behind = (-1.227, 0.0, -0.3861), (-1.227, 0.0, 0.3861)
    links = [Link("front", None, "free", still, still, still, 7280.0, cube)]
    links.append(Link("rear", "front", "revolute", upwards, to_hinge, behind, 7280.0, cube))
    for half, ahead in (("front", 0.5), ("rear", -0.5)):
        for side, left in (("left", 1.2275), ("right", -1.2275)):
            hub, wheel = (ahead, left, -0.5461), (112.5, 225.0, 112.5, 0.0, 0.0, 0.0)
            name = f"{half}_{side}_wheel"
            links.append(Link(name, half, "revolute", across, hub, still, 557.0, wheel))
    return links


# -- Axletree ----------------------------------------------------------------------------------
def by_axletree(links: Sequence[Link], state: State) -> Array:
    model = at.Model("tree", gravity=GRAVITY)
    bodies: dict[str | None, Any] = {None: model.ground}
    for link in links:
        body = model.add(at.RigidBody(link.name, link.mass, link.inertia))
        bodies[link.name], joint = body, f"{link.name}_joint"
        if link.kind == "free":
            model.add(at.Free(joint, model.ground, body))
            continue
        head = body.point(*(-x for x in link.centre), "root")
        if link.yaw:
            knuckle = model.add(at.MasslessBody(f"{link.name}_knuckle"))
            held = f"{link.name}_held"
            where = bodies[link.parent].point(*link.position, f"{link.name}_at")
            kingpin = model.add(at.Revolute(held, where, knuckle, axis="z"))
            model.add(at.RotationDriver(f"{link.name}_steer", kingpin))
            tail = knuckle
        else:
            tail = bodies[link.parent].point(*link.position, f"{link.name}_at")
        kind = at.Revolute if link.kind == "revolute" else at.Prismatic
        made = model.add(kind(joint, tail, head, axis=link.axis))
        load = at.JointTorque if link.kind == "revolute" else at.JointForce
        model.add(load(f"{link.name}_load", made))
    system = model.formulate()
    values, inputs, wanted = _named(links, state)
    names = {q.name for q in system.inputs}
    inputs |= {f"{link.name}_steer.angle": link.yaw for link in links if link.yaw}
    rates = system.rhs(system.state(values), inputs={k: v for k, v in inputs.items() if k in names})
    return np.array([rates[name] for name in wanted])


WORDS = {"revolute": ("angle", "rate", "torque"), "prismatic": ("position", "speed", "force")}


def _named(
    links: Sequence[Link], state: State
) -> tuple[dict[str, float], dict[str, float], list[str]]:
    """States and inputs by Axletree's names, and the names of the speeds in their order."""
    values: dict[str, float] = {}
    inputs, wanted, joints = {}, [], links
    if links[0].kind == "free":
        base, joints = f"{links[0].name}_joint", links[1:]
        places = dict(zip("xyz", state.place, strict=True))
        places |= dict(zip(("yaw", "pitch", "roll"), state.angles, strict=True))
        speeds = dict(zip(("vx", "vy", "vz", "wx", "wy", "wz"), state.velocity, strict=True))
        values |= {f"{base}.{k}": float(v) for k, v in {**places, **speeds}.items()}
        wanted += [f"{base}.{k}" for k in speeds]
    for k, link in enumerate(joints):
        words = (
            ("angle", "rate", "torque")
            if link.kind == "revolute"
            else ("position", "speed", "force")
        )
        values[f"{link.name}_joint.{words[0]}"] = float(state.joints[k])
        values[f"{link.name}_joint.{words[1]}"] = float(state.rates[k])
        inputs[f"{link.name}_load.{words[2]}"] = float(state.efforts[k])
        wanted.append(f"{link.name}_joint.{words[1]}")
    return values, inputs, wanted


# -- Pinocchio ---------------------------------------------------------------------------------
def by_pinocchio(links: Sequence[Link], state: State) -> Array:
    import pinocchio as pin

    model, joints = pin.Model(), {None: 0}
    model.gravity.linear = np.array(GRAVITY)
    centres = {None: np.zeros(3)}
    for link in links:
        at_parent = np.array(link.position) + centres[link.parent]
        placement = pin.SE3(link.turn, at_parent)
        axis = np.array(link.axis)
        made = {
            "free": pin.JointModelFreeFlyer,
            "revolute": lambda axis=axis: pin.JointModelRevoluteUnaligned(axis),
            "prismatic": lambda axis=axis: pin.JointModelPrismaticUnaligned(axis),
        }[link.kind]()
        number = model.addJoint(joints[link.parent], made, placement, link.name)
        body = pin.Inertia(link.mass, np.array(link.centre), link.tensor)
        model.appendBodyToJoint(number, body, pin.SE3.Identity())
        joints[link.name], centres[link.name] = number, np.array(link.centre)
    q, v, effort = state.joints, state.rates, state.efforts
    if links[0].kind == "free":
        turn = pin.Quaternion(state.rotation).coeffs()
        q, v = np.concatenate([state.place, turn, q]), np.concatenate([state.velocity, v])
        effort = np.concatenate([np.zeros(6), effort])
    return np.array(pin.aba(model, model.createData(), q, v, effort))


# -- MuJoCo ------------------------------------------------------------------------------------
def by_mujoco(links: Sequence[Link], state: State) -> Array:
    import mujoco

    spec = mujoco.MjSpec()
    spec.option.gravity = GRAVITY
    spec.compiler.degree = False
    bodies, centres = {None: spec.worldbody}, {None: np.zeros(3)}
    kinds = {
        "free": mujoco.mjtJoint.mjJNT_FREE,
        "revolute": mujoco.mjtJoint.mjJNT_HINGE,
        "prismatic": mujoco.mjtJoint.mjJNT_SLIDE,
    }
    for link in links:
        body = bodies[link.parent].add_body(
            name=link.name, pos=np.array(link.position) + centres[link.parent],
            quat=[np.cos(link.yaw / 2), 0.0, 0.0, np.sin(link.yaw / 2)],
        )  # fmt: skip
        body.mass, body.ipos, body.explicitinertial = link.mass, link.centre, True
        body.fullinertia = link.inertia
        along = {} if link.kind == "free" else {"axis": link.axis}
        body.add_joint(name=link.name, type=kinds[link.kind], **along)
        bodies[link.name], centres[link.name] = body, np.array(link.centre)
    model = spec.compile()
    data = mujoco.MjData(model)
    q, v, effort, free = state.joints, state.rates, state.efforts, links[0].kind == "free"
    if free:
        turn = np.zeros(4)
        mujoco.mju_mat2Quat(turn, state.rotation.ravel())
        forward = state.rotation @ state.velocity[:3]
        q, v = (
            np.concatenate([state.place, turn, q]),
            np.concatenate([forward, state.velocity[3:], v]),
        )
        effort = np.concatenate([np.zeros(6), effort])
    places, speeds = _addresses(model, links)  # it goes down one branch after the other
    data.qpos[places], data.qvel[speeds], data.qfrc_applied[speeds] = q, v, effort
    mujoco.mj_forward(model, data)
    found = np.array(data.qacc)[speeds]
    if free:
        found[:3] = in_axes_of_the_base(state, found[:3])
    return found


def _addresses(model: Any, links: Sequence[Link]) -> tuple[list[int], list[int]]:
    """Where MuJoCo has coordinates and speeds of the joints."""
    places: list[int] = []
    speeds: list[int] = []
    for link in links:
        joint, (q, v) = model.joint(link.name), (7, 6) if link.kind == "free" else (1, 1)
        places += range(int(joint.qposadr[0]), int(joint.qposadr[0]) + q)
        speeds += range(int(joint.dofadr[0]), int(joint.dofadr[0]) + v)
    return places, speeds


def in_axes_of_the_base(state: State, acceleration: Array) -> Array:
    """The rates of the velocity's components from the acceleration along the ground's axes."""
    v, w = state.velocity[:3], state.velocity[3:]
    return np.asarray(state.rotation.T @ acceleration - np.cross(w, v))


# -- Drake -------------------------------------------------------------------------------------
def by_drake(links: Sequence[Link], state: State) -> Array:
    from pydrake.math import RigidTransform, RotationMatrix
    from pydrake.multibody.math import SpatialVelocity
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.multibody.tree import (
        FixedOffsetFrame,
        PrismaticJoint,
        RevoluteJoint,
        RotationalInertia,
        SpatialInertia,
        UnitInertia,
    )

    plant = MultibodyPlant(0.0)
    plant.mutable_gravity_field().set_gravity_vector(np.array(GRAVITY))
    bodies, centres, joints = {None: plant.world_body()}, {None: np.zeros(3)}, []
    for link in links:
        m, c = link.mass, np.array(link.centre)
        about_joint = link.tensor + m * (c @ c * np.eye(3) - np.outer(c, c))
        xx, yy, zz = (float(x) for x in np.diag(about_joint))
        xy, xz, yz = (float(about_joint[i, j]) for i, j in OFF_DIAGONAL)
        unit = UnitInertia()
        unit.SetFromRotationalInertia(RotationalInertia(xx, yy, zz, xy, xz, yz), m)
        body = plant.AddRigidBody(link.name, SpatialInertia(m, c, unit))
        bodies[link.name] = body
        if link.kind != "free":
            where = np.array(link.position) + centres[link.parent]
            kind = RevoluteJoint if link.kind == "revolute" else PrismaticJoint
            placed = RigidTransform(RotationMatrix(link.turn), where)
            frame = plant.AddFrame(
                FixedOffsetFrame(f"{link.name}_at", bodies[link.parent].body_frame(), placed)
            )
            joints.append(
                plant.AddJoint(kind(link.name, frame, body.body_frame(), np.array(link.axis)))
            )
        centres[link.name] = c
    plant.Finalize()
    context = plant.CreateDefaultContext()
    R = state.rotation
    if links[0].kind == "free":
        base = bodies[links[0].name]
        pose = RigidTransform(RotationMatrix.ProjectToRotationMatrix(R), state.place)
        plant.SetFreeBodyPose(context, base, pose)
        moves = SpatialVelocity(R @ state.velocity[3:], R @ state.velocity[:3])
        plant.SetFreeBodySpatialVelocity(context, base, moves)
    applied = np.zeros(plant.num_velocities())
    for joint, q, v, effort in zip(joints, state.joints, state.rates, state.efforts, strict=True):
        if hasattr(joint, "set_angle"):
            joint.set_angle(context, q)
            joint.set_angular_rate(context, v)
        else:
            joint.set_translation(context, q)
            joint.set_translation_rate(context, v)
        applied[joint.velocity_start()] = effort
    plant.get_applied_generalized_force_input_port().FixValue(context, applied)
    derivatives = plant.AllocateTimeDerivatives()
    plant.CalcTimeDerivatives(context, derivatives)
    rates = derivatives.get_generalized_velocity().CopyToVector()
    found = [float(rates[joint.velocity_start()]) for joint in joints]
    if links[0].kind != "free":
        return np.array(found)
    start = bodies[links[0].name].floating_velocities_start_in_v()
    turning, moving = rates[start : start + 3], rates[start + 3 : start + 6]
    return np.concatenate([in_axes_of_the_base(state, moving), R.T @ turning, found])
