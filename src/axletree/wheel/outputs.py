"""The named outputs of a tyre: block 1, forces and moments, and where it meets the ground.

Numbers of tables are those of Morency 2007.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from axletree.components.exchange import NamedOutput, RelativeMotion
from axletree.expr import Expr
from axletree.wheel.contact_geometry import Patch
from axletree.wheel.contract import Forces
from axletree.wheel.slip import Rolling, SlipState


def intermediates(
    patch: Patch, effective: Any, rolling: Rolling, slip: SlipState, reactions: Collection[str] = ()
) -> Iterator[NamedOutput]:
    """Block 1 (table 4.3), but for a normal force that is a reaction."""
    yield NamedOutput(
        "inclination", "rad", "gamma, of the wheel plane to the normal", rolling.inclination
    )
    yield NamedOutput("loaded_radius", "m", "R_l, unloaded less deflection", patch.loaded_radius)
    if "Fz" not in reactions:
        yield NamedOutput("Fz", "N", "normal force on the tyre", rolling.normal_load)
    yield NamedOutput("effective_radius", "m", "R_eff, of free rolling", effective)
    yield NamedOutput("spin_rate", "rad/s", "Omega, about the axis of symmetry", patch.spin_rate)
    yield NamedOutput("VCx", "m/s", "forward speed of the centre", patch.centre_speed)
    yield NamedOutput("VEx", "m/s", "sliding speed at the effective radius", rolling.sliding_speed)
    yield NamedOutput("VPy", "m/s", "lateral speed of the contact point", rolling.lateral_speed)
    at_contact = patch.sliding_speed(patch.loaded_radius)
    yield NamedOutput("VPx", "m/s", "sliding speed at the loaded radius", at_contact)
    yield NamedOutput("VEx_star", "m/s", "V*_Ex, VEx without the spin", rolling.rolling_speed_E)
    yield NamedOutput("VPx_star", "m/s", "V*_Px, VPx without the spin", rolling.rolling_speed_P)
    yield NamedOutput("slip", "1", "S, longitudinal slip", slip.longitudinal)
    yield NamedOutput("slip_angle", "rad", "alpha, slip angle", slip.angle)
    turn_slip = patch.turn_slip(rolling.rolling_speed_P)
    yield NamedOutput("turn_slip", "1/m", "phi_t, curvature of the path", turn_slip)


def force_outputs(f: Forces, reactions: Collection[str] = ()) -> Iterator[NamedOutput]:
    """Forces and moments, but for those that are reactions."""
    texts = {
        "Fx": ("N", "longitudinal force on the tyre, ISO axes"),
        "Fy": ("N", "lateral force on the tyre, ISO axes"),
        "Mx": ("N*m", "overturning moment on the tyre, ISO axes"),
        "My": ("N*m", "rolling resistance moment on the tyre, ISO axes"),
        "Mz": ("N*m", "aligning moment on the tyre, ISO axes"),
    }
    computed = {name: texts[name] for name in texts if name not in reactions}
    for name, (unit, text) in computed.items():
        yield NamedOutput(name, unit, text, getattr(f, name))


def contact_frame(patch: Patch, radius: Expr, motion: RelativeMotion) -> Iterator[NamedOutput]:
    """Where the tyre meets the ground and along which axes, in the axes of the road.

    In the air it is the place on the ground where the tyre would come down.
    """
    R, reach = motion.R_tail_head, patch.reach(radius)
    aside, below = reach.left(patch.lean), reach.below(patch.lean)
    point = motion.displacement + R @ (patch.y_C * aside - patch.n_C * below)
    for word, unit, text, vector in (
        ("contact_point", "m", "point of contact with the ground", point),
        ("forward", "1", "direction of Fx", R @ patch.x_C),
        ("normal", "1", "direction of Fz, the ground's normal", R @ patch.n_C),
    ):
        for axis, component in zip("xyz", vector, strict=True):
            yield NamedOutput(f"{word}.{axis}", unit, f"{axis} of the {text}, road axes", component)


def stored_energies(energies: Mapping[str, Expr]) -> Iterator[NamedOutput]:
    """What parts with dynamics of their own store, by the word of the part."""
    for word, energy in energies.items():
        if not energy.is_zero:
            yield NamedOutput(f"{word}_energy", "J", f"energy stored in the {word}", energy)
