/* A step that is solved for set-valued forces. Before it are the loop and set_valued_problem.c. */

#if NF
/* Forces that bounds depend on; 1 if they are what they were. */
static int axl_follow(const double *force, double *before)
{
    int k, same = 1;
    for (k = 0; k < NFOLLOWED; ++k) {
        same &= force[axl_followed[k]] == before[k];
        before[k] = force[axl_followed[k]];
    }
    return same;
}

/* Bounds for the forces as they are now; 1 if they are what they were for those before. Sweeps
   take all their passes, so that they have one cost. */
static int axl_settled(
    const axl_run *run, double t, const double *x, double *before, double *lower, double *upper)
{
    double b[2 * NF], change = 0.0, largest = 0.0;
    int k, side;
    if (axl_follow(run->u + NU - NR, before) && !SWEEPS) {
        return 1;
    }
    model_bounds(t, x, run->u, run->c, b);
    for (side = 0; side < 2; ++side) {
        for (k = 0; k < NF; ++k) {
            const int i = axl_following[k];
            double *bound = (side ? upper : lower) + i;
            const double now = b[side * NF + k];
            if (side ? axl_bounded_above[i] : axl_bounded_below[i]) {
                change = axl_larger(change, fabs(now - *bound));
                largest = axl_larger(largest, axl_larger(fabs(now), fabs(*bound)));
                *bound = now;
            }
        }
    }
    if (!SWEEPS && change <= SETTLED * largest) {
        return 1;
    }
    /* Unless another pass follows. */
    change /= axl_choose(largest > 0.0, largest, 1.0);
    change = axl_choose(change <= SETTLED, 0.0, change);
    run->report[LEFT] = axl_larger(run->report[LEFT], change);
    return 0;
}
#endif

/* Solve the problem, with bounds that follow its forces; 0 when that is done. */
static int axl_solve(
    const axl_run *run, double t, const double *x, const double *matrix, const double *offset,
    double *lower, double *upper, double *work)
{
    double *force = run->u + NU - NR;
#if NF
    double before[NFOLLOWED] = {0.0};
    int i;
    axl_follow(force, before);
    for (i = 0; i < PASSES; ++i) {
        if (axl_forces(matrix, offset, lower, upper, force, run->report, work)) {
            return 1;
        }
        if (axl_settled(run, t, x, before, lower, upper)) {
            break;
        }
    }
    return 0;
#else
    (void)t;
    (void)x;
    return axl_forces(matrix, offset, lower, upper, force, run->report, work);
#endif
}

static void axl_step(const axl_run *run, double t, double h, double *x)
{
    double *r = run->work, *matrix = r + NROWS, *offset = matrix + NR * NR;
    double *lower = offset + NR, *upper = lower + NR, *work = upper + NR;
    double *force = run->u + NU - NR, zdot[NX_ARRAY];
    const double *law = r + NROWS - LAWS * NR;
#if LEVERS
    double *coupling = r + NP + NR * NP, *velocity = coupling + NR * NR, *push = velocity + NR;
    double *room = work + AXL_WORK(doubles) + AXL_WORK(ints);
    axl_levers levers;
#endif
    int i;
    axl_inputs(run, t);
    for (i = 0; i < HOLD_PASSES; ++i) {
        model_rows(t, x, run->u, run->c, r);
        if (!axl_all_finite(r, NROWS)) {
            x[0] = NAN; /* whose cause is looked for in the states */
            return;
        }
        axl_first_bounds(law, lower, upper);
#if LEVERS
        if (i == 0) {
            axl_levers_begin(&levers, h, coupling, velocity, push, law, lower, upper, room);
        }
        axl_levers_leave(&levers, r + NP, coupling, velocity, push, room);
#endif
        axl_problem(h, r, matrix, offset);
        if (axl_solve(run, t, x, matrix, offset, lower, upper, work)) {
            return;
        }
#if LEVERS && !SWEEPS
        if (axl_levers_correct(&levers, h, coupling, velocity, push, matrix, offset, force)) {
            continue;
        }
#endif
        break;
    }
    run->report[WHEN] = axl_choose(run->report[LEFT] > run->report[WORST], t, run->report[WHEN]);
    run->report[WORST] = axl_larger(run->report[LEFT], run->report[WORST]);
    run->report[POORLY] += axl_choose(run->report[LEFT] > POOR, 1.0, 0.0);
    axl_moved(h, r, matrix, force, lower, x); /* bounds are done, and are room */
    model_later_rates(t, x, run->u, run->c, zdot);
    for (i = NP; i < NX; ++i) {
        x[i] += h * zdot[i - NP];
    }
}
