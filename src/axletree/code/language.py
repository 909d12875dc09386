"""What a language allows as a name, and how long its lines may be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

LONGEST_NAME: Final = 63  # characters: the limit of Fortran 2003 and of MATLAB before R2024b

# After these a line may be broken; not within ** and /=, nor between a slash and a bracket.
_BREAKS: Final = re.compile(r"(?<=[ ,(*/])(?![ */=)])")


@dataclass(frozen=True)
class Language:
    """The rules of a language that a program is printed in."""

    name: str
    reserved: frozenset[str]  # in lower case where case does not matter
    case_matters: bool
    width: int  # characters of a line, the mark of its continuation included
    continued: str  # what stands at the end of a line that goes on
    comment: str  # what a comment begins with

    def names(self, wanted: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
        """A name for each identifier: not reserved, not taken, none like another."""
        used = {*self.reserved, *map(self._known_as, taken)}
        found: dict[str, str] = {}
        for text in dict.fromkeys(wanted):
            name, number = text[:LONGEST_NAME], 1
            while self._known_as(name) in used:
                number += 1
                suffix = f"_{number}"
                name = text[: LONGEST_NAME - len(suffix)] + suffix
            used.add(self._known_as(name))
            found[text] = name
        return found

    def lines(self, statement: str, indent: str) -> list[str]:
        """A statement in lines of at most ``width`` characters."""
        if len(indent) + len(statement) <= self.width:
            return [indent + statement]
        found, line = [], indent
        room = self.width - len(self.continued)
        for piece in _BREAKS.split(statement):
            if len(line.rstrip() + piece.rstrip()) + 1 > room and line.strip():
                found.append(line.rstrip() + self.continued)
                line = f"{indent}    "
            line += piece
        return [*found, line]

    def comments(self, text: str, indent: str = "") -> list[str]:
        """A line of comment, cut into several where it is long."""
        head = f"{indent}{self.comment} "
        words, found, line = text.split(" "), [], head
        for word in words:
            if len(line) + len(word) > self.width and line != head:
                found.append(line.rstrip())
                line = f"{head}    "
            line += f"{word[: self.width - len(head) - 4]} "
        return [*found, line.rstrip()]

    def _known_as(self, name: str) -> str:
        return name if self.case_matters else name.lower()
