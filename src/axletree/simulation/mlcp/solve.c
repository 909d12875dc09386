/* The calls: arrays of n, matrices by rows, work given by the caller, nothing allocated. */

int axl_mlcp_pivot_doubles(int n) { return 11 * n * n + 38 * n; }

int axl_mlcp_pivot_ints(int n) { return 11 * n; }

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

/* Solve from x, which is within the bounds; AXL_SOLVED, AXL_UNSOLVABLE, AXL_STOPPED or
   AXL_UNDECIDED. The ray is nonzero in the rows that contradict one another. */
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
    p.null = own + 7 * n + square;
    p.start = p.null + square;
    p.shortest = p.start + n;
    p.change = p.shortest + n;
    p.inner = p.change + n;
    p.vectors = p.inner + 4 * square;
    p.work = p.vectors + 8 * n;
    p.bounds = places + 3 * n;
    p.places = p.bounds + 2 * n;
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
    return outcome;
}
