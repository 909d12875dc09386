"""Names that lead to objects: the catalogue's entries, loaded when they are first used."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from importlib import import_module
from typing import Any

from axletree.core.errors import AxletreeError

MOST_NAMES_LISTED = 30


class UnknownNameError(AxletreeError):
    """A name that nothing answers to; the message lists the names that exist."""


def load(kind: str, name: str, entries: Mapping[str, str]) -> Any:
    """The object of an entry, given as ``"module:attribute"``; ``kind`` is what errors call it.

    Example:
    >>> from axletree import catalogue
    >>> from axletree.core.registry import load
    >>> load("surface", "hill", catalogue.SURFACES).__name__
    'Hill'
    """
    if name not in entries:
        raise unknown_name(kind, name, entries, "the catalogue")
    module, _, attribute = entries[name].partition(":")
    return getattr(import_module(module), attribute)


def section(title: str) -> Mapping[str, str]:
    """A section of the catalogue, by its name there.

    The catalogue stands after the stages, because it names what is in them; a stage that
    is asked for an entry by name reaches it here, at run time.
    """
    entries: Mapping[str, str] = getattr(import_module("axletree.catalogue"), title)
    return entries


def section_names(title: str) -> list[str]:
    """The names in a section of the catalogue, which load nothing: a stage may list the names of
    a later one, as a model file names a method of integration.

    Example:
    >>> from axletree.core.registry import section_names
    >>> section_names("FORMS")[0]
    'automatic'
    """
    return list(section(title))


def file_readers(title: str) -> dict[str, str]:
    """What reads parts of a section from files of their own, by the word of ``type``."""
    prefix = f"{title}."
    entries = section("PART_FILES").items()
    return {name.removeprefix(prefix): place for name, place in entries if name.startswith(prefix)}


def file_endings(title: str) -> dict[str, str]:
    """The word of ``type`` that the path of a file alone says, by how it ends: ``".tir"``."""
    known = import_module("axletree.catalogue").PART_FILE_ENDINGS
    words = [(name.partition("."), endings) for name, endings in known]
    return {end: word for (owner, _, word), endings in words if owner == title for end in endings}


def few_names(names: Iterable[str], most: int = 3) -> str:
    """The first of the names, and how many more there are.

    Example:
    >>> from axletree.core.registry import few_names
    >>> few_names(["Fx", "Fy", "Fz", "Mx", "Mz"])
    'Fx, Fy, Fz and 2 more'
    """
    listed = list(names)
    more = len(listed) - most
    return ", ".join(listed[:most]) + (f" and {more} more" if more > 0 else "")


def refuse_unknown(kind: str, names: Iterable[str], known: Collection[str], place: str) -> None:
    """Refuses the first name that ``place`` does not have."""
    for name in names:
        if name not in known:
            raise unknown_name(kind, name, known, place)


def unknown_name(
    kind: str, name: str, known: Iterable[str], place: str, renamed: str = ""
) -> UnknownNameError:
    """The error for a name that ``place`` does not have, with what may have been meant.

    ``renamed`` is what the thing of this name is called today, if it had it before.
    """
    names = list(known)
    message = f"unknown {kind} {name!r} in {place}"
    if not names:
        return UnknownNameError(f"{message}, which has none")
    close = difflib.get_close_matches(str(name), names, n=3, cutoff=0.5)
    if renamed in names:
        close = [renamed]
    if close:
        message += f"; did you mean {' or '.join(repr(text) for text in close)}?"
    listed = ", ".join(names[:MOST_NAMES_LISTED])
    if len(names) > MOST_NAMES_LISTED:
        listed += f", and {len(names) - MOST_NAMES_LISTED} more"
    return UnknownNameError(f"{message}{'' if close else '.'} Known: {listed}")
