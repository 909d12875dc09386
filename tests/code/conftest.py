"""Small systems built by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from axletree.expr import Expr, ExternalFunction, Table, call, interpolate, sin, symbol
from axletree.expr.quantity import Quantity, Role
from axletree.system.system import Definition, System


def quantity(name: str, role: Role, default: float = 0.0, unit: str = "1") -> Quantity:
    return Quantity(name, unit, f"The {name} of a test.", role, default)


def make_system(
    derivatives: Mapping[str, Expr],
    *,
    inputs: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    outputs: Mapping[str, Expr] | None = None,
    intermediates: Mapping[str, Expr] | None = None,
    projection: Sequence[Expr] | None = None,
) -> System:
    def definitions(expressions: Mapping[str, Expr] | None) -> tuple[Definition, ...]:
        return tuple(
            Definition(quantity(name, Role.OUTPUT), e) for name, e in (expressions or {}).items()
        )

    return System(
        name="made by hand",
        time=quantity("time", Role.TIME, unit="s"),
        states=tuple(quantity(name, Role.STATE) for name in derivatives),
        inputs=tuple(quantity(name, Role.INPUT) for name in inputs),
        parameters=tuple(
            quantity(name, Role.PARAMETER, value) for name, value in (parameters or {}).items()
        ),
        derivatives=tuple(derivatives.values()),
        outputs=definitions(outputs),
        intermediates=definitions(intermediates),
        projection=None if projection is None else tuple(projection),
    )


@pytest.fixture
def build() -> object:
    return make_system


@pytest.fixture
def tyre() -> ExternalFunction:
    return ExternalFunction(
        name="test_tyre",
        inputs=("slip", "load"),
        outputs=("force", "moment"),
        python=lambda slip, load: (2.0 * slip * load, slip - load),
        c_source=(
            "static void test_tyre(const double *input, double *output)\n{\n"
            "    output[0] = 2.0 * input[0] * input[1];\n"
            "    output[1] = input[0] - input[1];\n}\n"
        ),
    )


@pytest.fixture
def car_with_call(tyre: ExternalFunction) -> System:
    """Two calls, the second with a result of the first among its arguments, and a table."""
    v, s, m = symbol("car.v"), symbol("car.s"), symbol("car.mass")
    slip = v * sin(s)
    force, moment = call(tyre, slip, m * 9.81)
    second, _ = call(tyre, moment + slip, force)
    road = interpolate(Table.smooth([0.0, 1.0, 2.0, 4.0], [0.0, 1.0, 0.5, 2.0]), s)
    return make_system(
        {"car.v": (force + second * road) / m, "car.s": v},
        parameters={"car.mass": 1.5},
        intermediates={"front_left.slip": slip},
        outputs={"car.force": force, "car.unused": v * 3.0},
    )
