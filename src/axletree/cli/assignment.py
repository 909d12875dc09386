"""``NAME=VALUE`` on the command line: values with units, and inputs as expressions of time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from axletree.core.errors import AxletreeError
from axletree.core.expr import Expr, parse_expression
from axletree.core.quantity import Quantity
from axletree.core.registry import unknown_name
from axletree.core.units import UnitError, to_si


class AssignmentError(AxletreeError):
    """An option that is not of the form ``NAME=VALUE``, or whose value cannot be read."""


def split_assignments(
    texts: Sequence[str], option: str, example: str = "pin.angle=0.3"
) -> dict[str, str]:
    """The values by name, as they were written."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise AssignmentError(
                f"{option} {text!r}: expected NAME=VALUE, for example {option} {example}"
            )
        if name.strip() in found:
            raise AssignmentError(f"{option} gives {name.strip()!r} twice")
        found[name.strip()] = value.strip()
    return found


def read_values(
    texts: Sequence[str], option: str, quantities: Iterable[Quantity]
) -> dict[str, float]:
    """Values in SI units; a text may carry another unit of the same dimension."""
    known = {quantity.name: quantity for quantity in quantities}
    found = {}
    for name, text in split_assignments(texts, option).items():
        quantity = _known(name, known, option)
        try:
            found[name] = to_si(text, expected=quantity.unit)
        except UnitError as error:
            raise AssignmentError(f"{option} {name}: {error}") from None
    return found


def read_signals(
    texts: Sequence[str], option: str, inputs: Iterable[Quantity], time: Quantity
) -> dict[str, float | Expr]:
    """Inputs: a value with a unit, or an expression of ``t`` [s] in SI units."""
    known = {quantity.name: quantity for quantity in inputs}
    found: dict[str, float | Expr] = {}
    for name, text in split_assignments(texts, option).items():
        found[name] = _signal(text, f"{option} {name}", _known(name, known, option), time.symbol)
    return found


def _signal(text: str, where: str, quantity: Quantity, time: Expr) -> float | Expr:
    try:
        return to_si(text, expected=quantity.unit)
    except UnitError as error:
        no_value = error
    try:
        return parse_expression(text, {"t": time, "time": time})
    except AxletreeError as error:
        raise AssignmentError(
            f"{where}: as a value, {no_value}; as an expression of t, {error}"
        ) from None


def _known(name: str, known: dict[str, Quantity], option: str) -> Quantity:
    if name not in known:
        raise AssignmentError(f"{option}: {unknown_name('quantity', name, known, 'this model')}")
    return known[name]
