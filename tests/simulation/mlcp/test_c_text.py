"""The C text: strict C99, no allocation, clean under sanitizers with work of the exact size."""

from __future__ import annotations

import re
import subprocess
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from oracles.complementarity import gram, known

from axletree.code.backends.c import find_compiler
from axletree.simulation.mlcp import ComplementarityProblem, Pivoting, ProjectedSweeps, mlcp_text

pytestmark = pytest.mark.shipped_flags

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wvla", "-pedantic", "-Werror", "-g", "-O1"]
WATCHED = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
# Work is on the heap and exactly as long as is said, so that one step beyond is seen.
MAIN = """
#include <stdio.h>
#include <stdlib.h>

enum { N = SIZE };
static const double matrix[] = MATRIX;
static const double offset[] = OFFSET;
static const double lower[] = LOWER;
static const double upper[] = UPPER;

static int run(int call)
{
    const axl_mlcp_limits limits = {1e-13, 1e-12, 1e-10, 50 * (N + 1)};
    const int doubles[] = {
        axl_mlcp_pivot_doubles(N), axl_mlcp_lemke_doubles(N), axl_mlcp_iterate_doubles(N)};
    const int ints[] = {axl_mlcp_pivot_ints(N), axl_mlcp_lemke_ints(N), axl_mlcp_iterate_ints(N)};
    double *work = malloc(sizeof(double) * (size_t)doubles[call]);
    int *places = malloc(sizeof(int) * (size_t)ints[call]);
    double weights[N], x[N], w[N], ray[N];
    int i, steps, outcome = 0;
    for (i = 0; i < N; ++i) {
        weights[i] = 1.0;
        x[i] = axl_within(0.0, lower[i], upper[i]);
    }
    if (call == 0) {
        outcome = axl_mlcp_pivot(
            N, matrix, offset, lower, upper, weights, &limits, x, ray, &steps, work, places);
    } else if (call == 1) {
        outcome = axl_mlcp_lemke(
            N, matrix, offset, lower, upper, limits.steps, x, &steps, work, places);
    } else {
        axl_mlcp_iterate(N, matrix, offset, lower, upper, 5, 12, 1.0, x, work, places);
    }
    axl_mlcp_slacks(N, matrix, offset, lower, upper, x, w);
    for (i = 0; i < N; ++i) {
        printf("%.17g %.17g\\n", x[i], w[i]);
    }
    if (axl_mlcp_residual(N, matrix, offset, lower, upper, x) > 1e-12) {
        outcome = 9;
    }
    free(work);
    free(places);
    return outcome;
}

int main(void)
{
    return run(0) + run(1) + run(2);
}
"""


def listed(values: np.ndarray) -> str:
    words = {np.inf: "INFINITY", -np.inf: "-INFINITY"}
    return "{" + ", ".join(words.get(v, repr(float(v))) for v in values.ravel().tolist()) + "}"


def program(problem: ComplementarityProblem) -> str:
    text = MAIN.replace("SIZE", str(problem.size))
    for name in ("matrix", "offset", "lower", "upper"):
        text = text.replace(name.upper(), listed(getattr(problem, name)))
    return mlcp_text() + text


def build(folder: Path, source: str, flags: list[str]) -> subprocess.CompletedProcess[str]:
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("there is no C compiler on this machine")
    (folder / "run.c").write_text(source)
    command = [*compiler.command, *STRICT, *flags, "-o", "run", "run.c", "-lm"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize(("size", "rank"), [(1, 1), (7, 3)])
def test_the_text_is_clean(size: int, rank: int, tmp_path: Path) -> None:
    """Many boxed rows that depend on one another need the most work."""
    if build(tmp_path, "int main(void) { return 0; }\n", WATCHED).returncode != 0:
        pytest.skip("the C compiler of this machine has no sanitizers")
    rng = np.random.default_rng(10 * size + rank)
    problem = known(rng, gram(rng, size, rank), kinds=("box",), degenerate=1.0).problem
    # The optimiser warns of more, and takes ten times as long over watched code.
    for flags in ([], [*WATCHED, "-O0"]):
        built = build(tmp_path, program(problem), flags)
        assert built.returncode == 0, built.stderr
    result = subprocess.run([tmp_path / "run"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    numbers = np.array([line.split() for line in result.stdout.splitlines()], dtype=float)
    pivoted, by_lemke, swept = np.split(numbers, 3)
    found = Pivoting().solve(problem)
    np.testing.assert_allclose(pivoted, np.array([found.unknowns, found.slacks]).T, atol=1e-10)
    assert np.array_equal(pivoted[:, 1] == 0.0, found.slacks == 0.0)
    np.testing.assert_allclose(by_lemke[:, 1], found.slacks, atol=1e-10)
    expected = ProjectedSweeps(5, subspace_steps=12).solve(problem).unknowns
    np.testing.assert_allclose(swept[:, 0], expected, atol=1e-10)


def test_nothing_is_allocated_and_nothing_kept() -> None:
    calls = set(re.findall(r"(\w+)\(", mlcp_text()))
    assert "axl_factor_append" in calls
    assert not calls & {"malloc", "calloc", "realloc", "free", "alloca"}
    assert not re.search(r"^\s*static [^(\n]*[;=]", mlcp_text(), re.MULTILINE)


def test_every_c_file_is_part_of_the_text() -> None:
    """They are found as data of the package, so a wheel has them as well."""
    folder = files("axletree.simulation.mlcp")
    texts = [path.read_text() for path in folder.iterdir() if path.name.endswith(".c")]
    assert len(texts) == 7
    assert all(text in mlcp_text() for text in texts)
