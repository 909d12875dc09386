"""Which parts of a tyre do not go together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from axletree.library.surfaces.flat import Flat
from axletree.library.tyres.contract import knows_pressure
from axletree.library.tyres.held_contact import held_problems
from axletree.library.tyres.lever import RigidLever
from axletree.library.tyres.rim import NoRim
from axletree.library.tyres.side import Side

if TYPE_CHECKING:
    from axletree.library.tyres.tyre import Tyre


def part_problems(tyre: Tyre) -> list[str]:
    """What is wrong with parts that are right one by one."""
    held = held_problems(tyre.law, tyre.slip, tyre.rolling_radius)
    size = tyre.contact.radius_problems(tyre.unloaded_radius)
    return [*held, *_of_law(tyre), *size, *_of_motion(tyre), *_of_ground(tyre)]


def part_cautions(tyre: Tyre) -> Iterator[str]:
    """What a model of these parts cannot show, or what may not be meant."""
    yield from tyre.surface.cautions()
    least = tyre.surface.least_radius
    if least < tyre.unloaded_radius:
        yield (
            f"the ground is curved by a radius of {least:.3g} m, less than that of the tyre, "
            f"{tyre.unloaded_radius:.3g} m: a tyre that meets the ground at one point may then "
            "jump from place to place; take a smoother surface"
        )


def _of_law(tyre: Tyre) -> Iterator[str]:
    law = type(tyre.law).__name__
    if tyre.mirrored and Side.EITHER not in (tyre.side, tyre.law.side):
        yield "the sides of tyre and law tell what mirrored would; leave it out"
    if tyre.slip.takes_lengths and not tyre.law.has_relaxation_lengths:
        yield (
            f"slip takes the relaxation lengths of the law, but this {law} has none; "
            "give them with constant-lag or stretched-string"
        )
    if tyre.slip.states() and not tyre.law.takes_slip:
        told = "goes by velocities and feels no lag of slip; leave slip out, or make it kinematic"
        yield f"the law, {law}, {told}"
    if tyre.inflation_pressure is not None and not knows_pressure(tyre.law):
        yield f"inflation_pressure has no effect on the law, {law}; leave it out"


def _of_motion(tyre: Tyre) -> Iterator[str]:
    moving = {
        field: getattr(tyre, field)
        for field in ("belt", "contact_dynamics")
        if getattr(tyre, field).states()
    }
    for field, part in moving.items():
        name = type(part).__name__
        if tyre.law.holds or tyre.law.holds_lateral:
            yield (
                f"the law, {type(tyre.law).__name__}, holds the wheel at its contact point, "
                f"where the {field}, {name}, would move; leave {field} out"
            )
        if not isinstance(tyre.lever, RigidLever):
            yield f"{field}, {name}, needs the lever to the contact point; leave lever out"
    if tyre.normal_force.holds and tyre.belt.moves_vertically:
        yield (
            f"the belt, {type(tyre.belt).__name__}, moves up and down by itself, so that without "
            "deflection its height would be held, which is a state of the tyre and not a motion "
            "that a constraint can act on; take a normal force with a stiffness"
        )
    if not isinstance(tyre.rim, NoRim) and sorted(abs(c) for c in tyre.axis) != [0.0, 0.0, 1.0]:
        yield "a rim needs an axle along a coordinate axis of the wheel; leave rim out"


def _of_ground(tyre: Tyre) -> Iterator[str]:
    if isinstance(tyre.surface, Flat):
        return
    for field in ("belt", "contact_dynamics"):
        part = getattr(tyre, field)
        if part.needs_flat_ground:
            yield f"{field}, {type(part).__name__}, moves along a plane; take a flat surface"
