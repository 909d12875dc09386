"""Sobol indices: of Ishigami's function in closed form, and of a car."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import qmc

import axletree as at
from axletree.analysis.experiments.sobol import sobol_estimates
from axletree.code.backends.c import find_compiler
from axletree.core.errors import AxletreeError


def estimates(function: Callable[..., np.ndarray], width: int) -> tuple[list[float], list[float]]:
    shares = qmc.Sobol(2 * width, rng=np.random.default_rng(4)).random_base2(13)
    a, b = (np.pi * (2.0 * one - 1.0) for one in (shares[:, :width], shares[:, width:]))
    rows = []
    for k in range(width):
        mixed = a.copy()
        mixed[:, k] = b[:, k]
        rows.append(function(*mixed.T))
    first, total, errors = sobol_estimates(function(*a.T), function(*b.T), np.array(rows))
    assert all(0.0 <= error < 0.05 for error in (*errors[0], *errors[1]))
    return first, total


def test_the_function_of_ishigami() -> None:
    """sin x + a sin^2 y + b z^4 sin x (Ishigami and Homma 1990): indices in closed form."""
    a, b = 7.0, 0.1
    first, total = estimates(
        lambda x, y, z: np.sin(x) + a * np.sin(y) ** 2 + b * z**4 * np.sin(x), 3
    )
    of_x = 0.5 * (1.0 + b * np.pi**4 / 5.0) ** 2
    of_y = a**2 / 8.0
    of_both = b**2 * np.pi**8 * (1.0 / 18.0 - 1.0 / 50.0)
    variance = of_x + of_y + of_both
    np.testing.assert_allclose(first, np.array([of_x, of_y, 0.0]) / variance, atol=0.01)
    np.testing.assert_allclose(
        total, np.array([of_x + of_both, of_y, of_both]) / variance, atol=0.01
    )


def test_what_does_not_vary_has_no_shares() -> None:
    same = np.ones(8)
    assert sobol_estimates(same, same, np.array([same]))[:2] == ([0.0], [0.0])


@pytest.mark.shipped_flags
@pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")
def test_tolerances_of_a_car_add_up() -> None:
    """Effects of small tolerances are nearly linear: shares are those of slopes."""
    car = at.read_model("bicycle-car")
    stiffness = "tyre.law.cornering_stiffness"
    deviations = {"body.mass": 20.0, f"front_{stiffness}": 2e3, f"rear_{stiffness}": 1e3}
    own = {q.name: q.default for q in car.formulate().parameters}
    drawn = {name: at.Normal(own[name], one) for name, one in deviations.items()}
    found = at.sobol(car, drawn, "step-steer", of="chassis.rate.final", count=256, seed=3)
    both = {name: own[name] + np.array([-one, one]) for name, one in deviations.items()}
    change = {}
    for name, values in both.items():
        pair = car.batch({name: values}, "step-steer", outputs=["chassis.rate"])
        change[name] = 0.5 * float(np.ptp(pair["chassis.rate.final"]))
    variance = sum(one**2 for one in change.values())
    assert found.variance == pytest.approx(variance, rel=0.05)
    for name, one in change.items():
        for index, error in (
            (found.total, found.total_error), (found.first_order, found.first_order_error),
        ):  # fmt: skip
            within = 3.0 * error[name] + 0.01  # what is not linear
            assert index[name] == pytest.approx(one**2 / variance, abs=within)
            assert error[name] < 0.15
    assert len(found.found) == 5 * 256
    assert "first order" in repr(found)
    for given, word in (
        ({"count": 100}, "power of two"),
        ({"drawn_values": {"body.mass": 1500.0}}, "distribution"),
        ({"of": "chassis.colour.final"}, "colour"),
        ({"of": "chassis.rate"}, "such as 'chassis.rate.final'"),
        ({"outputs": ["chassis.rate"]}, "unknown setting 'outputs'"),
        ({"duraton": 1.0}, "duration"),
        ({"seed": -1}, "seed is -1"),
        ({"drawn_values": {"body.colour": at.Uniform(1, 2)}}, "body.colour"),
    ):
        settings = {"drawn_values": drawn, "of": "chassis.rate.final", "count": 4} | given
        with pytest.raises(AxletreeError, match=word):
            at.sobol(car, manoeuvre="step-steer", **settings)
