"""Parameters of a component as named quantities, one per number of its fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from axletree.core.quantity import Quantity, Role
from axletree.library.fields import FieldKind, kind_of
from axletree.library.part import PARAMETER, PART
from axletree.library.signal import Constant

_SUFFIXES = {
    "vector": ("x", "y", "z"),
    "inertia": ("xx", "yy", "zz", "xy", "xz", "yz"),
}
_INERTIA_ORIGIN = "centre of mass, or inertia_frame"


def flat_parameters(component: Any) -> Iterator[tuple[str, Quantity]]:
    """(field name, quantity) of every number among the component's fields."""
    for item in dataclasses.fields(component):
        kind = kind_of(item)
        value = getattr(component, item.name)
        if kind is None or value is None:
            continue
        if kind.word == PARAMETER:
            yield item.name, _quantity(component.name, item.name, kind, value)
        elif kind.word == PART:
            for name, part_kind, number in value.named_parameters():
                full = f"{item.name}.{name}"
                yield full, _quantity(component.name, full, part_kind, number)
        elif isinstance(value, Constant):
            yield item.name, _quantity(component.name, item.name, kind, value.value)
        elif kind.word in _SUFFIXES:
            for suffix, number in zip(_SUFFIXES[kind.word], value, strict=True):
                one = _element(kind, suffix)
                yield item.name, _quantity(component.name, f"{item.name}.{suffix}", one, number)
        elif kind.word == "matrix":
            for i, row in enumerate(value, start=1):
                for j, number in enumerate(row, start=1):
                    name = f"{item.name}.{i}{j}"
                    yield item.name, _quantity(component.name, name, kind, number)


def _element(kind: FieldKind, suffix: str) -> FieldKind:
    """What one number of a vector or of an inertia is."""
    if kind.word != "inertia":
        return kind
    text = f"inertia about {suffix[0]}"
    if suffix[0] != suffix[1]:
        text = f"element {suffix} of the inertia matrix, minus the product of inertia"
    return dataclasses.replace(kind, description=f"{text} ({_INERTIA_ORIGIN})")


def _quantity(owner: str, name: str, kind: FieldKind, value: float) -> Quantity:
    return Quantity(
        name=f"{owner}.{name}",
        unit=kind.unit,
        description=kind.description,
        role=Role.PARAMETER,
        default=value,
        lower=kind.lower,
        upper=kind.upper,
        above=kind.above,
    )
