"""What standards of validation compare, in their manner: curves in boundaries, characteristic
values with tolerances.

ISO 19364 (steady-state circular driving) lays cross plots over lateral acceleration over one
another: simulated curves make boundaries, and measured points are to lie in them. ISO 19365 (sine
with dwell) and ISO 22140 (lateral transient response of ISO 7401) compare courses over time and
characteristic values. The standards ask for repeated tests, means of several runs and tolerances by
quantity and purpose; none of that is decided here. Tolerances are the user's to state, what is
taken without one is a choice of this package, and nothing here claims conformity.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from axletree.analysis.measurements.agreement import Agreement
from axletree.analysis.measurements.boundaries import DEFAULT_SHARE, Boundary
from axletree.analysis.measurements.channel_sources import MeasurementError
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.registry import load, section, unknown_name
from axletree.core.text_table import TextTable
from axletree.core.units import to_si
from axletree.metrics.contract import Metric
from axletree.metrics.findings import YES_NO, Finding, unit_in_words, value_in_words
from axletree.metrics.vehicle_signals import (
    LATERAL_ACCELERATION,
    ROLL,
    SIDESLIP,
    STEERING,
    YAW_RATE,
)
from axletree.simulation.trajectory import Trajectory

VALUE_TOLERANCE: Final = 0.10  # of a simulated value, where none is stated: a choice, no standard's


@dataclass(frozen=True)
class ValidationMethod:
    """What a standard compares."""

    standard: str
    summary: str
    along: str  # what cross plots are over; "time": courses
    curves: tuple[str, ...]  # of those that are measured
    metrics: tuple[str, ...] = ()  # of the catalogue, that give characteristic values
    onset: float = 0.0  # [rad], up to which the steering wheel counts as at rest at the start


_LATERAL: Final = (STEERING, YAW_RATE, SIDESLIP, LATERAL_ACCELERATION, ROLL)
VALIDATION_METHODS: Final[Mapping[str, ValidationMethod]] = MappingProxyType({
    "iso-19364": ValidationMethod(
        "ISO 19364", "steady-state circular driving: cross plots over lateral acceleration",
        LATERAL_ACCELERATION, (STEERING, SIDESLIP, ROLL, YAW_RATE),
    ),
    "iso-19365": ValidationMethod(
        "ISO 19365", "sine with dwell: courses over time, yaw rate ratios, lateral displacement",
        "time", _LATERAL, ("dwell-stability",), math.radians(5.0),
    ),
    "iso-22140": ValidationMethod(
        "ISO 22140", "lateral transient response: courses over time, characteristic values",
        "time", _LATERAL, ("step-response",), math.radians(1.0),
    ),
})  # fmt: skip


@dataclass(frozen=True)
class ComparedValue:
    """A characteristic value of the run and of the measurement."""

    finding: Finding  # of the run, with its unit and words
    measured: float
    tolerance: float  # [1], of the size of the simulated value

    @property
    def is_met(self) -> bool:
        """Whether the measured value is within its tolerance."""
        if math.isnan(self.measured) or math.isnan(self.finding.value):
            return False
        if self.finding.unit == YES_NO:
            return self.measured == self.finding.value
        return abs(self.measured - self.finding.value) <= self.tolerance * abs(self.finding.value)


@dataclass(frozen=True, eq=False, repr=False)
class Validation:
    """Boundaries and values of a method, and which of them are met.

    Example:
    >>> import axletree as at
    >>> run = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}}).drive("iso-7401-step")
    >>> found = at.agreement(run, at.read_measurement(run.to_npz("measured.npz")))
    >>> [one.y for one in at.validate(found, "iso-22140").boundaries][:2]  # it does not roll
    ['driver.steering', 'vehicle.yaw_rate']
    """

    method: ValidationMethod
    boundaries: tuple[Boundary, ...]
    values: tuple[ComparedValue, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_met(self) -> bool:
        """Whether every curve and value is within its tolerance."""
        within = [one.is_met for one in self.boundaries]
        return all(within) and all(one.is_met for one in self.values)

    @property
    def in_words(self) -> str:
        """What is within its tolerances, and that it is no statement of conformity."""
        curves, values = ([one.is_met for one in of] for of in (self.boundaries, self.values))
        said = f"{sum(curves)} of {len(curves)} curves lie within their boundaries"
        if values:
            said += f", {sum(values)} of {len(values)} characteristic values within tolerance"
        return f"{said}. Tolerances are the user's to set; this is no statement of conformity."

    def __repr__(self) -> str:
        return "\n\n".join(table.text() for table in self.tables())

    def tables(self) -> list[TextTable]:
        """Of the boundaries and, if there are any, of the characteristic values.

        Example:
        >>> import axletree as at
        >>> run = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}}).drive("iso-7401-step")
        >>> found = at.agreement(run, at.read_measurement(run.to_npz("measured.npz")))
        >>> [table.title for table in at.validate(found, "iso-22140").tables()][1:]
        ['Characteristic values']
        """
        found = [self._of_boundaries()]
        if self.values:
            found.append(self._of_values())
        return found

    def _of_boundaries(self) -> TextTable:
        rows = tuple(
            (one.y, one.x, f"{100.0 * one.share_within:.1f} %", f"{one.greatest_use:.2f}",
             "stated" if one.is_stated else f"{100.0 * DEFAULT_SHARE:g} % of the range",
             "yes" if one.is_met else "no")
            for one in self.boundaries
        )  # fmt: skip
        title = f"In the manner of {self.method.standard}: measured points within boundaries"
        heads = ("quantity:", "over:", "within", "greatest use", "tolerance:", "all within:")
        return TextTable(title, heads, rows, (*self.notes, self.in_words))

    def _of_values(self) -> TextTable:
        rows = []
        for one in self.values:
            unit = one.finding.unit
            texts = [value_in_words(v, unit, 4) for v in (one.finding.value, one.measured)]
            within = "" if unit == YES_NO else f"{100.0 * one.tolerance:g} %"
            met = "yes" if one.is_met else "no"
            rows.append((one.finding.description, *texts, unit_in_words(unit), within, met))
        heads = ("characteristic value:", "simulated", "measured", "unit:", "tolerance", "within:")
        return TextTable("Characteristic values", heads, tuple(rows))


def validate(
    found: Agreement,
    method: str,
    *,
    time_tolerance: float | str = 0.0,
    value_tolerance: float | str = VALUE_TOLERANCE,
    metrics: Sequence[str] | None = None,
) -> Validation:
    """Hold an agreement against the boundaries and values of a method of ``VALIDATION_METHODS``.

    Tolerances of quantities are those of the channel file, or 5 % of the simulated range;
    ``time_tolerance`` [s] widens courses over time, ``value_tolerance`` [1] is of characteristic
    values. ``metrics`` of the catalogue take the place of the method's own.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    >>> run = car.drive("iso-7401-step", step="2 ms", method="semi-implicit-euler", watch=False)
    >>> names = ["driver.steering", "vehicle.yaw_rate"]
    >>> same = at.agreement(run, at.read_measurement(run.to_npz("measured.npz")), names=names)
    >>> at.validate(same, "iso-22140", metrics=()).is_met
    True
    """
    check_arguments(validate, locals())
    chosen: ValidationMethod = _method(method)
    there = [name for name in chosen.curves if name in found.channels]
    curves = [name for name in there if np.ptp(found[name].simulated) > 0.0]
    notes = [f"does not change in the run: {name}" for name in there if name not in curves]
    notes += [f"not measured: {name}" for name in chosen.curves if name not in found.channels]
    if chosen.along != "time" and chosen.along not in found.channels:
        raise MeasurementError(
            f"{chosen.standard} compares cross plots over {chosen.along}, which is not among what "
            f"is compared: {', '.join(found.channels)}"
        )
    if not curves:
        raise MeasurementError(
            f"none of {', '.join(chosen.curves)} is compared; {chosen.standard} asks for some"
        )
    boundaries = [
        found.over_time(name, time_tolerance)
        if chosen.along == "time"
        else found.cross_plot(chosen.along, name)
        for name in curves
    ]
    share = to_si(value_tolerance, expected="1")
    values: list[ComparedValue] = []
    for name in chosen.metrics if metrics is None else metrics:
        values += _values(found, load("metric", name, section("METRICS"))(), chosen, share, notes)
    return Validation(chosen, tuple(boundaries), tuple(values), tuple(notes))


def _method(name: str) -> ValidationMethod:
    if name not in VALIDATION_METHODS:
        raise unknown_name("method of validation", name, VALIDATION_METHODS, "this package")
    return VALIDATION_METHODS[name]


def _values(
    found: Agreement, metric: Metric, method: ValidationMethod, share: float, notes: list[str]
) -> list[ComparedValue]:
    missing = [n for n in metric.reads if n not in found.channels and n not in _OPTIONAL]
    if LATERAL_ACCELERATION in found.channels:  # what it would be made of is then not needed
        missing = [name for name in missing if name not in _MADE_OF_SPEEDS]
    if missing:
        notes.append(f"no characteristic values: {', '.join(missing)} not measured")
        return []
    simulated, measured = (
        metric.findings(_records(found, is_measured, method.onset)) for is_measured in (False, True)
    )
    by_name = {one.name: one.value for one in measured}
    pairs = [(one, by_name.get(one.name, math.nan)) for one in simulated]
    unknown = [one.description for one, value in pairs if math.isnan(one.value + value)]
    if unknown:
        notes.append(f"not shown by both: {', '.join(unknown)}")
    return [ComparedValue(one, v, share) for one, v in pairs if one.description not in unknown]


_OPTIONAL: Final = (SIDESLIP,)  # values that are made of it are left out without it


_MADE_OF_SPEEDS: Final = ("vehicle.lateral_speed", "vehicle.forward_speed")


def _records(found: Agreement, is_measured: bool, onset: float) -> Trajectory:
    """One of the two, with the steering wheel at rest until it has turned by the onset, and after
    it has come back to it for good."""
    columns = {
        name: one.measured if is_measured else one.simulated for name, one in found.channels.items()
    }
    columns |= {name: np.full_like(found.time, np.nan) for name in _OPTIONAL if name not in columns}
    if STEERING in columns and onset:
        columns[STEERING] = _at_rest(columns[STEERING], onset)
    units = dict.fromkeys(_OPTIONAL, "rad") | {n: one.unit for n, one in found.channels.items()}
    return Trajectory("agreement", found.time, columns, units, ())


def _at_rest(steering: FloatArray, onset: float) -> FloatArray:
    turned = np.flatnonzero(np.abs(steering - steering[0]) > onset)
    if not turned.size:
        return np.full_like(steering, steering[0])
    calm = steering.copy()
    calm[: turned[0]] = steering[0]
    if turned[-1] + 1 < len(calm):
        calm[turned[-1] + 1 :] = steering[0]
    if abs(steering[0]) <= onset:  # straight ahead
        calm[: turned[0]] = 0.0
        calm[turned[-1] + 1 :] = 0.0
    return calm
