"""From the language to running code: the car with trailer of Lot and Massaro 2017.

Each stage in seconds of the processor, compiler included, in one process: Newton's and Euler's
equations in SymPy, their state space, the system, C compiled with an empty cache; then its run
against real time, and what deriving exactly and linearising last costs beside it.

Large angles: trees of three bodies by Kane's equations, beside SymPy's own method in the same
process, and Whipple's bicycle, leant and steered at will, up to the system.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
import sympy
from language.reference.nonlinear_bicycle import NonlinearBicycle
from sympy.core.cache import clear_cache
from sympy.physics.mechanics import KanesMethod, ReferenceFrame, RigidBody, dynamicsymbols
from sympy.physics.mechanics import Point as SymPyPoint
from sympy.physics.mechanics import inertia as dyadic

from axletree import language
from axletree.examples.car_and_trailer import results, spaces
from axletree.examples.car_and_trailer.mechanics import Mechanics
from axletree.language.expressions import expanded_terms
from axletree.system.system import System

Made = TypeVar("Made")

GOAL = 30.0  # s, from the description to compiled code
DURATION, STEP = 20.0, 1e-3  # s


def processor_seconds() -> float:
    """Of this process and of those that it waited for, such as the compiler."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def timed(work: Callable[[], Made]) -> tuple[Made, float]:
    start = processor_seconds()
    made = work()
    return made, processor_seconds() - start


def derived(model: Mechanics) -> int:
    """The number of equations, those of tyres and constraints included."""
    own = (*spaces.car_equations(model), *spaces.trailer_equations(model))
    return len((*own, *model.bounce.equations, *model.hitch.equations))


def compiled(system: System) -> None:
    """The first run has the C made and compiled."""
    system.simulate(STEP, step=STEP, parameters={"u": 20.0})


def bench_car_with_trailer_from_language_to_c(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AXLETREE_CACHE", str(tmp_path))
    model = Mechanics()
    count, equations = timed(lambda: derived(model))
    space, collected = timed(lambda: spaces.train_space(model))
    system, solved = timed(space.system)
    _, c = timed(lambda: compiled(system))
    start = time.process_time()
    system.simulate(DURATION, step=STEP, inputs={"delta": results.RAMP}, outputs=[])
    run = time.process_time() - start
    _, exact = timed(lambda: derived(Mechanics(linearise_last=True)))
    rows = {
        f"{count} equations of motion, tyres and constraints": equations,
        f"state space of {len(space.x)} variables": collected,
        f"system of {len(system.states)} states": solved,
        "C, compiled": c,
        f"in all, goal {GOAL:g} s": equations + collected + solved + c,
    }
    print()
    for text, seconds in rows.items():
        print(f"  {text:48s} {seconds:6.2f} s")
    print(f"  20 s at 1 ms, RK4: {DURATION / run:.0f} times real time")
    print(f"  exact equations, linearised last: {exact / equations:.1f} times as long to derive")


AXES_OF_TREES = {"plane": "yyy", "spatial": "zxy", "gimbals": "xyz"}  # of the hinges
PARENTS = {"chain": (None, 0, 1), "fork": (None, 0, 0)}  # of each body, None being the ground
REPEATS = 3  # of which the quickest counts


def by_the_language(axes: str, parents: tuple[int | None, ...]) -> int:
    """The number of operations of Kane's equations of three bodies on hinges."""
    q, m = language.variables("q_1 q_2 q_3"), language.parameters("m_1 m_2 m_3")
    length = language.parameters("l_1 l_2 l_3")
    base = language.World(gravity=(0, 0, -language.parameters("g")[0])).base
    bodies: list[language.Body] = []
    for k, (axis, parent) in enumerate(zip(axes, parents, strict=True)):
        before = base if parent is None else bodies[parent].frame
        hinge, arm = (
            language.rotation(axis, q[k]),
            language.translation(length[k], 0, -length[k] / 2),
        )
        moments = language.inertia(*language.parameters(f"A_{k} B_{k} C_{k}"))
        bodies.append(language.Body(f"body {k}", before.moved(f"{k}", hinge, arm), m[k], moments))
    rows = language.Assembly("tree", bodies).kane(list(q))
    return sum(int(row.residual.count_ops()) for row in rows)


def by_sympy(axes: str, parents: tuple[int | None, ...]) -> int:
    """Likewise, by KanesMethod."""
    q, u = dynamicsymbols("q_1:4"), dynamicsymbols("u_1:4")
    m, length, g = sympy.symbols("m_1:4"), sympy.symbols("l_1:4"), sympy.Symbol("g")
    ground, origin = ReferenceFrame("N"), SymPyPoint("O")
    origin.set_vel(ground, 0)
    bodies, loads = [], []
    for k, (axis, parent) in enumerate(zip(axes, parents, strict=True)):
        before = ground if parent is None else bodies[parent].frame
        start = origin if parent is None else bodies[parent].masscenter
        own = before.orientnew(f"A{k}", "Axis", [q[k], getattr(before, axis)])
        own.set_ang_vel(before, u[k] * getattr(before, axis))
        centre = start.locatenew(f"C{k}", length[k] * (own.x - own.z / 2))
        centre.v2pt_theory(start, ground, own)
        moments = dyadic(own, *sympy.symbols(f"A_{k} B_{k} C_{k}"))
        bodies.append(RigidBody(f"body {k}", centre, own, m[k], (moments, centre)))
        loads.append((centre, -m[k] * g * ground.z))
    method = KanesMethod(ground, q, u, [a.diff() - b for a, b in zip(q, u, strict=True)])
    applied, inertial = method.kanes_equations(bodies, loads)
    return int((applied + inertial).applyfunc(sympy.count_ops).dot(sympy.ones(3, 1)))


def quickest(work: Callable[[], Made]) -> tuple[Made, float]:
    """With empty caches, as the first model of a process has them."""
    found = []
    for _ in range(REPEATS):
        clear_cache()
        expanded_terms.cache_clear()
        found.append(timed(work))
    return min(found, key=lambda pair: pair[1])


def bench_trees_of_three_bodies_against_sympy() -> None:
    print()
    by_the_language("yyy", (None, 0, 1)), by_sympy("yyy", (None, 0, 1))  # imports
    for shape, parents in PARENTS.items():
        for name, axes in AXES_OF_TREES.items():
            own, own_time = quickest(lambda a=axes, p=parents: by_the_language(a, p))
            other, other_time = quickest(lambda a=axes, p=parents: by_sympy(a, p))
            print(
                f"  {name + ' ' + shape:16s} {own_time:6.3f} s, {own:5d} operations; SymPy's Kane "
                f"{other_time:6.3f} s, {other:5d}: ratio {own_time / other_time:.2f}"
            )


BICYCLE_GOAL = 120.0  # s


def bench_nonlinear_bicycle_from_language_to_system() -> None:
    clear_cache()
    space, derived_in = timed(lambda: NonlinearBicycle({}).space())
    system, solved = timed(space.system)
    print(f"\n  equations in symbols of {len(system.parameters)} parameters {derived_in:6.2f} s")
    print(f"  system of {len(system.states)} states, {system.operations.total} {solved:6.2f} s")
    print(f"  in all, goal {BICYCLE_GOAL:g} s {derived_in + solved:6.2f} s")
