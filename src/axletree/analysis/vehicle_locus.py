"""The modes of a vehicle against its speed, each followed and named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from axletree.analysis.root_locus import CriticalValue, RootLocus
from axletree.analysis.straight_running import straight_running
from axletree.analysis.vehicle_modes import NamedMode, named_modes
from axletree.model.model import Model

MOST_NAMED = 7  # points of a locus at which modes are named


@dataclass(frozen=True)
class CriticalSpeed:
    """A speed [m/s] at which a mode becomes stable or unstable."""

    speed: float
    name: str  # of the mode
    where: CriticalValue

    @property
    def in_words(self) -> str:
        side = "above" if self.where.unstable_above else "below"
        kind = f"swings at {self.where.eigenvalue.imag / (2.0 * np.pi):.3g} Hz"
        kind = kind if self.where.swings else "does not swing"
        return f"{self.name}: unstable {side} {self.speed:.5g} m/s, {kind}"


@dataclass(frozen=True)
class VehicleLocus:
    """A root locus along the speed, and the name of the mode in each of its columns.

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> found = at.vehicle_locus(sedan, [10.0, 40.0])  # m/s
    >>> found.locus.eigenvalues.shape, found.names  # two speeds, three modes
    ((2, 3), ('yaw-sideslip', 'yaw-sideslip', 'speed'))
    """

    locus: RootLocus
    names: tuple[str, ...]
    critical: tuple[CriticalSpeed, ...]


def vehicle_modes(model: Model, speed: float) -> tuple[NamedMode, ...]:
    """Of a vehicle that runs straight at a speed [m/s], the fastest growing first.

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> [mode.name for mode in at.vehicle_modes(sedan, 20.0)]  # m/s
    ['speed', 'yaw-sideslip']
    """
    return named_modes(straight_running(model).at(speed).linearisation)


def vehicle_locus(model: Model, speeds: Sequence[float] | np.ndarray) -> VehicleLocus:
    """Along speeds [m/s] that rise or fall.

    A mode that changes what it is on the way has the name that it has most often; at a critical
    speed it has the one of the nearest point.

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> found = at.vehicle_locus(sedan, [10.0, 40.0])  # m/s
    >>> found.critical, bool(found.locus.is_stable.all())  # it understeers
    ((), True)
    """
    locus = straight_running(model).locus(speeds)
    count = len(locus.values)
    places = np.unique(np.linspace(0, count - 1, min(count, MOST_NAMED)).round().astype(int))
    seen = [_names_at(locus, int(k)) for k in places]
    names = [Counter(column).most_common(1)[0][0] for column in zip(*seen, strict=True)]
    critical = []
    for where in locus.critical:
        nearest = int(np.argmin(np.abs(locus.values - where.value)))
        critical.append(CriticalSpeed(where.value, _names_at(locus, nearest)[where.branch], where))
    return VehicleLocus(locus, tuple(names), tuple(critical))


def _names_at(locus: RootLocus, k: int) -> list[str]:
    """Names of the columns at a point, by their eigenvalues there."""
    modes = named_modes(locus.points[k].linearise(keep=locus.states))
    values = np.array([mode.eigenvalue for mode in modes])
    upper = locus.eigenvalues[k].real + 1j * np.abs(locus.eigenvalues[k].imag)
    return [modes[int(np.argmin(np.abs(values - value)))].name for value in upper]
