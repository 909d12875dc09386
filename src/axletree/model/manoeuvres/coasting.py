"""Straight coasting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.model.manoeuvres.contract import Manoeuvre, Signal


@dataclass(frozen=True, kw_only=True)
class Coasting(Manoeuvre):
    """Nothing is done; with ``inputs``, whatever they do.

    With ``driven_by`` the vehicle goes on at its speed instead of losing it.

    Example:
    >>> import axletree as at
    >>> coasts = at.Coasting(speed="90 km/h", duration="30 s")
    >>> coasts.speed, coasts.span, coasts.signals  # m/s, s
    (25.0, 30.0, {})
    """

    summary: ClassVar[str] = "on as it began, but for further inputs"

    def own_signals(self) -> dict[str, Signal]:
        return {}
