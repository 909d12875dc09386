"""Complementarity problems in C: times by the number of rows, of full and of half rank.

The problems are random, with contacts and friction boxes, some unknowns at bounds and some
between. Cold solves start from zero, warm ones from the solution. Python takes no part in
what is measured.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from axletree.code.backends.c import NATIVE, OPTIMISE, STANDARD, find_compiler
from axletree.simulation.mlcp import mlcp_text

PROBLEMS = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 64, PROBLEMS = 20 };
static double matrix[PROBLEMS][MOST * MOST], offset[PROBLEMS][MOST], lower[PROBLEMS][MOST];
static double upper[PROBLEMS][MOST], start[PROBLEMS][MOST], solved[PROBLEMS][MOST];
static double weights[MOST], ray[MOST], work[14 * MOST * MOST + 45 * MOST];
static int places[9 * MOST];
static long steps;

static double uniform(void) { return 2.0 * rand() / RAND_MAX - 1.0; }

static void make(int k, int n, int rank)
{
    static double root[MOST][MOST + 4];
    double x[MOST];
    int i, j, m;
    for (i = 0; i < n; ++i) {
        const int contact = rand() % 3 == 0;
        const double place = uniform();
        lower[k][i] = contact ? 0.0 : -1.0 - 0.5 * uniform();
        upper[k][i] = contact ? INFINITY : 1.0 + 0.5 * uniform();
        x[i] = place < -0.4 ? lower[k][i] : place > 0.4 && !contact ? upper[k][i] : 0.3;
        start[k][i] = weights[i] = 0.0;
        for (m = 0; m < rank; ++m) root[i][m] = uniform();
    }
    for (i = 0; i < n; ++i) {
        weights[i] = 1.0;
        offset[k][i] = x[i] == 0.3 ? 0.0 : x[i] == lower[k][i] ? 0.5 : -0.5;
        for (j = 0; j < n; ++j) {
            double sum = 0.0;
            for (m = 0; m < rank; ++m) sum += root[i][m] * root[j][m];
            matrix[k][i * n + j] = sum;
            offset[k][i] -= sum * x[j];
        }
    }
}
"""
TIMES = r"""
static void solve(int kind, int k, int n)
{
    const axl_mlcp_limits limits = {1e-13, 1e-12, 1e-10, 50 * (n + 1)};
    double x[MOST];
    int i, taken = 0, outcome = 0;
    for (i = 0; i < n; ++i) x[i] = kind == 1 ? solved[k][i] : start[k][i];
    if (kind < 2) {
        outcome = axl_mlcp_pivot(n, matrix[k], offset[k], lower[k], upper[k], weights, &limits, x,
                                 ray, &taken, work, places);
    } else if (kind == 2) {
        outcome = axl_mlcp_lemke(n, matrix[k], offset[k], lower[k], upper[k], limits.steps, x,
                                 &taken, work, places);
    } else {
        axl_mlcp_iterate(n, matrix[k], offset[k], lower[k], upper[k], kind == 3 ? 30 : 6,
                         kind == 3 ? 0 : 4, 1.0, x, work, places);
    }
    steps += taken;
    if (outcome != 0) exit(1);
    if (kind == 0) for (i = 0; i < n; ++i) solved[k][i] = x[i];
}

int main(void)
{
    static const int sizes[] = {1, 2, 4, 8, 16, 32, 64};
    int half, s, kind, k;
    for (half = 0; half < 2; ++half) {
        for (s = 0; s < 7; ++s) {
            const int n = sizes[s];
            printf("%d %d", half, n);
            for (k = 0; k < PROBLEMS; ++k) make(k, n, half ? (n + 1) / 2 : n + 4);
            for (kind = 0; kind < 5; ++kind) {
                const clock_t begin = clock();
                long count = 0;
                steps = 0;
                do {
                    for (k = 0; k < PROBLEMS; ++k) solve(kind, k, n);
                    count += PROBLEMS;
                } while (clock() - begin < CLOCKS_PER_SEC / 20);
                printf(" %g", 1e6 * (double)(clock() - begin) / CLOCKS_PER_SEC / (double)count);
                if (kind < 3) printf(" %g", (double)steps / (double)count);
            }
            printf("\n");
        }
    }
    return 0;
}
"""


def bench_complementarity() -> None:
    compiler = find_compiler()
    assert compiler is not None
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "bench.c", Path(folder) / "bench"
        source.write_text(mlcp_text() + PROBLEMS + TIMES, encoding="utf-8")
        native = (NATIVE,) if compiler.processor else ()
        flags = (*STANDARD, *OPTIMISE, *native)
        subprocess.run(
            [*compiler.command, *flags, "-o", str(program), str(source), "-lm"], check=True
        )
        result = subprocess.run([program], capture_output=True, text=True, check=True)
    print("\ncomplementarity problems, us a solve (steps)")
    print(f"{'rank':6}{'rows':>5}{'cold':>17}{'warm':>16}{'Lemke':>17}", end="")
    print(f"{'30 sweeps':>11}{'6 + 4 (step + 6)':>18}")
    for line in result.stdout.splitlines():
        half, rows, *numbers = map(float, line.split())
        cells = [f"{numbers[k]:9.2f} ({numbers[k + 1]:5.1f})" for k in (0, 2, 4)]
        print(f"{'half' if half else 'full':6}{rows:5.0f} ", *cells, end="")
        print(f"{numbers[6]:11.2f}{numbers[7]:18.2f}")
