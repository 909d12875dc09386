"""What is to be found beside the states: inputs and parameters, alone or with one level."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

from axletree.core.errors import AxletreeError
from axletree.core.registry import unknown_name

Thing = TypeVar("Thing")


def found_groups(
    find: Sequence[str | Sequence[str]],
    kind: str,
    known: Mapping[str, Thing],
    given: Collection[str],
    where: str,
    error: type[AxletreeError],
) -> list[list[Thing]]:
    """Each entry of ``find`` as a list of what is known by its names; these share a level."""
    if isinstance(find, str):
        raise error(f"find is a list of names; write [{find!r}]")
    groups = []
    for entry in find:
        names = [entry] if isinstance(entry, str) else list(entry)
        if not names:
            raise error(f"find holds an empty list; expected names of {kind}s that share a level")
        for name in names:
            if name not in known:
                raise unknown_name(kind, name, known, where)
            if name in given:
                raise error(f"the {kind} {name!r} is given and is to be found; choose one")
        groups.append([known[name] for name in names])
    return groups
