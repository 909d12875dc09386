"""Effects of composed friction beside slip: torques, and what camber and load do to it.

Torques are rolling resistance, bore, overturning and self-aligning torque. A lean acts as a lateral
sliding speed of the tread, the load as a factor on every friction coefficient. Each effect has its
contract, members, and a member that has no effect. ``friction_slips`` has axes and signs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import Parameters, Part, parameter, positive
from axletree.expr import Value, absolute, maximum, minimum, sin, sqrt
from axletree.wheel.contract import Contact
from axletree.wheel.friction_slips import FrictionGrip
from axletree.wheel.slip import SLOW_TRAVEL, SMALLEST_SQUARE, direction


class FrictionMoment(Part, ABC):
    """A moment of the contact patch, of one of four kinds."""

    @abstractmethod
    def moment(self, contact: Contact, grip: FrictionGrip, p: Parameters) -> Value:
        """[N m], about the axis and with the sign of its kind; ``p`` has the parameters by name.

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.friction_slips import FrictionGrip, Sliding
        >>> back = Sliding(longitudinal_speed=0.0, lateral_speed=0.0, rolling_speed=-5.0)  # m/s
        >>> speeds = {"adhesion_speed": 0.4, "full_sliding_speed": 2.0}  # m/s
        >>> grip = FrictionGrip(back, 0.0, 0.0, **speeds, factor=1.0)
        >>> resistance = at.ConstantRollingResistance(0.01)
        >>> resistance.moment(at.Contact(4000.0, 0.0, 0.0, radius=0.3), grip, resistance.numbers)
        12.0
        """


class _NoMoment(FrictionMoment):
    """What the members without effect have in common."""

    def moment(self, contact: Contact, grip: FrictionGrip, p: Parameters) -> Value:
        return 0.0


# Rolling resistance: a moment about the wheel's lateral axis.


class RollingResistance(FrictionMoment):
    """A moment My [N m] against the spin of the wheel, negative when rolling forward.

    Example:
    >>> from dataclasses import dataclass
    >>> import axletree as at
    >>> from axletree.components.fields import parameter
    >>> from axletree.wheel.friction_slips import FrictionGrip, Sliding
    >>> from axletree.wheel.friction_effects import RollingResistance
    >>> @dataclass(frozen=True)
    ... class Bearing(RollingResistance):
    ...     drag: float = parameter("N*m*s/m", "moment over the speed of rolling", lower=0.0)
    ...
    ...     def moment(self, contact, grip, p):
    ...         return -p["drag"] * grip.sliding.rolling_speed
    >>> rolling = Sliding(longitudinal_speed=0.0, lateral_speed=0.0, rolling_speed=5.0)  # m/s
    >>> speeds = {"adhesion_speed": 0.4, "full_sliding_speed": 2.0}  # m/s
    >>> grip = FrictionGrip(rolling, 0.0, 0.0, **speeds, factor=1.0)
    >>> bearing = Bearing(0.2)
    >>> bearing.moment(at.Contact(4000.0, 0.0, 0.0), grip, bearing.numbers)  # N m
    -1.0
    """


def resisting_moment(contact: Contact, grip: FrictionGrip, coefficient: Value) -> Value:
    """My of a load that acts by f_R r ahead of the contact point (Andres 2009, eqs. 3.39, 3.40).

    ``coefficient`` is f_R [1], r the unloaded radius. Below the sliding speed v_Ad at which
    adhesion ends, the moment is in proportion to the rolling speed, so that it passes through
    zero at rest.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.friction_slips import FrictionGrip, Sliding
    >>> from axletree.wheel.friction_effects import resisting_moment
    >>> rolling = Sliding(longitudinal_speed=0.0, lateral_speed=0.0, rolling_speed=5.0)  # m/s
    >>> speeds = {"adhesion_speed": 0.4, "full_sliding_speed": 2.0}  # m/s
    >>> grip = FrictionGrip(rolling, 0.0, 0.0, **speeds, factor=1.0)
    >>> resisting_moment(at.Contact(4000.0, 0.0, 0.0, radius=0.3), grip, 0.01)  # N, m, N m
    -12.0
    """
    rolling = grip.sliding.rolling_speed
    sense = rolling / maximum(absolute(rolling), grip.adhesion_speed)
    return -contact.normal_load * coefficient * contact.radius * sense


@dataclass(frozen=True)
class NoRollingResistance(_NoMoment, RollingResistance):
    """Nothing resists rolling.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), at.NoRollingResistance())
    >>> law(at.Contact(4000.0, 0.0, 0.0, forward_speed=20.0)).My  # N m
    0.0
    """

    summary: ClassVar[str] = "no rolling resistance"


@dataclass(frozen=True)
class ConstantRollingResistance(RollingResistance):
    """A coefficient that does not depend on the speed (Andres 2009, eq. 3.40).

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), at.ConstantRollingResistance(0.02))
    >>> rolls = at.Contact(4000.0, 0.0, 0.0, forward_speed=20.0, radius=0.3)
    >>> print(f"{law(rolls).My:.1f} N m")  # -4000 * 0.02 * 0.3
    -24.0 N m
    """

    summary: ClassVar[str] = "in proportion to the load"

    coefficient: float = parameter(
        "1", "distance of the load ahead of the contact point over the radius, f_R0", default=0.01,
        lower=0.0,
    )  # fmt: skip

    def moment(self, contact: Contact, grip: FrictionGrip, p: Parameters) -> Value:
        return resisting_moment(contact, grip, p["coefficient"])


REFERENCE_SPEED = 100.0 / 3.6  # m/s


@dataclass(frozen=True)
class SpeedDependentRollingResistance(RollingResistance):
    """f_R = f_R0 + f_R1 x + f_R4 x^4 with x = |Omega R| over 100 km/h.

    Andres 2009, eqs. (3.40) and (3.41), after Mitschke and Wallentowitz 2003.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), at.SpeedDependentRollingResistance())
    >>> fast = at.Contact(4000.0, 0.0, 0.0, forward_speed=100 / 3.6, radius=0.3)
    >>> print(f"{law(fast).My:.1f} N m")  # -4000 * (0.01 + 0.002 + 0.001) * 0.3
    -15.6 N m
    """

    summary: ClassVar[str] = "in proportion to the load, growing with speed"

    constant_coefficient: float = parameter("1", "f_R0, at rest", default=0.01, lower=0.0)
    linear_coefficient: float = parameter(
        "1", "f_R1, growth with the speed over 100 km/h", default=0.002, lower=0.0
    )
    quartic_coefficient: float = parameter(
        "1", "f_R4, growth with its fourth power", default=0.001, lower=0.0
    )

    def moment(self, contact: Contact, grip: FrictionGrip, p: Parameters) -> Value:
        x = absolute(grip.sliding.rolling_speed) / REFERENCE_SPEED
        quartic = p["quartic_coefficient"] * (x * x) * (x * x)
        coefficient = p["constant_coefficient"] + p["linear_coefficient"] * x + quartic  # (3.41)
        return resisting_moment(contact, grip, coefficient)


# Bore torque: a moment about the normal against turning on the spot.


class BoreTorque(FrictionMoment):
    """A moment Mz [N m] against the turning of the contact patch about the normal."""


def boring_moment(contact: Contact, grip: FrictionGrip, friction: Value, speed: Value) -> Value:
    """Mz of a patch that turns, with friction mu_Turn [1] (Andres 2009, eqs. 3.42 and 3.43).

    With rho = sqrt(l^2 + b^2) / 4, the lever of friction in a patch of length l and width b,
    and w the bore rate, it is -Fz mu_Turn rho, in proportion to rho w below ``speed`` [m/s].
    In both equations l^2 + b^2 stands in parentheses and without a root. Zimmer and Otter 2009
    derive them.
    """
    squared = contact.patch_length * contact.patch_length
    squared = squared + contact.patch_width * contact.patch_width
    lever = 0.25 * sqrt(maximum(squared, SMALLEST_SQUARE))
    turning = lever * contact.bore_rate
    share = turning / maximum(absolute(turning), speed)
    return -contact.normal_load * grip.factor * friction * lever * share


@dataclass(frozen=True)
class NoBoreTorque(_NoMoment, BoreTorque):
    """Nothing resists turning about the normal.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), bore_torque=at.NoBoreTorque())
    >>> law(at.Contact(4000.0, 0.0, 0.0, bore_rate=1.0, patch_length=0.2)).Mz  # N m
    0.0
    """

    summary: ClassVar[str] = "no bore torque"


@dataclass(frozen=True)
class LinearBoreTorque(BoreTorque):
    """In proportion to the bore rate over the rolling speed, up to a limit.

    Andres 2009, eq. (3.42), with |Omega R|: the moment is against the bore rate whichever way
    the wheel rolls. Below ``lowest_speed`` it is as if rolling at this speed, so that the
    moment on a wheel that stands has no jump.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), bore_torque=at.LinearBoreTorque(friction=0.8))
    >>> turns = at.Contact(4000.0, 0.0, 0.0, bore_rate=9.0, patch_length=0.16, patch_width=0.12)
    >>> print(f"{law(turns).Mz:.1f} N m")  # -0.8 * 4000 * 0.2 / 4: it slides all over
    -160.0 N m
    """

    summary: ClassVar[str] = "by the bore rate over the rolling speed"

    friction: float = parameter("1", "friction coefficient mu_Turn", default=0.8, lower=0.0)
    lowest_speed: float = positive("m/s", "rolling speed that counts at least", default=0.1)

    def moment(self, contact: Contact, grip: FrictionGrip, p: Parameters) -> Value:
        speed = maximum(absolute(grip.sliding.rolling_speed), p["lowest_speed"])
        return boring_moment(contact, grip, p["friction"], speed)


@dataclass(frozen=True)
class CombinedBoreTorque(BoreTorque):
    """In proportion to the bore rate over v_Ad, the sliding speed at which adhesion ends.

    Andres 2009, eq. (3.43), after Zimmer and Otter 2009. Meant for combined friction, whose v_Ad
    grows with the rolling speed.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), bore_torque=at.CombinedBoreTorque(friction=0.8))
    >>> turns = at.Contact(4000.0, 0.0, 0.0, bore_rate=9.0, patch_length=0.16, patch_width=0.12)
    >>> print(f"{law(turns).Mz:.1f} N m")  # -0.8 * 4000 * 0.2 / 4: it slides all over
    -160.0 N m
    """

    summary: ClassVar[str] = "by the bore rate over the speed of adhesion"

    friction: float = parameter("1", "friction coefficient mu_Turn", default=0.8, lower=0.0)

    def moment(self, contact: Contact, grip: FrictionGrip, p: Parameters) -> Value:
        return boring_moment(contact, grip, p["friction"], grip.adhesion_speed)


# Overturning torque: a moment about the forward axis.


class OverturningTorque(FrictionMoment):
    """Mx [N m] of a leaning wheel's patch, negative where it rights a lean to the right."""


@dataclass(frozen=True)
class NoOverturningTorque(_NoMoment, OverturningTorque):
    """The load acts at the contact point.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), overturning_torque=at.NoOverturningTorque())
    >>> law(at.Contact(4000.0, 0.0, 0.0, inclination=0.1, patch_width=0.2)).Mx  # N m
    0.0
    """

    summary: ClassVar[str] = "no overturning torque"


@dataclass(frozen=True)
class LinearOverturningTorque(OverturningTorque):
    """The side that the wheel leans to is deflected more, and rights it: -c b^2 / 12 gamma.

    Andres 2009, eqs. (3.52) and (3.53), with the sign of the text: against the lean. b is the
    width of the patch.

    Example:
    >>> import axletree as at
    >>> torque = at.LinearOverturningTorque(radial_stiffness="300 kN/m")
    >>> law = at.ComposedFriction(at.DryFriction(), overturning_torque=torque)
    >>> leans = at.Contact(4000.0, 0.0, 0.0, inclination=0.1, patch_width=0.2)
    >>> print(f"{law(leans).Mx:.1f} N m")  # -3e5 * 0.2^2 / 12 * 0.1
    -100.0 N m
    """

    summary: ClassVar[str] = "in proportion to the lean, against it"

    radial_stiffness: float = parameter(
        "N/m", "stiffness of the patch against deflection, c_R", default=1e5, lower=0.0
    )

    def moment(self, contact: Contact, grip: FrictionGrip, p: Parameters) -> Value:
        width = contact.patch_width
        stiffness = p["radial_stiffness"] / 12.0 * width * width  # (3.52)
        return -stiffness * contact.inclination


# Self-aligning torque: a moment about the normal.


class AligningTorque(FrictionMoment):
    """A moment Mz [N m] of the side force, which acts behind the contact point.

    It is positive in a drift to the left of a wheel that rolls forward.
    """


@dataclass(frozen=True)
class NoAligningTorque(_NoMoment, AligningTorque):
    """The side force acts at the contact point.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), aligning_torque=at.NoAligningTorque())
    >>> law(at.Contact(4000.0, 0.0, 0.1, forward_speed=20.0, patch_length=0.2)).Mz  # N m
    0.0
    """

    summary: ClassVar[str] = "no self-aligning torque"


@dataclass(frozen=True)
class RillAligningTorque(AligningTorque):
    """The side force times a trail: a sixth of the patch's length without slip, 0 at v_Ad.

    Andres 2009, eq. (3.55), after Rill 2007: between v_Ad and v_Sl the trail is negative, beyond
    it is 0. Slip is compared by sliding speeds, |v_Lat| / v_Ad being s_Lat / s_Ad. The tread
    enters the patch at the end towards which the wheel rolls, and the trail lies at the other;
    below 0.1 m/s it goes through zero.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.RillFriction(), aligning_torque=at.RillAligningTorque())
    >>> small = law(at.Contact(4000.0, 0.0, 1e-6, forward_speed=20.0, patch_length=0.18))
    >>> print(f"{-small.Mz / small.Fy:.4f} m")  # the trail: a sixth of the patch
    0.0300 m
    """

    summary: ClassVar[str] = "side force times a trail that falls with slip"

    def moment(self, contact: Contact, grip: FrictionGrip, p: Parameters) -> Value:
        trail = contact.patch_length / 6.0 * _trail_shape(grip)
        behind = direction(grip.sliding.rolling_speed, SLOW_TRAVEL) * trail
        return -behind * grip.Fy


def _trail_shape(grip: FrictionGrip) -> Value:
    """The trail over that without slip."""
    slip = absolute(grip.sliding.lateral_speed) / grip.adhesion_speed
    end = grip.full_sliding_speed / grip.adhesion_speed
    rest = (end - minimum(maximum(slip, 1.0), end)) / (end - 1.0)
    return maximum(1.0 - slip, 0.0) - (maximum(slip, 1.0) - 1.0) * rest * rest


# The contract of camber: a lean acts as a lateral sliding speed of the tread.

LEAST_COSINE_SQUARED = 1e-9  # of half the angle that a patch as long as the wheel would span


class CamberEffect(Part, ABC):
    """What the tread of a leaning wheel does because it sticks to the road."""

    @abstractmethod
    def lateral_speed(self, contact: Contact, rolling_speed: Value, p: Parameters) -> Value:
        """What adds to the lateral sliding speed [m/s], + to the left, from the rolling speed
        [m/s]; ``p`` has the parameters by name.

        Leaning to the right it is positive whichever way the wheel rolls: the force is to the
        side of the lean.

        Example:
        >>> import axletree as at
        >>> camber = at.SimpleCamberSpeed()
        >>> leans = at.Contact(4000.0, 0.0, 0.0, inclination=0.1, radius=0.3, patch_length=0.2)
        >>> print(f"{camber.lateral_speed(leans, 20.0, camber.numbers):.3f} m/s")
        0.086 m/s
        """


def deflection_over_squared_length(contact: Contact) -> Value:
    """How far the patch's middle lies beside the line of its ends, at a lean of 90 degrees.

    Over the square of the patch's length [1/m], after Andres 2009, eq. (3.44):
    r - sqrt(r^2 - l^2/4) is l^2 / (4 r (1 + sqrt(1 - l^2/(4 r^2)))), which loses no digits
    and divides by no length.
    """
    half_angle = 0.5 * contact.patch_length / contact.radius
    cosine = sqrt(maximum(1.0 - half_angle * half_angle, LEAST_COSINE_SQUARED))
    return 0.25 / (contact.radius * (1.0 + cosine))


@dataclass(frozen=True)
class NoCamberEffect(CamberEffect):
    """A leaning wheel slides as an upright one.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), camber=at.NoCamberEffect())
    >>> leans = at.Contact(4000.0, 0.0, 0.0, inclination=0.1, forward_speed=20.0)
    >>> abs(law(leans).Fy)  # N
    0.0
    """

    summary: ClassVar[str] = "no effect of camber"

    def lateral_speed(self, contact: Contact, rolling_speed: Value, p: Parameters) -> Value:
        return 0.0


@dataclass(frozen=True)
class SimpleCamberSpeed(CamberEffect):
    """The deflection of the tread over twice its time of contact l / |Omega R|.

    Andres 2009, eqs. (3.44) to (3.48), with |Omega R| and a sign that takes the force to the side
    of the lean in both rolling directions.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), camber=at.SimpleCamberSpeed())
    >>> patch = {"forward_speed": 20.0, "deflection": 0.02, "patch_length": 0.2}  # m/s, m, m
    >>> leans = at.Contact(4000.0, 0.0, 0.0, inclination=0.1, **patch)  # to the right
    >>> print(f"{law(leans).Fy:.0f} N")
    -2112 N
    """

    summary: ClassVar[str] = "deflection of the tread over its time of contact"

    gain: float = parameter("1", "camberGain, to fit measurements", default=1.0, lower=0.0)

    def lateral_speed(self, contact: Contact, rolling_speed: Value, p: Parameters) -> Value:
        per_length = deflection_over_squared_length(contact) * contact.patch_length
        leaning = 0.5 * p["gain"] * per_length * sin(contact.inclination)
        return leaning * absolute(rolling_speed)


@dataclass(frozen=True)
class CombinedCamberSpeed(CamberEffect):
    """The deflection of the tread times |Omega R| and a gain.

    Andres 2009, eq. (3.49), after Zimmer and Otter 2009, with |Omega R| and a sign that takes the
    force to the side of the lean in both rolling directions. The gain is one over a length.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), camber=at.CombinedCamberSpeed())
    >>> patch = {"forward_speed": 20.0, "deflection": 0.02, "patch_length": 0.2}  # m/s, m, m
    >>> leans = at.Contact(4000.0, 0.0, 0.0, inclination=0.1, **patch)  # to the right
    >>> print(f"{law(leans).Fy:.0f} N")
    -3080 N
    """

    summary: ClassVar[str] = "deflection of the tread by the rolling speed"

    gain: float = parameter("1/m", "camberGain, to fit measurements", default=20.0, lower=0.0)

    def lateral_speed(self, contact: Contact, rolling_speed: Value, p: Parameters) -> Value:
        length = contact.patch_length
        deflection = deflection_over_squared_length(contact) * length * length  # (3.44)
        return p["gain"] * deflection * sin(contact.inclination) * absolute(rolling_speed)


# The contract of load influence: a factor on every friction coefficient.


class LoadInfluence(Part, ABC):
    """How friction coefficients depend on the load."""

    @abstractmethod
    def factor(self, normal_load: Value, p: Parameters) -> Value:
        """loadInfluence [1], from Fz [N], not negative; ``p`` has the parameters by name.

        Example:
        >>> import axletree as at
        >>> influence = at.QuadraticLoadInfluence(nominal_load=3000.0, double_load_factor=0.75)
        >>> [influence.factor(load, influence.numbers) for load in (3000.0, 6000.0)]  # N
        [1.0, 0.75]
        """


@dataclass(frozen=True)
class LinearLoadInfluence(LoadInfluence):
    """The load has no influence on friction coefficients (Andres 2009, section 3.5.6.2).

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.DryFriction(), load_influence=at.LinearLoadInfluence())
    >>> once, twice = (at.Contact(load, -1.0, 0.0, forward_speed=20.0) for load in (3e3, 6e3))
    >>> print(f"{law(twice).Fx / law(once).Fx:.2f}")
    2.00
    """

    summary: ClassVar[str] = "forces in proportion to the load"

    def factor(self, normal_load: Value, p: Parameters) -> Value:
        return 1.0


@dataclass(frozen=True)
class QuadraticLoadInfluence(LoadInfluence):
    """Forces grow as a parabola of the load up to its top, and then no more.

    Andres 2009, eqs. (3.50) and (3.51), after Zimmer and Otter 2009; in (3.51) mu_1N is read as
    mu_2N. With a = 2 mu_N - mu_2N and b = mu_N - mu_2N the factor is a - b Fz / F_N up to the
    load a F_N / (2 b), and then such that factor times load stays.

    Example:
    >>> import axletree as at
    >>> influence = at.QuadraticLoadInfluence(nominal_load=3000.0, double_load_factor=0.75)  # N
    >>> law = at.ComposedFriction(at.DryFriction(), load_influence=influence)
    >>> once, twice = (at.Contact(load, -1.0, 0.0, forward_speed=20.0) for load in (3e3, 6e3))
    >>> print(f"{law(twice).Fx / law(once).Fx:.2f}")  # 2 * 0.75
    1.50
    """

    summary: ClassVar[str] = "friction that falls with the load"

    nominal_load: float = positive("N", "load of the nominal factor, f_NNominal", default=3000.0)
    nominal_factor: float = positive("1", "factor at the nominal load, mu_N", default=1.0)
    double_load_factor: float = parameter(
        "1", "factor at twice the nominal load, mu_2N", default=0.75, lower=0.0
    )

    def problems(self) -> list[str]:
        if self.double_load_factor < self.nominal_factor:
            return []
        return [
            "double_load_factor must be less than nominal_factor; for friction that does not "
            "depend on the load take linear"
        ]

    def factor(self, normal_load: Value, p: Parameters) -> Value:
        a = 2.0 * p["nominal_factor"] - p["double_load_factor"]
        b = p["nominal_factor"] - p["double_load_factor"]
        x, top = normal_load / p["nominal_load"], 0.5 * a / b  # (3.51)
        return (a - b * minimum(x, top)) * top / maximum(x, top)  # (3.50)
