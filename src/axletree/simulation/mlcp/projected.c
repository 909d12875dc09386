/* Projected Gauss-Seidel sweeps with subspace steps: see projected.py. */

static void axl_mlcp_sweep(
    int n, const double *matrix, const double *offset, const double *lower, const double *upper,
    double relaxation, double *x)
{
    int i, j;
    for (i = 0; i < n; ++i) {
        const double *a = matrix + (size_t)i * n;
        double w = 0.0, moved, bound;
        for (j = 0; j < n; ++j) {
            w += a[j] * x[j];
        }
        w += offset[i];
        /* Where nothing but a bound can stop this unknown, it goes there, or stays without one. */
        bound = axl_choose(w > 0.0, lower[i], upper[i]);
        bound = axl_choose((w != 0.0) & (fabs(bound) < HUGE_VAL), bound, x[i]);
        moved = x[i] - relaxation * w / axl_choose(a[i] > 0.0, a[i], 1.0);
        x[i] = axl_within(axl_choose(a[i] > 0.0, moved, bound), lower[i], upper[i]);
    }
}

/* Solve the rows between bounds; cut to the bounds, or else go as far as they let. */
static void axl_mlcp_subspace(
    int n, const double *matrix, const double *offset, const double *lower, const double *upper,
    double *x, double *work, int *places)
{
    double *w = work, *line = w + n, *change = line + n;
    double growth = 0.0, length = 1.0;
    axl_factor f;
    int i, j, k;
    f.n = n;
    f.rank = 1e-12;
    f.a = matrix;
    f.d = change + n;
    f.z = f.d + n;
    f.l = f.z + n;
    f.rows = places;
    f.place = places + n;
    axl_factor_start(&f);
    for (i = 0; i < n; ++i) {
        change[i] = 0.0;
        w[i] = axl_dot(n, matrix + (size_t)i * n, x) + offset[i];
        if (lower[i] < x[i] && x[i] < upper[i]) {
            axl_factor_append(&f, i);
        }
    }
    for (k = 0; k < f.m; ++k) {
        line[k] = -w[f.rows[k]];
    }
    axl_factor_solve(&f, line);
    for (k = 0; k < f.m; ++k) {
        i = f.rows[k];
        change[i] = axl_within(x[i] + line[k], lower[i], upper[i]) - x[i];
    }
    for (i = 0; i < n; ++i) {
        double bent = 0.0;
        for (j = 0; j < n; ++j) {
            bent += matrix[(size_t)i * n + j] * change[j];
        }
        growth += change[i] * (w[i] + 0.5 * bent);
    }
    for (k = 0; growth > 0.0 && k < f.m; ++k) {
        i = f.rows[k];
        if (line[k] != 0.0) {
            length = fmin(length, ((line[k] > 0.0 ? upper[i] : lower[i]) - x[i]) / line[k]);
        }
    }
    for (k = 0; k < f.m; ++k) {
        i = f.rows[k];
        x[i] = axl_within(x[i] + length * line[k], lower[i], upper[i]);
    }
}

/* `sweeps` passes; then, `subspace_steps` times, a subspace step and as many passes. */
void axl_mlcp_iterate(
    int n, const double *matrix, const double *offset, const double *lower, const double *upper,
    int sweeps, int subspace_steps, double relaxation, double *x, double *work, int *places)
{
    int step, k;
    for (step = 0; step <= subspace_steps; ++step) {
        if (step > 0) {
            axl_mlcp_subspace(n, matrix, offset, lower, upper, x, work, places);
        }
        for (k = 0; k < sweeps; ++k) {
            axl_mlcp_sweep(n, matrix, offset, lower, upper, relaxation, x);
        }
    }
}
