"""What a tyre tells by name: block 1, and forces and moments.

Numbers of tables are those of Morency 2007.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from axletree.core.expr import Expr
from axletree.library.contract import Computed, RelativeMotion
from axletree.library.tyres.contract import Forces
from axletree.library.tyres.patch import Patch
from axletree.library.tyres.slip import Rolling, SlipState


def intermediates(
    patch: Patch, effective: Any, rolling: Rolling, slip: SlipState, reactions: Collection[str] = ()
) -> Iterator[Computed]:
    """Block 1 (table 4.3), but for a normal force that is a reaction."""
    yield Computed(
        "inclination", "rad", "gamma, of the wheel plane to the normal", rolling.inclination
    )
    yield Computed("loaded_radius", "m", "R_l, unloaded less deflection", patch.loaded_radius)
    if "Fz" not in reactions:
        yield Computed("Fz", "N", "normal force on the tyre", rolling.normal_load)
    yield Computed("effective_radius", "m", "R_eff, of free rolling", effective)
    yield Computed("spin_rate", "rad/s", "Omega, about the axis of symmetry", patch.spin_rate)
    yield Computed("VCx", "m/s", "forward speed of the centre", patch.centre_speed)
    yield Computed("VEx", "m/s", "sliding speed at the effective radius", rolling.sliding_speed)
    yield Computed("VPy", "m/s", "lateral speed of the contact point", rolling.lateral_speed)
    at_contact = patch.sliding_speed(patch.loaded_radius)
    yield Computed("VPx", "m/s", "sliding speed at the loaded radius", at_contact)
    yield Computed("VEx_star", "m/s", "V*_Ex, VEx without the spin", rolling.rolling_speed_E)
    yield Computed("VPx_star", "m/s", "V*_Px, VPx without the spin", rolling.rolling_speed_P)
    yield Computed("slip", "1", "S, longitudinal slip", slip.longitudinal)
    yield Computed("slip_angle", "rad", "alpha, slip angle", slip.angle)
    turn_slip = patch.turn_slip(rolling.rolling_speed_P)
    yield Computed("turn_slip", "1/m", "phi_t, curvature of the path", turn_slip)


def outputs(f: Forces, reactions: Collection[str] = ()) -> Iterator[Computed]:
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
        yield Computed(name, unit, text, getattr(f, name))


def contact_frame(patch: Patch, radius: Expr, motion: RelativeMotion) -> Iterator[Computed]:
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
            yield Computed(f"{word}.{axis}", unit, f"{axis} of the {text}, road axes", component)


def stored(energies: Mapping[str, Expr]) -> Iterator[Computed]:
    """What parts with dynamics of their own store, by the word of the part."""
    for word, energy in energies.items():
        if not energy.is_zero:
            yield Computed(f"{word}_energy", "J", f"energy stored in the {word}", energy)
