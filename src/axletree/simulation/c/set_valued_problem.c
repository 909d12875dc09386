/* What a step solves for set-valued forces. Before it are the solvers of mlcp, and

   NR, NROWS                 how many forces, and how many values model_rows gives
   NF, NFOLLOWED             rows whose bounds depend on forces, and rows of these forces
   PASSES                    in which such bounds settle
   HOLD_PASSES               in which rows that slide are no longer taken for held
   LEFT, WORST, WHEN, POORLY places in the report
   SETTLED, REST, POOR       see the Python beside
   LEVERS                    1 with the functions of short_levers.c
   SWEEPS                    with SUBSPACE_STEPS and RELAXATION; 0 for pivoting, with
   SYMMETRIC, TOLERANCE, RANK, AGREEMENT, MOST

   and the tables axl_bounded_below, axl_bounded_above and axl_contact of all rows, axl_following
   and axl_followed. */

#if SWEEPS
#define AXL_WORK(unit) axl_mlcp_iterate_##unit(NR)
#elif SYMMETRIC
#define AXL_WORK(unit) axl_mlcp_pivot_##unit(NR)
#else
#define AXL_WORK(unit) axl_mlcp_lemke_##unit(NR)
#endif

/* How many numbers of work a step needs: rows, problem, and what the solver asks for; an int is no
   longer than a double. */
int axl_step_work(void)
{
    const int levers = LEVERS ? 4 * NR * NR + (NR + 1) * (NR + 1) + NR : 0;
    return NROWS + NR * NR + 3 * NR + AXL_WORK(doubles) + AXL_WORK(ints) + levers;
}

/* Solve for the forces within these bounds, from where they are; 0 when that is done. */
static int axl_forces(
    const double *matrix, const double *offset, const double *lower, const double *upper,
    double *force, double *report, double *work)
{
    int *places = (int *)(work + AXL_WORK(doubles)), i;
    for (i = 0; i < NR; ++i) {
        force[i] = axl_within(force[i], lower[i], upper[i]);
    }
#if SWEEPS
    axl_mlcp_iterate(
        NR, matrix, offset, lower, upper, SWEEPS, SUBSPACE_STEPS, RELAXATION, force, work,
        places);
    report[LEFT] = axl_mlcp_residual(NR, matrix, offset, lower, upper, force);
#elif SYMMETRIC
    {
        const axl_mlcp_limits limits = {TOLERANCE, RANK, AGREEMENT, MOST};
        double weights[NR];
        int steps, attempt;
        report[0] = 1.0;
        for (attempt = 0; report[0] != 0.0 && attempt < 2; ++attempt) {
            for (i = 0; i < NR; ++i) {
                weights[i] = 1.0;
                if (attempt) { /* without what rounding leaves of a start that is far off */
                    force[i] = axl_within(0.0, lower[i], upper[i]);
                }
            }
            report[0] = axl_mlcp_pivot(
                NR, matrix, offset, lower, upper, weights, &limits, force, report + 1, &steps,
                work, places);
        }
        report[LEFT] = work[0];
    }
#else
    report[0] = axl_mlcp_lemke(
        NR, matrix, offset, lower, upper, MOST, force, &i, work, places);
    report[LEFT] = work[0];
#endif
    return report[0] != 0.0;
}

static void axl_first_bounds(const double *law, double *lower, double *upper)
{
    int i;
    for (i = 0; i < NR; ++i) {
        lower[i] = axl_bounded_below[i] ? law[i] : -HUGE_VAL;
        upper[i] = axl_bounded_above[i] ? law[NR + i] : HUGE_VAL;
    }
}

static void axl_problem(double h, const double *r, double *matrix, double *offset)
{
    const double *coupling = r + NP + NR * NP, *velocity = coupling + NR * NR;
    const double *push = velocity + NR, *law = push + NR;
    const double *compliance = law + 2 * NR, *given = law + 3 * NR;
    const double *gap = law + 4 * NR, *restitution = law + 5 * NR;
    const double *stiffness = law + 6 * NR, *damping = law + 7 * NR, *preload = law + 8 * NR;
    int i, j;
    for (i = 0; i < NR; ++i) {
        const double freely = velocity[i] + h * push[i], approach = -velocity[i];
        const double hard = h * stiffness[i] + damping[i];
        const double soft = axl_choose(hard > 0.0, 1.0 / axl_choose(hard > 0.0, hard, 1.0), 0.0);
        double wanted = given[i] + soft * preload[i];
        if (axl_contact[i]) {
            const int meets = (approach > axl_larger(-h * push[i], 0.0))
                              & (gap[i] + h * freely <= 0.0) & (restitution[i] > 0.0);
            wanted += axl_choose(meets, restitution[i] * approach, -axl_larger(gap[i], 0.0) / h);
        }
        offset[i] = freely - wanted;
        for (j = 0; j < NR; ++j) {
            matrix[i * NR + j] = h * coupling[i * NR + j];
        }
        matrix[i * NR + i] += compliance[i] + soft;
    }
}

/* The speeds x at the end of the step, where ``reach`` is room for NR numbers. */
static void axl_moved(
    double h, const double *r, const double *matrix, const double *force, double *reach, double *x)
{
    const double *free = r, *columns = r + NP;
    double largest = 0.0; /* in roots of energies, whatever the units of the forces */
    int i, j;
    for (j = 0; j < NR; ++j) {
        const double own = axl_larger(matrix[j * NR + j], 0.0);
        const double root = sqrt(own), size = fabs(force[j]) * root;
        largest = axl_larger(largest, size);
        reach[j] = axl_choose(own > 0.0, 1.0 / axl_choose(own > 0.0, root, 1.0), 0.0);
    }
    for (i = 0; i < NP; ++i) {
        double sum = x[i] + h * free[i], size = fabs(x[i]) + fabs(h * free[i]);
        for (j = 0; j < NR; ++j) {
            const double moves = h * columns[j * NP + i];
            sum += moves * force[j];
            size += fabs(moves) * largest * reach[j];
        }
        x[i] = axl_choose(fabs(sum) > REST * size, sum, 0.0);
    }
}
