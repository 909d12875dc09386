/* L D L' of the basis of a symmetric matrix, as rows enter it and leave it: see factor.py. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* One of two numbers, by masks of bits: compilers may make a jump of ?:, and a step of sweeps is to
   take the same instructions whatever the numbers are. */
static double axl_choose(int condition, double yes, double no)
{
    const uint64_t mask = UINT64_C(0) - (uint64_t)(condition != 0);
    uint64_t a, b;
    memcpy(&a, &yes, sizeof a);
    memcpy(&b, &no, sizeof b);
    a = (a & mask) | (b & ~mask);
    memcpy(&yes, &a, sizeof yes);
    return yes;
}

static double axl_larger(double a, double b)
{
    return axl_choose(a > b, a, b);
}


typedef struct {
    int n, m;          /* rows of the matrix, rows in the basis */
    double rank;       /* curvature up to which a row depends on the basis */
    const double *a;   /* n x n */
    double *l, *d, *z; /* n x n without its diagonal of ones, n, room for n */
    int *rows, *place; /* the basis in its order; where a row is in it, or -1 */
} axl_factor;

static void axl_factor_start(axl_factor *f)
{
    int i;
    f->m = 0;
    for (i = 0; i < f->n; ++i) {
        f->place[i] = -1;
    }
}

/* y = D^-1 L^-1 y; before the division y' D^-1 y is summed into the result. */
static double axl_factor_forward(const axl_factor *f, double *y)
{
    double sum = 0.0;
    int j, k;
    for (k = 0; k < f->m; ++k) {
        const double *l = f->l + (size_t)k * f->n;
        double value = y[k];
        for (j = 0; j < k; ++j) {
            value -= l[j] * y[j];
        }
        y[k] = value;
    }
    for (k = 0; k < f->m; ++k) {
        const double value = y[k] / f->d[k];
        sum += y[k] * value;
        y[k] = value;
    }
    return sum;
}

/* y = L'^-1 y */
static void axl_factor_backward(const axl_factor *f, double *y)
{
    int j, k;
    for (k = f->m - 1; k > 0; --k) {
        const double *l = f->l + (size_t)k * f->n;
        for (j = 0; j < k; ++j) {
            y[j] -= l[j] * y[k];
        }
    }
}

/* y = (L D L')^-1 y */
static void axl_factor_solve(const axl_factor *f, double *y)
{
    axl_factor_forward(f, y);
    axl_factor_backward(f, y);
}

/* Take a row in if it depends on none of those here; its curvature, see factor.py. */
static double axl_factor_append(axl_factor *f, int row)
{
    const double *a = f->a + (size_t)row * f->n;
    double *l = f->l + (size_t)f->m * f->n; /* free: the basis is not yet of n rows */
    double pivot, curvature, size = fabs(a[row]);
    int k;
    for (k = 0; k < f->m; ++k) {
        l[k] = a[f->rows[k]];
    }
    pivot = a[row] - axl_factor_forward(f, l);
    if (pivot < 1e-4 * size) {
        memcpy(f->z, l, (size_t)f->m * sizeof(double));
        axl_factor_backward(f, f->z);
        for (k = 0; k < f->m; ++k) {
            size += f->z[k] * f->z[k] * f->a[(size_t)f->rows[k] * f->n + f->rows[k]];
        }
    }
    curvature = size > 0.0 ? pivot / size : 0.0;
    if (curvature > f->rank) {
        f->d[f->m] = pivot;
        f->rows[f->m] = row;
        f->place[row] = f->m;
        f->m += 1;
    }
    return curvature;
}

/* v is room for n values. */
static void axl_factor_remove(axl_factor *f, int row, double *v)
{
    const int k = f->place[row], m = f->m - 1;
    const size_t n = (size_t)f->n;
    double alpha = f->d[k];
    int i, j;
    for (i = k; i < m; ++i) {
        const double *from = f->l + (size_t)(i + 1) * n;
        double *to = f->l + (size_t)i * n;
        v[i] = from[k];
        memcpy(to, from, (size_t)k * sizeof(double));
        memcpy(to + k, from + k + 1, (size_t)(i - k) * sizeof(double));
        f->d[i] = f->d[i + 1];
        f->rows[i] = f->rows[i + 1];
        f->place[f->rows[i]] = i;
    }
    f->place[row] = -1;
    f->m = m;
    for (j = k; j < m; ++j) {
        const double p = v[j], grown = f->d[j] + alpha * p * p, beta = p * alpha / grown;
        alpha *= f->d[j] / grown;
        f->d[j] = grown;
        for (i = j + 1; i < m; ++i) {
            double *l = f->l + (size_t)i * n + j;
            v[i] -= p * *l;
            *l += beta * v[i];
        }
    }
}

/* The factor of the same rows from the matrix itself. */
static void axl_factor_renew(axl_factor *f)
{
    const int m = f->m;
    int k;
    f->m = 0;
    for (k = 0; k < m; ++k) {
        const int row = f->rows[k]; /* read before append writes at or before this place */
        f->place[row] = -1;
        axl_factor_append(f, row);
    }
}
