/* Lemke's complementary pivoting for W of any kind: see lemke.py. */

typedef struct {
    int size, width;           /* rows, columns of the table: 2 size + 2 */
    double *table, *m, *r;     /* size x width, size x size, size */
    double *values, *parts;    /* size, 2 size + 1 */
    int *basis, *row, *sign;   /* size; row of W and sign of y, row -1 - k for a second bound */
    int *candidates;
} axl_lemke;

static void axl_lemke_rows(axl_lemke *s, int n, const double *lower, const double *upper)
{
    int i, first;
    s->size = 0;
    for (i = 0; i < n; ++i) {
        if (lower[i] == upper[i]) {
            continue;
        }
        if (!isinf(lower[i]) || isinf(upper[i])) {
            s->row[s->size] = i;
            s->sign[s->size++] = 1;
        }
        if (isinf(lower[i])) {
            s->row[s->size] = i;
            s->sign[s->size++] = -1;
        }
    }
    first = s->size;
    for (i = 0; i < first; ++i) {
        const int k = s->row[i];
        if (!isinf(lower[k]) && !isinf(upper[k])) {
            s->row[s->size++] = -1 - i;
        }
    }
    s->width = 2 * s->size + 2;
}

/* y = 0: the bound that y is counted from. */
static double axl_lemke_fixed(double lower, double upper)
{
    return !isinf(lower) ? lower : !isinf(upper) ? upper : 0.0;
}

static void axl_lemke_standard(
    axl_lemke *s, int n, const double *matrix, const double *offset, const double *lower,
    const double *upper)
{
    const int size = s->size;
    int i, j, k;
    memset(s->m, 0, (size_t)size * (size_t)size * sizeof(double));
    for (j = 0; j < size; ++j) {
        i = s->row[j];
        if (i < 0) {
            const int p = -1 - i;
            s->m[(size_t)p * size + j] = 1.0;
            s->m[(size_t)j * size + p] = -1.0;
            s->r[j] = upper[s->row[p]] - lower[s->row[p]];
            continue;
        }
        s->r[j] = 0.0;
        for (k = 0; k < n; ++k) {
            s->r[j] += matrix[(size_t)i * n + k] * axl_lemke_fixed(lower[k], upper[k]);
        }
        s->r[j] = s->sign[j] * (s->r[j] + offset[i]);
        for (k = 0; k < size && s->row[k] >= 0; ++k) {
            s->m[(size_t)j * size + k] = s->sign[j] * s->sign[k] * matrix[(size_t)i * n + s->row[k]];
        }
    }
    memset(s->table, 0, (size_t)size * (size_t)s->width * sizeof(double));
    for (j = 0; j < size; ++j) {
        double *t = s->table + (size_t)j * s->width;
        t[j] = 1.0;
        for (k = 0; k < size; ++k) {
            t[size + k] = -s->m[(size_t)j * size + k];
        }
        t[2 * size] = -1.0;
        t[2 * size + 1] = s->r[j];
        s->basis[j] = j;
    }
}

static void axl_lemke_exchange(axl_lemke *s, int row, int column)
{
    double *own = s->table + (size_t)row * s->width;
    const double pivot = own[column];
    int j, k;
    for (k = 0; k < s->width; ++k) {
        own[k] /= pivot;
    }
    own[column] = 1.0;
    for (j = 0; j < s->size; ++j) {
        double *t = s->table + (size_t)j * s->width;
        const double factor = t[column];
        if (j == row || factor == 0.0) {
            continue;
        }
        for (k = 0; k < s->width; ++k) {
            t[k] -= factor * own[k];
        }
        t[column] = 0.0;
    }
}

/* Keep the candidates of the least ratio of a place to the column; how many are left. */
static int axl_lemke_least(axl_lemke *s, int count, int column, double largest, int place)
{
    double least = INFINITY, spread = 0.0;
    int j, k, kept = 0;
    for (j = 0; j < s->size; ++j) {
        spread = fmax(spread, fabs(s->table[(size_t)j * s->width + place]));
    }
    for (k = 0; k < count; ++k) {
        const double *t = s->table + (size_t)s->candidates[k] * s->width;
        s->values[k] = t[place] / t[column];
        least = fmin(least, s->values[k]);
    }
    spread = 1e-12 * (fabs(least) + spread / largest);
    for (k = 0; k < count; ++k) {
        if (s->values[k] <= least + spread) {
            s->candidates[kept++] = s->candidates[k];
        }
    }
    return kept;
}

/* The row of the least ratio, by the first column of the inverse that tells rows apart. */
static int axl_lemke_leaving(axl_lemke *s, int column)
{
    double largest = 0.0;
    int j, k, count = 0;
    for (j = 0; j < s->size; ++j) {
        largest = fmax(largest, fabs(s->table[(size_t)j * s->width + column]));
    }
    for (j = 0; j < s->size; ++j) {
        if (s->table[(size_t)j * s->width + column] > 1e-10 * largest) {
            s->candidates[count++] = j;
        }
    }
    if (count > 1) {
        count = axl_lemke_least(s, count, column, largest, 2 * s->size + 1);
        for (k = 0; k < count; ++k) {
            if (s->basis[s->candidates[k]] == 2 * s->size) {
                return s->candidates[k]; /* the artificial one can go: the path ends here */
            }
        }
    }
    for (j = 0; count > 1 && j < s->size; ++j) {
        count = axl_lemke_least(s, count, column, largest, j);
    }
    return count > 0 ? s->candidates[0] : -1;
}

static void axl_lemke_parts(axl_lemke *s)
{
    int j;
    memset(s->parts, 0, (size_t)(2 * s->size + 1) * sizeof(double));
    for (j = 0; j < s->size; ++j) {
        s->parts[s->basis[j]] = s->values[j];
    }
}

/* y of the basis into parts[size..], with the rounding of the exchanges taken out. */
static void axl_lemke_refine(axl_lemke *s)
{
    const int size = s->size;
    int j, k, pass;
    for (j = 0; j < size; ++j) {
        s->values[j] = s->table[(size_t)j * s->width + 2 * size + 1];
    }
    for (pass = 0; pass < 2; ++pass) {
        axl_lemke_parts(s);
        for (k = 0; k < size; ++k) {
            const double left
                = s->r[k] + axl_dot(size, s->m + (size_t)k * size, s->parts + size) - s->parts[k];
            for (j = 0; j < size; ++j) {
                s->values[j] += s->table[(size_t)j * s->width + k] * left;
            }
        }
    }
    axl_lemke_parts(s);
}

/* The last smallest of r: lexicographically the least row. */
static int axl_lemke_first(const axl_lemke *s)
{
    int j, row = 0;
    for (j = 1; j < s->size; ++j) {
        if (s->r[j] <= s->r[row]) {
            row = j;
        }
    }
    return row;
}

static int axl_lemke_run(axl_lemke *s, int most, int *steps)
{
    const int size = s->size, artificial = 2 * s->size;
    int entering = artificial, row = size > 0 ? axl_lemke_first(s) : 0;
    *steps = 0;
    memset(s->parts, 0, (size_t)(artificial + 1) * sizeof(double));
    if (size == 0 || s->r[row] >= 0.0) {
        return AXL_SOLVED;
    }
    while (*steps < most) {
        const int left = s->basis[row];
        *steps += 1;
        s->basis[row] = entering;
        axl_lemke_exchange(s, row, entering);
        if (left == artificial) {
            axl_lemke_refine(s);
            return AXL_SOLVED;
        }
        entering = left < size ? left + size : left - size;
        row = axl_lemke_leaving(s, entering);
        if (row < 0) {
            return AXL_UNDECIDED;
        }
    }
    return AXL_STOPPED;
}
