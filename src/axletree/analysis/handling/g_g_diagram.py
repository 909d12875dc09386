"""The g-g diagram: accelerations along the path and across it that a vehicle can hold.

In each direction the acceleration is the maximum of all turns that are found: from a steady
motion straight ahead it grows until tyres have no more forces, or a pedal is down, and turns
with more sideslip are tried, too (``limits``). The path has a constant curvature meanwhile, and
all speeds change in one proportion (``steady.turning``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import numpy as np

from axletree.analysis.handling.cornering_curve import geometry_of, positive_number, with_angles
from axletree.analysis.handling.limits import DENT, DirectionSearch, Limit, dent_depths
from axletree.analysis.handling.turn_bounds import TurnBounds
from axletree.analysis.handling.turn_branch import Ending
from axletree.analysis.steady.turning import Turning, turning_of
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import TrimError
from axletree.core.progress import Progress
from axletree.metrics.findings import Finding, findings_html, shown_findings
from axletree.model.model import Model

DIRECTIONS = 19  # of one side, from forwards to backwards
_STEADY = 1e-9  # of the lateral acceleration, up to which one along the path is none


@dataclass(frozen=True)
class Envelope:
    """Of one speed, from all forwards to the left, backwards, and to the right forwards again.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.handling.g_g_diagram import Envelope
    >>> along, lateral = np.array([3.0, 0.0, -2.0, -9.0]), np.array([0.0, 8.0, 8.5, 0.0])  # m/s^2
    >>> envelope = Envelope(20.0, along, lateral, ())
    >>> [found.in_words for found in envelope.findings]
    ['3 m/s^2', '9 m/s^2', '8 m/s^2', '8.5 m/s^2', '-2 m/s^2']
    """

    speed: float  # [m/s]
    along: FloatArray  # [m/s^2], along the path
    lateral: FloatArray  # [m/s^2], to the left of the path
    endings: tuple[Ending, ...]  # what limits it
    axles: tuple[str, ...] = ()  # that saturates or locks; empty where it is something else

    @property
    def limits(self) -> tuple[str, ...]:
        """What limits each acceleration, in words."""
        pairs = zip(self.endings, self.axles, strict=True)
        return tuple(f"{one.value}: {axle}" if axle else one.value for one, axle in pairs)

    @property
    def dents(self) -> tuple[int, ...]:
        """Places of points that are more than 1 % inside the line between their neighbours."""
        if len(self.along) < 4:
            return ()
        depths = dent_depths(self.along, self.lateral)
        return tuple(int(k) for k in np.flatnonzero(depths > DENT))

    @property
    def dents_in_words(self) -> tuple[str, ...]:
        """Each with its direction from forwards, its depth, and what limits it."""
        depths = dent_depths(self.along, self.lateral)
        angles = np.degrees(np.arctan2(self.lateral, self.along))
        return tuple(
            f"dent of {100.0 * depths[k]:.1f} % at {angles[k]:.3g} deg: {self.limits[k]}"
            for k in self.dents
        )

    @property
    def lateral_alone(self) -> float:
        """The maximum lateral acceleration at a steady speed [m/s^2]."""
        aside = np.flatnonzero(np.abs(self.along) <= _STEADY * np.abs(self.lateral))
        if len(aside):
            return float(np.abs(self.lateral[aside]).max())
        return max(self._crossings(), default=0.0)

    def _crossings(self) -> Iterator[float]:
        """Lateral accelerations between neighbours of which one brakes and one does not."""
        along, lateral = self.along, self.lateral
        for k in range(len(along)):
            j = (k + 1) % len(along)
            if (along[k] < 0.0) != (along[j] < 0.0):
                share = along[k] / (along[k] - along[j])
                yield float(abs(lateral[k] + share * (lateral[j] - lateral[k])))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Maximum acceleration, deceleration and lateral accelerations [m/s^2]."""
        where = f"at {3.6 * self.speed:.4g} km/h"
        name = f"{3.6 * self.speed:.4g}_km_h"
        k = int(np.argmax(np.abs(self.lateral)))
        return (
            Finding(f"acceleration_{name}", float(self.along.max()), "m/s^2",
                    f"maximum acceleration {where}"),
            Finding(f"deceleration_{name}", float(-self.along.min()), "m/s^2",
                    f"maximum deceleration {where}"),
            Finding(f"lateral_steady_{name}", self.lateral_alone, "m/s^2",
                    f"maximum steady lateral acceleration {where}"),
            Finding(f"lateral_{name}", float(abs(self.lateral[k])), "m/s^2",
                    f"maximum lateral acceleration {where}"),
            Finding(f"along_at_lateral_{name}", float(self.along[k]), "m/s^2",
                    f"longitudinal acceleration at that point, {where}"),
        )  # fmt: skip


@dataclass(frozen=True)
class GGDiagram:
    """An envelope for each speed.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.handling.g_g_diagram import Envelope, GGDiagram
    >>> envelope = Envelope(20.0, np.array([3.0, 0.0, -9.0]), np.array([0.0, 8.0, 0.0]), ())
    >>> GGDiagram("sedan", (envelope,)).findings[2].name
    'lateral_steady_72_km_h'
    """

    vehicle: str
    envelopes: tuple[Envelope, ...]
    too_fast: tuple[float, ...] = field(default=())  # [m/s], speeds that the drive does not hold

    def __repr__(self) -> str:
        return shown_findings(self._heading, self.findings)

    def _repr_html_(self) -> str:
        return findings_html(self._heading, self.findings)

    @property
    def _heading(self) -> str:
        speeds = ", ".join(f"{3.6 * one.speed:.4g}" for one in self.envelopes)
        return f"Performance envelope of {self.vehicle} at {speeds or 'no'} km/h"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of all envelopes."""
        return tuple(found for one in self.envelopes for found in one.findings)


def g_g_diagram(
    model: Model | Turning | str | Path,
    speeds: Sequence[float | str],
    *,
    directions: int = DIRECTIONS,
) -> GGDiagram:
    """At speeds [m/s]; ``directions`` are those of one side, forwards and backwards among them.

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    >>> diagram = at.g_g_diagram(sedan, ["80 km/h"], directions=3)
    >>> forwards, backwards, aside, *_ = diagram.findings
    >>> print(f"{forwards.value:.2f}, {backwards.value:.2f}, {aside.value:.2f} m/s^2")
    3.30, 9.52, 9.81 m/s^2
    """
    check_arguments(g_g_diagram, locals())
    numbers = _check(speeds, directions)
    turning = turning_of(model)
    angles, symmetric = np.linspace(0.0, np.pi, directions), _is_symmetric(turning)
    if not symmetric:  # all around
        angles = np.concatenate([angles, angles[1:-1] + np.pi])
    found, too_fast, done = [], [], count(1)
    with Progress(len(numbers) * len(angles), "g-g diagram", "directions") as progress:
        for speed in numbers:
            straight = turning.straight(speed)
            if abs(straight[turning.effort]) > 1.0:
                too_fast.append(speed)
                continue
            search = DirectionSearch(TurnBounds(turning), speed, angles, around=not symmetric)
            limits = search.limits(straight, lambda: progress.show(next(done)))
            found.append(_envelope(turning, search, limits))
    return GGDiagram(turning.of.system.name, tuple(found), tuple(too_fast))


def _check(speeds: Sequence[float | str], directions: int) -> list[float]:
    """Speeds in m/s; before equations are formed."""
    if directions < 3:
        raise TrimError(f"{directions} directions; expected 3 or more")
    if not speeds:
        raise TrimError("no speed; give one or more")
    return [positive_number("speed", speed, "m/s") for speed in speeds]


def _is_symmetric(turning: Turning) -> bool:
    return all(not load.position[1] for load in turning.of.vehicle.loads.values())


def _envelope(turning: Turning, search: DirectionSearch, limits: list[Limit]) -> Envelope:
    ends = [
        (*search.point(k, one.s), one.ending, saturated_axle(turning, one))
        for k, one in enumerate(limits)
    ]
    if _is_symmetric(turning):
        ends = [*ends, *((along, -lateral, *why) for along, lateral, *why in ends[-2:0:-1])]
    along, lateral, endings, axles = zip(*ends, strict=True)
    return Envelope(search.speed, np.array(along), np.array(lateral), endings, axles)


NEARBY = 1e-4  # change of the unknown that changes most, beside 1 and itself


def saturated_axle(turning: Turning, limit: Limit) -> str:
    """Its name, or an empty text where something other than grip limits it.

    Along the branch accelerations stay at their maximum while slips change. Of each axle these are
    the slip angle in its middle, and the maximum change of rim speeds beside the path speed.
    """
    along = limit.tangent[:-1]
    size = float(np.abs(along / (1.0 + np.abs(limit.turn))).max())
    if limit.ending is Ending.LOCKED:
        return TurnBounds(turning).locked_axle(limit.turn)
    if limit.ending is not Ending.GRIP or not size:
        return ""
    turns = [limit.turn, limit.turn + NEARBY / size * along]
    vehicle = turning.of.vehicle
    columns = with_angles(turning.columns(turns), geometry_of(vehicle))
    changes = {}
    for name, axle in vehicle.axles.items():
        rates = [q for q in turning.names if q.startswith(f"{name}_") and q.endswith("_axle.rate")]
        rims = [
            axle.wheel.radius * np.diff(columns[q])[0] / columns["path.speed"][0] for q in rates
        ]
        angle = np.diff(columns[f"{name}.slip_angle"])[0]
        changes[name] = float(np.hypot(angle, np.abs(rims).max(initial=0.0)))
    return max(changes, key=lambda name: changes[name])
