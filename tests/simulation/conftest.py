"""Systems with known solutions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from axletree.expr import cos, sin, sqrt, symbol
from axletree.expr.quantity import Quantity, Role
from axletree.system.system import Definition, System

TIME = Quantity("time", "s", "Time.", Role.TIME)


@pytest.fixture
def oscillator() -> System:
    """q'' = -w^2 q + u; without u, q = cos(w t)."""
    p, q, w = symbol("mass.speed"), symbol("mass.position"), symbol("spring.frequency")
    u = symbol("motor.force")
    return System(
        name="oscillator",
        time=TIME,
        states=(
            Quantity("mass.speed", "m/s", "Speed.", Role.SPEED),
            Quantity("mass.position", "m", "Position.", Role.COORDINATE, 1.0),
        ),
        inputs=(Quantity("motor.force", "N", "Force on 1 kg.", Role.INPUT),),
        parameters=(Quantity("spring.frequency", "rad/s", "w.", Role.PARAMETER, 2.0, 0.0, 1000.0),),
        derivatives=(u - w * w * q, p),
        outputs=(
            Definition(
                Quantity("mass.energy", "J", "Energy.", Role.OUTPUT),
                0.5 * p * p + 0.5 * w * w * q * q,
            ),
        ),
        intermediates=(
            Definition(Quantity("spring.force", "N", "Force.", Role.OUTPUT), -w * w * q),
        ),
        projection=None,
    )


@pytest.fixture
def van_der_pol() -> System:
    """Stiff: x'' = mu (1 - x^2) x' - x with mu = 1000."""
    v, x, mu = symbol("v"), symbol("x"), symbol("mu")
    return System(
        name="van der pol",
        time=TIME,
        states=(
            Quantity("v", "1/s", "Rate.", Role.SPEED, 0.0),
            Quantity("x", "1", "Value.", Role.COORDINATE, 2.0),
        ),
        inputs=(),
        parameters=(Quantity("mu", "1", "Damping.", Role.PARAMETER, 1000.0),),
        derivatives=(mu * (1.0 - x * x) * v - x, v),
        outputs=(),
        intermediates=(),
        projection=None,
    )


@pytest.fixture
def circle() -> System:
    """A point on the unit circle with constant speed, and its projection onto the circle."""
    x, y = symbol("point.x"), symbol("point.y")
    radius = sqrt(x * x + y * y)
    return System(
        name="circle",
        time=TIME,
        states=(
            Quantity("point.x", "m", "Position.", Role.COORDINATE, 1.0),
            Quantity("point.y", "m", "Position.", Role.COORDINATE),
        ),
        inputs=(),
        parameters=(),
        derivatives=(-y, x),
        outputs=(Definition(Quantity("point.radius", "m", "Radius.", Role.OUTPUT), radius),),
        intermediates=(),
        projection=(x / radius, y / radius),
    )


@pytest.fixture
def runaway() -> System:
    """x' = x^2 from 1: the solution 1 / (1 - t) ends at t = 1."""
    x = symbol("x")
    return System(
        name="runaway",
        time=TIME,
        states=(
            Quantity("still", "m", "Nothing happens here.", Role.STATE),
            Quantity("x", "m", "Grows.", Role.STATE, 1.0),
        ),
        inputs=(),
        parameters=(),
        derivatives=(sin(symbol("still")), x * x),
        outputs=(Definition(Quantity("inverse", "1/m", "1/x.", Role.OUTPUT), 1.0 / x),),
        intermediates=(),
        projection=None,
    )


@pytest.fixture
def driven(oscillator: System) -> System:
    """No states at all: an output that is a function of time."""
    wave = Definition(
        Quantity("wave", "1", "A cosine.", Role.OUTPUT), cos(symbol("time")) + symbol("u")
    )
    inputs = (Quantity("u", "1", "Offset.", Role.INPUT, 1.0),)
    return replace(
        oscillator, states=(), derivatives=(), inputs=inputs, outputs=(wave,), intermediates=()
    )
