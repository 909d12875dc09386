"""TMeasy: curves of a few measurable points each, at two loads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.fields import Parameters, Relation, parameter, positive
from axletree.expr import Value, absolute, maximum, minimum, sin, sqrt, where
from axletree.wheel.contract import Contact, Forces, TyreLaw, example_fields
from axletree.wheel.friction_slips import PeakedCurve
from axletree.wheel.slip import SLOW_SPIN, SMALLEST_SQUARE, direction, heading, theoretical_slip

SMALLEST_DEFLECTION = 1e-12  # m; below it the contact length has no slope


def _slope(axis: str, load: str) -> Any:
    return positive("N", f"slope of F{axis} at no slip, at {load}")


def _force(what: str, load: str) -> Any:
    return positive("N", f"{what}, at {load}")


def _slip(what: str, load: str) -> Any:
    return positive("1", f"slip {what}, at {load}")


_ONE, _TWO = "the nominal load", "twice the nominal load"


def _relations_of_curve(axis: str) -> Iterator[Relation]:
    """Forces that grow with the load up to twice the nominal one, and slide below their peak."""
    slope, peak, sliding = f"dF{axis}0", f"F{axis}M", f"F{axis}S"
    yield Relation(f"{slope}_2", below=({f"{slope}_1": 4.0},))
    yield Relation(f"{peak}_2", below=({f"{peak}_1": 4.0},))
    yield Relation(f"{sliding}_1", below=({f"{peak}_1": 1.0},))
    yield Relation(f"{sliding}_2", below=({f"{sliding}_1": 4.0}, {f"{peak}_2": 1.0}))
    yield from _relations_of_slips(f"s{axis}M", f"s{axis}S")


def _relations_of_slips(first: str, last: str) -> Iterator[Relation]:
    """One slip below the other at every load, from 0 on."""
    yield Relation(f"{first}_1", below=({f"{last}_1": 1.0},))
    yield Relation(f"{first}_2", below=({f"{first}_1": 2.0},))
    distance = {f"{last}_1": 2.0, f"{first}_1": -2.0}
    yield Relation(f"{last}_2", {f"{first}_2": 1.0}, ({f"{first}_2": 1.0, **distance},))


@dataclass(frozen=True)
class TMeasy(TyreLaw):
    """Combined slip, load, trail and camber (Hirschberg, Rill and Weinfurter 2007).

    The formulas are written out here; Rill 2012, chapter 3, has them, too. Slips are over
    the speed of rolling. Each force curve is given by its slope at no slip dF0, its
    greatest force FM at the slip sM, and the sliding force FS from the slip sS on:

        s < sM    F = dF0 s / (1 + sigma (sigma + dF0 sM / FM - 2)),  sigma = s / sM
        s < sS    F = FM - (FM - FS) tau^2 (3 - 2 tau),               tau = (s - sM) / (sS - sM)
        else      F = FS

    at the nominal load (_1) and at twice that load (_2): through both and zero by a
    parabola for forces, by a line for slips. Beyond twice the nominal load the forces grow
    in proportion to the load. Combined slip is the length of (sx / hx, sy / hy) with

        hx = sxM / (sxM + syM) + (FxM / dFx0) / (FxM / dFx0 + FyM / dFy0),  hy likewise,

    on a curve whose points lie between those of x and y as on an ellipse. The trail over
    the contact length L = 2 sqrt(r_0 deflection) falls to zero at sy0, is slightly negative
    up to syE, and then stays zero; in reverse it lies ahead. Camber adds a third of the side
    force of the slip that the leaning wheel's turning makes at the ends of the contact,
    L sin(gamma) / (2 r_D), reduced as the tyre slides. The bore torque of a turning contact
    patch and the overturning moment are left out.

    Example:
    >>> import axletree as at
    >>> law = at.TMeasy(**at.TMeasy.example)
    >>> print(f"{law(at.Contact(law.nominal_load, 0.1, 0.0)).Fx:.0f} N at {law.nominal_load:.0f} N")
    3290 N at 3200 N
    """

    summary: ClassVar[str] = "curves of a few points at two loads; combined slip, trail, camber"
    example: ClassVar[Mapping[str, Any]] = example_fields("tmeasy")
    relations = (
        *_relations_of_curve("x"),
        *_relations_of_curve("y"),
        *_relations_of_slips("sy0", "syE"),
    )

    nominal_load: float = positive("N", "nominal load FzN")
    dFx0_1: float = _slope("x", _ONE)
    dFx0_2: float = _slope("x", _TWO)
    sxM_1: float = _slip("of the greatest Fx", _ONE)
    sxM_2: float = _slip("of the greatest Fx", _TWO)
    FxM_1: float = _force("greatest Fx", _ONE)
    FxM_2: float = _force("greatest Fx", _TWO)
    sxS_1: float = _slip("from which Fx is that of sliding", _ONE)
    sxS_2: float = _slip("from which Fx is that of sliding", _TWO)
    FxS_1: float = _force("Fx of sliding", _ONE)
    FxS_2: float = _force("Fx of sliding", _TWO)
    dFy0_1: float = _slope("y", _ONE)
    dFy0_2: float = _slope("y", _TWO)
    syM_1: float = _slip("of the greatest Fy", _ONE)
    syM_2: float = _slip("of the greatest Fy", _TWO)
    FyM_1: float = _force("greatest Fy", _ONE)
    FyM_2: float = _force("greatest Fy", _TWO)
    syS_1: float = _slip("from which Fy is that of sliding", _ONE)
    syS_2: float = _slip("from which Fy is that of sliding", _TWO)
    FyS_1: float = _force("Fy of sliding", _ONE)
    FyS_2: float = _force("Fy of sliding", _TWO)
    nL0_1: float = parameter("1", f"trail over contact length at no slip, at {_ONE}", lower=0.0)
    nL0_2: float = parameter("1", f"trail over contact length at no slip, at {_TWO}", lower=0.0)
    sy0_1: float = _slip("at which the trail is first zero", _ONE)
    sy0_2: float = _slip("at which the trail is first zero", _TWO)
    syE_1: float = _slip("from which the trail stays zero", _ONE)
    syE_2: float = _slip("from which the trail stays zero", _TWO)
    unloaded_radius: float = positive("m", "radius without load r_0")
    vertical_stiffness: float = positive("N/m", "load per deflection")
    rolling_resistance: float = parameter(
        "1", "rolling resistance over load f_R", default=0.0, lower=0.0
    )

    def problems(self) -> list[str]:
        found = []
        for name in ("dFx0", "FxM", "FxS", "dFy0", "FyM", "FyS"):
            if getattr(self, f"{name}_2") >= 4.0 * getattr(self, f"{name}_1"):
                found.append(f"{name}_2 must be less than four times {name}_1")
        for name in ("sxM", "syM", "sy0"):
            if getattr(self, f"{name}_2") >= 2.0 * getattr(self, f"{name}_1"):
                found.append(f"{name}_2 must be less than twice {name}_1")
        for low, high in (("sxM", "sxS"), ("syM", "syS"), ("sy0", "syE")):
            one, two = (getattr(self, f"{high}_{k}") - getattr(self, f"{low}_{k}") for k in (1, 2))
            if min(one, two, 2.0 * one - two) <= 0.0:
                found.append(f"{high} must be greater than {low} at every load, from 0 on")
        return found

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        Fz = contact.normal_load
        load = Fz / p["nominal_load"]
        x, y = _curve(p, "x", minimum(load, 2.0)), _curve(p, "y", minimum(load, 2.0))
        # Normalising factors: slips of x and y that ask as much of the tyre count alike.
        ease_x, ease_y = x.peak / x.slope, y.peak / y.slope
        hat_x = x.peak_slip / (x.peak_slip + y.peak_slip) + ease_x / (ease_x + ease_y)
        hat_y = y.peak_slip / (x.peak_slip + y.peak_slip) + ease_y / (ease_x + ease_y)
        sx, sy = theoretical_slip(contact)
        sxN, syN = sx / hat_x, sy / hat_y
        slipping = sxN * sxN + syN * syN > SMALLEST_SQUARE
        along, across = where(slipping, sxN, 1.0), where(slipping, syN, 0.0)
        s = _length(along, across)
        both = _joined(x, y, hat_x, hat_y, along / s, across / s)
        secant = both.secant(s)
        deflection = minimum(Fz / p["vertical_stiffness"], p["unloaded_radius"])
        L = 2.0 * sqrt(p["unloaded_radius"] * maximum(deflection, SMALLEST_DEFLECTION))
        radius = p["unloaded_radius"] - deflection / 3.0
        camber = -y.slope * L * sin(contact.inclination) / (6.0 * radius)
        kept = where(slipping, secant / both.slope, 1.0)
        rolling = direction(contact.spin_rate, SLOW_SPIN) * p["rolling_resistance"]
        Fy = load * (where(slipping, secant * syN, y.slope * sy) + kept * camber)
        return Forces(
            Fx=load * where(slipping, secant * sxN, x.slope * sx),
            Fy=Fy,
            Mx=0.0,
            My=-rolling * radius * Fz,
            Mz=-heading(contact) * _trail_ratio(p, sy, minimum(load, 2.0)) * L * Fy,
        )


def _curve(p: Parameters, axis: str, load: Value) -> PeakedCurve:
    def force(name: str) -> Value:
        """A parabola through no load, over the load."""
        one, half = p[f"{name}_1"], 0.5 * p[f"{name}_2"]
        return 2.0 * one - half - (one - half) * load

    def slip(name: str) -> Value:
        return _line(p, name, load)

    return PeakedCurve(
        slope=force(f"dF{axis}0"),
        peak_slip=slip(f"s{axis}M"),
        peak=force(f"F{axis}M"),
        sliding_slip=slip(f"s{axis}S"),
        sliding=force(f"F{axis}S"),
    )


def _line(p: Parameters, name: str, load: Value) -> Value:
    return p[f"{name}_1"] + (p[f"{name}_2"] - p[f"{name}_1"]) * (load - 1.0)


def _joined(
    x: PeakedCurve, y: PeakedCurve, hat_x: Value, hat_y: Value, c: Value, s: Value
) -> PeakedCurve:
    """The curve along one direction of the normalised slip, of cosine c and sine s."""
    return PeakedCurve(
        slope=_length(x.slope * hat_x * c, y.slope * hat_y * s),
        peak_slip=_length(x.peak_slip / hat_x * c, y.peak_slip / hat_y * s),
        peak=_length(x.peak * c, y.peak * s),
        sliding_slip=_length(x.sliding_slip / hat_x * c, y.sliding_slip / hat_y * s),
        sliding=_length(x.sliding * c, y.sliding * s),
    )


def _trail_ratio(p: Parameters, sy: Value, load: Value) -> Value:
    """Trail over contact length: positive up to sy0, slightly negative up to syE, then 0."""
    start, end = _line(p, "sy0", load), _line(p, "syE", load)
    weight = start / end
    s = minimum(absolute(sy) / start, 1.0)
    near = (1.0 - weight) * (1.0 - s) + weight * (1.0 - (3.0 - 2.0 * s) * s * s)
    between = minimum(maximum(absolute(sy), start), end)
    rest = (end - between) / (end - start)
    far = -(1.0 - weight) * (between - start) / start * rest * rest
    return _line(p, "nL0", load) * (near + far)


def _length(x: Value, y: Value) -> Value:
    return sqrt(x * x + y * y)
