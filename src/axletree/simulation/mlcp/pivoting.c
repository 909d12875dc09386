/* Principal pivoting for symmetric W: see pivoting.py, which does the same in the same order. */

enum { AXL_SOLVED, AXL_UNSOLVABLE, AXL_STOPPED, AXL_UNDECIDED };
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
    double *w, *terms, *zero, *line, *spare;
    int *settled;
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
        s->zero[i] = s->limits->tolerance * (s->terms[i] + 0.01 * largest);
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
    return s->f.place[i] < 0 && !s->settled[i] && fabs(s->w[i]) > s->zero[i]
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

static double axl_within(double value, double lower, double upper)
{
    return fmin(fmax(value, lower), upper);
}

/* Follow the line, of which part k belongs to rows[k], up to `length` or a bound; the row that
   meets its bound, or -1. An unlimited line without a bound is not followed. */
static int axl_pivots_follow(axl_pivots *s, int count, const int *rows, double length, double small)
{
    const double *line = s->line;
    int k, at = -1;
    for (k = 0; k < count; ++k) {
        if (fabs(line[k]) > small) {
            const int i = rows[k];
            const double bound = line[k] > 0.0 ? s->upper[i] : s->lower[i];
            const double room = (bound - s->x[i]) / line[k];
            if (room < length) {
                length = fmax(room, 0.0);
                at = k;
            }
        }
    }
    if (at < 0 && isinf(length)) {
        return -1;
    }
    for (k = 0; k < count; ++k) {
        const int i = rows[k];
        s->x[i] = axl_within(s->x[i] + length * line[k], s->lower[i], s->upper[i]);
    }
    if (at < 0) {
        return -1;
    }
    s->x[rows[at]] = line[at] > 0.0 ? s->upper[rows[at]] : s->lower[rows[at]];
    return rows[at];
}

/* Make w of the basis zero, as far as the bounds let. */
static void axl_pivots_move_basis(axl_pivots *s)
{
    int k, blocked;
    if (s->refined == 1) {
        axl_factor_renew(&s->f);
    }
    for (k = 0; k < s->f.m; ++k) {
        s->line[k] = -s->w[s->f.rows[k]];
    }
    axl_factor_solve(&s->f, s->line);
    blocked = axl_pivots_follow(s, s->f.m, s->f.rows, 1.0, 0.0);
    s->refined += 1;
    if (blocked >= 0) {
        axl_factor_remove(&s->f, blocked, s->spare);
        s->refined = 0;
    }
}

/* Move a dependent row to a bound, its own or one of the basis; 0 without one. */
static int axl_pivots_slide(axl_pivots *s, int row, double curvature)
{
    const double sign = s->w[row] > 0.0 ? -1.0 : 1.0;
    const int m = s->f.m;
    double small = 1.0;
    int k, blocked;
    s->indefinite |= curvature < -s->limits->rank;
    for (k = 0; k < m; ++k) {
        s->line[k] = -sign * s->f.a[(size_t)s->f.rows[k] * s->n + row];
    }
    axl_factor_solve(&s->f, s->line);
    s->line[m] = sign;
    for (k = 0; k < m; ++k) {
        small = fmax(small, fabs(s->line[k]));
    }
    small *= 1e-10; /* below it a part of the line is rounding */
    s->f.rows[m] = row; /* a dependent row is not in the basis, which so has fewer than n */
    blocked = axl_pivots_follow(s, m + 1, s->f.rows, INFINITY, small);
    if (blocked < 0) {
        for (k = 0; k <= m; ++k) {
            s->ray[s->f.rows[k]] = fabs(s->line[k]) > small ? s->line[k] : 0.0;
        }
        return 0;
    }
    s->refined = 0;
    s->driven = row;
    if (blocked == row) {
        s->driven = -1;
    } else {
        axl_factor_remove(&s->f, blocked, s->spare);
    }
    return 1;
}

/* Work of a problem of n rows: 8 n doubles and n^2 for the factor, 3 n ints. */
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
    s->f.l = work + 8 * n;
    s->f.n = n;
    s->f.rank = limits->rank;
    s->f.a = a;
    s->f.rows = places;
    s->f.place = places + n;
    s->settled = places + 2 * n;
    axl_factor_start(&s->f);
    for (i = 0; i < n; ++i) {
        s->ray[i] = 0.0;
        s->settled[i] = 0;
    }
    for (i = 0; i < n; ++i) {
        if (lower[i] < x[i] && x[i] < upper[i]) {
            axl_factor_append(&s->f, i);
        }
    }
}

static int axl_pivots_run(axl_pivots *s)
{
    while (s->steps < s->limits->steps) {
        double curvature;
        int row;
        s->steps += 1;
        axl_pivots_evaluate(s);
        if (!axl_pivots_stationary(s)) {
            axl_pivots_move_basis(s);
            continue;
        }
        row = axl_pivots_row(s);
        if (row < 0) {
            return AXL_SOLVED;
        }
        curvature = axl_factor_append(&s->f, row);
        if (curvature > s->limits->rank) {
            s->driven = -1;
            s->refined = 0;
        } else if (fabs(s->w[row]) <= s->limits->agreement * s->terms[row]) {
            s->settled[row] = 1;
        } else if (!axl_pivots_slide(s, row, curvature)) {
            return s->indefinite ? AXL_UNDECIDED : AXL_UNSOLVABLE;
        }
    }
    axl_pivots_evaluate(s);
    return AXL_STOPPED;
}
