"""Posts under the wheels: that swing ever quicker, or follow a road."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.fields import Rows, grid, parameter, part
from axletree.components.signals import TIME
from axletree.expr import as_expr, sin
from axletree.ground.surfaces import Surface
from axletree.model.manoeuvre import DrivenSignal, Manoeuvre, driven_inputs
from axletree.runs.steering import RisingFrequency

ON_POSTS = {"vehicle": {"posts": True}}  # what is changed in the file of a vehicle


@dataclass(frozen=True, kw_only=True)
class PostSweep(RisingFrequency):
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
        "m/s", "maximum speed of a post", default=0.05, lower=0.0, above=True
    )
    first: float = parameter("Hz", "frequency at its start", default=0.4, lower=0.0, above=True)
    last: float = parameter("Hz", "frequency at its end", default=25.0, lower=0.0, above=True)
    begin: float = parameter("s", "start time", default=0.5, lower=0.0)
    sweep: float = parameter("s", "time from the first to the last", default=40.0, lower=0.0,
                             above=True)  # fmt: skip
    fade: float = parameter("s", "time of fading in, and out", default=1.0, lower=0.0, above=True)
    duration: float = parameter("s", "length of the run", default=44.0, lower=0.0, above=True)

    @property
    def changes(self) -> dict[str, Any]:
        return ON_POSTS

    def own_signals(self) -> dict[str, DrivenSignal]:
        phase, grown = self._swept()
        largest = self.post_speed / (2.0 * math.pi * self.first)
        course = self._faded(largest * sin(phase) / grown)
        return {**dict.fromkeys(self.posts, course), **dict.fromkeys(self.opposite, -course)}


@dataclass(frozen=True, kw_only=True)
class PostRoad(Manoeuvre):
    """A vehicle on posts, each as high as the road under its wheel if it went along it.

    The post of the place x, y is at x + ``road_speed`` t of the road. Nothing rolls.

    Example:
    >>> import axletree as at
    >>> from axletree.expr import evaluate
    >>> waves = {"surface": at.Sine(amplitude=0.02, wavelength=8.0), "road_speed": 10.0}  # m, m/s
    >>> road = at.PostRoad(posts=["post.position"], places=[[0.0, 0.7]], **waves)
    >>> print(f"{evaluate([road.signals['post.position']], {at.TIME: 0.2})[0]:.3f} m")  # at x = 2 m
    0.020 m
    """

    summary: ClassVar[str] = "on posts that follow a road"

    speed: float = parameter("m/s", "0: it stands", default=0.0, lower=0.0, upper=0.0)
    posts: tuple[str, ...] = driven_inputs("m", "heights of the posts")
    places: Rows = grid("m", "place x, y of each of them: ahead, and to the left")
    surface: Surface = part("SURFACES", "road that they follow; level where it begins")
    road_speed: float = parameter("m/s", "speed at which it is passed", lower=0.0, above=True)
    duration: float = parameter("s", "length of the run", default=20.0, lower=0.0, above=True)

    def problems(self) -> list[str]:
        if len(self.places) != len(self.posts) or len(self.places[0]) != 2:
            return [
                f"places: expected a row x, y for each of {len(self.posts)} posts, got "
                f"{len(self.places)} rows of {len(self.places[0])}"
            ]
        return super().problems()

    @property
    def changes(self) -> dict[str, Any]:
        return ON_POSTS

    def _driven_names(self) -> Collection[str]:
        return self.posts  # the heights of a random road take long to make

    def own_signals(self) -> dict[str, DrivenSignal]:
        numbers = self.surface.numbers
        return {
            post: as_expr(self.surface.height(self.road_speed * TIME + x, y, numbers))
            for post, (x, y) in zip(self.posts, self.places, strict=True)
        }
