"""Greatest accelerations in directions all around, each looked for from more than one turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from axletree.analysis.cornering.greatest import BETTER, Summit, greatest
from axletree.analysis.cornering.turning import Course, Turning, Vector
from axletree.analysis.cornering.way import Ending

STEP, GREATEST = 1.5, 60.0  # m/s^2
PASSES = 6  # over all directions
SHARES = (0.995, 0.985, 0.97, 0.95, 0.92)  # of what a neighbour has, to climb a direction from
TURN = np.radians(1.0)  # from one direction to the next on the way from a neighbour
ROUNDING = 1e-12


class Rays:
    """Directions [rad] from straight ahead to the left, at a speed [m/s]."""

    def __init__(
        self, turning: Turning, speed: float, angles: Sequence[float] | Vector, *, around: bool
    ) -> None:
        """``around`` tells that the first direction follows after the last."""
        self._turning, self.speed = turning, speed
        self.angles, self._around = tuple(float(angle) for angle in angles), around

    def summits(self, straight: Vector, done: Callable[[], None]) -> list[Summit]:
        """The greatest accelerations, as sizes s [m/s^2]; ``done`` is called after each.

        All are climbed from straight ahead. One that lies behind the line between its
        neighbours, or is lost, is climbed from their turns, too.
        """
        found = []
        for angle in self.angles:
            course = self._course(angle)
            found.append(greatest(self._turning, course, straight, 0.0, GREATEST, STEP))
            done()
        changed = set(range(len(found)))
        for _ in range(PASSES):
            changed = self._mended(found, changed)
            if not changed:
                break
        return found

    def _mended(self, found: list[Summit], changed: set[int]) -> set[int]:
        """The places of those that became greater, from neighbours that have changed."""
        better: set[int] = set()
        for k in range(len(found)):
            for j in self._neighbours(k):
                if j not in changed | better or not self._is_doubtful(found, k):
                    continue
                other = self._from(found[j], j, k)
                if other is not None and other.s > (1.0 + BETTER) * found[k].s:
                    found[k] = other
                    better.add(k)
        return better

    def _neighbours(self, k: int) -> list[int]:
        count = len(self.angles)
        near = (k - 1, k + 1)
        return [j % count for j in near if self._around or 0 <= j < count]

    def _is_doubtful(self, found: list[Summit], k: int) -> bool:
        near = self._neighbours(k)
        if found[k].ending is Ending.LOST or len(near) < 2:
            return found[k].ending is Ending.LOST
        before, after = (self.point(j, found[j].s) for j in near)
        x, y = after - before
        own = self.point(k, found[k].s) - before
        return bool(x * own[1] - y * own[0] > 0.0)

    def point(self, k: int, s: float) -> Vector:
        """Accelerations along and across the path of a size, in a direction."""
        return s * self._ahead(self.angles[k])

    def _ahead(self, angle: float) -> Vector:
        ahead = np.array([np.cos(angle), np.sin(angle)])
        return np.where(np.abs(ahead) > ROUNDING, ahead, 0.0)

    def _from(self, neighbour: Summit, j: int, k: int) -> Summit | None:
        """The greatest of direction k that is climbed from the turn of direction j."""
        between = (self.angles[k] - self.angles[j] + np.pi) % (2.0 * np.pi) - np.pi
        best: Summit | None = None
        for share in SHARES:
            first, turn = share * neighbour.s, self._turned(neighbour, share, j, between)
            if turn is not None:
                course = self._course(self.angles[k])
                other = greatest(self._turning, course, turn, first, GREATEST, STEP)
                best = other if best is None or other.s > best.s else best
        return best

    def _turned(self, summit: Summit, share: float, j: int, by: float) -> Vector | None:
        """A turn in another direction, with a share of a summit's acceleration."""
        turn, count = summit.turn, max(2, int(np.ceil(abs(by) / TURN)))
        for angle in self.angles[j] + by * np.linspace(0.0, 1.0, count):
            found = self._turning.solve(self._course(angle), turn, share * summit.s)
            if found is None:
                return None
            turn = found
        return turn

    def _course(self, angle: float) -> Course:
        along, across = (float(part) for part in self._ahead(angle))
        held = {"path.speed": self.speed, "path.lateral": 0.0, "path.acceleration": 0.0,
                "restraint.Mz": 0.0}  # fmt: skip
        return Course.line(held, {"path.lateral": across, "path.acceleration": along})
