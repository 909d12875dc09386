"""How MATLAB spells operations, the small functions that it lacks, and its rules for names.

GNU Octave reads the same text.
"""

from __future__ import annotations

import math
from typing import Final

from axletree.code.language import Language
from axletree.code.text import Dialect


def literal(value: float) -> str:
    """The shortest decimal text that reads back as exactly this number."""
    if math.isinf(value):
        return "Inf" if value > 0.0 else "-Inf"
    return repr(float(value))


# A root of a negative number is complex in MATLAB; here it is NaN, as in C.
_MAY_BE_COMPLEX: Final = ("sqrt", "log", "asin", "acos")
MATLAB: Final = Dialect(
    functions={
        **{name: f"{name}({{0}})" for name in ("exp", "sin", "cos", "tan", "atan")},
        **{name: f"{name}({{0}})" for name in ("sinh", "cosh", "tanh", "abs", "sign")},
        **{name: f"axl_real({name}({{0}}))" for name in _MAY_BE_COMPLEX},
        "pow": "axl_real(({0})^({1}))",
        "atan2": "atan2({0}, {1})",
        "min": "axl_min({0}, {1})",
        "max": "axl_max({0}, {1})",
        "lt": "double({0} < {1})",
        "le": "double({0} <= {1})",
    },
    where="axl_where({0}, {1}, {2})",
    number=literal,
    unequal="~=",
)

# The functions min and max of MATLAB hide a NaN. Here NaN in is NaN out.
SMALL_FUNCTIONS: Final = {
    "axl_real": """\
function r = axl_real(v)
%AXL_REAL A real number, or NaN for a complex one.
    if isreal(v)
        r = v;
    else
        r = NaN;
    end
end
""",
    "axl_min": """\
function r = axl_min(a, b)
%AXL_MIN The lesser, NaN where one of them is NaN.
    r = a + b;
    if a < b
        r = a;
    elseif b <= a
        r = b;
    end
end
""",
    "axl_max": """\
function r = axl_max(a, b)
%AXL_MAX The greater, NaN where one of them is NaN.
    r = a + b;
    if a > b
        r = a;
    elseif b >= a
        r = b;
    end
end
""",
    "axl_where": """\
function r = axl_where(condition, if_true, if_false)
%AXL_WHERE One of two values.
    if condition
        r = if_true;
    else
        r = if_false;
    end
end
""",
}

_KEYWORDS: Final = (
    "arguments break case catch classdef continue else elseif end enumeration events for function "
    "global if methods otherwise parfor persistent properties return spmd switch try while do "
    "end_try_catch end_unwind_protect endfor endfunction endif endparfor endswitch endwhile until "
    "unwind_protect unwind_protect_cleanup"
)
_FUNCTIONS: Final = (
    "Inf NaN abs acos ans asin atan atan2 cos cosh double eps exp false isempty isnan isreal log "
    "max min numel ones persistent pi reshape sign sin sinh size sqrt sum tan tanh true zeros"
)
LANGUAGE: Final = Language(
    name="MATLAB",
    reserved=frozenset([*_KEYWORDS.split(), *_FUNCTIONS.split(), *SMALL_FUNCTIONS]),
    case_matters=True,
    width=100,
    continued=" ...",
    comment="%",
)
