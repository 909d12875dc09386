"""An axle by hard points as a model whose body is fixed to the ground, without wheels."""

from __future__ import annotations

from axletree.analysis.kinematics_and_compliance.axle import AxleOnRig, WheelOnRig
from axletree.components.bodies import RigidBody
from axletree.components.frames import Frame
from axletree.components.joints import JOINT_ANGLE, JOINT_POSITION, Prismatic, Weld
from axletree.model.model import Model
from axletree.vehicles.linkages.components import AxleComponents, place_linkage
from axletree.vehicles.linkages.contract import LinkedSuspension
from axletree.vehicles.suspensions import SIDES, AxlePlace


def rig_of_suspension(
    name: str,
    suspension: LinkedSuspension,
    carried: float,
    tyre_radius: float,
) -> AxleOnRig:
    """An axle of this name, whose springs carry a load [N] at each wheel."""
    height = suspension.wheel_centre_height
    model = Model(f"{name}_on_rig")
    body = model.add(RigidBody("body", 1.0, (1.0, 1.0, 1.0)))
    model.add(Weld("rig", model.ground.main_frame, body.main_frame))
    track = suspension.kinematics.linkage.carriers["left"].centre[1] * 2.0
    place = AxlePlace(name, body, 0.0, height, track, carried)
    found = place_linkage(model, place, suspension)
    left, right = (_wheel(found, side) for side in SIDES)
    return AxleOnRig(model, left, right, height, tyre_radius, _coordinate(found))


def _wheel(found: AxleComponents, side: str) -> WheelOnRig:
    ends = found.springs.get(f"{side}_spring")
    kingpin = found.kingpins.get(side)
    spring = None if ends is None else _names(ends)
    return WheelOnRig(
        hub=found.hubs[side].name,
        kingpin=None if kingpin is None else _names(kingpin),
        spring=spring,
        damper=spring,
    )


def _names(ends: tuple[Frame, Frame]) -> tuple[str, str]:
    return ends[0].name, ends[1].name


def _coordinate(found: AxleComponents) -> str | None:
    """Of what steers: the rack's position or the pitman arm's angle."""
    if found.steers is None:
        return None
    variable = JOINT_POSITION if isinstance(found.steers, Prismatic) else JOINT_ANGLE
    return f"{found.steers.name}.{variable.suffix}"
