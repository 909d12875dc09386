"""How C spells operations, and the small functions that it lacks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from axletree.code.c_tables import LOOKUP
from axletree.code.text import Dialect

# Comparisons become numbers by a selection, not by a conversion of integers: a loop with
# integers of another size takes half as many lanes.
_SAME: Final = ("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan")
_HYPERBOLIC: Final = ("sinh", "cosh", "tanh")


def literal(value: float) -> str:
    """The shortest decimal text that reads back as exactly this number."""
    if math.isinf(value):
        return "HUGE_VAL" if value > 0.0 else "-HUGE_VAL"
    return repr(float(value))


C: Final = Dialect(
    functions={
        **{name: f"{name}({{0}})" for name in (*_SAME, *_HYPERBOLIC)},
        "pow": "pow({0}, {1})",
        "atan2": "atan2({0}, {1})",
        "abs": "fabs({0})",
        "sign": "axl_sign({0})",
        "min": "axl_min({0}, {1})",
        "max": "axl_max({0}, {1})",
        "lt": "({0} < {1} ? 1.0 : 0.0)",
        "le": "({0} <= {1} ? 1.0 : 0.0)",
    },
    where="({0} ? {1} : {2})",
    number=literal,
)
# A comparison that selects one of its operands takes no jump on the usual machines, where
# the library's fmin and fmax are calls that hide a NaN. Here NaN in is NaN out.
SMALL_FUNCTIONS: Final = {
    "axl_lookup": LOOKUP,
    "axl_sign": """\
static double axl_sign(double v)
{
    const double sign = (v > 0.0 ? 1.0 : 0.0) - (v < 0.0 ? 1.0 : 0.0);
    return v == v ? sign : v;
}
""",
    "axl_min": """\
static double axl_min(double a, double b)
{
    const double least = a < b ? a : b;
    return a == a ? least : a;
}
""",
    "axl_max": """\
static double axl_max(double a, double b)
{
    const double most = a > b ? a : b;
    return a == a ? most : a;
}
""",
}

# Functions that have a form for several lanes at once. Under names of our own the compiler does
# not merge sin(x) and cos(x) into one call that has no such form.
_IN_LANES: Final = (*_SAME[1:], *_HYPERBOLIC, "pow", "atan2")
LANES: Final = replace(
    C, functions={**C.functions, **{f: f"axl_lane_{C.functions[f]}" for f in _IN_LANES}}
)
SIDE_BY_SIDE: Final = "AXL_SIDE_BY_SIDE"  # before a loop whose passes may run together
_VECTOR_LIBRARY: Final = """\
#ifdef AXL_LANES /* defined where the compiler is told of -fopenmp-simd */
#define AXL_SIDE_BY_SIDE _Pragma("omp simd")
#else
#define AXL_SIDE_BY_SIDE
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 35)
#define AXL_VECTOR_LIBRARY /* the library has these functions for several lanes */
#endif
#endif
"""


def lane_functions(used: Sequence[str]) -> str:
    """What loops over lanes need: the functions ``axl_lane_...`` that are used."""
    names = [name.removeprefix("axl_lane_") for name in used]
    there = [
        f'__attribute__((simd("notinbranch"), const))\n'
        f'double axl_lane_{name}({_ARGUMENTS.get(name, "double")}) __asm__("{name}");'
        for name in names
    ]
    absent = [f"#define axl_lane_{name} {name}" for name in names]
    lines = ["#ifdef AXL_VECTOR_LIBRARY", *there, "#else", *absent, "#endif", ""]
    return _VECTOR_LIBRARY + "\n".join(lines)


_ARGUMENTS: Final = {"pow": "double, double", "atan2": "double, double"}
LANE_NAMES: Final = tuple(f"axl_lane_{name}" for name in _IN_LANES)
