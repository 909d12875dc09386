"""What people ask of a tyre law: stiffnesses, peaks and trail at a load."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from axletree.core.errors import ExpressionError
from axletree.expr import as_expr, jacobian, sqrt, symbol
from axletree.expr.evaluation import evaluate_matrix
from axletree.expr.functions import Value
from axletree.wheel.contract import NOMINAL_RADIUS, Contact, Forces, TyreLaw

_FORWARD_SPEED = 16.7  # m/s, 60 km/h, at which tyres are usually measured
SPIN_RATE = 50.0  # rad/s, of a wheel that rolls forward
# For laws that know a contact patch, whose size is that of a chord of the deflected wheel:
VERTICAL_STIFFNESS = 2e5  # N/m
PATCH_WIDTH = 0.15  # m


@dataclass(frozen=True)
class Characteristics:
    """Numbers of a law at one load, no inclination.

    Loads and forces are in N, moments in N m, the slip stiffness in N, the cornering stiffness in
    N/rad, the trail in m.

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.studies.tyre_characteristics import characteristics
    >>> law = at.MagicFormula61(**at.MagicFormula61.example)
    >>> print(f"{characteristics(law, 4000.0).pneumatic_trail * 1e3:.0f} mm")
    27 mm
    """

    normal_load: float  # [N]
    slip_stiffness: float  # [N], slope of Fx against S at 0
    cornering_stiffness: float  # [N/rad], slope of -Fy against alpha at 0
    pneumatic_trail: float  # [m], slope of Mz over slope of -Fy at 0; 0 without side force
    peak_Fx: float  # [N], largest |Fx| for S between -1 and 1
    peak_Fy: float  # [N], largest |Fy| for alpha between -30 and 30 deg
    peak_Mz: float  # [N m], largest |Mz| for the same alpha


def slip_sweep(
    law: TyreLaw,
    normal_load: float | np.ndarray,
    longitudinal_slip: float | np.ndarray = 0.0,
    slip_angle: float | np.ndarray = 0.0,
    inclination: float | np.ndarray = 0.0,
) -> Forces:
    """The law's forces as arrays, for a wheel that rolls forward; SI units, ISO W axes."""
    inputs = np.broadcast_arrays(
        *(np.asarray(x, float) for x in (normal_load, longitudinal_slip, slip_angle, inclination))
    )
    shape = inputs[0].shape
    with np.errstate(all="ignore"):
        contact = rolling_contact(*(np.atleast_1d(x) for x in inputs))
        forces = law.forces(contact, law.numbers)
    values = {
        name: np.broadcast_to(np.asarray(getattr(forces, name), float), shape or (1,))
        for name in ("Fx", "Fy", "Mx", "My", "Mz")
    }
    for name, value in values.items():
        if not np.isfinite(value).all():
            worst = int(np.flatnonzero(~np.isfinite(value))[0])
            at = ", ".join(f"{np.atleast_1d(x).flat[worst]:g}" for x in inputs)
            raise ExpressionError(
                f"{type(law).__name__}: {name} is not finite at (Fz, S, alpha, gamma) = ({at})"
            )
    return Forces(**values)


def characteristics(law: TyreLaw, normal_load: float) -> Characteristics:
    """Stiffnesses, trail and peaks of a law under a load [N], in SI units and ISO W axes.

    Slopes are exact derivatives; peaks are looked for in steps of 0.002 and 0.1 deg.

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.studies.tyre_characteristics import characteristics
    >>> law = at.MagicFormula61(**at.MagicFormula61.example)
    >>> found = [characteristics(law, load) for load in (2000.0, 4000.0)]  # N
    >>> [f"{one.cornering_stiffness / 1e3:.0f} kN/rad" for one in found]
    ['40 kN/rad', '72 kN/rad']
    """
    S, alpha = symbol("S"), symbol("alpha")
    forces = law(rolling_contact(normal_load, S, alpha, 0.0))
    expressions = [as_expr(value) for value in (forces.Fx, forces.Fy, forces.Mz)]
    slopes = evaluate_matrix(jacobian(expressions, [S, alpha]), (3, 2), {S: 0.0, alpha: 0.0})
    stiffness = -float(slopes[1, 1])
    slips = slip_sweep(law, normal_load, longitudinal_slip=np.linspace(-1.0, 1.0, 1001))
    angles = slip_sweep(law, normal_load, slip_angle=np.radians(np.linspace(-30.0, 30.0, 601)))
    return Characteristics(
        normal_load=normal_load,
        slip_stiffness=float(slopes[0, 0]),
        cornering_stiffness=stiffness,
        pneumatic_trail=float(slopes[2, 1]) / stiffness if stiffness else 0.0,
        peak_Fx=float(np.abs(slips.Fx).max()),
        peak_Fy=float(np.abs(angles.Fy).max()),
        peak_Mz=float(np.abs(angles.Mz).max()),
    )


def rolling_contact(Fz: Value, S: Value, alpha: Value, gamma: Value) -> Contact:
    """The contact of a car's wheel that rolls forward; what is not asked for is as usual."""
    chord = sqrt(8.0 * NOMINAL_RADIUS / VERTICAL_STIFFNESS * Fz)
    return Contact(
        Fz, S, alpha, gamma,
        forward_speed=_FORWARD_SPEED,
        spin_rate=SPIN_RATE,
        deflection=Fz / VERTICAL_STIFFNESS,
        patch_length=chord,
        patch_width=PATCH_WIDTH,
    )  # fmt: skip
