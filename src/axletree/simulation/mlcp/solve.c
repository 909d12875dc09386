/* The calls: arrays of n, matrices by rows, work given by the caller, nothing allocated. */

int axl_mlcp_pivot_doubles(int n) { return 11 * n * n + 45 * n; }

int axl_mlcp_pivot_ints(int n) { return 9 * n; }

int axl_mlcp_lemke_doubles(int n) { return 13 * n * n + 16 * n + 1; }

int axl_mlcp_lemke_ints(int n) { return 8 * n; }

int axl_mlcp_iterate_doubles(int n) { return n * n + 5 * n; }

int axl_mlcp_iterate_ints(int n) { return 2 * n; }

/* A power of two near 1 / sqrt(|W[i, i]|), which rounds nothing; 1 where W[i, i] = 0. */
static double axl_mlcp_unit(double diagonal)
{
    int exponent;
    if (diagonal == 0.0) {
        return 1.0;
    }
    frexp(diagonal, &exponent);
    return ldexp(1.0, -((exponent - (exponent & 1)) / 2));
}

/* w of a solution: exactly 0 between bounds, and of the right sign at bounds. */
void axl_mlcp_slacks(
    int n, const double *matrix, const double *offset, const double *lower, const double *upper,
    const double *x, double *w)
{
    int i;
    for (i = 0; i < n; ++i) {
        w[i] = axl_dot(n, matrix + (size_t)i * n, x) + offset[i];
        if (x[i] < upper[i]) {
            w[i] = fmax(w[i], 0.0);
        }
        if (x[i] > lower[i]) {
            w[i] = fmin(w[i], 0.0);
        }
    }
}

/* The largest w that no bound justifies, relative to the terms that it is the sum of, with the
   rows made comparable by the roots of the diagonal of W. */
double axl_mlcp_residual(
    int n, const double *matrix, const double *offset, const double *lower, const double *upper,
    const double *x)
{
    double worst = 0.0, largest = 0.0;
    int i, j;
    for (i = 0; i < n; ++i) {
        const double *a = matrix + (size_t)i * n;
        const double unit = 1.0 / sqrt(axl_choose(a[i] == 0.0, 1.0, fabs(a[i])));
        int wrong;
        double w = 0.0, terms = 0.0;
        for (j = 0; j < n; ++j) {
            w += a[j] * x[j];
            terms += fabs(a[j] * x[j]);
        }
        w += offset[i];
        largest = axl_larger(largest, unit * (terms + fabs(offset[i])));
        wrong = ((w > 0.0) & (x[i] > lower[i])) | (!(w > 0.0) & (x[i] < upper[i]));
        worst = axl_larger(worst, axl_choose(wrong, unit * fabs(w), 0.0));
    }
    return worst / axl_choose(worst > 0.0, largest, 1.0);
}

/* What is left of a solution when its residual is looked at, which is left in the work. */
static int axl_mlcp_checked(
    int outcome, int n, const double *matrix, const double *offset, const double *lower,
    const double *upper, const double *x, double *work)
{
    work[0] = axl_mlcp_residual(n, matrix, offset, lower, upper, x);
    return outcome == AXL_SOLVED && !(work[0] <= 1e-8) ? AXL_INACCURATE : outcome;
}

/* Solve from x, which is within the bounds; AXL_SOLVED, AXL_UNSOLVABLE, AXL_STOPPED,
   AXL_UNDECIDED or AXL_INACCURATE. The ray is nonzero in the rows that contradict one another.
   work[0] is then the residual. */
int axl_mlcp_pivot(
    int n, const double *matrix, const double *offset, const double *lower, const double *upper,
    const double *weights, const axl_mlcp_limits *limits, double *x, double *ray, int *steps,
    double *work, int *places)
{
    const size_t square = (size_t)n * (size_t)n;
    double *a = work, *b = a + square, *lo = b + n, *up = lo + n, *y = up + n, *unit = y + n;
    double *weight = unit + n, *own = weight + n;
    axl_pivots s;
    axl_split p;
    int i, j, outcome;
    p.null = own + 9 * n + square;
    p.start = p.null + square;
    p.shortest = p.start + n;
    p.change = p.shortest + n;
    p.before = p.change + n;
    p.inner = p.before + n;
    p.vectors = p.inner + 4 * square;
    p.work = p.vectors + 8 * n;
    p.bounds = places + 2 * n;
    p.moves = p.bounds + 2 * n;
    p.places = p.moves + n;
    for (i = 0; i < n; ++i) {
        unit[i] = axl_mlcp_unit(matrix[(size_t)i * n + i]);
        b[i] = offset[i] * unit[i];
        lo[i] = lower[i] / unit[i];
        up[i] = upper[i] / unit[i];
        y[i] = x[i] / unit[i];
        weight[i] = weights[i] * unit[i];
    }
    for (i = 0; i < n; ++i) {
        for (j = 0; j < n; ++j) {
            a[(size_t)i * n + j] = unit[i] * matrix[(size_t)i * n + j] * unit[j];
        }
    }
    axl_pivots_start(&s, n, a, b, lo, up, limits, y, own, places);
    outcome = axl_pivots_run(&s);
    if (outcome == AXL_SOLVED && !s.indefinite) {
        axl_split_least(&s, &p, weight);
    }
    for (i = 0; i < n; ++i) {
        x[i] = y[i] * unit[i];
        ray[i] = s.ray[i];
    }
    *steps = s.steps;
    return axl_mlcp_checked(outcome, n, matrix, offset, lower, upper, x, work);
}

/* As axl_mlcp_pivot for W of any kind: from zero, without weights, at most `most` pivots. */
int axl_mlcp_lemke(
    int n, const double *matrix, const double *offset, const double *lower, const double *upper,
    int most, double *x, int *steps, double *work, int *places)
{
    const size_t square = (size_t)n * (size_t)n;
    double *a = work, *b = a + square, *lo = b + n, *up = lo + n, *unit = up + n;
    axl_lemke s;
    int i, j, outcome;
    s.m = unit + n;
    s.table = s.m + 4 * square;
    s.r = s.table + 8 * square + 4 * n;
    s.values = s.r + 2 * n;
    s.parts = s.values + 2 * n;
    s.row = places;
    s.sign = places + 2 * n;
    s.basis = places + 4 * n;
    s.candidates = places + 6 * n;
    for (i = 0; i < n; ++i) {
        unit[i] = axl_mlcp_unit(matrix[(size_t)i * n + i]);
        b[i] = offset[i] * unit[i];
        lo[i] = lower[i] / unit[i];
        up[i] = upper[i] / unit[i];
    }
    for (i = 0; i < n; ++i) {
        for (j = 0; j < n; ++j) {
            a[(size_t)i * n + j] = unit[i] * matrix[(size_t)i * n + j] * unit[j];
        }
    }
    axl_lemke_rows(&s, n, lo, up);
    axl_lemke_standard(&s, n, a, b, lo, up);
    outcome = axl_lemke_run(&s, most, steps);
    for (i = 0; i < n; ++i) {
        x[i] = axl_lemke_fixed(lo[i], up[i]);
    }
    for (j = 0; j < s.size && s.row[j] >= 0; ++j) {
        x[s.row[j]] += s.sign[j] * fmax(s.parts[s.size + j], 0.0);
    }
    for (; j < s.size; ++j) { /* exactly at a second bound where nothing is left up to it */
        const int p = -1 - s.row[j];
        if (s.parts[s.size + p] > 0.0 && s.parts[j] <= 0.0) {
            x[s.row[p]] = up[s.row[p]];
        }
    }
    for (i = 0; i < n; ++i) {
        x[i] = axl_within(x[i], lo[i], up[i]) * unit[i];
    }
    return axl_mlcp_checked(outcome, n, matrix, offset, lower, upper, x, work);
}
