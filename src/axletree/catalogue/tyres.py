"""The parts of a tyre, its laws, and the benches that tyres are tested on."""

# ruff: noqa: E501 - an entry is one line, however long its names

from __future__ import annotations

NORMAL_FORCES = {
    "none": "axletree.library.tyres.normal_force:NoDeflection",
    "linear": "axletree.library.tyres.normal_force:LinearNormalForce",
    "tabulated": "axletree.library.tyres.normal_force:TabulatedNormalForce",
    "kelvin": "axletree.library.tyres.vertical.kelvin:KelvinForce",
    "gehmann": "axletree.library.tyres.vertical.gehmann:GehmannForce",
    "elasto": "axletree.library.tyres.vertical.elasto:ElastoForce",
}

CONTACTS = {
    "disc": "axletree.library.tyres.contact_geometry:PlanarDisc",
    "toroid": "axletree.library.tyres.contact_geometry:Toroid",
    "belted": "axletree.library.tyres.belted:Belted",
}

RIMS = {
    "none": "axletree.library.tyres.rim:NoRim",
    "spoked": "axletree.library.tyres.rim:SpokedRim",
}

BELTS = {
    "rigid": "axletree.library.tyres.belts.rigid:RigidBelt",
    "torsion": "axletree.library.tyres.belts.torsion:TorsionBelt",
    "longitudinal-lateral": "axletree.library.tyres.belts.longitudinal_lateral:LongitudinalLateralBelt",
    "quad": "axletree.library.tyres.belts.quad:QuadBelt",
}

CONTACT_DYNAMICS = {
    "none": "axletree.library.tyres.contact_dynamics:NoContactDynamics",
    "second-order": "axletree.library.tyres.contact_dynamics:SecondOrderContact",
}

LEVERS = {
    "rigid": "axletree.library.tyres.lever:RigidLever",
    "none": "axletree.library.tyres.lever:NoLever",
}

SLIPS = {
    "kinematic": "axletree.library.tyres.slip:KinematicSlip",
    "constant-lag": "axletree.library.tyres.slip:ConstantLag",
    "law-lag": "axletree.library.tyres.slip:LawLag",
    "stretched-string": "axletree.library.tyres.slip:StretchedString",
}

ROLLING_RADII = {
    "loaded": "axletree.library.tyres.rolling_radius:LoadedRadius",
    "unloaded": "axletree.library.tyres.rolling_radius:UnloadedRadius",
    "saturating": "axletree.library.tyres.rolling_radius:SaturatingRadius",
}

TYRES = {
    "no-slip": "axletree.library.tyres.no_slip:NoSlip",
    "linear": "axletree.library.tyres.linear:LinearTyre",
    "fiala": "axletree.library.tyres.fiala:Fiala",
    "brush": "axletree.library.tyres.brush:Brush",
    "tmeasy": "axletree.library.tyres.tmeasy:TMeasy",
    "calspan": "axletree.library.tyres.calspan:Calspan",
    "magic-formula-5.2": "axletree.library.tyres.magic_formula52:MagicFormula52",
    "magic-formula-6.1": "axletree.library.tyres.magic_formula61:MagicFormula61",
    "magic-formula-6.2": "axletree.library.tyres.magic_formula62:MagicFormula62",
    "short-magic-formula": "axletree.library.tyres.short_magic_formula:ShortMagicFormula",
    "external": "axletree.library.tyres.external_law:ExternalLaw",
    "composed": "axletree.library.tyres.composed_friction:ComposedFriction",
    "dry-rolling-friction": "axletree.library.tyres.dry_rolling_friction:DryRollingFriction",
    "advanced-friction": "axletree.library.tyres.advanced_friction:AdvancedFriction",
}

BENCHES = {
    "elevation-simple": "axletree.model.benches.elevation_simple:BENCH",
    "elevation-advanced": "axletree.model.benches.elevation_advanced:BENCH",
    "slip-longitudinal": "axletree.model.benches.slip_longitudinal:BENCH",
    "slip-lateral": "axletree.model.benches.slip_lateral:BENCH",
    "rolling-resistance": "axletree.model.benches.rolling_resistance:BENCH",
    "bore-torque": "axletree.model.benches.bore_torque:BENCH",
    "camber-force": "axletree.model.benches.camber_force:BENCH",
    "load-influence": "axletree.model.benches.load_influence:BENCH",
    "overturning": "axletree.model.benches.overturning:BENCH",
    "self-aligning": "axletree.model.benches.self_aligning:BENCH",
    "slippery-surface": "axletree.model.benches.slippery_surface:BENCH",
    "dropping": "axletree.model.benches.dropping:BENCH",
    "rolling-uneven": "axletree.model.benches.rolling_uneven:BENCH",
    "flat-track": "axletree.model.benches.flat_track:BENCH",
}
