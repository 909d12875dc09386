"""Bounds of set-valued forces in C, and the passes in which those that depend on forces settle."""

from __future__ import annotations

from typing import Final

from axletree.simulation.mlcp.method import Pivoting, Projected

# At most, in which bounds that depend on forces find their values; exactly so many of sweeps, which
# go on in the next step and have one cost.
PASSES: Final = {Pivoting: 40, Projected: 2}
SETTLED: Final = 1e-10  # change of such bounds over the largest, below which they have

FIRST_BOUNDS: Final = """\
static void axl_first_bounds(const double *law, double *lower, double *upper)
{
    int i;
    for (i = 0; i < NR; ++i) {
        lower[i] = axl_bounded_below[i] ? law[i] : -HUGE_VAL;
        upper[i] = axl_bounded_above[i] ? law[NR + i] : HUGE_VAL;
    }
}
"""
FOLLOWING: Final = """\
/* Forces that bounds depend on; 1 if they are what they were. */
static int axl_follow(const double *force, double *before)
{
    int k, same = 1;
    for (k = 0; k < NFOLLOWED; ++k) {
        same = same && force[axl_followed[k]] == before[k];
        before[k] = force[axl_followed[k]];
    }
    return same;
}

/* Bounds for the forces as they are now; 1 if they are what they were for those before. */
static int axl_settled(
    const axl_run *run, double t, const double *x, double *before, double *lower, double *upper)
{
    double b[2 * NF], change = 0.0, largest = 0.0;
    int k, side;
    if (axl_follow(run->u + NU - NR, before) && !FIXED) {
        return 1;
    }
    model_bounds(t, x, run->u, run->c, b);
    for (side = 0; side < 2; ++side) {
        for (k = 0; k < NF; ++k) {
            const int i = axl_following[k];
            double *bound = (side ? upper : lower) + i;
            const double now = b[side * NF + k];
            if (side ? axl_bounded_above[i] : axl_bounded_below[i]) {
                change = fmax(change, fabs(now - *bound));
                largest = fmax(largest, fmax(fabs(now), fabs(*bound)));
                *bound = now;
            }
        }
    }
    if (change <= SETTLED * largest) {
        return !FIXED;
    }
    run->report[LEFT] = fmax(run->report[LEFT], change / largest); /* unless another pass follows */
    return 0;
}
"""
IN_PASSES: Final = """\
    double before[NFOLLOWED] = {0.0};
    axl_follow(force, before);
    for (i = 0; i < PASSES; ++i) {
        if (axl_forces(matrix, offset, lower, upper, force, run->report, work)) {
            return;
        }
        if (axl_settled(run, t, x, before, lower, upper)) {
            break;
        }
    }
"""
