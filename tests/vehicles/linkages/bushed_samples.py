"""Axles of each kind with a bushing at every joint that can have one."""

from __future__ import annotations

from typing import Any

from vehicles.linkages.linkage_samples import SAMPLES

from axletree.vehicles.linkages.corner import CornerSuspension
from axletree.vehicles.linkages.linkage import Ball, Bar, Cross, Hinge, Sleeve

# Softer along its own z; other numbers along x and y, so that axes that are mixed up show.
RUBBER: dict[str, Any] = {
    "stiffness": (8e6, 5e6, 2e6), "rotational_stiffness": (500.0, 300.0, 60.0),
}  # fmt: skip


def softened(name: str) -> dict[str, Any]:
    """Places of one side that take a bushing."""
    linkage = SAMPLES[name]().linkage()
    fixed = {hinge for part in (*linkage.bars, *linkage.couplings) for hinge in part.hinges}
    fixed |= {linkage.steering_hinge, "idler_joint"}
    places = []
    for joint in linkage.joints:
        if joint.name in fixed or joint.name.startswith("right"):
            continue
        plain = joint.name.removeprefix("left_")
        if isinstance(joint, Bar):
            places += [f"{plain}_inner", f"{plain}_outer"]
        elif isinstance(joint, Ball | Cross | Hinge | Sleeve):
            places.append(plain)
    return dict.fromkeys(places, RUBBER)


def bushed(name: str, **other: Any) -> CornerSuspension:
    """With a bushing at every joint."""
    return SAMPLES[name](**{"bushings": softened(name), **other})
