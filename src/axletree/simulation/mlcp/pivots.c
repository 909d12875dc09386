/* The state of principal pivoting: see pivoting.py, which does the same in the same order. */

enum { AXL_SOLVED, AXL_UNSOLVABLE, AXL_STOPPED, AXL_UNDECIDED, AXL_INACCURATE = 5 };
enum { AXL_REFINEMENTS = 3 };

typedef struct {
    double tolerance, rank, agreement; /* see Limits in pivoting.py */
    int steps;                         /* at most */
} axl_mlcp_limits;

typedef struct {
    int n, steps, driven, refined, indefinite;
    const axl_mlcp_limits *limits;
    const double *b, *lower, *upper;
    double *x, *ray;
    double *w, *terms, *zero, *line, *spare, *allowed;
    axl_factor f;
} axl_pivots;

/* w, the size of the terms of each w, and what of it is rounding. */
static void axl_pivots_evaluate(axl_pivots *s)
{
    double largest = 0.0;
    int i, j;
    for (i = 0; i < s->n; ++i) {
        const double *a = s->f.a + (size_t)i * s->n;
        double w = 0.0, terms = 0.0;
        for (j = 0; j < s->n; ++j) {
            const double term = a[j] * s->x[j];
            w += term;
            terms += fabs(term);
        }
        s->w[i] = w + s->b[i];
        s->terms[i] = terms + fabs(s->b[i]);
        largest = fmax(largest, s->terms[i]);
    }
    for (i = 0; i < s->n; ++i) {
        const double rounding = s->limits->tolerance * (s->terms[i] + 0.01 * largest);
        s->zero[i] = fmax(rounding, s->allowed[i]);
    }
}

static int axl_pivots_stationary(const axl_pivots *s)
{
    int k;
    if (s->refined >= AXL_REFINEMENTS) {
        return 1;
    }
    for (k = 0; k < s->f.m; ++k) {
        const int i = s->f.rows[k];
        if (!(fabs(s->w[i]) <= s->zero[i])) {
            return 0;
        }
    }
    return 1;
}

static int axl_pivots_wrong(const axl_pivots *s, int i)
{
    return s->f.place[i] < 0 && fabs(s->w[i]) > s->zero[i]
           && (s->w[i] < 0.0 ? s->x[i] < s->upper[i] : s->x[i] > s->lower[i]);
}

/* The row of the largest wrong w outside of the basis; -1 where there is none. */
static int axl_pivots_row(axl_pivots *s)
{
    int i, row = -1;
    if (s->driven >= 0 && axl_pivots_wrong(s, s->driven)) {
        return s->driven;
    }
    s->driven = -1;
    for (i = 0; i < s->n; ++i) {
        if (axl_pivots_wrong(s, i) && (row < 0 || fabs(s->w[i]) > fabs(s->w[row]))) {
            row = i;
        }
    }
    return row;
}

/* Work of a problem of n rows: 9 n doubles and n^2 for the factor, 2 n ints. */
static void axl_pivots_start(
    axl_pivots *s, int n, const double *a, const double *b, const double *lower,
    const double *upper, const axl_mlcp_limits *limits, double *x, double *work, int *places)
{
    int i;
    s->n = n;
    s->steps = s->refined = s->indefinite = 0;
    s->driven = -1;
    s->limits = limits;
    s->b = b;
    s->lower = lower;
    s->upper = upper;
    s->x = x;
    s->w = work;
    s->terms = work + n;
    s->zero = work + 2 * n;
    s->line = work + 3 * n;
    s->spare = work + 4 * n;
    s->ray = work + 5 * n;
    s->f.d = work + 6 * n;
    s->f.z = work + 7 * n;
    s->allowed = work + 8 * n;
    s->f.l = work + 9 * n;
    s->f.n = n;
    s->f.rank = limits->rank;
    s->f.a = a;
    s->f.rows = places;
    s->f.place = places + n;
    axl_factor_start(&s->f);
    for (i = 0; i < n; ++i) {
        s->ray[i] = 0.0;
        s->allowed[i] = 0.0;
    }
    for (i = 0; i < n; ++i) {
        if (lower[i] < x[i] && x[i] < upper[i]) {
            axl_factor_append(&s->f, i);
        }
    }
}
