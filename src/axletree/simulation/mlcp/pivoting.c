/* The moves of principal pivoting for symmetric W: see pivoting.py. */

static double axl_within(double value, double lower, double upper)
{
    const double above = axl_larger(value, lower);
    return axl_choose(above < upper, above, upper);
}

/* Follow the line, of which part k belongs to rows[k], up to `length` or a bound; the row that
   meets its bound, or -1. An unlimited line without a bound is not followed. */
static int axl_pivots_follow(axl_pivots *s, int count, const int *rows, double length)
{
    const double *line = s->line;
    int k, at = -1;
    for (k = 0; k < count; ++k) {
        if (line[k] != 0.0) {
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
    blocked = axl_pivots_follow(s, s->f.m, s->f.rows, 1.0);
    s->refined += 1;
    if (blocked >= 0) {
        axl_factor_remove(&s->f, blocked, s->spare);
        s->refined = 0;
    }
}

/* Into `line`: changes of the basis that keep it at w = 0 while a dependent row changes by 1. */
static void axl_pivots_null_line(axl_pivots *s, int row)
{
    int k;
    for (k = 0; k < s->f.m; ++k) {
        s->line[k] = -s->f.a[(size_t)s->f.rows[k] * s->n + row];
    }
    axl_factor_solve(&s->f, s->line);
    s->line[s->f.m] = 1.0;
}

/* Below this size a part of a line is rounding. */
static double axl_pivots_no_move(const axl_pivots *s)
{
    double largest = 1.0;
    int k;
    for (k = 0; k < s->f.m; ++k) {
        largest = fmax(largest, fabs(s->line[k]));
    }
    return 1e-9 * largest;
}

/* What w of a row that depends on the basis may have from rounding of all their terms. */
static double axl_pivots_agreement(const axl_pivots *s, int row)
{
    double terms = s->terms[row];
    int k;
    for (k = 0; k < s->f.m; ++k) {
        terms = fmax(terms, fabs(s->line[k]) * s->terms[s->f.rows[k]]);
    }
    return s->limits->agreement * terms;
}

/* Move a dependent row to a bound, its own or one of the basis; 0 without one. */
static int axl_pivots_slide(axl_pivots *s, int row)
{
    const double sign = s->w[row] > 0.0 ? -1.0 : 1.0;
    const int m = s->f.m;
    const double small = axl_pivots_no_move(s);
    int k, blocked;
    for (k = 0; k <= m; ++k) {
        s->line[k] = fabs(s->line[k]) > small ? sign * s->line[k] : 0.0;
    }
    s->f.rows[m] = row; /* a dependent row is not in the basis, which so has fewer than n */
    blocked = axl_pivots_follow(s, m + 1, s->f.rows, INFINITY);
    if (blocked < 0) {
        for (k = 0; k <= m; ++k) {
            s->ray[s->f.rows[k]] = s->line[k];
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
            continue;
        }
        s->indefinite |= curvature < -s->limits->rank;
        axl_pivots_null_line(s, row);
        s->allowed[row] = axl_pivots_agreement(s, row);
        if (fabs(s->w[row]) > s->allowed[row] && !axl_pivots_slide(s, row)) {
            return s->indefinite ? AXL_UNDECIDED : AXL_UNSOLVABLE;
        }
    }
    axl_pivots_evaluate(s);
    return AXL_STOPPED;
}
