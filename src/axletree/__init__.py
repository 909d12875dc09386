"""Axletree: components on a linear graph become equations, and equations become C.

Names are loaded when they are first used, so that ``import axletree`` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "AxletreeError": "axletree.core.errors",
    "Quantity": "axletree.core.quantity",
}

__all__ = ["__version__", *_PUBLIC]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(
            f"axletree has no attribute {name!r}; it has: {', '.join(sorted(__all__))}"
        )
    value = getattr(import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
