"""What every surface of the catalogue keeps to; a new one is tested by being listed."""

from __future__ import annotations

import dataclasses
import math
import re

import numpy as np
import pytest
from mechanisms.surfaces import SAMPLES, Sample

from axletree.catalogue import SURFACES
from axletree.components.fields import kind_of, part
from axletree.components.file_entries import written_part
from axletree.core.registry import load
from axletree.core.units import parse_unit
from axletree.expr import as_expr, evaluate, jacobian, symbol
from axletree.ground.surfaces import Surface

X, Y = symbol("x"), symbol("y")
CURVED = [word for word in SAMPLES if word != "flat"]


@pytest.fixture(params=list(SAMPLES))
def sample(request: pytest.FixtureRequest) -> Sample:
    return SAMPLES[request.param]


def test_every_surface_has_a_sample() -> None:
    assert list(SAMPLES) == list(SURFACES)
    for word, sample in SAMPLES.items():
        assert type(sample.surface) is load("surface", word, SURFACES)


@pytest.mark.parametrize("word", SURFACES)
def test_it_says_what_it_is_in_units(word: str) -> None:
    kind = load("surface", word, SURFACES)
    assert 5 < len(kind.summary) <= 80
    assert not str(kind.__doc__).startswith(f"{kind.__name__}(")
    for item in dataclasses.fields(kind):
        field_kind = kind_of(item)
        assert field_kind is not None, item.name
        assert len(field_kind.description) > 3
        parse_unit(field_kind.unit)


def test_floats_arrays_and_expressions_agree(sample: Sample) -> None:
    x, y = sample.points(20)
    numbers = sample.surface.numbers
    p = {name: symbol(f"p.{name}") for name in numbers}
    given = {p[name]: value for name, value in numbers.items()}
    formulas = [sample.surface.height(X, Y, p), *sample.surface.slopes(X, Y, p)]
    formulas.append(sample.surface.friction(X, Y, p))
    found = evaluate([as_expr(f) for f in formulas], {**given, X: x, Y: y})
    arrays = [
        sample.call("height", x, y), *sample.call("slopes", x, y), sample.call("friction", x, y)
    ]  # fmt: skip
    for k, (one, other) in enumerate(zip(found, arrays, strict=True)):
        assert np.broadcast_to(one, x.shape) == pytest.approx(
            np.broadcast_to(other, x.shape), rel=1e-12, abs=1e-12
        ), k
    for k in range(3):
        point = float(x[k]), float(y[k])
        floats = [sample.call("height", *point), *sample.call("slopes", *point)]
        expected = [np.broadcast_to(a, x.shape)[k] for a in arrays[:3]]
        assert floats == pytest.approx(expected, rel=1e-13, abs=1e-15)


def test_slopes_are_differences_of_heights(sample: Sample) -> None:
    x, y = sample.points(300)
    h = 1e-5
    along, across = sample.call("slopes", x, y)
    by_x = (sample.call("height", x + h, y) - sample.call("height", x - h, y)) / (2.0 * h)
    by_y = (sample.call("height", x, y + h) - sample.call("height", x, y - h)) / (2.0 * h)
    # Where the curvature jumps within the difference, it is off by half the step.
    tolerance = 1e-9 + h / sample.surface.least_radius
    inside = away_from_borders(sample, x, y, 2.0 * h)
    for slope, difference in ((along, by_x), (across, by_y)):
        error = np.where(inside, np.abs(slope - difference), 0.0)
        assert error.max() < tolerance


def away_from_borders(sample: Sample, x: np.ndarray, y: np.ndarray, margin: float) -> np.ndarray:
    """A grid's border has a slope across it that ends there, as it says."""
    if type(sample.surface).__name__ != "Bicubic":
        return np.ones_like(x, dtype=bool)
    beside = [np.abs(x - c) > margin for c in (sample.first[0], sample.last[0])]
    beside += [np.abs(y - c) > margin for c in (sample.first[1], sample.last[1])]
    return np.all(beside, axis=0)


def test_slopes_are_continuous_and_curvature_is_bounded(sample: Sample) -> None:
    """Over any short way the slopes change by no more than the stated curvature allows."""
    x, y = sample.points(4000)
    generator = np.random.default_rng(5)
    for h in (1e-1, 1e-3):
        angle = generator.uniform(0.0, 2.0 * math.pi, len(x))
        x2, y2 = x + h * np.cos(angle), y + h * np.sin(angle)
        before, after = sample.call("slopes", x, y), sample.call("slopes", x2, y2)
        change = np.hypot(after[0] - before[0], after[1] - before[1])
        inside = away_from_borders(sample, x, y, h)
        assert np.max(np.where(inside, change, 0.0)) <= 1.01 * h / sample.surface.least_radius


@pytest.mark.parametrize("word", CURVED)
def test_the_least_radius_is_that_of_heights_on_a_fine_grid(word: str) -> None:
    sample = SAMPLES[word]
    radius = numeric_least_radius(sample)
    bound = sample.surface.least_radius
    assert 0.995 * bound < radius < sample.slack * bound


def numeric_least_radius(sample: Sample, count: int = 700) -> float:
    """From the principal curvatures of the true surface, by differences of heights alone."""
    xs = np.linspace(sample.first[0], sample.last[0], count)
    ys = np.linspace(sample.first[1], sample.last[1], count)
    x, y = np.meshgrid(xs, ys, indexing="ij")
    z = sample.call("height", x, y)
    zx, zy = np.gradient(z, xs, ys)
    zxx, zyy = np.zeros_like(z), np.zeros_like(z)
    zxx[1:-1] = (z[2:] - 2.0 * z[1:-1] + z[:-2]) / (xs[1] - xs[0]) ** 2
    zyy[:, 1:-1] = (z[:, 2:] - 2.0 * z[:, 1:-1] + z[:, :-2]) / (ys[1] - ys[0]) ** 2
    zxy = np.gradient(zx, ys, axis=1)
    root = np.sqrt(1.0 + zx**2 + zy**2)
    mean = ((1 + zy**2) * zxx - 2 * zx * zy * zxy + (1 + zx**2) * zyy) / (2.0 * root**3)
    gauss = (zxx * zyy - zxy**2) / root**4
    largest = np.abs(mean) + np.sqrt(np.maximum(mean**2 - gauss, 0.0))
    return float(1.0 / largest[2:-2, 2:-2].max())


def test_second_derivatives_are_differences_of_slopes(sample: Sample) -> None:
    x, y = sample.points(100)
    h = 1e-6
    numbers = sample.surface.numbers
    slopes = [as_expr(s) for s in sample.surface.slopes(X, Y, numbers)]
    entries = jacobian(slopes, [X, Y])
    steps = [(h, 0.0), (0.0, h)]
    for row in range(2):
        for column, (dx, dy) in enumerate(steps):
            ahead = np.asarray(sample.call("slopes", x + dx, y + dy)[row])
            behind = np.asarray(sample.call("slopes", x - dx, y - dy)[row])
            wanted = np.broadcast_to((ahead - behind) / (2.0 * h), x.shape)
            if (row, column) in entries:
                (value,) = evaluate([entries[row, column]], {X: x, Y: y})
            else:
                value = np.zeros_like(x)
            error = np.abs(value - wanted)
            assert np.sort(error)[:-2].max() < 2e-7 * max(1.0, 1.0 / sample.surface.least_radius)


def test_the_normal_is_across_two_ways_on_the_ground(sample: Sample) -> None:
    x, y = 0.4, 0.3
    n = np.array(sample.call("normal", x, y), dtype=float)
    assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-15)
    h, z = 1e-6, sample.call("height", x, y)
    along = np.array([h, 0.0, sample.call("height", x + h, y) - z]) / h
    across = np.array([0.0, h, sample.call("height", x, y + h) - z]) / h
    expected = np.cross(along, across)
    assert n == pytest.approx(expected / np.linalg.norm(expected), abs=1e-5)


def test_it_is_finite_far_away(sample: Sample) -> None:
    far = np.array([-1e6, -1e3, 0.0, 1e3, 1e6])
    x, y = np.meshgrid(far, far)
    found = [sample.call("height", x, y), *sample.call("slopes", x, y)]
    assert all(np.isfinite(f).all() for f in found)


def test_a_place_that_is_no_number_has_no_height(sample: Sample) -> None:
    if type(sample.surface).__name__ in ("Bicubic", "RandomRoad"):
        assert math.isnan(sample.call("height", math.nan, 0.5))
        assert math.isnan(sample.call("height", 0.5, math.nan))


def test_friction_is_that_of_the_law_unless_a_map_says_otherwise(sample: Sample) -> None:
    assert sample.call("friction", 0.3, 0.4) == 1.0
    icy = dataclasses.replace(sample.surface, friction_map={"type": "uniform", "factor": 0.2})
    assert icy.friction(0.3, 0.4, icy.numbers) == pytest.approx(0.2)
    x, y = sample.points(5)
    assert np.all(icy.height(x, y, icy.numbers) == sample.call("height", x, y))


@pytest.mark.parametrize("word", SURFACES)
def test_what_is_written_reads_back_to_the_same_surface(word: str) -> None:
    surface = SAMPLES[word].surface
    surface = dataclasses.replace(surface, friction_map={"type": "split", "left": 1, "right": 0.1})
    written = written_part(surface, "tyre.surface", "SURFACES")
    assert written["type"] == word
    read = kind_of_surface().check(written)
    assert read == surface
    assert re.search("'friction_map': {'type': 'split'", repr(written))


def kind_of_surface() -> object:
    @dataclasses.dataclass
    class Holder:
        surface: Surface = part("SURFACES", "a surface")

    kind = kind_of(dataclasses.fields(Holder)[0])
    assert kind is not None
    return kind
