"""The brush model: bristles that adhere at the front of the contact and slide at its rear."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.fields import Parameters, parameter, positive
from axletree.expr import Value, maximum, minimum, sqrt
from axletree.wheel.contract import Contact, Forces, TyreLaw, example_fields
from axletree.wheel.slip import SLOW_SPIN, SMALLEST_SQUARE, direction, heading, theoretical_slip

SMALLEST_LOAD = 1e-9  # N; below it the contact length has no slope


@dataclass(frozen=True)
class Brush(TyreLaw):
    """Combined slip under a parabolic pressure (Pacejka 2012, section 3.2).

    A bristle that enters the contact bends in proportion to the slip sigma until its force
    reaches friction times pressure; behind that point, a part psi of the contact from the
    rear, it slides. Where stiffness or friction differ along and across, the friction limit
    is an ellipse and a sliding bristle's force is the point of it that takes most power
    (Gäfvert and Svendenius 2003). Equal ones give Pacejka's forces
    mu Fz (3 psi - 3 psi^2 + psi^3) and the trail that goes with them.

    The contact length grows with the root of the load, so that slip stiffnesses and forces
    are in proportion to it. In reverse bristles enter at the other end. Inclination and turn slip
    have no effect.

    Example:
    >>> import axletree as at
    >>> law = at.Brush(0.06, 4000.0, 1e7, 1e7, friction_x=1.0, friction_y=0.9)  # m, N, N/m^2
    >>> print(f"{law(at.Contact(4000.0, 0.0, 0.5)).Fy:.0f} N")  # the whole patch slides
    -3600 N
    """

    summary: ClassVar[str] = "bristles that adhere and slide; combined slip, trail"
    example: ClassVar[Mapping[str, Any]] = example_fields("brush")

    half_length: float = positive("m", "half of the contact length at the nominal load, a")
    nominal_load: float = positive("N", "load at which the half length holds")
    tread_stiffness_x: float = positive(
        "N/m^2", "longitudinal stiffness of the bristles per length, c_px"
    )
    tread_stiffness_y: float = positive(
        "N/m^2", "lateral stiffness of the bristles per length, c_py"
    )
    friction_x: float = positive("1", "longitudinal friction coefficient")
    friction_y: float = positive("1", "lateral friction coefficient")
    rolling_resistance: float = parameter(
        "m", "distance of the load ahead of the contact point when rolling", default=0.0, lower=0.0
    )

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        Fz = contact.normal_load
        mu_x, mu_y = p["friction_x"], p["friction_y"]
        sigma_x, sigma_y = theoretical_slip(contact)
        # Force over load of bristles that all adhere, 2 c_p a^2 sigma / Fz.
        bend = 2.0 * p["half_length"] * p["half_length"] / p["nominal_load"]
        stuck_x = bend * p["tread_stiffness_x"] * sigma_x
        stuck_y = bend * p["tread_stiffness_y"] * sigma_y
        psi = minimum(_length(stuck_x / mu_x, stuck_y / mu_y) / 3.0, 1.0)
        limit = _length(mu_x * sigma_x, mu_y * sigma_y)
        slid_x, slid_y = mu_x * mu_x * sigma_x / limit, mu_y * mu_y * sigma_y / limit
        adhering, sliding = (1.0 - psi) * (1.0 - psi), psi * psi * (3.0 - 2.0 * psi)
        # First moments of the two parts of the contact about its middle, over a.
        lever = adhering * ((4.0 * psi - 1.0) / 3.0 * stuck_y - 3.0 * psi * psi * slid_y)
        a = p["half_length"] * sqrt(maximum(Fz, SMALLEST_LOAD) / p["nominal_load"])
        return Forces(
            Fx=Fz * (adhering * stuck_x + sliding * slid_x),
            Fy=Fz * (adhering * stuck_y + sliding * slid_y),
            Mx=0.0,
            My=-direction(contact.spin_rate, SLOW_SPIN) * p["rolling_resistance"] * Fz,
            Mz=heading(contact) * Fz * a * lever,
        )


def _length(x: Value, y: Value) -> Value:
    return sqrt(maximum(x * x + y * y, SMALLEST_SQUARE))
