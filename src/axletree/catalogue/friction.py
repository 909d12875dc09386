"""The effects that a tyre's friction is composed of."""

# ruff: noqa: E501 - an entry is one line, however long its names

from __future__ import annotations

FRICTION_SLIPS = {
    "no-slip": "axletree.library.friction.slips.no_slip:HeldSlip",
    "dry-longitudinal": "axletree.library.friction.slips.dry_longitudinal:LongitudinalDryFriction",
    "dry": "axletree.library.friction.slips.dry:DryFriction",
    "rill": "axletree.library.friction.slips.rill:RillFriction",
    "combined": "axletree.library.friction.slips.combined:CombinedFriction",
}

ROLLING_RESISTANCES = {
    "none": "axletree.library.friction.rolling_resistances.none:NoRollingResistance",
    "constant": "axletree.library.friction.rolling_resistances.constant:ConstantRollingResistance",
    "speed-dependent": "axletree.library.friction.rolling_resistances.speed_dependent:SpeedDependentRollingResistance",
}

BORE_TORQUES = {
    "none": "axletree.library.friction.bore_torques.none:NoBoreTorque",
    "linear": "axletree.library.friction.bore_torques.linear:LinearBoreTorque",
    "combined": "axletree.library.friction.bore_torques.combined:CombinedBoreTorque",
}

CAMBER_EFFECTS = {
    "none": "axletree.library.friction.cambers.none:NoCamberEffect",
    "simple-speed": "axletree.library.friction.cambers.simple_speed:SimpleCamberSpeed",
    "combined-speed": "axletree.library.friction.cambers.combined_speed:CombinedCamberSpeed",
}

LOAD_INFLUENCES = {
    "linear": "axletree.library.friction.load_influences.linear:LinearLoadInfluence",
    "quadratic": "axletree.library.friction.load_influences.quadratic:QuadraticLoadInfluence",
}

OVERTURNING_TORQUES = {
    "none": "axletree.library.friction.overturning_torques.none:NoOverturningTorque",
    "linear": "axletree.library.friction.overturning_torques.linear:LinearOverturningTorque",
}

ALIGNING_TORQUES = {
    "none": "axletree.library.friction.aligning_torques.none:NoAligningTorque",
    "rill": "axletree.library.friction.aligning_torques.rill:RillAligningTorque",
}
