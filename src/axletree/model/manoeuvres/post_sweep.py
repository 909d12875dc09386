"""Posts under the wheels that swing ever quicker."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr, exp, maximum, minimum, sin
from axletree.library.fields import parameter
from axletree.library.signal import TIME
from axletree.model.manoeuvres.contract import Manoeuvre, Signal, driven_inputs

ON_POSTS = {"vehicle": {"posts": True}}  # what is changed in the file of a vehicle


@dataclass(frozen=True, kw_only=True)
class PostSweep(Manoeuvre):
    """A vehicle on posts, which go up and down as a sine of rising frequency and one peak speed.

    With f the first frequency, T the time of the sweep and k = ln(last / first), the phase is
    2 pi f T / k (exp(k t / T) - 1) and the amplitude ``post_speed`` / (2 pi f exp(k t / T)): the
    quicker, the smaller. It fades in and out.

    Example:
    >>> import math
    >>> import axletree as at
    >>> sweep = at.PostSweep(posts=["front_left_post.position"], first=1.0, last=25.0)  # Hz
    >>> print(f"{1e3 * sweep.post_speed / (2 * math.pi * sweep.first):.2f} mm")  # first amplitude
    7.96 mm
    """

    summary: ClassVar[str] = "on posts that swing at rising frequency"

    speed: float = parameter("m/s", "0: it stands", default=0.0, lower=0.0, upper=0.0)
    posts: tuple[str, ...] = driven_inputs("m", "heights that go up first")
    opposite: tuple[str, ...] = driven_inputs("m", "heights that go down meanwhile", default=())
    post_speed: float = parameter(
        "m/s", "greatest speed of a post", default=0.05, lower=0.0, above=True
    )
    first: float = parameter("Hz", "frequency at its start", default=0.4, lower=0.0, above=True)
    last: float = parameter("Hz", "frequency at its end", default=25.0, lower=0.0, above=True)
    begin: float = parameter("s", "time at which it sets in", default=0.5, lower=0.0)
    sweep: float = parameter("s", "time from the first to the last", default=40.0, lower=0.0,
                             above=True)  # fmt: skip
    fade: float = parameter("s", "time of fading in, and out", default=1.0, lower=0.0, above=True)
    duration: float = parameter("s", "length of the run", default=44.0, lower=0.0, above=True)

    def problems(self) -> list[str]:
        if self.first >= self.last:
            return [f"first is {self.first:g} Hz and last {self.last:g} Hz; it has to rise"]
        return super().problems()

    @property
    def changes(self) -> dict[str, Any]:
        return ON_POSTS

    def own_signals(self) -> dict[str, Signal]:
        t = minimum(maximum(TIME - self.begin, 0.0), self.sweep)
        octaves = math.log(self.last / self.first)
        grown, first = exp(octaves / self.sweep * t), 2.0 * math.pi * self.first
        swing = self.post_speed / first * sin(first * self.sweep / octaves * (grown - 1.0)) / grown
        course = swing * self._smooth(t) * self._smooth(self.sweep - t)
        return {**dict.fromkeys(self.posts, course), **dict.fromkeys(self.opposite, -course)}

    def _smooth(self, t: Expr) -> Expr:
        """From 0 to 1 within the time of fading, with rate and acceleration 0 at both ends."""
        s = minimum(t * (1.0 / self.fade), 1.0)
        share: Expr = s * s * s * (10.0 + s * (6.0 * s - 15.0))
        return share
