"""Terminals: the nodes of the electrical graph. "ground" is the one of zero voltage."""

from __future__ import annotations

from typing import Any

from axletree.library.fields import structure
from axletree.library.frame import checked_name

GROUND_TERMINAL = "ground"


def terminal(description: str) -> Any:
    """A field that names a terminal; terminals of the same name are the same node."""
    return structure("terminal", description, checked_name)
