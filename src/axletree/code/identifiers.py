"""How the words of a model reach generated code: as identifiers and as comments, in no other way.

``front_left.slip_angle`` becomes ``front_left_slip_angle``: letters, digits and underscores
alone, no keyword, no function of the language, no two names alike. Beside that the text of a
model reaches generated code in comments and labels alone, by ``comment_text``. What the arrays
of a program hold, and what its routines do, is said in such comments.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from axletree.code.program import Program, SparseRoutine
from axletree.expr.quantity import Quantity

LONGEST_IDENTIFIER: Final = 60  # C99 promises 63 significant characters within a unit

OWN_PREFIX: Final = "axl_"  # of every function and array that the printers add

_C_KEYWORDS: Final = (
    "auto break case char const continue default do double else enum extern float for goto if "
    "inline int long register restrict return short signed sizeof static struct switch typedef "
    "union unsigned void volatile while"
)
_MATHEMATICS: Final = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp2 "
    "expm1 fabs fdim finite floor fma fmax fmin fmod frexp gamma hypot ilogb infinity isfinite "
    "isinf isnan isnormal j0 j1 jn ldexp lgamma log log10 log1p log2 logb lrint lround modf nan "
    "nearbyint nextafter pow remainder remquo rint round scalb signbit signgam significand sin "
    "sinh sqrt tan tanh tgamma trunc y0 y1 yn abs math memcpy min max errno main"
)
# Arguments and results of routines, their scratch array, loop counters.
_OWN: Final = "t x u c p w y j s xdot pdot zdot xnew dz df wdf i k n"
RESERVED: Final = frozenset(
    [*_C_KEYWORDS.split(), *_MATHEMATICS.split(), *_OWN.split(), *keyword.kwlist]
)


def identifiers(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """An identifier for each name, all different and none of them in ``taken``."""
    wanted = list(dict.fromkeys(names))
    return dict(zip(wanted, numbered(map(identifier, wanted), taken), strict=True))


def numbered(texts: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """The texts, those that occur again or are ``taken`` with a number."""
    used = set(taken)
    found = []
    for text in texts:
        found.append(unused(text, used))
        used.add(found[-1])
    return found


def identifier(name: str) -> str:
    """The identifier that a name gives by itself; two names may give the same one."""
    text = "".join(_letter(letter) for letter in name)
    text = re.sub(r"__+", "_", text).strip("_")[:LONGEST_IDENTIFIER].rstrip("_")
    if not text or text[0].isdigit() or text.startswith(OWN_PREFIX):
        text = f"v{text}"
    return f"{text}_" if text in RESERVED or re.fullmatch(r"v\d+", text) else text


def comment_text(text: str) -> str:
    """Text that is safe in a C comment and in a string: nothing that could end either."""
    plain = text.encode("ascii", "replace").decode("ascii")
    plain = "".join(letter if letter.isprintable() else " " for letter in plain)
    # No trigraph, no escape and no quote.
    for unsafe, safe in (("?", "."), ("\\", "/"), ('"', "'")):
        plain = plain.replace(unsafe, safe)
    # No "*/" and "/*", whatever stands beside the text; the star of a unit such as N*m stays.
    return re.sub(r"(?<!\w)\*|\*(?!\w)", "x", plain)


def _letter(letter: str) -> str:
    if letter.isascii():
        return letter if letter.isalnum() else "_"
    return f"_{ord(letter):x}_"


def unused(wanted: str, used: set[str]) -> str:
    """The text, with a number where it is in use already."""
    text, suffix = wanted, 2
    while text in used:
        text = f"{wanted}_{suffix}"
        suffix += 1
    return text


TITLES = {"x": "states", "u": "inputs", "p": "parameters", "y": "outputs"}


def quantities_of(program: Program) -> dict[str, tuple[Quantity, ...]]:
    """By array."""
    arrays = (program.states, program.inputs, program.parameters, program.outputs)
    return dict(zip(TITLES, arrays, strict=True))


def quantity_comment(quantity: Quantity) -> str:
    """Name, unit and sentence."""
    text = f"{quantity.name} [{quantity.unit}] {quantity.description}"
    return comment_text(text).rstrip()


def array_lines(array: str, quantities: Sequence[Quantity]) -> Iterator[str]:
    """The entries of an array, counted from 1."""
    yield f"{array}: {len(quantities)} {TITLES[array]}"
    for k, quantity in enumerate(quantities, start=1):
        yield f"  {array}({k})  {quantity_comment(quantity)}"


def routine_purposes(program: Program, first: int = 1) -> dict[str, str]:
    """What each routine computes, by its name; arrays count from ``first``."""
    names = ", ".join(comment_text(quantity.name) for quantity in program.by_parameters)
    return {
        "constants": "What depends on parameters alone; call it first, and after p has changed.",
        "rhs": "The derivatives of the states.",
        "outputs": "The outputs.",
        "project": "The states moved onto their constraints.",
        "later_rates": "The derivatives of all states but the speeds.",
        "speed_rates": "The derivatives of the speeds, then the values w of other_rates.",
        "other_rates": (
            "The derivatives of all states but the speeds, which may have changed since "
            "speed_rates gave w."
        ),
        "first_stage": "k1 of a linearly implicit step, w = gamma h; then what its others need.",
        "evaluated_stage": (
            "A stage of it with an evaluation, where w holds gamma h, what first_stage gave, r and "
            "d: see docs/theory/integrators.md."
        ),
        "solved_stage": "One without: w holds gamma h, what first_stage gave, and r.",
        "rows": "What a step with set-valued forces is solved from.",
        "bounds": "Those bounds of set-valued forces that depend on such forces.",
        "jacobian": _entries("d xdot / d x", program.jacobian, first),
        "input_jacobian": _entries("d xdot / d u", program.input_jacobian, first),
        "full_jacobian": _entries("d (xdot, y) / d (x, u)", program.full_jacobian, first),
        "parameter_jacobian": (
            f"By p = ({names}). {_entries('d (xdot, y) / d p', program.parameter_jacobian, first)}"
        ),
        "hessian": (
            f"Of w (xdot, y) by (x, u, p), p = ({names}), the lower triangle. "
            f"{_entries('second derivatives', program.hessian, first)}"
        ),
        **{
            law.name: "At an instant of a controller with the memory w: the next one, and commands."
            for law in program.laws
        },
        "directional": f"d (xdot, y) / d (x, u, p) times dz, p = ({names}).",
        "adjoint": f"w times d (xdot, y) / d (x, u, p), p = ({names}).",
    }


def _entries(title: str, matrix: SparseRoutine | None, first: int) -> str:
    if matrix is None:
        return ""
    places = zip(matrix.rows, matrix.columns, strict=True)
    listed = " ".join(f"({i + first},{k + first})" for i, k in places)
    return f"Nonzeros of {title} at (row, column): {listed}"
