"""Elementary functions of lanes: accuracy against numbers of 50 digits, and what they refuse."""

from __future__ import annotations

import ctypes
import math
import platform
import re
import subprocess
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import mpmath
import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

from axletree.code.backends.c import find_compiler, load_library
from axletree.code.printers.lanes.lane_text import LaneNumber, lane_functions_text
from axletree.simulation.batch.lane_code import CONTRACTED, lane_program, lane_source
from axletree.simulation.integrators import EXPLICIT_EULER

LARGEST_ERROR = 4.0  # units in the last place
TYPES = {LaneNumber.DOUBLE: np.float64, LaneNumber.FLOAT: np.float32}
# Largest angles, and exponents at which exp is nearly infinite or nearly 0.
ANGLE = {LaneNumber.DOUBLE: 2e5, LaneNumber.FLOAT: 3.2e3}
RANGE = {LaneNumber.DOUBLE: 708.0, LaneNumber.FLOAT: 87.0}
COUNT = 320  # of each piece, whole lanes
ONE = ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "sinh", "cosh", "tanh", "sqrt")
TWO = ("atan2", "min", "max", "pow")


@lru_cache(maxsize=8)
def library(number: LaneNumber, width: int) -> ctypes.CDLL:
    """Loops over arrays, in lanes of so many bytes, or as the machine has them (0)."""
    load = "axl_real a, b = {{0}}; memcpy(&a, v + k, sizeof a);"
    head = "void {0}(const axl_number *v, const axl_number *w, axl_number *out, int n)"
    texts = [
        f"{head.format('all_' + name)} {{ int k; (void)w; for (k = 0; k < n; k += LANES) {{ "
        f"{load.replace('{{', '{').replace('}}', '}')} "
        f"{'memcpy(&b, w + k, sizeof b);' if name in TWO else '(void)b;'} "
        f"a = axl_v_{name}({'a, b' if name in TWO else 'a'}); memcpy(out + k, &a, sizeof a); }} }}"
        for name in (*ONE, *TWO)
    ]
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("no C compiler")
    chosen = f"#define AXL_LANE_BYTES {width}\n" if width else ""
    source = chosen + lane_functions_text(number) + "\n".join(texts)
    return load_library(source, replace(compiler, further=(CONTRACTED,)))


def values(number: LaneNumber, width: int, name: str, *given: np.ndarray) -> np.ndarray:
    arrays = [np.ascontiguousarray(one, TYPES[number]) for one in given]
    found = np.empty_like(arrays[0])
    function = getattr(library(number, width), f"all_{name}")
    places = [one.ctypes.data_as(ctypes.c_void_p) for one in (arrays[0], arrays[-1], found)]
    function(*places, len(found))
    return found


def pieces(number: LaneNumber, name: str) -> list[tuple[float, float]]:
    far, exponent = ANGLE[number], RANGE[number]
    return {
        **dict.fromkeys(("sin", "cos", "tan"), [(-4.0, 4.0), (-far, far), (-1e-3, 1e-3)]),
        **dict.fromkeys(("asin", "acos"), [(-1.0, 1.0), (-1e-3, 1e-3)]),
        "atan": [(-3.0, 3.0), (-1e4, 1e4), (-1e-3, 1e-3)],
        "exp": [(-1.0, 1.0), (-exponent, exponent)],
        "log": [(1e-30, 1e-20), (0.4, 2.5), (1.0, 1e30), (0.999, 1.001)],
        **dict.fromkeys(("sinh", "cosh"), [(-1.0, 1.0), (-exponent, exponent), (-1e-3, 1e-3)]),
        "tanh": [(-1.0, 1.0), (-50.0, 50.0), (-1e-3, 1e-3)],
        "sqrt": [(0.0, 1e6), (0.0, 1e-20)],
        "atan2": [(-1.0, 1.0), (-1e20, 1e20)],
        "pow": [(0.1, 10.0)],
    }[name]


def units_off(found: np.ndarray, exact: list[mpmath.mpf]) -> float:
    """The largest error in units in the last place of the exact values."""
    spacings = np.spacing(np.abs(np.array([float(e) for e in exact]).astype(found.dtype)))
    return max(
        float(abs(mpmath.mpf(float(a)) - b) / mpmath.mpf(float(unit)))
        for a, b, unit in zip(found, exact, spacings, strict=True)
    )


@pytest.mark.parametrize("name", [*ONE, "atan2", "pow"])
@pytest.mark.parametrize("number", LaneNumber)
def test_functions_are_right_to_four_units_in_the_last_place(number: LaneNumber, name: str) -> None:
    rng = np.random.default_rng(3)
    mpmath.mp.dps = 50
    for lower, upper in pieces(number, name):
        given = [rng.uniform(lower, upper, COUNT).astype(TYPES[number]) for _ in range(2)]
        given = given[: 2 if name in TWO else 1]
        function = getattr(mpmath, "power" if name == "pow" else name)
        exact = [function(*(mpmath.mpf(float(x)) for x in row)) for row in zip(*given, strict=True)]
        error = units_off(values(number, 0, name, *given), exact)
        assert error <= LARGEST_ERROR, f"{name} from {lower} to {upper}: {error:.2f} ulp"


@pytest.mark.parametrize("number", LaneNumber)
def test_lanes_of_any_width_agree(number: LaneNumber) -> None:
    """Sixteen bytes are what every machine has; contraction apart, widths change nothing."""
    rng = np.random.default_rng(4)
    given = rng.uniform(-0.9, 0.9, COUNT)
    for name in ONE:
        narrow, wide = (values(number, width, name, given) for width in (16, 32))
        np.testing.assert_array_equal(narrow, wide)


@pytest.mark.parametrize("number", LaneNumber)
def test_what_is_no_number_stays_none(number: LaneNumber) -> None:
    """NaN in is NaN out, also where one of two is none; so are angles that are too large."""
    none, one = np.full(64, math.nan), np.ones(64)
    for name in ONE:
        assert np.isnan(values(number, 0, name, none)).all(), name
    for name in ("atan2", "min", "max"):
        for a, b in ((none, one), (one, none)):
            assert np.isnan(values(number, 0, name, a, b)).all(), name
    far = np.array([1.001 * ANGLE[number], -1.001 * ANGLE[number], math.inf, -math.inf] * 16)
    for name in ("sin", "cos", "tan"):
        assert np.isnan(values(number, 0, name, far)).all(), name
    for name, given in (("log", -1.0), ("sqrt", -1.0), ("asin", 1.5), ("acos", -1.5)):
        assert np.isnan(values(number, 0, name, given * one)).all(), name


@pytest.mark.parametrize("number", LaneNumber)
def test_ends_of_the_range(number: LaneNumber) -> None:
    tiny = np.finfo(TYPES[number]).smallest_subnormal
    cases = {
        "exp": {math.inf: math.inf, -math.inf: 0.0, 1e4: math.inf, -1e4: 0.0, 0.0: 1.0},
        "log": {math.inf: math.inf, 0.0: -math.inf, 1.0: 0.0},
        "atan": {math.inf: math.pi / 2, -math.inf: -math.pi / 2, 0.0: 0.0},
        "tanh": {math.inf: 1.0, -math.inf: -1.0, 0.0: 0.0},
        "sinh": {math.inf: math.inf, -math.inf: -math.inf, 0.0: 0.0, float(tiny): float(tiny)},
        "cosh": {math.inf: math.inf, -math.inf: math.inf, 0.0: 1.0},
        "sin": {0.0: 0.0, float(tiny): float(tiny)},
    }
    for name, expected in cases.items():
        given = np.array([*expected] * 64, dtype=TYPES[number])[:320]
        wanted = np.array([*expected.values()] * 64, dtype=TYPES[number])[:320]
        whole = len(given) // 16 * 16
        np.testing.assert_allclose(
            values(number, 0, name, given[:whole]), wanted[:whole],
            rtol=4 * np.finfo(TYPES[number]).eps,
        )  # fmt: skip
    logs = values(number, 0, "log", np.full(16, tiny))
    np.testing.assert_allclose(logs, math.log(float(tiny)), rtol=1e-6)


@pytest.mark.parametrize("number", LaneNumber)
def test_directions_of_all_quadrants(number: LaneNumber) -> None:
    """atan2 as ISO C has it, annex F.10.1.4, zeros and infinities included."""
    sides = [0.0, -0.0, 1.0, -1.0, 0.5, -2.0, math.inf, -math.inf, 1e-30, -1e30]
    y, x = (one.ravel()[:96] for one in np.meshgrid(sides, sides))
    found = values(number, 0, "atan2", y, x)
    wanted = np.arctan2(y.astype(TYPES[number]), x.astype(TYPES[number]))
    np.testing.assert_allclose(found, wanted, rtol=4 * np.finfo(TYPES[number]).eps)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


MACHINES = {"avx2": ("-mavx2", "-mfma"), "avx512": ("-mavx512f", "-mavx512dq", "-mfma")}
REGISTERS = {"avx2": "%ymm", "avx512": "%zmm"}


@pytest.mark.parametrize("machine", MACHINES)
def test_routines_become_vector_instructions(machine: str, tmp_path: Path) -> None:
    """Right-hand side and tyre law compute with whole vectors, without calls."""
    compiler = find_compiler()
    if compiler is None or (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        pytest.skip("needs a C compiler for x86-64 on Linux")
    program = lane_program(shipped_system("car"), EXPLICIT_EULER, ())
    text = tmp_path / "lanes.c"
    text.write_text(lane_source(program, EXPLICIT_EULER))
    flags = [flag for flag in compiler.flags if flag not in ("-march=native", "-shared")]
    command = [*compiler.command, *flags, *MACHINES[machine], "-S", "-o", "lanes.s", "lanes.c"]
    subprocess.run(command, cwd=tmp_path, check=True)
    found = (tmp_path / "lanes.s").read_text()
    labels = re.findall(r"^(model_rhs\w*|axl_magic_formula\w*|axl_run_blocks\w*):", found, re.M)
    assert any(label.startswith("model_rhs") for label in labels)
    everywhere = []
    for label in labels:
        start = found.index(f"\n{label}:")
        body = found[start : found.index(".size", start)]
        lines = [line.split() for line in body.splitlines() if line.startswith("\t")]
        words = [(line[0], " ".join(line[1:])) for line in lines if line]
        everywhere += [w for w, o in words if w.startswith("v") and REGISTERS[machine] in o]
        if label.startswith("axl_run"):
            continue  # times and lanes that are not filled are computed one by one
        scalars = [w for w, _ in words if w in ("vaddsd", "vmulsd", "vsubsd", "vdivsd", "vsqrtsd")]
        calls = [o for w, o in words if w.startswith("call") and "axl_" not in o]
        assert not scalars, (label, len(scalars))
        assert not calls, (label, calls)
    assert len(everywhere) > 2000
