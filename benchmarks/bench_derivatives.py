"""Derivatives of the 14-DOF car with the Magic Formula: operations, compile time, time of a call.

All are by states and inputs. Times are CPU time, and each is the best of some runs, in turn with
that of f: on a busy machine their ratios are what counts. Compile times are those of gcc or of
whatever compiler there is, for a text that holds f and the one function.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import axletree as at
from axletree.code.backends.c import find_compiler
from axletree.code.lowering import derivative_extras, lower
from axletree.code.printers.c import print_unit
from axletree.simulation.system_functions import SystemFunctions
from axletree.system.system import System

POINTS = 200  # evaluated by one call, so that Python has no part in the time
ROUNDS = 30


def compile_seconds(system: System, name: str) -> float:
    """CPU time of the compiler for f and one function."""
    compiler = find_compiler()
    if compiler is None:
        sys.exit("there is no C compiler, see `axletree doctor`")
    extras = derivative_extras([] if name == "f" else [name])
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "model.c", Path(folder) / "model.so"
        source.write_text(print_unit(lower(system, (), extras)), encoding="utf-8")
        before = os.times()
        compiler.build(str(source), str(target))
        after = os.times()
    return after[2] + after[3] - before[2] - before[3]


def call_seconds(found: SystemFunctions) -> dict[str, float]:
    """CPU time of one evaluation of each function, in C."""
    x, u = found.point({"chassis.vx": 25.0}, {"steer.angle": 0.02})
    random = np.random.default_rng(1)
    states = x + 0.01 * random.standard_normal((POINTS, len(x)))
    weights = random.standard_normal((POINTS, len(found.rows)))
    direction = random.standard_normal((POINTS, len(found.columns)))
    calls = {
        "f": lambda: found.f(states, u),
        "directional": lambda: found.directional(states, u, direction),
        "adjoint": lambda: found.adjoint(states, u, weights),
        "jacobian": lambda: found.jacobian_values(states, u),
        "hessian": lambda: found.hessian_values(states, u, weights),
    }
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, call in calls.items():
            before = time.process_time()
            call()
            best[name] = min(best[name], (time.process_time() - before) / POINTS)
    return best


def casadi_seconds(system: System, found: SystemFunctions) -> dict[str, float]:
    """The same by CasADi's expressions and its virtual machine, laws written out."""
    import casadi

    from axletree.expr import to_casadi

    z, w = casadi.SX.sym("z", len(found.columns)), casadi.SX.sym("w", len(found.rows))
    symbols = {q.symbol: z[k] for k, q in enumerate((*system.states, *system.inputs))}
    symbols |= {q.symbol: casadi.SX(q.default) for q in system.parameters}
    symbols[system.time.symbol] = casadi.SX(0.0)
    rows = casadi.vertcat(*to_casadi(system.derivatives, symbols))
    results = {
        "f": rows,
        "jacobian": casadi.jacobian(rows, z),
        "hessian": casadi.tril(casadi.hessian(casadi.dot(w, rows), z)[0]),
    }
    x, u = found.point({"chassis.vx": 25.0}, {"steer.angle": 0.02})
    point = casadi.DM(np.concatenate((x, u))), casadi.DM(np.ones(len(found.rows)))
    best = {}
    for name, result in results.items():
        function = casadi.Function(name, [z, w], [result])
        many = function.map(POINTS)
        given = [casadi.repmat(one, 1, POINTS) for one in point]
        times = []
        for _ in range(5):
            before = time.process_time()
            many(*given)
            times.append((time.process_time() - before) / POINTS)
        best[name] = min(times)
    return best


def bench_derivatives_of_the_car() -> None:
    system = at.read_model("car").formulate()
    before = time.process_time()
    found = system.functions("f", "directional", "adjoint", "jacobian", "hessian")
    formed = time.process_time() - before
    times, counts = call_seconds(found), found.operations
    print(f"{found}; nonzeros of the Jacobian {len(found.jacobian_pattern.rows)}, "
          f"of half of the Hessian {len(found.hessian_pattern.rows)}; formed and printed in "
          f"{formed:.1f} s of CPU time")  # fmt: skip
    print(f"{'':12} {'operations':>10} {'of f':>6} {'us':>7} {'of f':>6} {'compiled in s':>14}")
    for name in ("f", "directional", "adjoint", "jacobian", "hessian"):
        operations = counts[name].total
        print(
            f"{name:12} {operations:10d} {operations / counts['f'].total:6.1f} "
            f"{1e6 * times[name]:7.2f} {times[name] / times['f']:6.1f} "
            f"{compile_seconds(system, name):14.1f}"
        )
    by_casadi = casadi_seconds(system, found)
    listed = ", ".join(f"{name} {1e6 * value:.1f}" for name, value in by_casadi.items())
    print(f"CasADi's virtual machine, us: {listed}")


if __name__ == "__main__":
    bench_derivatives_of_the_car()
