"""What camber and load do to composed friction.

A lean acts as a lateral sliding speed of the tread; the load as a factor on every friction
coefficient.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import parameter
from axletree.components.parts import Parameters, Part
from axletree.expr import Value, absolute, maximum, minimum, sin, sqrt
from axletree.wheel.contract import Contact

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

    nominal_load: float = parameter(
        "N", "load of the nominal factor, f_NNominal", default=3000.0, lower=0.0, above=True
    )
    nominal_factor: float = parameter(
        "1", "factor at the nominal load, mu_N", default=1.0, lower=0.0, above=True
    )
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
