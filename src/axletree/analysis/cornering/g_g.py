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
    """Of one speed, from all forwards to the left, backwards, and to the right forwards again."""

    speed: float  # [m/s]
    along: Vector  # [m/s^2], along the path
    lateral: Vector  # [m/s^2], to the left of the path
    endings: tuple[Ending, ...]  # what there is no more of

    @property
    def findings(self) -> tuple[Finding, ...]:
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
    """An envelope for each speed."""

    vehicle: str
    envelopes: tuple[Envelope, ...]
    too_fast: tuple[float, ...] = field(default=())  # [m/s], speeds that the drive does not hold

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(found for one in self.envelopes for found in one.findings)


def g_g_diagram(
    model: Model, speeds: Sequence[float | str], *, directions: int = DIRECTIONS
) -> GGDiagram:
    """At speeds [m/s]; ``directions`` are those of one side, forwards and backwards among them."""
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
