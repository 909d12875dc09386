/* Steps that are solved for set-valued forces by sweeps, for vehicles in lanes: rows, bounds and
   rates are those of all lanes at once, and the problem is solved lane after lane, as in a single
   run. Before it are lanes.c and set_valued_problem.c. */

static void axl_step(const axl_run *run, axl_real t, axl_real h, axl_real *x)
{
    axl_real values[NROWS], zdot[NX_ARRAY], *force = run->u + NU - NR;
    double rows[LANES][NROWS], matrices[LANES][NR * NR], given[LANES][3 * NR], own[NR], speeds[NX_ARRAY];
    double work[axl_step_work()], report[POORLY + 1];
    const double step = (double)h[0];
    int finite[LANES], lane, pass, i;
    axl_inputs(run, t);
    model_rows(t, x, run->u, run->c, values);
    for (lane = 0; lane < run->count; ++lane) {
        double *r = rows[lane], *offset = given[lane], *lower = offset + NR, *upper = lower + NR;
        const double *law = r + NROWS - LAWS * NR;
        finite[lane] = 1;
        for (i = 0; i < NROWS; ++i) {
            r[i] = values[i][lane];
            finite[lane] &= r[i] - r[i] == 0.0;
        }
        axl_first_bounds(law, lower, upper);
#if LEVERS
        if (finite[lane]) {
            double *coupling = r + NP + NR * NP, *velocity = coupling + NR * NR, *push = velocity + NR;
            axl_levers levers;
            axl_levers_begin(&levers, step, coupling, velocity, push, law, lower, upper, work);
            axl_levers_leave(&levers, r + NP, coupling, velocity, push, work);
        }
#endif
        axl_problem(step, r, matrices[lane], offset);
    }
    for (pass = 0; pass < (NF ? PASSES : 1); ++pass) {
#if NF
        if (pass) {
            axl_real bounds[2 * NF];
            model_bounds(t, x, run->u, run->c, bounds);
            for (lane = 0; lane < run->count; ++lane) {
                double *lower = given[lane] + NR, *upper = lower + NR;
                for (i = 0; i < NF; ++i) {
                    const int row = axl_following[i];
                    lower[row] = axl_bounded_below[row] ? bounds[i][lane] : lower[row];
                    upper[row] = axl_bounded_above[row] ? bounds[NF + i][lane] : upper[row];
                }
            }
        }
#endif
        for (lane = 0; lane < run->count; ++lane) {
            const double *offset = given[lane], *lower = offset + NR, *upper = lower + NR;
            for (i = 0; i < NR; ++i) {
                own[i] = force[i][lane];
            }
            if (finite[lane]) {
                axl_forces(matrices[lane], offset, lower, upper, own, report, work);
            }
            for (i = 0; i < NR; ++i) {
                force[i][lane] = own[i];
            }
        }
    }
    for (lane = 0; lane < run->count; ++lane) {
        for (i = 0; i < NR; ++i) {
            own[i] = force[i][lane];
        }
        for (i = 0; i < NP; ++i) {
            speeds[i] = x[i][lane];
        }
        axl_moved(step, rows[lane], matrices[lane], own, work, speeds);
        for (i = 0; i < NP; ++i) {
            x[i][lane] = finite[lane] ? speeds[i] : NAN;
        }
    }
    model_later_rates(t, x, run->u, run->c, zdot);
    for (i = NP; i < NX; ++i) {
        x[i] += h * zdot[i - NP];
    }
}
