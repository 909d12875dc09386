"""Writes docs/theory/lap-meshes.md: the reference lap by rules and meshes.

    python docs/making/make_lap_meshes.py

In some two minutes on one core.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

import axletree as at
from axletree.optimisation.mesh import interval_errors
from axletree.optimisation.reference_lap import reference_problem, reference_start, reference_track

PAGE = Path(__file__).parent.parent / "theory" / "lap-meshes.md"
RULES = ("trapezoidal", "hermite-simpson", "radau-2")
MESHES = (125, 250, 500, 1000)

HEAD = """\
# A lap, its rules and its meshes

`python docs/making/make_lap_meshes.py` writes this page. The [reference
lap](optimal-control.md#the-reference-lap) of Catalunya, 4634.15 m, by three rules on equal
intervals: the coarsest from a slow drive along the middle of the track, each further one from the
lap before. $J$ is the time with the weights of steering and pedal, which is what is smallest; the
error is the median over all intervals of what slopes of states lack of the equations, relative to
the scale of a state. Seconds are of processor time on one core, with the making of the problem.

| rule | intervals | lap time [s] | $J$ [s] | error | iterations | seconds |
|---|--:|--:|--:|--:|--:|--:|
"""

TAIL = """
The trapezoidal rule on a coarse mesh finds a lap that no car can drive: between its nodes the
equations do not hold. 500 nodes, one for each point of the track, are the mesh of the published
lap of {published} s, which takes {trapezoidal:.3f} s here, found from a slow drive in
{iterations} iterations and
{seconds:.1f} s of processor time; it is {short:.2f} s too short. From the coarser lap another
local optimum is found, whose $J$ is lower by {lower:.4f} s. Rules of a higher order agree on 500
and 1000 intervals to {spread:.3f} s, near {best:.2f} s.
"""


def main() -> None:
    problem, rows, found = reference_problem(), [], {}
    for rule in RULES:
        before = reference_start()
        for mesh in MESHES:
            began = time.process_time()
            lap = at.optimal_control(problem, rule=rule, mesh=mesh, start=before)
            took = time.process_time() - began
            found[rule, mesh] = seconds(lap)
            rows.append(
                f"| `{rule}` | {mesh} | {seconds(lap):.3f} | {lap.cost:.3f} "
                f"| {np.median(interval_errors(lap)):.0e} | {lap.answer.iterations} | {took:.1f} |"
            )
            if (rule, mesh) == ("trapezoidal", 500):
                warm = lap.cost
            before = lap.as_guess()
            print(rows[-1], flush=True)
    track = reference_track()
    nodes, began = np.append(track.station, track.length), time.process_time()
    cold = at.optimal_control(problem, rule="trapezoidal", mesh=nodes, start=reference_start())
    took = time.process_time() - began
    fine = [found[rule, mesh] for rule in RULES[1:] for mesh in MESHES[2:]]
    best = float(np.mean(fine))
    tail = TAIL.format(
        published=77.791, trapezoidal=seconds(cold), iterations=cold.answer.iterations,
        seconds=took, short=best - seconds(cold), spread=max(fine) - min(fine), best=best,
        lower=cold.cost - warm,
    )  # fmt: skip
    PAGE.write_text(HEAD + "\n".join(rows) + "\n" + tail, encoding="utf-8")


def seconds(lap: at.OptimalSolution) -> float:
    """The lap time: the cost without the weights of slopes."""
    v = lap.answer.unknowns
    return lap.cost - 0.5 * float(v @ (lap.transcription.quadratic @ v))


if __name__ == "__main__":
    main()
