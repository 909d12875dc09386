"""Values of fields of manoeuvres that name states and outputs, or give something to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axletree.core.errors import ModelError
from axletree.model.manoeuvres.told_outputs import checked_names


def checked_state(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise ModelError(f"expected the name of a state, got {value!r}")


def checked_outputs(value: Any) -> tuple[str, ...] | None:
    return None if value is None else checked_names(value)


def checked_mapping(value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return dict(value)
    raise ModelError(f"expected values by name, got {value!r}")
