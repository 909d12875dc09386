"""The contact on curved ground against all points of tyre and ground, and in motion."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

import axletree as at
from axletree.components.contract import RelativeMotion
from axletree.expr import Expr, evaluate, number, symbol
from axletree.expr.vectors import Matrix, Vector
from axletree.ground.surfaces import Surface
from axletree.wheel.contact_geometry import ContactGeometry
from axletree.wheel.ground_plane import GroundPoint, GroundUnderWheel

AXIS = Vector((0.0, 1.0, 0.0))
RADIUS = 0.32
SHAPES: list[ContactGeometry] = [
    at.PlanarDisc(),
    at.Toroid(crown_radius=0.1),
    at.Belted(crown_radius=0.2, width=0.18),
]
WAVES = at.Sine(amplitude=0.05, wavelength=3.0, heading="30 deg")  # 4.6 m at the crests
HILL = at.Hill(rise=0.4, radius=2.0)
LEANS = [(0.0, 0.0), (0.7, 0.3), (-2.0, -0.6), (2.9, 0.9)]  # yaw and lean [rad]


def turned(yaw: float, lean: float) -> np.ndarray:
    return Rotation.from_euler("ZX", (yaw, lean)).as_matrix()


def found_by(
    surface: Surface, shape: ContactGeometry, centre: Vector, R: np.ndarray, steps: int
) -> GroundPoint:
    ground = GroundUnderWheel(
        surface, numbers(surface), shape, numbers(shape), number(RADIUS), steps
    )
    still = Vector((0.0, 0.0, 0.0))
    motion = RelativeMotion(centre, still, Matrix(R), still, still, still)
    return ground.under(motion, AXIS)


def place_under(
    surface: Surface, shape: ContactGeometry, centre: np.ndarray, R: np.ndarray, steps: int = 3
) -> tuple[np.ndarray, np.ndarray]:
    """The place on the ground and its normal."""
    place = found_by(surface, shape, Vector(centre), R, steps)
    x, y, z, *normal = evaluate([place.x, place.y, place.z, *place.normal], {})
    return np.array([x, y, z]), np.array(normal)


def numbers(part: Any) -> dict[str, Expr]:
    return {name: number(value) for name, value in part.numbers.items()}


def tyre_points(shape: ContactGeometry, R: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """A point of the undeformed tyre from its centre, by angles around wheel and section."""
    crown = shape.numbers.get("crown_radius", 0.0)
    x, u, z = R.T
    out = math.sin(angles[0]) * x - math.cos(angles[0]) * z
    across = math.cos(angles[1]) * out + math.sin(angles[1]) * u
    return np.asarray((RADIUS - crown) * out + crown * across)


def nearest(
    surface: Surface, shape: ContactGeometry, centre: np.ndarray, R: np.ndarray
) -> tuple[np.ndarray, float]:
    """Of all points of tyre and ground the two that are nearest: that of the ground, distance."""
    p, width = surface.numbers, shape.numbers.get("width")
    edge = math.pi if width is None else math.asin(0.5 * width / shape.numbers["crown_radius"])

    def gap(v: np.ndarray) -> np.ndarray:
        on_ground = np.array([v[0], v[1], float(surface.height(v[0], v[1], p))])
        return np.asarray(centre + tyre_points(shape, R, v[2:]) - on_ground)

    rough = [
        (centre[0], centre[1], a, b)
        for a in np.linspace(-1.0, 1.0, 9)
        for b in np.linspace(-edge, edge, 9)
    ]
    start = min(rough, key=lambda v: float(np.linalg.norm(gap(np.array(v)))))
    found = minimize(
        lambda v: float(np.linalg.norm(gap(v))), start, method="SLSQP",
        bounds=[(None, None)] * 3 + [(-edge, edge)], options={"ftol": 1e-14, "maxiter": 300},
    )  # fmt: skip
    x, y = found.x[:2]
    return np.array([x, y, float(surface.height(x, y, p))]), float(found.fun)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("surface", [WAVES, HILL], ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("angles", LEANS)
def test_the_place_is_the_nearest_of_all_points(
    shape: ContactGeometry, surface: Surface, angles: tuple[float, float]
) -> None:
    R = turned(*angles)
    for x, y in ((0.3, 0.2), (0.9, -0.4), (-1.3, 0.8)):
        z = float(surface.height(x, y, surface.numbers))
        centre = np.array([x, y, z + RADIUS + 0.1])
        place, normal = place_under(surface, shape, centre, R)
        point, distance = nearest(surface, shape, centre, R)
        reach = least_reach(shape, R, normal)
        assert (centre - place) @ normal - reach == pytest.approx(distance, abs=1e-6)
        assert place == pytest.approx(point, abs=2e-4)


def least_reach(shape: ContactGeometry, R: np.ndarray, normal: np.ndarray) -> float:
    """How far the undeformed tyre reaches below its centre along a normal."""
    crown, width = shape.numbers.get("crown_radius", 0.0), shape.numbers.get("width")
    sine = float(R[:, 1] @ normal)
    gamma = math.asin(sine)
    edge = abs(gamma) if width is None else math.asin(0.5 * width / crown)
    beta = min(max(gamma, -edge), edge)
    return (RADIUS - crown) * math.cos(gamma) + crown * math.cos(gamma - beta)


ROADS = {
    "waves of 1.2 m": (at.Sine(amplitude=0.03, wavelength=1.2), (3e-3, 2e-6, 1e-11)),
    "class C": (at.RandomRoad(road_class="C", realisation=1, length=100.0), (3e-4, 1e-7, 1e-13)),
    "class E": (at.RandomRoad(road_class="E", realisation=1, length=100.0), (2e-2, 1e-3, 1e-6)),
}


@pytest.mark.parametrize("shape", SHAPES[:2], ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("road", ROADS)
def test_every_step_doubles_the_digits(road: str, shape: ContactGeometry) -> None:
    """Against twelve steps, over 30 m of road; three suffice for a micrometre."""
    surface, bounds = ROADS[road]
    x, R = np.linspace(0.0, 30.0, 3001), turned(0.4, 0.3)
    along, height = symbol("along"), symbol("height")
    ground = [float(surface.height(float(one), 0.1, surface.numbers)) for one in x]
    values = {along: x, height: np.array(ground) + 0.3 * math.cos(0.3)}
    centre = Vector((along, 0.1, height))

    def places(steps: int) -> np.ndarray:
        place = found_by(surface, shape, centre, R, steps)
        return np.array(evaluate([place.x, place.y], values))

    exact = places(12)
    for steps, bound in enumerate(bounds, start=1):
        assert np.abs(places(steps) - exact).max() < bound


def test_on_a_tilted_plane_one_step_is_exact() -> None:
    slope = at.Ramp(rise=10.0, length=100.0, edge=1.0, x=-50.0)
    R = turned(0.5, 0.4)
    centre = np.array([0.0, 0.3, float(slope.height(0.0, 0.3, slope.numbers)) + 0.3])
    one, _ = place_under(slope, SHAPES[1], centre, R, 1)
    many, normal = place_under(slope, SHAPES[1], centre, R, 8)
    assert one == pytest.approx(many, abs=1e-12)
    dz = slope.slopes(*many[:2], slope.numbers)
    assert normal == pytest.approx(
        np.array([-dz[0], -dz[1], 1.0]) / math.sqrt(1.0 + dz[0] ** 2 + dz[1] ** 2)
    )
