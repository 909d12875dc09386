"""Posts under the wheels that follow a road."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import as_expr
from axletree.library.fields import parameter
from axletree.library.grid import Rows, grid
from axletree.library.part import part
from axletree.library.signal import TIME
from axletree.library.surfaces.contract import Surface
from axletree.model.manoeuvres.contract import Manoeuvre, Signal, driven_inputs
from axletree.model.manoeuvres.post_sweep import ON_POSTS


@dataclass(frozen=True, kw_only=True)
class PostRoad(Manoeuvre):
    """A vehicle on posts, each as high as the road under its wheel if it went along it.

    The post of the place x, y is at x + ``road_speed`` t of the road. Nothing rolls.

    Example:
    >>> import axletree as at
    >>> from axletree.core.expr import evaluate
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

    def own_signals(self) -> dict[str, Signal]:
        numbers = self.surface.numbers
        return {
            post: as_expr(self.surface.height(self.road_speed * TIME + x, y, numbers))
            for post, (x, y) in zip(self.posts, self.places, strict=True)
        }
