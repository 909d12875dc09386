"""Fields with names of outputs that findings are made of."""

from __future__ import annotations

from typing import Any

from axletree.core.errors import ModelError
from axletree.library.fields import structure
from axletree.library.part import Part, part_fields

TOLD = "told outputs"  # the word of these fields


def told_outputs(unit: str, description: str) -> Any:
    """A field with names of outputs that findings are made of; none by default."""
    return structure(TOLD, description, checked_names, (), unit)


def told_by(part: Part) -> tuple[str, ...]:
    """The names in such fields of a part."""
    fields = [name for name, kind in part_fields(part) if kind.word == TOLD]
    return tuple(name for field in fields for name in getattr(part, field))


def checked_names(value: Any) -> tuple[str, ...]:
    """A name or several, each once."""
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, tuple | list) or not all(isinstance(name, str) for name in names):
        raise ModelError(f"expected a name or a list of names, got {value!r}")
    if len(set(names)) < len(names):
        raise ModelError(f"a name stands twice in {', '.join(names)}")
    return tuple(names)
