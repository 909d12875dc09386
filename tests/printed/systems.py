"""Systems written by hand that hold everything a printer has to know."""

from __future__ import annotations

from collections.abc import Mapping

from axletree.expr import (
    Expr,
    Table,
    absolute,
    acos,
    asin,
    atan,
    atan2,
    cos,
    cosh,
    exp,
    interpolate,
    linear_solve,
    log,
    logical_or,
    maximum,
    minimum,
    power,
    sign,
    sin,
    sinh,
    sqrt,
    symbol,
    tan,
    tanh,
    where,
)
from axletree.expr.outlines import outline
from axletree.expr.quantity import Quantity, Role
from axletree.system.system import Definition, System


def quantity(name: str, role: Role, default: float = 0.0) -> Quantity:
    return Quantity(name, "1", f'The {name} of a test: 100 %, "quoted" & more.', role, default)


def by_hand(
    rates: Mapping[str, Expr], parameters: Mapping[str, float], outputs: Mapping[str, Expr]
) -> System:
    return System(
        name="made by hand",
        time=Quantity("time", "s", "Time.", Role.TIME),
        states=tuple(quantity(name, Role.STATE, 0.5) for name in rates),
        inputs=(),
        parameters=tuple(quantity(name, Role.PARAMETER, v) for name, v in parameters.items()),
        derivatives=tuple(rates.values()),
        outputs=tuple(Definition(quantity(n, Role.OUTPUT), e) for n, e in outputs.items()),
        intermediates=(),
        projection=None,
    )


def every_operation() -> System:
    """Each operation, with a table, a function of expressions and a linear solution."""
    a, b, k = symbol("a"), symbol("b"), symbol("k")
    smooth = Table.smooth([-1.0, 0.0, 0.5, 2.0], [1.0, -2.0, 0.25, 3.0])
    step = Table.linear([0.0, 1.0], [0.0, 1.0]).derivative()
    shared = outline("law", {"f": a * tanh(k * a), "g": a + cosh(a) * k}, {a: b * 2.0}, [k])
    other = outline("law", {"f": a * tanh(k * a), "g": a + cosh(a) * k}, {a: a * 0.1}, [k])
    x, y = linear_solve([[a, 2.0], [b, -k]], [1.0, a * b])
    rates = {
        "a": sin(a) + cos(b) * tan(0.3 * a) - asin(0.2 * a) / acos(0.1 * b),
        "b": atan(a) + atan2(b, -a) + sinh(a) - cosh(b) * tanh(a) + exp(-b) * log(b),
        "c": sqrt(b) + power(b, a) + power(b, 2.5) - 3.0 / (a + b) + absolute(-a - b),
        "d": sign(-a) * minimum(a, b) - maximum(a, -b) + (a < b) - 2.0 * (b <= a),
        "e": where(a > b, sqrt(a - b), a * b) + where(logical_or(a < 0.0, b > 9.0), k, b),
        "f": interpolate(smooth, a) + interpolate(smooth.derivative(), b) * interpolate(step, a),
        "g": shared["f"] * other["g"] - shared["g"] / other["f"] + k / 7.0,
        "h": x - y * 1e-20 + 1e300 * k / 1e300,
    }
    return by_hand(rates, {"k": 0.7}, {"y": a * b, "z": -sin(a) / b})


def awkward_names() -> System:
    """Names that belong to a language, that differ by case alone, or that are long."""
    names = [
        "end", "function", "T", "X", "rate.of", "Rate.Of", "RATE_OF", "sin", "Merge", "do", "dp",
        "real", "model_rhs", "rhs", "axl_min", "Axl_Real", "v1", "V2", "v3_in", "1st", "in", "Out",
        "zeros", "ix_end", "n_states", "x" * 90 + "1", "x" * 90 + "2", "constants", "Persistent",
    ]  # fmt: skip
    symbols = [symbol(name) for name in names]
    rates = {
        name: sin(one) * other - minimum(one, other) / (2.0 + other * other)
        for name, one, other in zip(names, symbols, symbols[1:] + symbols[:1], strict=True)
    }
    return by_hand(rates, {"P": 2.0, "p": 3.0}, {"Y": symbol("P") * 2.0})
