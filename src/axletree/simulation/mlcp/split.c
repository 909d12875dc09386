/* The solution of least norm, and the call that solves a problem: see split.py and method.py. */

/* Work of the split beside that of the problem itself: null vectors n^2, four n, and a problem
   of up to 2 n rows with its matrix, four vectors and work. */
typedef struct {
    double *null, *start, *shortest, *change, *before; /* null: one vector of n in a row */
    double *inner, *vectors, *work;           /* (2n)^2, 4 (2n), 9 (2n) + (2n)^2 */
    int *bounds, *places, *moves;             /* 2n, 2 (2n), n: rows that null vectors reach */
    int count;                                /* null vectors */
} axl_split;

static double axl_dot(int n, const double *u, const double *v)
{
    double sum = 0.0;
    int i;
    for (i = 0; i < n; ++i) {
        sum += u[i] * v[i];
    }
    return sum;
}

static void axl_split_add(axl_split *p, int n, double *column)
{
    double length;
    int i, k, pass;
    for (pass = 0; pass < 2; ++pass) { /* once more, for what rounding leaves the first time */
        for (k = 0; k < p->count; ++k) {
            const double *other = p->null + (size_t)k * n;
            const double part = axl_dot(n, other, column);
            for (i = 0; i < n; ++i) {
                column[i] -= part * other[i];
            }
        }
    }
    length = sqrt(axl_dot(n, column, column));
    for (i = 0; i < n; ++i) {
        column[i] /= length;
    }
    p->count += 1;
}

/* The null vector of a row that depends on the basis joins those that are there. */
static void axl_split_row(axl_pivots *s, axl_split *p, const double *weights, int row)
{
    double *column = p->null + (size_t)p->count * s->n;
    double small;
    int k;
    axl_pivots_null_line(s, row);
    small = axl_pivots_no_move(s);
    p->moves[row] = 1;
    memset(column, 0, (size_t)s->n * sizeof(double));
    for (k = 0; k < s->f.m; ++k) {
        const int i = s->f.rows[k];
        column[i] = s->line[k] * weights[i];
        p->moves[i] |= fabs(s->line[k]) > small;
    }
    column[row] = weights[row];
    axl_split_add(p, s->n, column);
}

/* A row at a bound that depends on the others may have their rounding in its w. */
static int axl_split_agrees(axl_pivots *s, int row, double largest)
{
    if (fabs(s->w[row]) > 10.0 * s->limits->agreement * largest) {
        return 0;
    }
    if (axl_factor_append(&s->f, row) > s->limits->rank) {
        axl_factor_remove(&s->f, row, s->spare);
        return 0;
    }
    axl_pivots_null_line(s, row);
    return fabs(s->w[row]) <= axl_pivots_agreement(s, row);
}

/* An orthonormal basis of what may change among the rows with w = 0: those that are independent
   join the basis first; `bounds` marks the others, from which null vectors are then made. */
static void axl_split_null(axl_pivots *s, axl_split *p, const double *weights)
{
    double largest = 0.0;
    int i;
    p->count = 0;
    for (i = 0; i < s->n; ++i) {
        const int zero = fabs(s->w[i]) <= s->zero[i];
        const int outside = s->f.place[i] < 0 && s->lower[i] < s->upper[i];
        largest = fmax(largest, s->terms[i]);
        p->moves[i] = 0;
        p->bounds[i] = outside && zero;
        p->bounds[s->n + i] = outside && !zero;
    }
    for (i = 0; i < s->n; ++i) {
        if (p->bounds[i] && axl_factor_append(&s->f, i) > s->limits->rank) {
            p->bounds[i] = 0;
        }
    }
    for (i = 0; i < s->n; ++i) {
        if (p->bounds[s->n + i]) {
            p->bounds[i] = axl_split_agrees(s, i, largest);
        }
    }
    for (i = 0; i < s->n; ++i) {
        if (p->bounds[i]) {
            axl_split_row(s, p, weights, i);
        }
    }
}

/* to += factor * (projection of from onto the null vectors) */
static void axl_split_project(const axl_split *p, int n, const double *from, double factor, double *to)
{
    int i, k;
    for (k = 0; k < p->count; ++k) {
        const double *other = p->null + (size_t)k * n;
        const double part = factor * axl_dot(n, other, from);
        for (i = 0; i < n; ++i) {
            to[i] += part * other[i];
        }
    }
}

/* The multipliers of the bounds into `change`, positive at lower ones; 0 if none were found.
   `bounds` has the row of each lower bound, and ~row of each upper one; all are moved outwards
   by `loose`. */
static int axl_split_bounds(
    const axl_pivots *s, axl_split *p, const double *weights, double loose)
{
    const int n = s->n;
    double *offset = p->vectors, *lower = offset + 2 * n, *upper = lower + 2 * n;
    double *x = upper + 2 * n;
    axl_pivots inner;
    int i, j, k, side, size = 0;
    for (side = 0; side < 2; ++side) {
        for (i = 0; i < n; ++i) {
            const double bound = weights[i] * (side ? s->upper[i] : s->lower[i]);
            if (!isinf(bound) && p->moves[i]) {
                offset[size] = loose + (side ? bound - p->shortest[i] : p->shortest[i] - bound);
                lower[size] = x[size] = 0.0;
                upper[size] = INFINITY;
                p->bounds[size++] = side ? ~i : i;
            }
        }
    }
    for (j = 0; j < size; ++j) {
        for (k = 0; k < size; ++k) {
            const int a = p->bounds[j], b = p->bounds[k];
            const double sign = (a < 0) == (b < 0) ? 1.0 : -1.0;
            const double *u = p->null + (a < 0 ? ~a : a), *v = p->null + (b < 0 ? ~b : b);
            double sum = 0.0;
            for (i = 0; i < p->count; ++i) {
                sum += u[(size_t)i * n] * v[(size_t)i * n];
            }
            p->inner[(size_t)j * size + k] = sign * sum;
        }
    }
    axl_pivots_start(
        &inner, size, p->inner, offset, lower, upper, s->limits, x, p->work, p->places);
    if (axl_pivots_run(&inner) != AXL_SOLVED) {
        return 0;
    }
    for (j = 0; j < size; ++j) {
        const int a = p->bounds[j];
        p->change[a < 0 ? ~a : a] += a < 0 ? -x[j] : x[j];
    }
    return 1;
}

static double axl_split_norm(int n, const double *weights, const double *x)
{
    double sum = 0.0;
    int i;
    for (i = 0; i < n; ++i) {
        sum += weights[i] * x[i] * weights[i] * x[i];
    }
    return sum;
}

/* Solve once more from x, which is a solution but for rounding; the shorter one counts. */
static void axl_split_polish(axl_pivots *s, const axl_split *p, const double *weights)
{
    const int n = s->n, steps = s->steps;
    axl_pivots_start(
        s, n, s->f.a, s->b, s->lower, s->upper, s->limits, s->x, s->w, s->f.rows);
    if (axl_pivots_run(s) != AXL_SOLVED
        || axl_split_norm(n, weights, s->x) > axl_split_norm(n, weights, p->before)) {
        memcpy(s->x, p->before, (size_t)n * sizeof(double));
    }
    s->steps = steps;
}

/* Of all solutions take the one with the least sum of (weights[i] x[i])^2. */
static void axl_split_least(axl_pivots *s, axl_split *p, const double *weights)
{
    const int n = s->n;
    double largest = 0.0;
    int i, inside = 1;
    axl_split_null(s, p, weights);
    if (p->count == 0) {
        return;
    }
    memcpy(p->before, s->x, (size_t)n * sizeof(double));
    for (i = 0; i < n; ++i) {
        p->start[i] = p->shortest[i] = weights[i] * s->x[i];
        p->change[i] = 0.0;
    }
    axl_split_project(p, n, p->start, -1.0, p->shortest);
    for (i = 0; i < n; ++i) {
        inside &= !p->moves[i]
                  || (weights[i] * s->lower[i] <= p->shortest[i]
                      && p->shortest[i] <= weights[i] * s->upper[i]);
    }
    for (i = 0; i < n; ++i) {
        largest = fmax(largest, fabs(p->start[i]));
    }
    /* Bounds that only just admit a solution need to be loosened for rounding. */
    if (!inside && !axl_split_bounds(s, p, weights, 0.0)
        && !axl_split_bounds(s, p, weights, 1e-9 * largest)) {
        return;
    }
    memcpy(p->start, p->shortest, (size_t)n * sizeof(double));
    axl_split_project(p, n, p->change, 1.0, p->start);
    for (i = 0; i < n; ++i) {
        if (!p->moves[i]) {
            continue;
        }
        if (p->change[i] != 0.0) {
            s->x[i] = p->change[i] > 0.0 ? s->lower[i] : s->upper[i];
        } else {
            s->x[i] = axl_within(p->start[i] / weights[i], s->lower[i], s->upper[i]);
        }
    }
    axl_split_polish(s, p, weights);
}
