"""The integrals of Wong and Reece by adaptive quadrature, written out by the angle."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

from axletree.wheel.soils.contract import WheelInSoil
from axletree.wheel.soils.soil import Soil

Stress = Callable[[float], tuple[float, float, float]]


def stresses(soil: Soil, sinkage: float, wheel: WheelInSoil) -> tuple[Stress, list[float]]:
    """sigma, tau along and tau across [Pa] of the angle, and angles between smooth pieces."""
    r, i = wheel.radius, wheel.slip
    theta_1 = np.arccos(1.0 - sinkage / r)
    theta_2 = -np.arccos(1.0 - soil.rebound * sinkage / r)
    theta_m = (soil.peak_offset + soil.peak_slope * abs(i)) * theta_1
    ratio = 1.0 - i if i >= 0.0 else 1.0 / max(1.0 + i, 1e-6)
    k = soil.cohesive_modulus / wheel.width + soil.frictional_modulus
    drift = ratio * np.tan(wheel.slip_angle)

    def displacement(theta: float) -> float:
        return r * ((theta_1 - theta) - ratio * (np.sin(theta_1) - np.sin(theta)))

    def stress(theta: float) -> tuple[float, float, float]:
        place = theta
        if theta < theta_m:
            place = theta_1 - (theta - theta_2) * (theta_1 - theta_m) / (theta_m - theta_2)
        depth = max(r * (np.cos(place) - np.cos(theta_1)), 0.0)
        sigma = k * depth**soil.sinkage_exponent
        j_x, j_y = displacement(theta), r * drift * (theta_1 - theta)
        j = max(np.hypot(j_x, j_y), 1e-300)
        limit = soil.cohesion + sigma * np.tan(soil.friction_angle)
        tau = limit * -np.expm1(-j / soil.shear_modulus)
        return sigma, tau * j_x / j, -tau * j_y / j

    layer = theta_1 - np.geomspace(1e-7, 0.5, 8) * (theta_1 - theta_m)
    grid = np.linspace(theta_2, theta_1 - 1e-6 * theta_1, 400)
    signs = np.sign([displacement(theta) for theta in grid])
    turns = [
        brentq(displacement, low, high)
        for low, high, a, b in zip(grid, grid[1:], signs, signs[1:], strict=False)
        if a * b < 0.0
    ]
    return stress, sorted({theta_2, theta_m, theta_1, *layer, *turns})


def adaptive_forces(soil: Soil, sinkage: float, wheel: WheelInSoil) -> np.ndarray:
    """F_n, F_t, F_c, T / r and F_y of shear [N]."""
    stress, edges = stresses(soil, sinkage, wheel)
    parts: tuple[Callable[[float], float], ...] = (
        lambda a: stress(a)[0] * np.cos(a) + stress(a)[1] * np.sin(a),
        lambda a: stress(a)[1] * np.cos(a),
        lambda a: stress(a)[0] * np.sin(a),
        lambda a: stress(a)[1],
        lambda a: stress(a)[2],
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # roundoff at 1e-12 of pieces that are next to nothing
        sums = [
            sum(
                quad(part, low, high, epsabs=0.0, epsrel=1e-9, limit=200)[0]
                for low, high in zip(edges, edges[1:], strict=False)
            )
            for part in parts
        ]
    return wheel.width * wheel.radius * np.array(sums)
