"""Shear between a wheel and soil: Janosi and Hanamoto 1961, along and across."""

from __future__ import annotations

from dataclasses import dataclass, replace

from axletree.core.expr import absolute, maximum, sin, sqrt, tan, tanh, where
from axletree.library.soils.contact_angles import ContactAngles
from axletree.library.soils.contract import Wheel, greatest_ratio, speed_ratio
from axletree.library.soils.soil import Parameters, Value

# Over the radius; below it a displacement has no direction.
SMALLEST_DISPLACEMENT = 1e-12
LEAST_TRAVEL = 0.01  # over rolling, of a wheel that spins on the spot and drifts


@dataclass(frozen=True)
class Shear:
    """Displacements of the soil under a wheel, and the stresses of them."""

    radius: Value  # [m]
    entry: Value  # theta_1 [rad]
    sine: Value  # of theta_1
    along: Value  # v_x / (omega r) [1]
    per_slip: Value  # |v_max| / (omega r) [1]
    across: Value  # v_y / (omega r) [1]
    drift: Value  # v_y / v_x [1]
    cohesion: Value  # c [Pa]
    slope: Value  # tan(phi)
    modulus: Value  # K [m]

    def displacements(self, angle: Value, sine: Value) -> tuple[Value, Value]:
        """j over the radius [1] at an angle [rad] and its sine: backward and to the left.

        Peiret et al., below eq. (14), with v / (omega r) for 1 - i, which holds for braked wheels
        too; across, Ishigami et al. 2007.
        """
        arc = self.entry - angle
        return arc - self.along * (self.sine - sine), self.across * arc

    def stresses(self, angle: Value, sine: Value, pressure: Value) -> tuple[Value, Value]:
        """tau [Pa] on the wheel, forward and to the left.

        Eq. (14) against the displacement of the soil, whose size counts: together the two are
        never more than c + sigma tan(phi).
        """
        back, left = self.displacements(angle, sine)
        size = _size(back, left)
        stress = self.strength(pressure) * self.mobilised(size) / size
        return stress * back, -(stress * left)

    def strength(self, pressure: Value) -> Value:
        """The greatest stress [Pa] under a pressure [Pa]."""
        return self.cohesion + pressure * self.slope

    def give(self, angle: Value, sine: Value) -> tuple[Value, Value]:
        """Parts of the strength by which the stress changes [1]: forward by the slip, and left
        over the lateral slip, with a change of sign."""
        back, left = self.displacements(angle, sine)
        size = _size(back, left)
        mobilised = self.mobilised(size)
        secant = mobilised / size
        steepness = (1.0 - mobilised) * (self.radius / self.modulus)
        # v / (omega r) is 1 - i of a driven wheel and 1 / (1 + i) of a braked one.
        more = (self.sine - sine) * maximum(self.along, 1.0) * maximum(self.along, 1.0)
        less = left * where(self.along > 1.0, self.along, 0.0)
        turned = (steepness - secant) * back * (back * more - left * less) / (size * size)
        return secant * more + turned, secant * self.per_slip * (self.entry - angle)

    def mobilised(self, size: Value) -> Value:
        """1 - exp(-j / K) for j / r, to the last digit where it is small."""
        t = tanh(size * (0.5 * self.radius / self.modulus))
        return 2.0 * t / (1.0 + t)

    def mobilised_across(self, angle: Value) -> Value:
        """The same at the flank, with the sign of the drift.

        Soil beside the wheel is met while the wheel passes, however fast it turns.
        """
        left = self.drift * (self.entry - angle)
        size = maximum(absolute(left), SMALLEST_DISPLACEMENT)
        return left / size * self.mobilised(size)

    def flank_give(self, angle: Value) -> Value:
        """The same over the drift v_y / v_x."""
        arc = self.entry - angle
        size = maximum(absolute(self.drift * arc), SMALLEST_DISPLACEMENT)
        return arc / size * self.mobilised(size)

    def rolling(self, lateral_slip: Value) -> Shear:
        """Of the same wheel without slip."""
        return replace(self, along=1.0, per_slip=1.0, across=lateral_slip)

    def spinning(self, lateral_slip: Value) -> Shear:
        """Of the same wheel that turns and makes no way."""
        return replace(self, along=0.0, per_slip=1.0, across=lateral_slip)


def _size(back: Value, left: Value) -> Value:
    return sqrt(maximum(back * back + left * left, SMALLEST_DISPLACEMENT**2))


def shear_under(wheel: Wheel, angles: ContactAngles, p: Parameters) -> Shear:
    """The shear under a wheel; p is that of the soil."""
    slip = wheel.clipped_slip
    return Shear(
        radius=wheel.radius,
        entry=angles.entry,
        sine=sin(angles.entry),
        along=speed_ratio(slip),
        per_slip=greatest_ratio(slip),
        across=greatest_ratio(slip) * wheel.slip_across,
        drift=wheel.slip_across / maximum(1.0 - maximum(slip, 0.0), LEAST_TRAVEL),
        cohesion=p["cohesion"],
        slope=tan(p["friction_angle"]),
        modulus=p["shear_modulus"],
    )
