"""Model names as LaTeX: ``rod.inertia.yy`` becomes I with the subscripts yy and rod."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

_LETTERS = {
    "mass": "m",
    "gravity": "g",
    "inertia": "I",
    "angle": r"\theta",
    "rate": r"\dot{\theta}",
    "position": "s",
    "speed": r"\dot{s}",
    "yaw": r"\psi",
    "pitch": r"\theta",
    "roll": r"\phi",
    "stiffness": "k",
    "damping": "c",
    "resistance": "R",
    "inductance": "L",
    "capacitance": "C",
    "current": "i",
    "voltage": "u",
    "force": "F",
    "torque": "T",
}
_INDEXED = ("v", "w", "F", "M", "e")  # vx, Fz, e0: a letter and the axis it belongs to


def latex_names(names: Iterable[str]) -> dict[str, str]:
    """A LaTeX form for each name; no two are the same."""
    names = list(dict.fromkeys(names))
    short = {name: _short(name) for name in names}
    uses = Counter(short.values())
    return {name: text if uses[text] == 1 else _spelt(name) for name, text in short.items()}


def _short(name: str) -> str:
    """The quantity as a letter, its axes and its owner as subscripts."""
    *owner, last = name.split(".")
    if owner and owner[-1] in ("inertia", "gravity"):
        return _with_subscripts(_LETTERS[owner[-1]], [last, *_upright(owner[:-1])])
    if last.endswith("_rate") and last.removesuffix("_rate") in _LETTERS:
        letter = rf"\dot{{{_LETTERS[last.removesuffix('_rate')]}}}"
        return _with_subscripts(letter, _upright(owner))
    if last in _LETTERS or len(last) == 1:
        return _with_subscripts(_LETTERS.get(last, last), _upright(owner))
    if len(last) == 2 and last[0] in _INDEXED:
        return _with_subscripts(last[0], [last[1], *_upright(owner)])
    return _spelt(name)


def _spelt(name: str) -> str:
    *owner, last = name.split(".")
    return _with_subscripts(_upright([last])[0], _upright(owner))


def _upright(words: list[str]) -> list[str]:
    """The words as one upright text, or nothing."""
    text = ".".join(words).replace("_", r"\_")
    return [rf"\mathrm{{{text}}}"] if words else []


def _with_subscripts(letter: str, subscripts: list[str]) -> str:
    return f"{letter}_{{{','.join(subscripts)}}}" if subscripts else letter
