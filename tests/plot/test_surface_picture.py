"""Pictures of surfaces: the right heights, units on every axis, and what colours mean."""

from __future__ import annotations

import numpy as np
import pytest

from axletree.core.errors import ModelError
from axletree.ground.surfaces import Bump, Flat, Sine
from axletree.plot.figure_files import figure_bytes
from axletree.plot.ground import (
    SURFACE_POINTS,
    ShownSurface,
    draw_gallery,
    draw_surface,
    exaggeration,
)

BUMP = ShownSurface(Bump(0.1, 1.0, x=1.5), (0.0, 4.0), (-1.0, 1.0), "bump")
SPLIT = {"type": "split", "left": 0.2, "right": 0.9}
ICY = ShownSurface(Sine(0.05, 4.0, friction_map=SPLIT), (0.0, 8.0), (-2.0, 2.0))


def test_heights_and_friction_are_those_of_the_surface() -> None:
    x, y, z = BUMP.heights()
    assert x.shape == (SURFACE_POINTS, round(SURFACE_POINTS / 2))
    assert (x[0, 0], x[-1, 0], y[0, 0], y[0, -1]) == (0.0, 4.0, -1.0, 1.0)
    assert z.max() == pytest.approx(0.1, rel=1e-3)
    assert z[x < 1.5].max() == 0.0
    friction = ICY.friction()
    assert (friction.min(), friction.max()) == pytest.approx((0.2, 0.9))


@pytest.mark.parametrize("ground", [BUMP, ICY, ShownSurface(Flat(), (0.0, 1.0), (0.0, 5.0))])
def test_every_axis_has_a_unit(ground: ShownSurface) -> None:
    figure = draw_surface(ground)
    relief, plan = figure.axes[:2]
    assert relief.get_zlabel() == "z [m]"
    for axes in (relief, plan):
        assert (axes.get_xlabel(), axes.get_ylabel()) == ("x [m]", "y [m]")
    assert len(figure_bytes(figure, "png")) > 1000


def test_colours_show_friction_where_it_varies() -> None:
    icy, dry = draw_surface(ICY), draw_surface(BUMP)
    assert "friction 0.2 (dark) to 0.9" in icy.axes[0].texts[0].get_text()
    assert icy.axes[2].get_ylabel() == "factor on friction [-]"
    assert dry.axes[0].get_title() == "bump"
    assert dry.axes[0].texts[0].get_text() == "heights times 10"
    assert dry.axes[2].get_ylabel() == "z [m]"


@pytest.mark.parametrize(
    ("height", "length", "factor"),
    [(0.0, 5.0, 1.0), (0.1, 4.0, 10.0), (1.0, 4.0, 1.0), (10.0, 4.0, 1.0), (0.02, 20.0, 200.0)],
)
def test_exaggeration_is_round(height: float, length: float, factor: float) -> None:
    assert exaggeration(height, length) == pytest.approx(factor)


def test_a_gallery_has_one_relief_for_each() -> None:
    figure = draw_gallery([BUMP, ICY, BUMP, ICY])
    assert len(figure.axes) == 4
    low, high = figure.axes[0].get_zlim()
    assert low <= 0.0 < 0.099 < high
    aspects = [axes.get_box_aspect() for axes in figure.axes]
    assert np.allclose(aspects[0], aspects[2])


def test_nothing_to_show_is_refused() -> None:
    with pytest.raises(ModelError, match="no surface was given"):
        draw_gallery([])
    with pytest.raises(ModelError, match="x from 1 m to 1 m shows nothing"):
        ShownSurface(Flat(), (1.0, 1.0), (0.0, 1.0))
