"""A page of the reference, and the kinds of sections that it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import FunctionType


@dataclass(frozen=True)
class Entries:
    """Things of the catalogue, by the words that model files have for them."""

    title: str
    things: Mapping[str, str]


@dataclass(frozen=True)
class Pieces:
    """A description in model files, with all that stands in it."""

    title: str
    outermost: type
    introduction: str


@dataclass(frozen=True)
class Python:
    """Classes with their members, and functions."""

    title: str
    things: tuple[type | FunctionType, ...]


@dataclass(frozen=True)
class Names:
    """Things that are asked for by name alone, with a sentence on each."""

    title: str
    names: Mapping[str, str]
    sentence: Callable[[str], str]


Section = Entries | Pieces | Python | Names


@dataclass(frozen=True)
class Page:
    """A page of docs/reference; ``name`` is that of its file."""

    name: str
    title: str
    introduction: str
    sections: tuple[Section, ...]
    package: str = "import axletree as at"  # how Python gets at it
    author: str = "Morency 2007"  # of equations that are named by number alone
