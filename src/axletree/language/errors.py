"""What is said when something written in the language has no meaning."""

from __future__ import annotations

from typing import Any

import sympy

from axletree.core.errors import AxletreeError


class LanguageError(AxletreeError):
    """Frames, points, bodies or equations that do not go together.

    Example:
    >>> from axletree.language import LanguageError, World
    >>> try:
    ...     World().base.moved("arm", 3)
    ... except LanguageError as error:
    ...     print(error)
    frame 'arm', motion 1 needs transformations, such as translation(x=1) or rotation_z(psi), not 3
    """


def described(thing: Any) -> str:
    """A thing in a message where something with a frame is expected."""
    listed = isinstance(thing, tuple | list | sympy.MatrixBase)
    return f"{thing} (of no frame)" if listed else repr(thing)
