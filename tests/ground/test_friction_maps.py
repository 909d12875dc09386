"""Friction maps: what each says where, smooth or in steps, with every surface."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from mechanisms.surfaces import FRICTION_SAMPLES, SAMPLES

from axletree.catalogue import FRICTION_MAPS
from axletree.components.fields import kind_of
from axletree.core.errors import ModelError
from axletree.core.registry import load
from axletree.core.units import parse_unit
from axletree.expr import as_expr, evaluate, jacobian, symbol
from axletree.ground.friction_maps import FrictionCells, FrictionMap, SplitFriction

X, Y = symbol("x"), symbol("y")
GENERATOR = np.random.default_rng(4)
PLACES = GENERATOR.uniform(-3.0, 3.0, (2, 300))


def factor(ground: FrictionMap, x: object, y: object) -> object:
    return ground.factor_at(x, y, ground.numbers)


def test_every_map_has_a_sample_and_says_what_it_is() -> None:
    assert list(FRICTION_SAMPLES) == list(FRICTION_MAPS)
    for word, ground in FRICTION_SAMPLES.items():
        kind = load("friction map", word, FRICTION_MAPS)
        assert type(ground) is kind
        assert 5 < len(kind.summary) <= 80
        for item in dataclasses.fields(kind):
            field_kind = kind_of(item)
            assert field_kind is not None
            parse_unit(field_kind.unit)


@pytest.mark.parametrize("word", FRICTION_SAMPLES)
def test_floats_arrays_and_expressions_agree(word: str) -> None:
    ground = FRICTION_SAMPLES[word]
    p = {name: symbol(f"p.{name}") for name in ground.numbers}
    given = {p[name]: value for name, value in ground.numbers.items()}
    (found,) = evaluate([as_expr(ground.factor_at(X, Y, p))], {**given, X: PLACES[0], Y: PLACES[1]})
    arrays = factor(ground, *PLACES)
    assert np.broadcast_to(found, 300) == pytest.approx(np.broadcast_to(arrays, 300), abs=1e-14)
    floats = [factor(ground, float(x), float(y)) for x, y in PLACES.T]
    assert floats == pytest.approx(np.broadcast_to(arrays, 300), abs=1e-14)
    assert np.min(floats) >= 0.0


@pytest.mark.parametrize("word", FRICTION_SAMPLES)
def test_slopes_are_differences(word: str) -> None:
    ground = FRICTION_SAMPLES[word]
    entries = jacobian([as_expr(factor(ground, X, Y))], [X, Y])
    h = 1e-6
    for column, (dx, dy) in enumerate(((h, 0.0), (0.0, h))):
        ahead = factor(ground, PLACES[0] + dx, PLACES[1] + dy)
        behind = factor(ground, PLACES[0] - dx, PLACES[1] - dy)
        expected = np.broadcast_to((ahead - behind) / (2.0 * h), 300)
        found = np.zeros(300)
        if (0, column) in entries:
            (found,) = evaluate([entries[0, column]], {X: PLACES[0], Y: PLACES[1]})
        assert found == pytest.approx(expected, abs=1e-4)


def test_split_friction_has_a_left_and_a_right_side() -> None:
    split = SplitFriction(0.2, 0.9)
    assert factor(split, 5.0, 1.0) == pytest.approx(0.2)
    assert factor(split, 5.0, -1.0) == pytest.approx(0.9)
    assert factor(split, 5.0, 0.0) == pytest.approx(0.55)
    assert factor(split, 5.0, 0.05) == pytest.approx(0.2)  # the transition is 0.1 m wide
    turned = SplitFriction(0.2, 0.9, x=1.0, heading=math.pi / 2.0)  # along y: left is -x
    assert factor(turned, 0.0, 3.0) == pytest.approx(0.2)
    assert factor(turned, 2.0, 3.0) == pytest.approx(0.9)


CELLS = [[0.0, 0.5], [1.5, 0.2], [0.3, 0.7]]


def test_cells_have_their_factors_to_their_borders() -> None:
    ground = FrictionCells(CELLS, 6.0, 2.0, -3.0, -1.0)
    for i, row in enumerate(CELLS):
        for j, value in enumerate(row):
            for u, v in ((0.5, 0.5), (0.0, 0.0), (0.999, 0.001), (0.0, 0.999)):
                assert factor(ground, -3.0 + 2.0 * (i + u), -1.0 + j + v) == value
    for x, y in ((-3.001, 0.0), (3.001, 0.0), (0.0, 1.2), (0.0, -1.2), (9.0, 9.0)):
        assert factor(ground, x, y) == 1.0
    held = dataclasses.replace(ground, outside="held")
    assert factor(held, 50.0, 0.5) == 0.7
    assert factor(held, -50.0, -50.0) == 0.0


def test_cells_in_steps_have_no_slope() -> None:
    ground = FrictionCells(CELLS, 6.0, 2.0)
    assert jacobian([as_expr(factor(ground, X, Y))], [X, Y]) == {}


def test_cells_may_lead_over_to_one_another() -> None:
    sharp = FrictionCells(CELLS, 6.0, 2.0)
    smooth = FrictionCells(CELLS, 6.0, 2.0, transition=0.5)
    assert factor(smooth, 1.7, 0.5) == factor(sharp, 1.7, 0.5) == 0.0
    assert factor(smooth, 2.0, 0.5) == pytest.approx(0.75)
    assert factor(smooth, 2.125, 0.5) == pytest.approx(1.5 * 0.84375)  # 3/4 of the way
    assert factor(smooth, 2.0, 1.0) == pytest.approx(np.mean([0.0, 0.5, 1.5, 0.2]))
    x = np.linspace(-1.0, 7.0, 4001)
    steepest = np.abs(np.diff(factor(smooth, x, 0.9))).max() / (x[1] - x[0])
    assert steepest < 1.5 * 1.5 / 0.5


@pytest.mark.parametrize("word", SAMPLES)
@pytest.mark.parametrize("friction", FRICTION_SAMPLES)
def test_every_map_goes_with_every_surface(word: str, friction: str) -> None:
    ground = FRICTION_SAMPLES[friction]
    surface = dataclasses.replace(SAMPLES[word].surface, friction_map=ground)
    assert np.all(surface.friction(*PLACES, surface.numbers) == factor(ground, *PLACES))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: FrictionCells([[-0.1]], 1.0, 1.0), "factors: -0.1 is not allowed"),
        (lambda: FrictionCells(CELLS, 6.0, 2.0, transition=1.5), "1.5 m is wider than a cell"),
        (lambda: SplitFriction(-1.0, 1.0), "left: -1 is not allowed"),
        (lambda: SplitFriction(1.0, 1.0, transition=0.0), "transition: 0 m is not allowed"),
    ],
)
def test_mistakes(make, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        make()
