"""The g-g diagram: accelerations along the path and across it that a vehicle can hold.

From a steady motion straight ahead the acceleration grows in each direction until tyres have no
more forces, or a pedal is down. The path has a constant curvature meanwhile, and all speeds change
in one proportion (``turning_system``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from axletree.analysis.cornering.cornering_curve import positive
from axletree.analysis.cornering.turning import Course, Turning, Vector, turning_of
from axletree.analysis.cornering.turning_system import EFFORT, CorneringError
from axletree.analysis.cornering.way import Ending, furthest
from axletree.model.manoeuvres.findings import Finding
from axletree.model.model import Model
from axletree.simulation.progress import Progress

DIRECTIONS = 19  # of one side, from forwards to backwards
STEP, GREATEST = 1.5, 60.0  # m/s^2


@dataclass(frozen=True)
class Envelope:
    """Of one speed, from all forwards to the left, backwards, and to the right forwards again.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.cornering.g_g import Envelope
    >>> envelope = Envelope(20.0, np.array([3.0, 0.0, -9.0]), np.array([0.0, 8.0, 0.0]), ())
    >>> [found.in_words for found in envelope.findings]
    ['3 m/s^2', '9 m/s^2', '8 m/s^2']
    """

    speed: float  # [m/s]
    along: Vector  # [m/s^2], along the path
    lateral: Vector  # [m/s^2], to the left of the path
    endings: tuple[Ending, ...]  # what there is no more of

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The greatest acceleration, deceleration and lateral acceleration [m/s^2]."""
        where = f"at {3.6 * self.speed:.4g} km/h"
        name = f"{3.6 * self.speed:.4g}_km_h"
        k = int(np.argmax(np.abs(self.lateral)))
        return (
            Finding(f"acceleration_{name}", float(self.along.max()), "m/s^2",
                    f"greatest acceleration {where}"),
            Finding(f"deceleration_{name}", float(-self.along.min()), "m/s^2",
                    f"greatest deceleration {where}"),
            Finding(f"lateral_{name}", float(abs(self.lateral[k])), "m/s^2",
                    f"greatest lateral acceleration {where}"),
        )  # fmt: skip


@dataclass(frozen=True)
class GGDiagram:
    """An envelope for each speed.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.cornering.g_g import Envelope, GGDiagram
    >>> envelope = Envelope(20.0, np.array([3.0, 0.0, -9.0]), np.array([0.0, 8.0, 0.0]), ())
    >>> GGDiagram("sedan", (envelope,)).findings[2].name
    'lateral_72_km_h'
    """

    vehicle: str
    envelopes: tuple[Envelope, ...]
    too_fast: tuple[float, ...] = field(default=())  # [m/s], speeds that the drive does not hold

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of all envelopes."""
        return tuple(found for one in self.envelopes for found in one.findings)


def g_g_diagram(
    model: Model, speeds: Sequence[float | str], *, directions: int = DIRECTIONS
) -> GGDiagram:
    """At speeds [m/s]; ``directions`` are those of one side, forwards and backwards among them.

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    >>> forwards, backwards, aside = at.g_g_diagram(sedan, ["80 km/h"], directions=3).findings
    >>> print(f"{forwards.value:.2f}, {backwards.value:.2f}, {aside.value:.2f} m/s^2")
    3.30, 9.52, 9.81 m/s^2
    """
    _check(speeds, directions)
    return envelopes_of(turning_of(model), speeds, directions=directions)


def envelopes_of(
    turning: Turning, speeds: Sequence[float | str], *, directions: int = DIRECTIONS
) -> GGDiagram:
    """``g_g_diagram`` of a vehicle whose equations are formed."""
    numbers = _check(speeds, directions)
    angles = _angles(turning, directions)
    effort = turning.names.index(EFFORT.name)
    found, too_fast, done = [], [], 0
    with Progress(len(numbers) * len(angles), "g-g diagram", "directions") as progress:
        for speed in numbers:
            straight = turning.straight(speed)
            if abs(straight[effort]) > 1.0:
                too_fast.append(speed)
                continue
            ends = []
            for angle in angles:
                ends.append(_end(turning, speed, straight, angle))
                done += 1
                progress.show(done)
            found.append(_envelope(turning, speed, ends))
    return GGDiagram(turning.of.system.name, tuple(found), tuple(too_fast))


def _check(speeds: Sequence[float | str], directions: int) -> list[float]:
    """Speeds in m/s; before equations are formed."""
    if directions < 3:
        raise CorneringError(f"{directions} directions; expected 3 or more")
    if not speeds:
        raise CorneringError("no speed; give one or more")
    return [positive("speed", speed, "m/s") for speed in speeds]


def _angles(turning: Turning, directions: int) -> Vector:
    """From forwards, to the left; all around only where the vehicle is not symmetric."""
    half = np.linspace(0.0, np.pi, directions)
    return half if _is_symmetric(turning) else np.concatenate([half, half[1:-1] + np.pi])


def _is_symmetric(turning: Turning) -> bool:
    return all(not load.position[1] for load in turning.of.vehicle.loads.values())


def _end(
    turning: Turning, speed: float, straight: Vector, angle: float
) -> tuple[float, float, Ending]:
    c, s = np.cos(angle), np.sin(angle) if abs(np.sin(angle)) > 1e-12 else 0.0
    fixed = {"path.speed": speed, "path.lateral": 0.0, "path.acceleration": 0.0,
             "restraint.Mz": 0.0}  # fmt: skip
    course = Course.line(fixed, {"path.lateral": s, "path.acceleration": c})
    _, size, ending = furthest(turning, course, straight, GREATEST, STEP)
    return c * size, s * size, ending


def _envelope(turning: Turning, speed: float, ends: list[tuple[float, float, Ending]]) -> Envelope:
    if _is_symmetric(turning):
        ends = [*ends, *((along, -lateral, ending) for along, lateral, ending in ends[-2:0:-1])]
    along, lateral, endings = zip(*ends, strict=True)
    return Envelope(speed, np.array(along), np.array(lateral), endings)
