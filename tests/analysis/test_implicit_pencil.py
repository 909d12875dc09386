"""Equations by hand with constraints: pencil, reduced linear system and closed form agree."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mechanisms.by_hand import by_hand
from mechanisms.eigenvalues import assert_same

from axletree.analysis.linear.pencil import pencil_at
from axletree.expr import Expr, as_expr, symbol
from axletree.expr.quantity import Quantity, Role
from axletree.system.forms.projected import Projected
from axletree.system.index_reduction import explicit_system
from axletree.system.system import ImplicitSystem, System

TIME = Quantity("t", "s", "time", Role.TIME)
GRAVITY, LENGTH, MASS = 9.81, 0.7, 2.0


def held_pendulum() -> ImplicitSystem:
    """A point mass in Cartesian coordinates on a rod, which is a constraint with its force."""
    x, y, vx, vy, force = (symbol(name) for name in ("x", "y", "vx", "vy", "force"))
    roles = {"x": Role.COORDINATE, "y": Role.COORDINATE, "vx": Role.SPEED, "vy": Role.SPEED}
    start = {"x": 0.0, "y": -LENGTH}
    names = ("x", "y", "vx", "vy", "force")
    one, mass = as_expr(1.0), as_expr(MASS)
    return ImplicitSystem(
        name="pendulum",
        time=TIME,
        variables=tuple(
            Quantity(n, "1", n, roles.get(n, Role.REACTION), start.get(n, 0.0)) for n in names
        ),
        inputs=(Quantity("push", "N", "force along x", Role.INPUT),),
        parameters=(),
        matrix={(0, 0): one, (1, 1): one, (2, 2): mass, (3, 3): mass},
        rates=(
            vx,
            vy,
            symbol("push") - force * x,
            -MASS * GRAVITY - force * y,
            (x * x + y * y - LENGTH**2) * 0.5,
        ),
        outputs=(),
        equation_names=("x", "y", "along", "up", "rod"),
    )


@pytest.mark.parametrize("stabilisation", [None, Projected()])
@pytest.mark.parametrize("push", [0.0, 5.0])
def test_a_held_pendulum(stabilisation: Projected | None, push: float) -> None:
    """Pushed aside it swings about another direction, with sqrt(g^2 + (F/m)^2) for g."""
    made = explicit_system(held_pendulum(), stabilisation)
    found = System(**vars(made)).trim({"push": push})
    pull = math.hypot(GRAVITY, push / MASS)
    assert found["force"] == pytest.approx(MASS * pull / LENGTH, rel=1e-10)
    assert found["x"] == pytest.approx(LENGTH * push / MASS / pull, abs=1e-10)
    swing = math.sqrt(pull / LENGTH)
    wanted = np.array([1j * swing, -1j * swing])
    assert_same(found.pencil.eigenvalues, wanted, 1e-9)
    assert_same(found.eigenvalues, wanted, 1e-9)
    assert (found.pencil.infinite, found.pencil.index) == (3, 3)
    assert found.pencil.variables == ("x", "y", "vx", "vy", "force")


def test_a_matrix_of_rates_that_changes_with_what_drifts() -> None:
    """(1 + y) x' = 2, y' = 3 - 3 y: at y = 1, d/dt dx = -dy/2, so that dx = dy/6 in the mode -3."""
    x, y = (Quantity(name, "1", name, Role.STATE) for name in "xy")
    one: Expr = as_expr(1.0)
    system = ImplicitSystem(
        name="drift", time=TIME, variables=(x, y), inputs=(), parameters=(),
        matrix={(0, 0): y.symbol + 1.0, (1, 1): one},
        rates=(as_expr(2.0), 3.0 - y.symbol * 3.0),
        outputs=(), equation_names=("first", "second"),
    )  # fmt: skip
    values = {x.symbol: 0.4, y.symbol: 1.0, TIME.symbol: 0.0}
    found = pencil_at(system, values, np.array([1.0, 0.0]))
    assert found.eigenvalues == pytest.approx([0.0, -3.0], abs=1e-14)
    mode = found.vectors[:, 1]
    assert mode[0] / mode[1] == pytest.approx(1.0 / 6.0, rel=1e-13)


def test_a_system_from_components_has_a_regular_pencil() -> None:
    found = by_hand("pair", {"x": "-x", "y": "x - 2*y"}).trim()
    assert found.pencil.eigenvalues == pytest.approx([-1.0, -2.0])
    assert (found.pencil.infinite, found.pencil.index) == (0, 0)
