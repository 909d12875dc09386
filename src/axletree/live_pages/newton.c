/* Newton's method on rows that vanish, with their exact Jacobian and steps that change little.

   Steps are damped by the natural monotonicity test (Deuflhard, Newton Methods for Nonlinear
   Problems, 2004, section 3.3), in which factors of the Jacobian serve as long as they shorten steps
   to a tenth. Equations may be more than unknowns, as those of closed loops and their rates are: a QR
   decomposition with exchanged columns (Golub and Van Loan, Matrix Computations, 2013, algorithm
   5.4.1) leaves unknowns where they are that nothing bears on. */

#define OPEN 1e-10      /* share of the first pivot below which columns depend on others */
#define UNFELT 1e-11    /* share of a row's greatest slope that is what rounding leaves */
#define NOTHING 1e-7    /* share of the greatest slope below which those of a row may be rounding */
#define CLOSE 1e-10     /* size of a step, beside the unknowns, that is the last one */
#define ROUNDED 1e-7    /* size of a step that rounding may keep from getting shorter */
#define LEAST_SHARE 1e-4
#define MOST 60

static axl_real y[NX + 1], p[NP + 1], u[NU + 1], c[NC + 1], out[NY + 1];
static axl_real entries[ENTRIES + 1], A[NX * ROWS], row_sizes[ROWS], column_sizes[NX];
static axl_real lengths[NX], first_lengths[NX], heads[NX];
static axl_real residual[ROWS], trial_residual[ROWS], turned[ROWS];
static axl_real step[NX], next[NX], trial[NX];
static int order[NX], rank;

axl_real *PREFIX_unknowns(void) { return y; }
axl_real *PREFIX_parameters(void) { return p; }
axl_real *PREFIX_targets(void) { return u; }

const axl_real *PREFIX_results(void)
{
    PREFIX_outputs(0.0, y, u, c, out);
    return out;
}

static int all_finite(const axl_real *a, int count)
{
    int i;
    for (i = 0; i < count; ++i) {
        if (!(a[i] - a[i] == 0.0)) {
            return 0;
        }
    }
    return 1;
}

static axl_real square(const axl_real *a, int from)
{
    axl_real sum = 0.0;
    int i;
    for (i = from; i < ROWS; ++i) {
        sum += a[i] * a[i];
    }
    return sum;
}

static void fill(void)
{
    axl_real most = 0.0;
    int i, k, e;
    PREFIX_jacobian(0.0, y, u, c, entries);
    memset(A, 0, sizeof A);
    for (i = 0; i < ROWS; ++i) {
        row_sizes[i] = 0.0;
    }
    for (k = 0; k < NX; ++k) {
        for (e = PREFIX_jacobian_starts[k]; e < PREFIX_jacobian_starts[k + 1]; ++e) {
            i = PREFIX_jacobian_rows[e];
            A[k * ROWS + i] = entries[e];
            row_sizes[i] = fmax(row_sizes[i], fabs(entries[e]));
        }
    }
    for (i = 0; i < ROWS; ++i) {
        most = fmax(most, row_sizes[i]);
    }
    for (i = 0; i < ROWS; ++i) {
        row_sizes[i] = most > 0.0 ? fmax(row_sizes[i], NOTHING * most) : 1.0;
    }
    for (k = 0; k < NX; ++k) {
        axl_real *a = A + k * ROWS, size = 0.0;
        for (i = 0; i < ROWS; ++i) {
            a[i] /= row_sizes[i];
            size = fmax(size, fabs(a[i]));
        }
        column_sizes[k] = size > UNFELT ? size : 1.0;
        for (i = 0; i < ROWS; ++i) {
            a[i] = size > UNFELT ? a[i] / size : 0.0;
        }
        order[k] = k;
        lengths[k] = first_lengths[k] = square(a, 0);
    }
}

/* A column below its k-th row becomes the vector of a reflection; its head is kept in heads. */
static int factor(void)
{
    axl_real first = 0.0;
    int i, j, k;
    fill();
    if (!all_finite(A, NX * ROWS)) {
        return 0;
    }
    for (rank = 0; rank < NX && rank < ROWS; ++rank) {
        axl_real *a, length, beta;
        int best = rank, held;
        k = rank;
        for (j = k; j < NX; ++j) {
            if (lengths[order[j]] > lengths[order[best]]) {
                best = j;
            }
        }
        held = order[best];
        order[best] = order[k];
        order[k] = held;
        a = A + held * ROWS;
        length = sqrt(square(a, k));
        if (k == 0) {
            first = length;
        }
        if (!(length > OPEN * first)) {
            break;
        }
        heads[k] = a[k] > 0.0 ? -length : length;
        a[k] -= heads[k];
        beta = -1.0 / (heads[k] * a[k]); /* 2 over the square of the vector */
        for (j = k + 1; j < NX; ++j) {
            axl_real *b = A + order[j] * ROWS, along = 0.0;
            for (i = k; i < ROWS; ++i) {
                along += a[i] * b[i];
            }
            along *= beta;
            for (i = k; i < ROWS; ++i) {
                b[i] -= along * a[i];
            }
            lengths[order[j]] -= b[k] * b[k];
            if (lengths[order[j]] < 1e-6 * first_lengths[order[j]]) { /* nothing left but rounding */
                lengths[order[j]] = first_lengths[order[j]] = square(b, k + 1);
            }
        }
    }
    return 1;
}

static void solve(const axl_real *left, axl_real *found)
{
    int i, k, j;
    for (i = 0; i < ROWS; ++i) {
        turned[i] = left[i] / row_sizes[i];
    }
    for (k = 0; k < rank; ++k) {
        const axl_real *a = A + order[k] * ROWS;
        axl_real along = 0.0;
        for (i = k; i < ROWS; ++i) {
            along += a[i] * turned[i];
        }
        along /= -heads[k] * a[k];
        for (i = k; i < ROWS; ++i) {
            turned[i] -= along * a[i];
        }
    }
    memset(found, 0, NX * sizeof(axl_real));
    for (k = rank - 1; k >= 0; --k) {
        axl_real value = turned[k];
        for (j = k + 1; j < rank; ++j) {
            value -= A[order[j] * ROWS + k] * found[order[j]];
        }
        found[order[k]] = value / heads[k];
    }
    for (k = 0; k < NX; ++k) {
        found[k] /= column_sizes[k];
    }
}

static axl_real size_of(const axl_real *change)
{
    axl_real size = 0.0;
    int k;
    for (k = 0; k < NX; ++k) {
        size = fmax(size, fabs(change[k]) / (fabs(y[k]) + 1.0));
    }
    return size;
}

/* From the unknowns as they are to a root near them: 1, or 0 and the unknowns as they were. */
int PREFIX_solve(void)
{
    static axl_real before[NX];
    int count, k, known = 0;
    memcpy(before, y, sizeof before);
    PREFIX_constants(p, c);
    PREFIX_rhs(0.0, y, u, c, residual);
    for (count = 0; count < MOST && all_finite(residual, ROWS); ++count) {
        axl_real length, share = 1.0, after = 0.0;
        int fresh = !known, shorter = 0;
        if (fresh && !factor()) {
            break;
        }
        solve(residual, step);
        length = size_of(step);
        for (; !shorter && share >= LEAST_SHARE; share *= shorter ? 1.0 : 0.5) {
            for (k = 0; k < NX; ++k) {
                trial[k] = y[k] - share * step[k];
            }
            PREFIX_rhs(0.0, trial, u, c, trial_residual);
            if (all_finite(trial_residual, ROWS)) {
                solve(trial_residual, next);
                after = size_of(next);
                shorter = after < CLOSE || after <= (1.0 - 0.25 * share) * length;
            }
            if (!shorter && !fresh) {
                break;
            }
        }
        if (!shorter && (length < CLOSE || (fresh && length < ROUNDED))) {
            return 1;
        }
        known = 0;
        if (!shorter && fresh) {
            break;
        }
        if (shorter) {
            memcpy(y, trial, sizeof trial);
            memcpy(residual, trial_residual, sizeof residual);
            if (after < CLOSE) {
                for (k = 0; k < NX; ++k) {
                    y[k] -= next[k];
                }
                return 1;
            }
            known = share == 1.0 && after < 0.1 * length;
        }
    }
    memcpy(y, before, sizeof before);
    return 0;
}
