"""Model names as LaTeX: ``rod.inertia.yy`` becomes I with the subscripts yy and rod.

Names of the kind that people give by hand are known, too: ``V_x``, ``omega_3``, ``x1``.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

_LETTERS = {
    "mass": "m", "gravity": "g", "inertia": "I", "angle": r"\theta", "rate": r"\dot{\theta}",
    "position": "s", "speed": r"\dot{s}", "yaw": r"\psi", "pitch": r"\theta", "roll": r"\phi",
    "stiffness": "k", "damping": "c", "resistance": "R", "inductance": "L", "capacitance": "C",
    "current": "i", "voltage": "u", "pressure": "p", "flow": "Q", "force": "F", "torque": "T",
}  # fmt: skip
_INDEXED = ("v", "w", "F", "M", "e")  # vx, Fz, e0: a letter and the axis it belongs to
_GREEK = frozenset(
    ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
    + ["lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi"]
    + ["omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi"]
    + ["Psi", "Omega"]
)
_ESCAPES = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    **{letter: f"\\{letter}" for letter in "{}$&#_%"},
}
_LATIN = 0x100  # characters below are letters of the fonts that every LaTeX has


def latex_text(text: str) -> str:
    """Plain text, to stand in a document: nothing in it is a command."""
    return "".join(_ESCAPES.get(letter) or _spelt_letter(letter) for letter in text)


def _spelt_letter(letter: str) -> str:
    """A letter that fonts may lack, in words that they have."""
    if ord(letter) < _LATIN and letter.isprintable():
        return letter
    words = unicodedata.name(letter, "").split()
    if words[:1] == ["GREEK"] and words[-1].lower() in _GREEK:
        word = words[-1].title() if "CAPITAL" in words else words[-1].lower()
        return rf"\ensuremath{{\{word}}}" if word in _GREEK else word
    return f"[U+{ord(letter):04X}]"


def latex_names(names: Iterable[str]) -> dict[str, str]:
    """A LaTeX form for each name; no two are the same."""
    names = list(dict.fromkeys(names))
    short = {name: _short(name) for name in names}
    uses = Counter(short.values())
    return {name: text if uses[text] == 1 else _spelt(name) for name, text in short.items()}


def dotted(text: str) -> str:
    """The rate of what has this LaTeX form: the dot stands on the letter alone."""
    letter, line, rest = text.partition("_{")
    if letter.startswith((r"\mathrm{", r"\text{")):
        return rf"\frac{{d}}{{dt}} {text}"
    twice = re.fullmatch(r"\\dot\{(.*)\}", letter)
    over = rf"\ddot{{{twice[1]}}}" if twice else rf"\dot{{{letter}}}"
    return f"{over}{line}{rest}"


def _short(name: str) -> str:
    """The quantity as a letter, its axes and its owner as subscripts."""
    *owner, last = name.split(".")
    if not re.fullmatch(r"\w+", last, re.A):
        return _spelt(name)
    if owner and owner[-1] in ("inertia", "gravity"):
        return _with_subscripts(_LETTERS[owner[-1]], [last, *_upright(owner[:-1])])
    if last.endswith("_rate") and last.removesuffix("_rate") in _LETTERS:
        letter = rf"\dot{{{_LETTERS[last.removesuffix('_rate')]}}}"
        return _with_subscripts(letter, _upright(owner))
    if last in _LETTERS or len(last) == 1:
        return _with_subscripts(_LETTERS.get(last, last), _upright(owner))
    if len(last) == 2 and last[0] in _INDEXED:
        return _with_subscripts(last[0], [last[1], *_upright(owner)])
    return _by_hand(last, owner) or _spelt(name)


def _by_hand(last: str, owner: list[str]) -> str:
    """A letter with an index, as in ``V_x``, ``Hx``, ``omega_3`` and ``x1``; or nothing."""
    found = re.fullmatch(r"([A-Za-z]|[A-Z]?[a-z]+?)(?:_(\w+)|(\d+)|(?<=[A-Z])([xyz]))?", last, re.A)
    if found is None or not (len(found[1]) == 1 or found[1] in _GREEK):
        return ""
    letter = rf"\{found[1]}" if found[1] in _GREEK else found[1]
    index = found[2] or found[3] or found[4] or ""
    if index == "dot" or index.endswith("_dot"):
        letter, index = rf"\dot{{{letter}}}", index.removesuffix("dot").rstrip("_")
    if index in _GREEK:
        inner = [f"\\{index}"]
    elif len(index) == 1 or index.isdigit():
        inner = [index]
    else:
        inner = _upright([index] if index else [])
    return _with_subscripts(letter, [*inner, *_upright(owner)])


def _spelt(name: str) -> str:
    *owner, last = name.split(".")
    return _with_subscripts(_upright([last])[0], _upright(owner))


def _upright(words: list[str]) -> list[str]:
    """The words as one upright text, or nothing."""
    text = ".".join(words)
    style = r"\mathrm" if re.fullmatch(r"[\w. -]*", text, re.ASCII) else r"\text"
    return [f"{style}{{{latex_text(text)}}}"] if words else []


def _with_subscripts(letter: str, subscripts: list[str]) -> str:
    return f"{letter}_{{{','.join(subscripts)}}}" if subscripts else letter
