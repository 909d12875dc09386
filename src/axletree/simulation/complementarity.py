"""Steps solved for set-valued forces, on velocity level (Peiret et al., eqs. 1 to 3 and 8).

    p(t + h) = p(t) + h pdot(t, p(t), z(t), force)
    z(t + h) = z(t) + h zdot(t, p(t + h), z(t), force)

The forces are constant over a step and solve a mixed linear complementarity problem: each is
between its bounds and holds the velocity of its row at the end of the step, or is at a bound.
What is held is at rest exactly, and stays. A system without such forces is integrated by
semi-implicit Euler's method, which this is then.

A step, in C and the same in Python:

1. ``rows`` are evaluated at the beginning of the step. Motions that springs carry and that what
   is held hardly sees are left to the springs (``_left_to_springs``); where other rows turn out to
   be held than was thought, the step is solved again with these.
2. A contact whose gap would close within the step bounces: its velocity at the end is at least
   ``restitution`` times that of approach (Newton). Without restitution, and where the approach
   is no faster than what one step gives to it, the gap closes no further than to zero. Where
   bodies have sunk into one another they are held from sinking on, and not driven apart.
3. The complementarity problem gives the forces. Where bounds depend on forces, as those of
   friction on the normal force, they are found anew from these and the problem is solved again,
   until they no longer change: friction and normal force are those of the same step.
4. A speed of which less than ``_REST`` is left of what the largest force could make of it is
   rounding, and becomes zero: what is held is at rest and stays where it is.
5. All other states move with the new speeds and the forces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Final, TypeGuard

import numpy as np
from numpy.typing import NDArray

from axletree.code.lowering import Extra
from axletree.code.printers.c import c_definitions
from axletree.code.printers.dialect import packaged_text
from axletree.code.program import Program
from axletree.core.arrays import FloatArray
from axletree.equations.set_valued_forces import LAW_COLUMNS
from axletree.simulation.fixed_step import FixedStep, StepCost
from axletree.simulation.integrators import SEMI_IMPLICIT_EULER
from axletree.simulation.loops import PythonLoop, StepFunction
from axletree.simulation.mlcp.c_code import mlcp_text
from axletree.simulation.mlcp.methods import Pivoting, ProjectedSweeps
from axletree.simulation.mlcp.problem import ComplementarityProblem, Outcome
from axletree.simulation.recording import FURTHER, LEFT, POOR, POORLY, WHEN, WORST
from axletree.simulation.solved_step_cost import sweeps_cost
from axletree.system.forms.set_valued import StepRows


def complementarity_method(name: str, description: str, solver: ComplementaritySolver) -> FixedStep:
    """The method; on systems without set-valued forces it is semi-implicit Euler's."""

    @lru_cache(maxsize=8)
    def for_rows(rows: StepRows) -> FixedStep:
        """One method for the rows of a system, so that its code is compiled once."""
        return FixedStep(
            name=name,
            description=description,
            order=1,
            c_step=c_step_text(rows, solver),
            lane_step=_lane_step_text(rows, solver),
            python_step=solved_python_step(rows, solver),
            extras=(Extra.LATER_RATES, Extra.ROWS),
            solves=True,
            fixed_cost=_has_fixed_cost(solver),
            counted=_counted(rows, solver),
        )

    return replace(SEMI_IMPLICIT_EULER, name=name, description=description, for_rows=for_rows)


ComplementaritySolver = Pivoting | ProjectedSweeps


def _has_fixed_cost(solver: ComplementaritySolver) -> TypeGuard[ProjectedSweeps]:
    """Pivots and subspace steps solve for as many forces as the motion has between their bounds."""
    return isinstance(solver, ProjectedSweeps) and solver.subspace_steps == 0


def _counted(rows: StepRows, solver: ComplementaritySolver) -> Callable[[Program], StepCost] | None:
    if not _has_fixed_cost(solver):
        return None
    passes = BOUND_PASSES[ProjectedSweeps] if rows.following else 1
    return partial(sweeps_cost, rows, sweeps=solver.sweeps, passes=passes)


_PLACES: Final = {  # of the report
    name: f"(NU + {1 + FURTHER + place})"
    for name, place in (("LEFT", LEFT), ("WORST", WORST), ("WHEN", WHEN), ("POORLY", POORLY))
}
_REST: Final = 1e-12  # of what forces could make of a speed: less than that is left by rounding


def c_step_text(rows: StepRows, solver: ComplementaritySolver) -> str:
    """C99 that defines ``axl_step`` for these rows, the solver included."""
    return _step_text(rows, solver, "c/complementarity.c", _PLACES)


def _lane_step_text(rows: StepRows, solver: ComplementaritySolver) -> str:
    """Likewise for vehicles in lanes, where every step has one cost; else none."""
    if not _has_fixed_cost(solver):
        return ""
    places = {name: place for place, name in enumerate(_PLACES)}
    return _step_text(rows, solver, "c/lane_sweeps.c", places)


def _step_text(
    rows: StepRows, solver: ComplementaritySolver, file: str, places: Mapping[str, object]
) -> str:
    numbers: dict[str, object] = {
        "NR": len(rows.reactions),
        "NROWS": len(rows.values),
        "LAWS": len(LAW_COLUMNS),
        "NF": len(rows.following),
        "NFOLLOWED": len(rows.followed),
        "PASSES": BOUND_PASSES[type(solver)],
        "HOLD_PASSES": HOLD_PASSES[type(solver)],
        **places,
        "SETTLED": SETTLED,
        "REST": _REST,
        "POOR": POOR,
        "LEVERS": int(leaves_to_springs(rows)),
        "LEVER": LEVER,
        "REDUNDANT": _REDUNDANT,
        "NEAR": _NEAR,
    }
    if isinstance(solver, ProjectedSweeps):
        numbers |= {"SWEEPS": solver.sweeps, "SUBSPACE_STEPS": solver.subspace_steps}
        numbers |= {"RELAXATION": solver.relaxation}
    else:
        limits = solver.limits
        numbers |= {"SWEEPS": 0, "SYMMETRIC": int(rows.symmetric), "RANK": limits.rank}
        numbers |= {"TOLERANCE": limits.tolerance, "AGREEMENT": limits.agreement}
        numbers |= {"MOST": limits.most(len(rows.reactions))}
    tables = [
        _table("axl_bounded_below", rows.bounded_below),
        _table("axl_bounded_above", rows.bounded_above),
        _table("axl_contact", rows.contacts),
    ]
    if leaves_to_springs(rows):
        may_be = [row in rows.springs for row in range(len(rows.reactions))]
        tables.append(_table("axl_may_be_spring", may_be))
    if rows.following:
        tables.append(_table("axl_following", rows.following))
        tables.append(_table("axl_followed", rows.followed))
    files = ["c/short_levers.c"] * leaves_to_springs(rows) + ["c/set_valued_problem.c", file]
    texts = [packaged_text(__package__, name) for name in files]
    return "\n".join([mlcp_text(), c_definitions(numbers), *tables, *texts])


def _table(name: str, values: Iterable[int]) -> str:
    items = [str(int(value)) for value in values]
    return f"static const int {name}[{len(items)}] = {{{', '.join(items)}}};\n"


# At most, in which bounds that depend on forces find their values; exactly so many of sweeps, which
# go on in the next step and have one cost.
BOUND_PASSES: Final = {Pivoting: 40, ProjectedSweeps: 2}
# At most, in which rows that turn out to slide are no longer taken for held; one for sweeps.
HOLD_PASSES: Final = {Pivoting: 6, ProjectedSweeps: 1}
SETTLED: Final = 1e-10  # change of such bounds over the largest, below which they have


GOOD = (Outcome.SOLVED, Outcome.APPROXIMATE)


class _Evaluated:
    """The values of rows as arrays."""

    def __init__(self, values: list[float], speeds: int, m: int) -> None:
        flat = np.array(values)
        sizes = [speeds, m * speeds, m * m, m, m, *([m] * len(LAW_COLUMNS))]
        parts = np.split(flat, np.cumsum(sizes)[:-1])
        self.finite = bool(np.isfinite(flat).all())
        self.free, self.velocity, self.push = parts[0], parts[3], parts[4]
        self.columns = parts[1].reshape(m, speeds)
        self.coupling = parts[2].reshape(m, m)
        self.law = dict(zip(LAW_COLUMNS, parts[5:], strict=True))

    def matrix(self, h: float) -> FloatArray:
        return np.asarray(h * self.coupling + np.diag(self.law["compliance"] + self.soft(h)))

    def soft(self, h: float) -> FloatArray:
        """What springs give at the end of the step, velocity per force."""
        hard = h * self.law["stiffness"] + self.law["damping"]
        return np.asarray(np.divide(1.0, hard, out=np.zeros(len(hard)), where=hard > 0.0))

    def offset(self, h: float, contacts: tuple[bool, ...]) -> FloatArray:
        """What w is without forces."""
        freely, approach = self.velocity + h * self.push, -self.velocity
        gap, restitution = self.law["position"], self.law["restitution"]
        meets = (approach > np.maximum(-h * self.push, 0.0)) & (gap + h * freely <= 0.0)
        meets &= restitution > 0.0
        of_contact = np.where(meets, restitution * approach, -np.maximum(gap, 0.0) / h)
        wanted = self.law["offset"] + self.soft(h) * self.law["preload"]
        return np.asarray(freely - (wanted + np.where(contacts, of_contact, 0.0)))

    def moved(self, speeds: FloatArray, h: float, force: FloatArray) -> FloatArray:
        """The speeds at the end of the step."""
        moves = h * self.columns
        total = speeds + h * self.free + (moves * force[:, None]).sum(axis=0)
        root = np.sqrt(np.maximum(np.diagonal(self.matrix(h)), 0.0))
        largest = np.max(np.abs(force) * root)  # in roots of energies, whatever the units
        reach = np.divide(largest, root, out=np.zeros(len(root)), where=root > 0.0)
        size = np.abs(speeds) + np.abs(h * self.free) + np.abs(moves).T @ reach
        return np.asarray(np.where(np.abs(total) > _REST * size, total, 0.0))


# Held forces and springs: a motion that springs carry is not held by a lever of a millimetre.
#
# Side forces of wheels that stand at heights some millimetres apart see the roll of a vehicle by
# these millimetres alone. To hold it they would press against one another with hundreds of times
# the load. No contact is as stiff as that: what they hardly see is left to the springs that see it.
# For motions u, with A_h the rows that are held and A_s those of springs, that is where
#
#     |A_h u| < LEVER |A_s u|                                                   in units of SI
#
# Everything follows from ``coupling`` G = A M^-1 A': with a small compliance d at the held rows,
#
#     K = (G_ss - G_sh (G_hh + d)^-1 G_hs) / d = A_s (A_h' A_h + d M)^-1 A_s'
#
# has the eigenvalues |A_s u|^2 / (|A_h u|^2 + d u' M u). Of an eigenvector n the motion is
# M u = A_s' n - A_h' (G_hh + d)^-1 G_hs n, and the held rows lose A_h u / (n' A_s u) times n' A_s:
# they do not see u then, and see all motions that springs do not as before. Velocities and what
# forces do change alike, so that no power is made. The page on set-valued forces has the reasons.

# Of what springs see of a motion: what held rows see less of is left to them. Contacts as stiff
# along as the springs are across would have LEVER / 2 of the load there, 1 %. Leaving takes that
# away; holding makes 1 / (2 LEVER) of it, 25 times the load. A skidder that stops is the same
# within 5e-4 for 0.02 to 0.2; below 0.02 its brakes, standing, change by up to 110 N m of 20 kN m.
LEVER: Final = 0.02
# Of mobilities: above it each spring has a motion of its own, as of a wheel on a suspension, and
# sees nothing of the body on its struts. Leaving motions to such springs gains nothing: a car that
# stops at 10 mrad/s of roll has 0.66 kN instead of 0.77 kN of side force against itself.
_REDUNDANT: Final = 1e-6
_NEAR: Final = 1e-2  # of the compliance at which a motion that nothing held sees would be left


def leaves_to_springs(rows: StepRows) -> bool:
    """Whether there may be motions that springs carry; loads that follow forces are let alone."""
    return rows.symmetric and bool(rows.springs)


@dataclass
class _Levers:
    """Which rows could hold, which of them do, and which springs carry."""

    could: NDArray[np.intp]
    held: NDArray[np.intp]
    springs: NDArray[np.intp]

    def corrected(
        self, now: _Evaluated, h: float, problem: ComplementarityProblem, force: FloatArray
    ) -> bool:
        """Hold what moves by no more than a lever of what springs move; whether that is new.

        The first correction adds and removes, and those after it remove alone, so that they end.
        """
        w = np.abs(problem.slacks(force))
        rounding = SETTLED * (np.abs(problem.offset) + np.abs(problem.matrix) @ np.abs(force))
        moved = now.velocity + h * (now.push + now.coupling @ force)
        most = LEVER * float(np.linalg.norm(moved[self.springs]))
        before, self.held = self.held, self.could[(w <= np.maximum(most, rounding))[self.could]]
        self.could = self.held
        return not np.array_equal(before, self.held)


def _levers(now: _Evaluated, h: float, lower: FloatArray, upper: FloatArray) -> _Levers | None:
    """None where nothing is left to springs: they are not redundant, or nothing is held."""
    G, own = now.coupling, h * np.diagonal(now.coupling)
    spring = h * now.law["stiffness"] + now.law["damping"] > 0.0
    most = np.maximum(np.abs(lower), np.abs(upper))
    bounded = np.isfinite(most)
    freely = np.abs(now.velocity + h * now.push - now.law["offset"])
    can_hold = freely <= own * np.where(bounded, most, 0.0)
    could = np.flatnonzero(~spring & bounded & (now.law["compliance"] < own))
    held = could[can_hold[could]]
    load = now.law["preload"]
    springs = np.flatnonzero(spring & (lower < load) & (load < upper))
    if not held.size or not np.diagonal(G)[springs].any():
        return None
    mobilities = np.linalg.eigvalsh(G[np.ix_(springs, springs)])
    redundant = not mobilities[0] > _REDUNDANT * mobilities[-1]
    return _Levers(could, held, springs) if redundant else None


def _left_to_springs(now: _Evaluated, levers: _Levers) -> None:
    """Change the rows that are held, in place: the twin of short_levers.c."""
    G, held, springs = now.coupling, levers.held, levers.springs
    soft = _NEAR * LEVER**2 * float(np.mean(np.diagonal(G)[springs]))
    G_ss, G_hs = G[np.ix_(springs, springs)], G[np.ix_(held, springs)]
    solved = _reactions(G, held, springs, soft)
    values, vectors = np.linalg.eigh((G_ss - G_hs.T @ solved) / soft)
    n = vectors[:, values * LEVER**2 > 1.0]
    lost = np.zeros_like(G)  # what held rows lose of springs
    lost[np.ix_(held, springs)] = _seen(G, held, springs, n, solved) @ n.T
    now.velocity, now.push = now.velocity - lost @ now.velocity, now.push - lost @ now.push
    now.columns = now.columns - lost @ now.columns
    now.coupling = G - lost @ G - (lost @ G).T + lost @ G @ lost.T


def _reactions(
    G: FloatArray, held: NDArray[np.intp], springs: NDArray[np.intp], soft: float
) -> FloatArray:
    """Of held rows that give way a little, to a unit of each spring."""
    rows = G[np.ix_(held, held)] + soft * np.eye(held.size)
    return np.asarray(np.linalg.solve(rows, G[np.ix_(held, springs)]))


def _seen(
    G: FloatArray,
    held: NDArray[np.intp],
    springs: NDArray[np.intp],
    n: FloatArray,
    solved: FloatArray,
) -> FloatArray:
    """What held rows see of motions, of what springs see of them."""
    moved = G[:, springs] @ n - G[:, held] @ (solved @ n)
    return np.asarray(moved[held] / np.sum(n * moved[springs], axis=0))


def solved_python_step(rows: StepRows, solver: ComplementaritySolver) -> StepFunction:
    """The step function for these rows."""

    def step(loop: PythonLoop, t: float, h: float, x: list[float]) -> list[float]:
        n = loop.speeds
        levers: _Levers | None = None
        for _ in range(HOLD_PASSES[type(solver)]):
            now = _Evaluated(loop.call("rows", t, x), n, len(rows.reactions))
            if not now.finite:
                return [float("nan"), *x[1:]]
            problem, levers = _problem(rows, now, h, levers)
            force = _forces(rows, solver, problem, loop, t, x)
            if force is None:
                return x
            speeds = now.moved(np.array(x[:n]), h, force).tolist()
            if levers is None or not levers.corrected(now, h, problem, force):
                break
        later = loop.call("later_rates", t, [*speeds, *x[n:]])
        return [*speeds, *(z + h * rate for z, rate in zip(x[n:], later, strict=True))]

    return step


def _problem(
    rows: StepRows, now: _Evaluated, h: float, levers: _Levers | None
) -> tuple[ComplementarityProblem, _Levers | None]:
    """What a step solves, and which rows it takes for held: these, or else those that may be."""
    lower = np.where(rows.bounded_below, now.law["lower"], -np.inf)
    upper = np.where(rows.bounded_above, now.law["upper"], np.inf)
    if levers is None and leaves_to_springs(rows):
        levers = _levers(now, h, lower, upper)
    if levers is not None and levers.held.size:
        _left_to_springs(now, levers)
    matrix, offset = now.matrix(h), now.offset(h, rows.contacts)
    return ComplementarityProblem(matrix, offset, lower, upper), levers


def _forces(
    rows: StepRows,
    solver: ComplementaritySolver,
    problem: ComplementarityProblem,
    loop: PythonLoop,
    t: float,
    x: list[float],
) -> FloatArray | None:
    """The forces of a step, which become inputs of the loop; None if they were not found."""
    m = len(rows.reactions)
    lower, upper = problem.lower.copy(), problem.upper.copy()
    for _ in range(BOUND_PASSES[type(solver)] if rows.following else 1):
        bounded = replace(problem, lower=lower, upper=upper)
        found = solver.solve(bounded, bounded.within(np.array(loop.levels[-m:])))
        if found.outcome not in GOOD:  # for what rounding leaves of a start that is far off
            found = solver.solve(bounded)
        loop.levels[-m:] = found.unknowns.tolist()
        if found.outcome not in GOOD:
            loop.report[0] = float(found.outcome.value)
            for row in found.rows:
                loop.report[1 + row] = 1.0
            return None
        left = found.residual
        if rows.following:
            moved = _moved_bounds(rows, loop.call("bounds", t, x), lower, upper)
            if moved <= SETTLED and not isinstance(solver, ProjectedSweeps):
                break
            left = max(left, moved)
    loop.report[LEFT] = left
    if left > loop.report[WORST]:
        loop.report[WORST], loop.report[WHEN] = left, t
    loop.report[POORLY] += left > POOR
    return found.unknowns


def _moved_bounds(
    rows: StepRows, bounds: list[float], lower: FloatArray, upper: FloatArray
) -> float:
    """Bounds for the forces as they are now; their change over the largest of them."""
    change = largest = 0.0
    count = len(rows.following)
    for k, row in enumerate(rows.following):
        for present, array, value in (
            (rows.bounded_below, lower, bounds[k]),
            (rows.bounded_above, upper, bounds[count + k]),
        ):
            if present[row]:
                before = float(array[row])
                change = max(change, abs(value - before))
                largest = max(largest, abs(value), abs(before))
                array[row] = value
    return change / largest if change > 0.0 else 0.0


COMPLEMENTARITY = complementarity_method(
    "complementarity",
    "Order 1; brakes, clutches, dry friction and contacts as set-valued forces that hold what is "
    "at rest; solved exactly, by pivoting.",
    Pivoting(),
)

# Steps with set-valued forces at a cost that is known before: a fixed number of sweeps.
#
# The steps are those of ``complementarity``. Forces start from those of the step before, so that
# what rests comes nearer to the solution with every step; until then it creeps a little.

COMPLEMENTARITY_SWEEPS = complementarity_method(
    "complementarity-sweeps",
    "As complementarity, solved nearly and at a fixed cost, by 30 projected sweeps, for real time; "
    "redundant forces are not of least norm.",
    ProjectedSweeps(sweeps=30),
)
