"""Wheels in the rut of others.

After N passes of a wheel the rut has the depth z_1 N^(1/a) (Abebe, Tanaka and Yamazaki 1989, "Soil
compaction by multiple passes of a rigid wheel relevant for optimization of traffic", Journal of
Terramechanics 26), with a of some 2 to 3 in loose soil and more in firm soil.
"""

from __future__ import annotations

from axletree.core.errors import ModelError
from axletree.core.expr import power
from axletree.library.soils.soil import Parameters, Soil, Value


def rut_depth(first_sinkage: Value, passes: Value, p: Parameters) -> Value:
    """The depth [m] of a rut after passes of one load, of which the first sinks as told [m]."""
    return first_sinkage * power(passes, 1.0 / p["multipass_coefficient"])


def pass_share(passes: int, p: Parameters) -> Value:
    """What the last of several passes adds to the rut, over the sinkage of the first [1]."""
    if passes < 1:
        raise ModelError(f"{passes} passes; the first wheel makes pass 1")
    a = p["multipass_coefficient"]
    return power(float(passes), 1.0 / a) - (power(passes - 1.0, 1.0 / a) if passes > 1 else 0.0)


def soil_values_of_pass(p: Parameters, passes: int) -> Parameters:
    """The parameters of the soil that the wheel of a pass meets at the bottom of the rut.

    The same soil, but stiffer: its moduli are greater by f^-(n + 1/2), so that under a load, which
    goes with z^(n + 1/2) at small sinkages, a wheel sinks by the share f of the first sinkage.
    """
    share = pass_share(passes, p)
    if passes == 1:
        return p
    factor = power(share, -(p["sinkage_exponent"] + 0.5))
    moduli = ("cohesive_modulus", "frictional_modulus")
    return {**p, **{name: p[name] * factor for name in moduli}}


def soil_of_pass(soil: Soil, passes: int) -> Soil:
    """The soil that the wheel of a pass meets, by its numbers."""
    return soil.with_numbers(soil_values_of_pass(soil.numbers, passes))
