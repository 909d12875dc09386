"""Which manoeuvre tells most about parameters, before anything is driven.

A manoeuvre is simulated, and its record taken as a measurement with the noise of its channels: the
deviations that its identification states are the least that any estimate has (Cramer and Rao). One
number for all unknowns together is the volume of their ellipsoid, by the determinant of the
information over squares of the values (D-optimality; Ljung 1999, section 13.3).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from axletree.analysis.drive import drive
from axletree.analysis.identification.identify import identify
from axletree.analysis.identification.unknowns import Bounds, IdentificationError
from axletree.analysis.measurements.measurement import Measurement
from axletree.core.arguments import check_arguments
from axletree.core.progress import Progress
from axletree.core.text_table import TextTable
from axletree.metrics.vehicle_signals import BRAKE, FORWARD_SPEED, STEERING, THROTTLE
from axletree.model.model import Model
from axletree.model_files.read import model_of

_INPUTS = (STEERING, THROTTLE, BRAKE, FORWARD_SPEED)


@dataclass(frozen=True)
class ExpectedLimits:
    """What a manoeuvre tells: deviations of all unknowns over their values."""

    manoeuvre: str
    relative: Mapping[str, float]  # infinite for what it does not tell
    information: float  # log10 of the determinant; -inf where something is not told


@dataclass(frozen=True)
class ExperimentDesign:
    """Manoeuvres with what each tells, the most first; ``design.best`` names the first.

    Example:
    >>> from axletree.analysis.identification.experiment import ExpectedLimits, ExperimentDesign
    >>> limits = (ExpectedLimits("step-steer", {"body.mass": 0.02}, 3.4),)
    >>> print(ExperimentDesign("car", limits))
    car: standard deviations to expect [% of the value]
    manoeuvre   body.mass  information
    step-steer          2         3.40
    """

    model: str
    limits: tuple[ExpectedLimits, ...]

    @property
    def best(self) -> str:
        """The manoeuvre that tells most about all unknowns together."""
        return self.limits[0].manoeuvre

    def __repr__(self) -> str:
        return self.table().text()

    def _repr_html_(self) -> str:
        return self.table().html()

    def table(self) -> TextTable:
        """A row for each manoeuvre.

        Example:
        >>> from axletree.analysis.identification.experiment import ExpectedLimits, ExperimentDesign
        >>> limits = (ExpectedLimits("step-steer", {"body.mass": 0.02}, 3.4),)
        >>> ExperimentDesign("car", limits).table().rows
        (('step-steer', '2', '3.40'),)
        """
        names = tuple(self.limits[0].relative)
        rows = tuple(
            (one.manoeuvre,
             *(f"{100.0 * x:.2g}" if math.isfinite(x) else "none" for x in one.relative.values()),
             f"{one.information:.2f}" if math.isfinite(one.information) else "none")
            for one in self.limits
        )  # fmt: skip
        title = f"{self.model}: standard deviations to expect [% of the value]"
        return TextTable(title, ("manoeuvre:", *names, "information"), rows)


def experiment_design(
    model: Model | str | Path,
    manoeuvres: Sequence[str],
    parameters: Sequence[str] | Mapping[str, Bounds | None],
    channels: Mapping[str, float | str],
    *,
    speed: float | str | None = None,
    interval: float | str = "10 ms",
) -> ExperimentDesign:
    """How well each manoeuvre would tell parameters of a vehicle, by the noise of its channels.

    ``channels`` are standard deviations by name, ``speed`` [m/s] that of all manoeuvres, and
    ``interval`` [s] that of the samples; the rest is as for ``identify``.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> found = at.experiment_design(
    ...     car, ["iso-7401-step"], ["body.inertia.zz"], {"vehicle.yaw_rate": "0.2 deg/s"}
    ... )
    >>> print(f"{found.best}: {100 * found.limits[0].relative['body.inertia.zz']:.1f} %")
    iso-7401-step: 1.2 %
    """
    check_arguments(experiment_design, locals())
    model = model_of(model)
    if not manoeuvres:
        raise IdentificationError("no manoeuvre is given to compare")
    limits = []
    with Progress(len(manoeuvres), "comparing", "manoeuvres") as progress:
        for k, name in enumerate(manoeuvres):
            limits.append(_limits(model, name, parameters, channels, speed, interval))
            progress.show(k + 1)
    limits.sort(key=lambda one: -one.information)
    return ExperimentDesign(model.name, tuple(limits))


def _limits(
    model: Model,
    manoeuvre: str,
    parameters: Sequence[str] | Mapping[str, Bounds | None],
    channels: Mapping[str, float | str],
    speed: float | str | None,
    interval: float | str,
) -> ExpectedLimits:
    recorded = tuple(dict.fromkeys([*channels, *_INPUTS]))
    run = drive(model, manoeuvre, speed=speed, outputs=recorded, record_interval=interval,
                watch=False)  # fmt: skip
    columns = {name: run[name] for name in recorded if name in run}
    units = {name: run.units[name] for name in columns}
    driven = [n for n in columns if n in (THROTTLE, BRAKE) and n not in channels]
    pedals = any(np.ptp(columns[n]) > 0.0 for n in driven)
    if not pedals:  # the speed is kept, by whatever pedal
        columns = {n: y for n, y in columns.items() if n not in driven}
    moving = {name: s for name, s in channels.items() if np.ptp(run[name]) > 0.0}
    if not moving:
        return ExpectedLimits(manoeuvre, dict.fromkeys(parameters, math.inf), -math.inf)
    measured = Measurement(manoeuvre, run.time, columns, units, {})
    found = identify(model, measured, parameters, channels=moving)
    relative = {one.name: one.deviation / abs(one.value or one.unknown.size) for one in found.found}
    sizes = np.array([abs(one.value) or one.unknown.size for one in found.found])
    covariance = found.least_covariance / np.outer(sizes, sizes)
    if not np.isfinite(covariance).all():
        return ExpectedLimits(manoeuvre, relative, -math.inf)
    return ExpectedLimits(manoeuvre, relative, -np.linalg.slogdet(covariance)[1] / math.log(10.0))
