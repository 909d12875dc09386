"""The multibody part of the 14-DOF car of Morency 2007: forces are inputs, no tyres.

A free body, four vertical struts, two steered knuckles, four wheels of revolution.
Masses [kg], inertias [kg m^2], positions [m] in the body's frame (x forward, y left, z up).
"""

from __future__ import annotations

from axletree.library.bodies import BodyOfRevolution, MasslessBody, RigidBody
from axletree.library.drivers.joint_force import JointForce
from axletree.library.drivers.joint_torque import JointTorque
from axletree.library.drivers.load_driver import LoadDriver
from axletree.library.drivers.rotation_driver import RotationDriver
from axletree.library.joints.free import Free
from axletree.library.joints.prismatic import Prismatic
from axletree.library.joints.revolute import Revolute
from axletree.model.model import Model

CORNERS = {
    "front_left": (1.353, 0.76),
    "front_right": (1.353, -0.76),
    "rear_left": (-1.487, 0.795),
    "rear_right": (-1.487, -0.795),
}


def car() -> Model:
    model = Model("car")
    body = model.add(RigidBody("body", 2077, (330, 1925, 1925, 0, 110, 0)))
    model.add(Free("chassis", model.ground, body))
    for name, (x, y) in CORNERS.items():
        upright = model.add(RigidBody(f"{name}_upright", 10, (1, 0.5, 1)))
        strut = model.add(Prismatic(f"{name}_strut", body.point(x, y, 0, name), upright, axis="-z"))
        model.add(JointForce(f"{name}_spring", strut))
        carrier = upright
        if name.startswith("front"):
            carrier = model.add(MasslessBody(f"{name}_knuckle"))
            kingpin = model.add(Revolute(f"{name}_kingpin", upright, carrier, axis="z"))
            model.add(RotationDriver(f"{name}_steer", kingpin))
        wheel = model.add(BodyOfRevolution(f"{name}_wheel", 28, 1.56, 0.78, axis="y"))
        axle = model.add(Revolute(f"{name}_axle", carrier, wheel, axis="y"))
        model.add(LoadDriver(f"{name}_tyre", model.ground, carrier, basis="head"))
        model.add(JointTorque(f"{name}_brake", axle))
    return model
