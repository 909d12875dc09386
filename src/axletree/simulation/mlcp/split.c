/* The solution of least norm, and the call that solves a problem: see split.py and method.py. */

/* Work of the split beside that of the problem itself: null vectors n^2, three n, and a problem
   of up to 2 n rows with its matrix, four vectors and work. */
typedef struct {
    double *null, *start, *shortest, *change; /* null: one vector of n in a row */
    double *inner, *vectors, *work;           /* (2n)^2, 4 (2n), 8 (2n) + (2n)^2 */
    int *bounds, *places;                     /* 2n: row, then ~row of upper ones; 3 (2n) */
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

/* An orthonormal basis of what may change among the rows with w = 0. */
static void axl_split_null(axl_pivots *s, axl_split *p, const double *weights)
{
    axl_factor *f = &s->f;
    int i, k;
    p->count = 0;
    for (i = 0; i < s->n; ++i) {
        double *column = p->null + (size_t)p->count * s->n;
        const int zero = fabs(s->w[i]) <= s->zero[i] || s->settled[i];
        if (f->place[i] >= 0 || !zero || !(s->lower[i] < s->upper[i])
            || axl_factor_append(f, i) > s->limits->rank) {
            continue;
        }
        for (k = 0; k < f->m; ++k) {
            s->line[k] = -f->a[(size_t)f->rows[k] * s->n + i];
        }
        axl_factor_solve(f, s->line);
        memset(column, 0, (size_t)s->n * sizeof(double));
        for (k = 0; k < f->m; ++k) {
            column[f->rows[k]] = s->line[k] * weights[f->rows[k]];
        }
        column[i] = weights[i];
        axl_split_add(p, s->n, column);
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

/* Whether the null vectors reach a row; those that they do not reach keep their values. */
static int axl_split_moves(const axl_split *p, int n, int i)
{
    int k;
    for (k = 0; k < p->count; ++k) {
        if (p->null[(size_t)k * n + i] != 0.0) {
            return 1;
        }
    }
    return 0;
}

/* The multipliers of the bounds into `change`, positive at lower ones; 0 if none were found. */
static int axl_split_bounds(const axl_pivots *s, axl_split *p, const double *weights)
{
    const int n = s->n;
    double *offset = p->vectors, *lower = offset + 2 * n, *upper = lower + 2 * n;
    double *x = upper + 2 * n;
    axl_pivots inner;
    int i, j, k, side, size = 0;
    for (side = 0; side < 2; ++side) {
        for (i = 0; i < n; ++i) {
            const double bound = weights[i] * (side ? s->upper[i] : s->lower[i]);
            if (!isinf(bound) && axl_split_moves(p, n, i)) {
                offset[size] = side ? bound - p->shortest[i] : p->shortest[i] - bound;
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

/* Of all solutions take the one with the least sum of (weights[i] x[i])^2. */
static void axl_split_least(axl_pivots *s, axl_split *p, const double *weights)
{
    const int n = s->n;
    int i, inside = 1;
    axl_split_null(s, p, weights);
    if (p->count == 0) {
        return;
    }
    for (i = 0; i < n; ++i) {
        p->start[i] = p->shortest[i] = weights[i] * s->x[i];
        p->change[i] = 0.0;
    }
    axl_split_project(p, n, p->start, -1.0, p->shortest);
    for (i = 0; i < n; ++i) {
        inside &= weights[i] * s->lower[i] <= p->shortest[i]
                  && p->shortest[i] <= weights[i] * s->upper[i];
    }
    if (!inside && !axl_split_bounds(s, p, weights)) {
        return;
    }
    memcpy(p->start, p->shortest, (size_t)n * sizeof(double));
    axl_split_project(p, n, p->change, 1.0, p->start);
    for (i = 0; i < n; ++i) {
        if (!axl_split_moves(p, n, i)) {
            continue;
        }
        if (p->change[i] != 0.0) {
            s->x[i] = p->change[i] > 0.0 ? s->lower[i] : s->upper[i];
        } else {
            s->x[i] = axl_within(p->start[i] / weights[i], s->lower[i], s->upper[i]);
        }
    }
}
