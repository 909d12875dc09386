"""Names of variables as the naming convention "structured" of FMI 2 and 3 allows them.

A name is made of parts between dots. A part of letters, digits and underscores that does not
begin with a digit stays; one that is digits after another part is indices, ``rotation.11`` is
``rotation[1,1]``; any other stands between quotes.
"""

from __future__ import annotations

import re
from typing import Final

_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ALLOWED: Final = re.compile(r"[A-Za-z0-9_!#$%&()*+,\-./:;<>=?@\[\]^{}|~ ]")


def structured_name(name: str) -> str:
    """The name as the standard allows it.

    Example:
    >>> from axletree.export.fmu.variable_names import structured_name
    >>> structured_name("rod.rotation.11"), structured_name("rod.2nd mass")
    ('rod.rotation[1,1]', "rod.'2nd mass'")
    """
    found = ""
    for part in name.split("."):
        if found and not found.endswith("]") and part.isascii() and part.isdigit():
            found += f"[{','.join(part)}]"
        else:
            found += ("." if found else "") + _part(part)
    return found


def _part(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    letters = (c if _ALLOWED.fullmatch(c) else f"U{ord(c):04X}" for c in text)
    return f"'{''.join(letters) or ' '}'"


def distinct(names: list[str]) -> list[str]:
    """The names, those that occur again with a number."""
    used: set[str] = set()
    found = []
    for name in names:
        text, number = name, 2
        while text in used:
            text, number = f"{name}_{number}", number + 1
        used.add(text)
        found.append(text)
    return found
