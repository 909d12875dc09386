"""The g-g diagram: accelerations along the path and across it that a vehicle can hold.

In each direction the acceleration is the maximum of all turns that are found: from a steady
motion straight ahead it grows until tyres have no more forces, or a pedal is down, and turns
with more sideslip are tried, too (``limits``). The path has a constant curvature meanwhile, and
all speeds change in one proportion (``steady.turning``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from axletree.analysis.handling.cornering_curve import geometry_of, positive_number, with_angles
from axletree.analysis.handling.limits import DENT, DirectionSearch, Limit, dent_depths
from axletree.analysis.handling.turn_bounds import TurnBounds
from axletree.analysis.handling.turn_branch import Ending
from axletree.analysis.steady.turning import Turning, turning_of
from axletree.analysis.studies.machines import executor_of
from axletree.analysis.studies.workers import Executor, LocalProcesses, LostTask, PointBar
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, TrimError
from axletree.core.progress import Progress
from axletree.metrics.findings import Finding, findings_html, shown_findings
from axletree.model.model import Model
from axletree.model_files.carried_model import CarriedModel, carried, read_carried

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
    changes: Mapping[str, Any] | None = None,
    workers: int | None = None,
    client: Any = None,
) -> GGDiagram:
    """At speeds [m/s]; ``directions`` are those of one side, forwards and backwards among them.

    ``changes`` are keys of the model file with other values. Speeds are found side by side by so
    many ``workers``, processes of this machine, one for each core by default, or by the machines of
    a cluster (``client``, as for ``sweep``), to which the name or the file of a model travels; the
    diagram is the same, bit for bit.

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
    executor = executor_of(workers, client)
    source = str(model) if isinstance(model, Path) else model
    work = EnvelopeWork(source, directions, changes or {})
    if isinstance(executor, LocalProcesses) and min(executor.count, len(numbers)) < 2:
        envelopes = work.one_by_one(numbers)
    else:
        envelopes = _side_by_side(work, numbers, executor)
    too_fast = tuple(v for v, one in zip(numbers, envelopes, strict=True) if one is None)
    return GGDiagram(work.name, tuple(one for one in envelopes if one is not None), too_fast)


@dataclass(frozen=True)
class FoundEnvelope:
    """That of a speed; neither where the drive does not hold the speed."""

    envelope: Envelope | None = None
    failure: str = ""


@dataclass(frozen=True)
class EnvelopeWork:
    """What is done with each speed, wherever that is."""

    source: Model | Turning | CarriedModel | str
    directions: int
    changes: Mapping[str, Any]

    @cached_property
    def turning(self) -> Turning:
        """Solved for once in each process; in those that are forked it is there."""
        if isinstance(self.source, Turning):
            return self.source
        return turning_of(read_carried(self.source, self.changes or None))

    @property
    def name(self) -> str:
        return self.turning.of.system.name

    def __call__(self, task: tuple[int, float]) -> FoundEnvelope:
        try:
            return FoundEnvelope(self.envelope(task[1], lambda: None))
        except AxletreeError as error:
            return FoundEnvelope(failure=str(error))

    def travelling(self) -> EnvelopeWork:
        """For machines of a cluster, which have not the files of the model."""
        if isinstance(self.source, Model | Turning):
            raise TrimError(
                f"{self.name} was built here and does not travel to other machines; give the name "
                "or the file of a model, and what is changed in it by changes={...}"
            )
        return EnvelopeWork(carried(self.source), self.directions, self.changes)

    def one_by_one(self, speeds: Sequence[float]) -> list[Envelope | None]:
        """In this process."""
        width, done = len(self._angles), count(1)
        with Progress(len(speeds) * width, "g-g diagram", "directions") as progress:
            return [self.envelope(v, lambda: progress.show(next(done))) for v in speeds]

    @property
    def _angles(self) -> FloatArray:
        angles = np.linspace(0.0, np.pi, self.directions)
        if _is_symmetric(self.turning):
            return angles
        return np.concatenate([angles, angles[1:-1] + np.pi])  # all around

    def envelope(self, speed: float, report: Callable[[], None]) -> Envelope | None:
        """None where the drive does not hold the speed [m/s]."""
        turning = self.turning
        straight = turning.straight(speed)
        if abs(straight[turning.effort]) > 1.0:
            return None
        around = not _is_symmetric(turning)
        search = DirectionSearch(TurnBounds(turning), speed, self._angles, around=around)
        return _envelope(turning, search, search.limits(straight, report))


def _side_by_side(
    work: EnvelopeWork, speeds: Sequence[float], executor: Executor
) -> list[Envelope | None]:
    _ = work.turning  # before processes are forked
    found: dict[int, Envelope | None] = {}
    crew = executor.work_through(list(enumerate(speeds)), work)
    with PointBar(0, len(speeds), "speeds") as bar, closing(crew):
        for done in crew:
            if done is not None:
                k, speed = done.task
                result = done.result
                failure = result.reason if isinstance(result, LostTask) else result.failure
                if isinstance(result, LostTask) or failure:
                    raise TrimError(f"at {3.6 * speed:.4g} km/h: {failure}")
                found[k] = result.envelope
            bar.show(len(found), 0)
    return [found[k] for k in range(len(speeds))]


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
