"""Elementary functions of a fixed cost: their accuracy, their exceptions, and no jump in them."""

from __future__ import annotations

import ctypes
import math
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from axletree.code.backends.c import find_compiler, load_library
from axletree.code.lowering import lower
from axletree.code.printers.c import print_unit
from axletree.code.printers.dialect import ELEMENTARY, packaged_text
from axletree.core.arrays import FloatArray
from axletree.model_files.read import read_model

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
PRINTERS = "axletree.code.printers"
OF_TWO = ("pow", "atan2")
MOST_ULPS = 2.0  # found: 1.95 by sinh, 1.8 by asin, 1.6 by tan, below 1.4 by others; 4 are allowed
NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "pow": "power"}
EDGES = (
    0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, -5e-324, 1e-310, 2.2250738585072014e-308,
    1.7976931348623157e308, -1.7976931348623157e308, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0,
    1e22, -1e22, math.pi / 2, math.pi, 709.78, 709.79, 710.4, 710.5, -708.5, -745.1, -745.2,
    2.0**53, 2.0**53 + 2.0, -(2.0**53), 1e300,
)  # fmt: skip
# Among the doubles nearest to a multiple of pi / 2; the test shows how near.
NEAREST = 6381956970095103.0 * 2.0**797


def source() -> str:
    texts = [packaged_text(PRINTERS, f"fixed_cost.{ending}") for ending in "hc"]
    head = "#include <math.h>\n#define AXL_F(x) x\n"
    return head + "".join(texts).replace("static inline", "static")


@cache
def library() -> ctypes.CDLL:
    compiler = find_compiler()
    assert compiler is not None
    lines = []
    for name in (*ELEMENTARY, "floor", "fmin", "fmax", "min", "max", "sign"):
        second = ", b[k]" if name in (*OF_TWO, "fmin", "fmax", "min", "max") else ""
        lines.append(
            f"void all_{name}(const double *a, const double *b, double *out, long n)\n"
            f"{{ for (long k = 0; k < n; ++k) out[k] = axl_fixed_{name}(a[k]{second}); (void)b; }}"
        )
    return load_library("\n".join([source(), *lines, ""]), compiler)


def found(name: str, a: FloatArray, b: FloatArray | None = None) -> FloatArray:
    a = np.ascontiguousarray(a, dtype=float)
    b = a if b is None else np.ascontiguousarray(b, dtype=float)
    out = np.empty_like(a)
    place = ctypes.c_void_p
    getattr(library(), f"all_{name}")(
        place(a.ctypes.data), place(b.ctypes.data), place(out.ctypes.data), ctypes.c_long(a.size)
    )
    return out


def numpy_function(name: str) -> Callable[..., FloatArray]:
    function: Callable[..., FloatArray] = getattr(np, NAMES.get(name, name))
    return function


def ulps(name: str, value: float, *arguments: float) -> float:
    """From the exact value, by as many bits as the largest double needs."""
    with mpmath.workprec(1300):
        exact = getattr(mpmath, "power" if name == "pow" else name)(*map(mpmath.mpf, arguments))
        return float(abs(mpmath.mpf(value) - exact) / mpmath.mpf(math.ulp(float(exact))))


def same(value: float, other: float) -> bool:
    """Also in sign, where it is a zero."""
    if math.isnan(other):
        return math.isnan(value)
    return value == other and math.copysign(1.0, value) == math.copysign(1.0, other)


def check(name: str, a: FloatArray, b: FloatArray | None = None) -> None:
    values = found(name, a, b)
    with np.errstate(all="ignore"):
        theirs = numpy_function(name)(a) if b is None else numpy_function(name)(a, b)
    rows = [a] if b is None else [a, b]
    for value, other, *given_ in zip(
        values.tolist(), theirs.tolist(), *map(list, rows), strict=True
    ):
        arguments = [float(x) for x in given_]
        if other == 0.0 or not all(map(math.isfinite, [other, *arguments])) or 0.0 in arguments:
            near = math.isfinite(other) and abs(value - other) <= MOST_ULPS * math.ulp(other)
            assert same(value, other) or (other != 0.0 and near), (name, arguments, value, other)
        else:
            assert ulps(name, value, *arguments) <= MOST_ULPS, (name, arguments, value, other)


def drawn(seed: int, count: int) -> FloatArray:
    """Numbers of all magnitudes, of usual ones, of the range of exp, and near 1."""
    random = np.random.default_rng(seed)
    bits = random.integers(0, 2**64, count, dtype=np.uint64).view(np.float64)
    usual = random.normal(size=count) * 10.0 ** random.uniform(-8.0, 4.0, count)
    near = 1.0 + random.normal(size=count) * 10.0 ** random.uniform(-15.0, -1.0, count)
    return np.concatenate([bits, usual, random.uniform(-750.0, 750.0, count), near])


@pytest.mark.parametrize("name", [name for name in ELEMENTARY if name not in OF_TWO])
def test_a_function_is_within_two_units_of_the_last_place(name: str) -> None:
    inside = np.random.default_rng(2).uniform(-1.0, 1.0, 60 if name in ("asin", "acos") else 0)
    check(name, np.concatenate([EDGES, [NEAREST, -NEAREST], drawn(1, 60), inside]))


def test_an_angle_beside_a_multiple_of_a_quarter_turn_keeps_its_digits() -> None:
    """Where 61 of the leading bits of the part of a turn are 0."""
    value = found("cos", np.array([NEAREST]))[0]
    assert abs(value) < 2.0**-60
    assert ulps("cos", value, NEAREST) <= 1.0


@pytest.mark.parametrize("name", OF_TWO)
def test_a_function_of_two_is_within_two_units_of_the_last_place(name: str) -> None:
    random = np.random.default_rng(3)
    edges = np.array([(x, y) for x in EDGES for y in EDGES])
    base = 10.0 ** random.uniform(-300.0, 300.0, 100)
    exponent = random.uniform(-745.0, 709.0, 100) / np.log(base)
    along = random.normal(size=100) * 10.0 ** random.uniform(-300.0, 300.0, 100)
    across = along * 10.0 ** random.uniform(-3.0, 3.0, 100)
    second = drawn(5, 40)[random.permutation(160)]
    for a, b in (edges.T, (base, exponent), (along, across), (drawn(4, 40), second)):
        check(name, a, b)


@given(st.sampled_from([name for name in ELEMENTARY if name not in OF_TWO]), st.floats())
def test_any_number(name: str, v: float) -> None:
    check(name, np.array([v]))


@given(st.sampled_from(OF_TWO), st.floats(), st.floats())
def test_any_two_numbers(name: str, a: float, b: float) -> None:
    check(name, np.array([a]), np.array([b]))


@given(st.floats(), st.floats())
def test_choices(a: float, b: float) -> None:
    """NaN in is NaN out; as fmin and fmax of C, which are for C by hand, where the other is one."""
    left, right = np.array([a]), np.array([b])
    for name, theirs in (
        ("min", np.minimum),
        ("max", np.maximum),
        ("fmin", np.fmin),
        ("fmax", np.fmax),
    ):
        value, other = found(name, left, right)[0], theirs(left, right)[0]
        assert value == other or (math.isnan(value) and math.isnan(other))
    assert same(found("floor", left)[0], np.floor(left)[0])
    sign = found("sign", left)[0]
    assert math.isnan(sign) if math.isnan(a) else sign == np.sign(a)


def test_without_the_extensions_of_gnu_the_bits_are_the_same() -> None:
    """Other compilers have neither vectors nor integers of 128 bits."""
    compiler = find_compiler()
    assert compiler is not None
    plain = (
        source().replace("#ifdef __GNUC__", "#if 0").replace("#ifdef __SIZEOF_INT128__", "#if 0")
    )
    lines = []
    for name in ELEMENTARY:
        second = ", a[n - 1 - k]" if name in OF_TWO else ""
        lines.append(
            f"void all_{name}(const double *a, double *out, long n)\n"
            f"{{ for (long k = 0; k < n; ++k) out[k] = axl_fixed_{name}(a[k]{second}); }}"
        )
    other = load_library("\n".join([plain, *lines, ""]), compiler)
    numbers = np.concatenate([EDGES, [NEAREST], drawn(6, 500)])
    place = ctypes.c_void_p
    for name in ELEMENTARY:
        out = np.empty_like(numbers)
        getattr(other, f"all_{name}")(
            place(numbers.ctypes.data), place(out.ctypes.data), ctypes.c_long(numbers.size)
        )
        ours = found(name, numbers, numbers[::-1] if name in OF_TWO else None)
        assert np.array_equal(ours, out, equal_nan=True), name


JUMP = re.compile(r"^\s*(?:j(?!mp)[a-z]+|b\.[a-z]+|cbn?z|tbn?z)\s", re.MULTILINE)


@pytest.mark.parametrize("level", ["-O2", "-O3"])
@pytest.mark.parametrize("other", [False, True], ids=["own compiler", "ziglang"])
def test_no_compiler_makes_a_jump_of_a_choice(level: str, other: bool, tmp_path: Path) -> None:
    """No conditional jump in the assembly of any function but the loop of the table."""
    compiler = find_compiler()
    assert compiler is not None
    command = list(compiler.command)
    if other:
        pytest.importorskip("ziglang")
        command = [sys.executable, "-m", "ziglang", "cc"]
    names = (*ELEMENTARY, "floor", "fmin", "fmax", "min", "max", "sign")
    lines = [source().partition("static double axl_fixed_lookup")[0]]
    for name in names:
        two = name in (*OF_TWO, "fmin", "fmax", "min", "max")
        heads = ("double a, double b", "a, b") if two else ("double a", "a")
        lines.append(f"double one_{name}({heads[0]}) {{ return axl_fixed_{name}({heads[1]}); }}")
    (tmp_path / "one.c").write_text("\n".join(lines) + "\n")
    flags = ["-std=c99", level, "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"]
    done = subprocess.run(
        [*command, *flags, "-S", "-o", "one.s", "one.c"], cwd=tmp_path, capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not JUMP.findall((tmp_path / "one.s").read_text(errors="replace"))


def test_a_unit_has_what_it_needs_and_no_more(tmp_path: Path) -> None:
    """With all warnings of unused and missing functions."""
    compiler = find_compiler()
    assert compiler is not None
    unit = print_unit(lower(read_model("car").formulate(), outputs=()), fixed_cost=True)
    assert "axl_fixed_pow" not in unit
    (tmp_path / "car.c").write_text(unit)
    flags = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-c"]
    done = subprocess.run(
        [*compiler.command, *flags, "car.c"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
