"""What stands on top of the page of each analysis: what was looked at, and the numbers that matter.

No standard limits what these analyses find, so most verdicts say "no criterion"; a measurement is
held against the tolerances that are stated for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from axletree.analysis.handling.cornering_curve import CorneringCurve
from axletree.analysis.handling.g_g_diagram import GGDiagram
from axletree.analysis.handling.steer_response import SteerResponse
from axletree.analysis.handling.straight_running import VehicleLocus
from axletree.analysis.handling.yaw_moment import YawMomentDiagram
from axletree.analysis.joint_loads import JointLoads
from axletree.analysis.linear.mode_shapes import NamedMode
from axletree.analysis.linear.modes import NEUTRAL
from axletree.analysis.measurements.agreement import Agreement
from axletree.analysis.measurements.validation import Validation
from axletree.analysis.studies.comparison import ComparedRun, distance, shared_range
from axletree.analysis.studies.fidelity_ladder import Ladder
from axletree.analysis.studies.sensitivity import Sensitivity
from axletree.analysis.studies.sweep import Sweep
from axletree.analysis.studies.tyre_fit import TyreFit
from axletree.metrics.findings import YES_NO, Finding
from axletree.metrics.verdict import KEY_NUMBERS, Comparison, Criterion, Verdict, judge
from axletree.plot.linear import shown_locus

_NOTHING = 1e-12  # range of a quantity, of which no share is taken
_SAME = 1e-4  # of a finding, by less than which it stays as it is over a sweep
_PER_PERCENT = "%/%"


def cornering_verdict(curve: CorneringCurve) -> Verdict:
    """The limit first, then gradients of the linear range.

    Example:
    >>> import axletree as at
    >>> from axletree.reports.analysis_verdicts import cornering_verdict
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    >>> print(cornering_verdict(at.cornering_curve(sedan, speed="80 km/h")))
    no criterion: steady turns to the left at 80 km/h, up to: axle saturated
    """
    side = "left" if curve.lateral[-1] >= 0.0 else "right"
    speed, radius = curve.speed, curve.radius
    along = f"at {_kmh(speed)}" if speed is not None else f"of {abs(radius or 0.0):.4g} m"
    tested = f"steady turns to the {side} {along}, up to: {curve.ending.value}"
    key = ("maximum_lateral_acceleration", "understeer_gradient", "characteristic_speed",
           "critical_speed", "sideslip_gradient", "roll_gradient", "yaw_rate_gain")  # fmt: skip
    return judge(tested, [], curve.findings, key)


def loads_verdict(tested: str, found: JointLoads) -> Verdict:
    """The largest force and the largest moment of all joints; no strength is known.

    Example:
    >>> import axletree as at
    >>> from axletree.reports.analysis_verdicts import loads_verdict
    >>> found = at.joint_loads(at.read_model("pendulum").drive())
    >>> print(loads_verdict("ten swings", found))
    no criterion: ten swings
    """
    return judge(tested, [], found.findings())


def g_g_verdict(diagram: GGDiagram) -> Verdict:
    """The greatest accelerations of all speeds, and at the highest speed what is left to drive."""
    tested = f"performance envelope at {_listed([one.speed for one in diagram.envelopes])}"
    if not diagram.envelopes:
        return Verdict("performance envelope: the drive keeps none of the speeds")
    numbers = []
    sizes = {"acceleration": "acceleration", "deceleration": "deceleration",
             "lateral": "lateral acceleration"}  # fmt: skip
    for name, words in sizes.items():
        best = max(
            (found for one in diagram.envelopes for found in one.findings
             if found.name.startswith(f"{name}_") and "steady" not in found.name),
            key=lambda found: found.value,
        )  # fmt: skip
        where = best.description.rpartition(" at ")[2]
        numbers.append(Finding(name, best.value, best.unit, f"maximum {words}, at {where}"))
    fastest = max(diagram.envelopes, key=lambda one: one.speed)
    if len(diagram.envelopes) > 1:
        numbers += [fastest.findings[0], fastest.findings[2]]
    return judge(tested, [], numbers)


def yaw_moment_verdict(diagram: YawMomentDiagram) -> Verdict:
    """Stability and control first."""
    angles = [math.degrees(float(np.abs(one).max())) for one in
              (diagram.sideslip, diagram.steering / diagram.ratio)]  # fmt: skip
    tested = (
        f"yaw moments at {_kmh(diagram.speed)}, sideslip up to {angles[0]:.3g} deg and road wheels "
        f"up to {angles[1]:.3g} deg"
    )
    return judge(tested, [], diagram.findings)


def modes_verdict(modes: Sequence[NamedMode], findings: Sequence[Finding], speed: float) -> Verdict:
    """Frequency and damping of the modes that swing: those that grow, then the slowest, which are
    those of handling; ``speed`` is in m/s."""
    fastest = max((abs(one.eigenvalue) for one in modes), default=0.0)
    grown = [one.name for one in modes if one.eigenvalue.real > NEUTRAL * fastest]
    said = f"unstable: {', '.join(dict.fromkeys(grown))}" if grown else "none unstable"
    value = {one.name: one for one in findings}
    pairs = [
        (value[f"{name}_frequency"], value[f"{name}_damping"])
        for name in (one.removesuffix("_damping") for one in value if one.endswith("_damping"))
    ]
    pairs.sort(key=lambda pair: (pair[1].value >= 0.0, pair[0].value))
    numbers = [one for pair in pairs for one in pair]
    return judge(f"modes of straight running at {_kmh(speed)}, {said}", [], numbers)


def locus_verdict(found: VehicleLocus, findings: Sequence[Finding]) -> Verdict:
    """Critical speeds, and the mode that is damped least."""
    first, last = (float(found.locus.values[k]) for k in (0, -1))
    tested = f"modes of straight running from {_kmh(first)} to {_kmh(last)}"
    if not findings:
        tested += ", stable" if found.locus.is_stable.all() else ", unstable at some speed"
        tested += ", no critical speed"
    return judge(tested, [], [*findings, *_least_damped(found)])


def _least_damped(found: VehicleLocus) -> list[Finding]:
    """Of the modes that swing, where there are any: damping ratio and frequency."""
    swinging = [
        (-value.real / abs(value), value.imag / (2.0 * math.pi), name, float(speed))
        for name, values in shown_locus(found)
        for speed, value in zip(found.locus.values, values, strict=True)
        if value.imag > 0.0
    ]
    if not swinging:
        return []
    ratio, frequency, name, speed = min(swinging)
    where = f"{name} at {_kmh(speed)}"
    return [
        Finding("least_damping", ratio, "1", f"least damping ratio, {where}"),
        Finding("least_damping_frequency", frequency, "Hz", f"frequency, {where}"),
    ]


def frequency_verdict(response: SteerResponse, speed: float) -> Verdict:
    """Of the vehicle itself; ``speed`` is in m/s."""
    f = response.frequencies
    tested = (
        f"frequency response to the steering wheel at {_kmh(speed)}, from {f[0]:.3g} Hz to "
        f"{f[-1]:.3g} Hz"
    )
    return judge(tested, [], response.findings())


def sensitivity_verdict(found: Sensitivity) -> Verdict:
    """The findings that change most, each by the parameter that it follows most."""
    relative = found.relative
    shares = [
        Finding(f"{one.name} by {name}", relative[name][one.name], _PER_PERCENT,
                f"{one.description} by {name}")
        for one in found.findings
        for name in relative
        if math.isfinite(relative[name][one.name])
    ]  # fmt: skip
    shares.sort(key=lambda one: -abs(one.value))
    count = len(relative)
    named = f"{count} parameters" if count != 1 else next(iter(relative))
    return judge(f"relative sensitivity of {found.what} to {named}", [], shares)


def sweep_verdict(found: Sweep) -> Verdict:
    """Between which values findings go."""
    varied = ", ".join(f"{one.name} ({len(one.values)} values)" for one in found.variations)
    points = f"{len(found.rows)} points"
    if found.failures:
        points += f", {len(found.failures)} of which failed"
    numbers = []
    for one in found.findings:
        values = found[one.name].astype(float)
        known = values[np.isfinite(values)]
        if one.unit == YES_NO or not known.size or np.ptp(known) <= _SAME * np.abs(known).max():
            continue
        numbers += [
            Finding(f"{one.name}.{word}", float(value), one.unit, f"{one.description}: {word}")
            for word, value in (("minimum", known.min()), ("maximum", known.max()))
        ]
    pairs = 2 * (KEY_NUMBERS // 2)
    tested = f"sweep of {found.manoeuvre or 'its own run'} over {varied}: {points}"
    return judge(tested, [], numbers[:pairs])


def ladder_verdict(ladder: Ladder) -> Verdict:
    """The findings of the model of the highest fidelity."""
    driven = ", ".join(rung.fidelity.value for rung in ladder.rungs)
    tested = f"models of other fidelity in {ladder.manoeuvre} at {_kmh(ladder.speed)}"
    if not ladder.rungs:
        return Verdict(f"{tested}: none drives it")
    first = ladder.rungs[0]
    numbers = [
        Finding(one.name, one.value, one.unit, f"{first.fidelity.value}: {one.description}")
        for one in first.findings
    ]
    return judge(f"{tested}: {driven}", [], numbers)


def comparison_verdict(
    runs: Sequence[ComparedRun], names: Sequence[str], tolerance: float
) -> Verdict:
    """What lies farthest apart, in % of its range, and how much is equal within the tolerance."""
    first, *others = runs
    apart = []
    for name in names:
        reach = shared_range([one.run[name] for one in runs])
        gaps = [distance(first.run, one.run, name) for one in others]
        if reach > _NOTHING and all(map(math.isfinite, gaps)):
            share = 100.0 * max(gaps) / reach
            apart.append(Finding(name, share, "%", f"{name}: largest difference of its range"))
    apart.sort(key=lambda one: -one.value)
    equal = sum(one.value <= 100.0 * tolerance for one in apart)
    beside = " and ".join(one.label for one in others)
    tested = (
        f"comparison of {beside} with {first.label}: {equal} of {len(apart)} quantities equal "
        f"within {100.0 * tolerance:g} % of their range"
    )
    return judge(tested, [], [one for one in apart if one.value > 100.0 * tolerance])


def agreement_verdict(found: Agreement, validation: Validation | None, title: str) -> Verdict:
    """Curves and values within their tolerances, where a method says which; else the RMS errors."""
    errors = [
        Finding(f"{name}.rms", 100.0 * one.statistics.normalised_rms, "%",
                f"{name}: RMS error of the measured range")
        for name, one in found.channels.items()
    ]  # fmt: skip
    errors.sort(key=lambda one: one.value == 0.0)  # what was measured and driven again comes last
    if validation is None:
        return judge(f"agreement of {title} with a measurement", [], errors)
    source = f"in the manner of {validation.method.standard}, tolerances as stated below"
    outside = [
        Finding(name, float(sum(not one.is_met for one in those)), "1", words)
        for name, words, those in (
            ("curves_outside", "curves that leave their boundaries", validation.boundaries),
            ("values_outside", "characteristic values beyond their tolerance", validation.values),
        )
        if those
    ]
    limits = [
        Criterion(one.name, one.description, Comparison.AT_MOST, 0.0, "1", source)
        for one in outside
    ]
    tested = f"agreement of {title} with a measurement, {validation.method.summary}"
    return judge(tested, limits, [*outside, *errors])


def fit_verdict(fit: TyreFit, points: int) -> Verdict:
    """Errors as shares of what was measured."""
    errors = [
        Finding(f"{name}.rms", 100.0 * error / fit.peaks[name], "%",
                f"{name}: RMS error of its peak")
        for name, error in fit.rms.items()
        if fit.peaks[name]
    ]  # fmt: skip
    free = sum(not math.isnan(one.deviation) for one in fit.parameters)
    end = "converged" if fit.converged else "not converged"
    named = "1 parameter" if free == 1 else f"{free} parameters"
    tested = f"fit of {named} to {points} points, {end} after {fit.iterations} iterations"
    return judge(tested, [], errors)


def _kmh(speed: float) -> str:
    return f"{3.6 * speed:.4g} km/h"


def _listed(speeds: Sequence[float]) -> str:
    return ", ".join(f"{3.6 * speed:.4g}" for speed in speeds) + " km/h"
