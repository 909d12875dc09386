"""Grids of numbers: how a field of rows and columns is read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING
from typing import Any

import numpy as np

from axletree.core.errors import ModelError
from axletree.library.fields import finite_number, structure

Rows = tuple[tuple[float, ...], ...]


def grid(unit: str, description: str, *, default: Any = MISSING, lower: float = -np.inf) -> Any:
    """A field for rows of numbers, all of one length: lists of lists, or an array."""

    def check(value: Any) -> Rows | None:
        if value is None and default is None:
            return None
        rows = _rows(value, unit)
        low = min(min(row) for row in rows)
        if low < lower:
            raise ModelError(f"{low:g} is not allowed, it must be at least {lower:g}")
        return rows

    return structure("grid", description, check, default, unit)


def _rows(value: Any, unit: str) -> Rows:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not _is_list(value) or not all(_is_list(row) and len(row) for row in value) or not value:
        raise ModelError(f"expected rows of numbers [[...], ...], got {_shown(value)}")
    lengths = [len(row) for row in value]
    if len(set(lengths)) > 1:
        k = next(k for k, length in enumerate(lengths) if length != lengths[0])
        raise ModelError(
            f"row {k + 1} has {lengths[k]} numbers, row 1 has {lengths[0]}; "
            "expected rows of one length"
        )
    found = []
    for k, row in enumerate(value, start=1):
        try:
            found.append(tuple(finite_number(number, unit) for number in row))
        except ModelError as error:
            raise ModelError(f"row {k}: {error}") from None
    return tuple(found)


def _is_list(value: Any) -> bool:
    return not isinstance(value, str | Mapping) and hasattr(value, "__len__")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
