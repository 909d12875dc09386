"""What is said when something written in the language has no meaning."""

from __future__ import annotations

from axletree.core.errors import AxletreeError


class LanguageError(AxletreeError):
    """Frames, points, bodies or equations that do not go together."""
