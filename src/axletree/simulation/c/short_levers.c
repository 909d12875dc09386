/* Motions that springs carry and that held rows hardly see: see the Python beside, which does the
   same. NR, NP, LEVER, REDUNDANT, NEAR, SETTLED and SWEEPS are defined before. Matrices are by rows.

   Pivoting lists the rows that hold and the springs that carry. Sweeps, whose steps all have one
   cost, list all that ever may (axl_may_be_spring, and rows with two bounds), with a factor of 0
   for those that do not: what depends on these is 0 then, and in the place of their parts of a
   matrix stands one that leaves the others alone. */

typedef struct {
    int could, held, springs; /* how many rows could hold, how many do, and how many are springs */
    int able[NR], rows[NR], spring[NR]; /* which these are */
    double holds[NR], carries[NR];      /* 1 or 0 for each that is listed */
    double *share;            /* of each held row: what it loses of the velocities of springs */
} axl_levers;

/* L of A = L L', in place; the matrix is positive definite. */
static void axl_lever_factor(int n, double *a)
{
    int i, j, k;
    for (i = 0; i < n; ++i) {
        for (j = 0; j <= i; ++j) {
            double sum = a[i * n + j];
            for (k = 0; k < j; ++k) {
                sum -= a[i * n + k] * a[j * n + k];
            }
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    }
}

/* x = (L L')^-1 x */
static void axl_lever_solve(int n, const double *l, double *x)
{
    int i, k;
    for (i = 0; i < n; ++i) {
        for (k = 0; k < i; ++k) {
            x[i] -= l[i * n + k] * x[k];
        }
        x[i] /= l[i * n + i];
    }
    for (i = n - 1; i >= 0; --i) {
        for (k = i + 1; k < n; ++k) {
            x[i] -= l[k * n + i] * x[k];
        }
        x[i] /= l[i * n + i];
    }
}

/* Eigenvalues of a symmetric matrix onto its diagonal, eigenvectors into the rows of v: Jacobi's
   rotations (Golub and Van Loan 2013, section 8.5), a fixed number of sweeps. */
static void axl_lever_eigen(int n, double *a, double *v)
{
    int i, p, q, sweep;
    for (i = 0; i < n * n; ++i) {
        v[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    }
    for (sweep = 0; sweep < 10; ++sweep) {
        for (p = 0; p < n; ++p) {
            for (q = p + 1; q < n; ++q) {
                const double apart = a[p * n + q];
                double tau, t, c, s;
                tau = (a[q * n + q] - a[p * n + p]) / (2.0 * axl_choose(apart == 0.0, 1.0, apart));
                t = axl_choose(tau < 0.0, -1.0, 1.0) / (fabs(tau) + sqrt(1.0 + tau * tau));
                t = axl_choose(apart == 0.0, 0.0, t);
                c = 1.0 / sqrt(1.0 + t * t);
                s = t * c;
                for (i = 0; i < n; ++i) {
                    const double left = a[i * n + p], right = a[i * n + q];
                    a[i * n + p] = c * left - s * right;
                    a[i * n + q] = s * left + c * right;
                }
                for (i = 0; i < n; ++i) {
                    const double left = a[p * n + i], right = a[q * n + i];
                    const double one = v[p * n + i], other = v[q * n + i];
                    a[p * n + i] = c * left - s * right;
                    a[q * n + i] = s * left + c * right;
                    v[p * n + i] = c * one - s * other;
                    v[q * n + i] = s * one + c * other;
                }
            }
        }
    }
}

/* Take from what the held rows have of values their share of what springs have of them; there is a
   value for each row, `apart` from the next. */
static void axl_levers_take(const axl_levers *m, double *values, int apart)
{
    int i, j;
    for (i = 0; i < m->held; ++i) {
        for (j = 0; j < m->springs; ++j) {
            values[m->rows[i] * apart] -= m->share[i * m->springs + j] * values[m->spring[j] * apart];
        }
    }
}

/* Which rows could hold and, as far as can be said before the step, do; which springs carry. */
static void axl_levers_rows(
    axl_levers *m, double h, const double *coupling, const double *velocity, const double *push,
    const double *law, const double *lower, const double *upper)
{
    const double *compliance = law + 2 * NR, *offset = law + 3 * NR;
    const double *stiffness = law + 6 * NR, *damping = law + 7 * NR, *preload = law + 8 * NR;
    int i;
    m->could = m->held = m->springs = 0;
    for (i = 0; i < NR; ++i) {
        const double own = h * coupling[i * NR + i];
        const double most = axl_larger(fabs(lower[i]), fabs(upper[i]));
        const double freely = velocity[i] + h * push[i] - offset[i];
        const int is_spring = h * stiffness[i] + damping[i] > 0.0;
        const int carries = is_spring & (lower[i] < preload[i]) & (preload[i] < upper[i]);
        const int could = !is_spring & (most < HUGE_VAL) & (compliance[i] < own);
        const int holds = could & (fabs(freely) <= own * most);
        if (SWEEPS ? axl_may_be_spring[i] : carries) {
            m->carries[m->springs] = carries;
            m->spring[m->springs++] = i;
        }
        if (!SWEEPS && could) {
            m->able[m->could++] = i;
        }
        if (SWEEPS ? axl_bounded_below[i] && axl_bounded_above[i] : holds) {
            m->holds[m->held] = holds;
            m->rows[m->held++] = i;
        }
    }
}

/* The mobility of springs in the mean. */
static double axl_levers_mobility(const axl_levers *m, const double *coupling)
{
    double sum = 0.0, count = 0.0;
    int i;
    for (i = 0; i < m->springs; ++i) {
        sum += m->carries[i] * coupling[m->spring[i] * NR + m->spring[i]];
        count += m->carries[i];
    }
    return sum / axl_choose(count > 0.0, count, 1.0);
}

/* Reactions of held rows that give way a little, to a unit of each spring, into x. */
static void axl_levers_react(
    const axl_levers *m, double soft, const double *coupling, double *factor, double *x)
{
    int i, j;
    for (i = 0; i < m->held; ++i) {
        for (j = 0; j < m->held; ++j) {
            factor[i * m->held + j] = m->holds[i] * m->holds[j]
                * coupling[m->rows[i] * NR + m->rows[j]];
        }
        factor[i * m->held + i] += axl_choose(m->holds[i] > 0.0, soft, 1.0);
    }
    axl_lever_factor(m->held, factor);
    for (j = 0; j < m->springs; ++j) {
        for (i = 0; i < m->held; ++i) {
            x[j * m->held + i] = m->holds[i] * m->carries[j]
                * coupling[m->rows[i] * NR + m->spring[j]];
        }
        axl_lever_solve(m->held, factor, x + j * m->held);
    }
}

/* What held rows see of the motion n, of what springs see of it, into `seen`, if it is left to
   springs, and else 0. The room is for NR numbers and as many as rows are held. */
static void axl_levers_seen(
    const axl_levers *m, const double *coupling, const double *x, const double *n, int is_left,
    double *room, double *seen)
{
    double *z = room, *moved = room + m->held, own = 0.0;
    int i, j;
    for (i = 0; i < m->held; ++i) {
        z[i] = 0.0;
        for (j = 0; j < m->springs; ++j) {
            z[i] += n[j] * x[j * m->held + i];
        }
    }
    for (i = 0; i < NR; ++i) {
        moved[i] = 0.0;
        for (j = 0; j < m->springs; ++j) {
            moved[i] += coupling[i * NR + m->spring[j]] * n[j];
        }
        for (j = 0; j < m->held; ++j) {
            moved[i] -= coupling[i * NR + m->rows[j]] * z[j];
        }
    }
    for (j = 0; j < m->springs; ++j) {
        own += n[j] * moved[m->spring[j]];
    }
    for (i = 0; i < m->held; ++i) {
        seen[i] = m->holds[i] * axl_choose(is_left, moved[m->rows[i]] / axl_choose(is_left, own, 1.0), 0.0);
    }
}

/* Whether springs are redundant themselves; not where each has a motion of its own. */
static int axl_levers_redundant(
    const axl_levers *m, double mobility, const double *coupling, double *work)
{
    const int n = m->springs;
    double *k = work, *v = work + NR * NR, least, largest;
    int i, j;
    for (i = 0; i < n; ++i) {
        for (j = 0; j < n; ++j) {
            k[i * n + j] = m->carries[i] * m->carries[j] * coupling[m->spring[i] * NR + m->spring[j]];
        }
        k[i * n + i] += (1.0 - m->carries[i]) * mobility; /* between the least and the largest */
    }
    axl_lever_eigen(n, k, v);
    least = largest = k[0];
    for (i = 1; i < n; ++i) {
        least = axl_choose(least < k[i * n + i], least, k[i * n + i]);
        largest = axl_larger(largest, k[i * n + i]);
    }
    return !(least > REDUNDANT * largest);
}

/* The shares. Work: 3 NR^2 + (NR + 1)^2 + NR doubles. */
static void axl_levers_find(axl_levers *m, double soft, const double *coupling, double *work)
{
    const int held = m->held, springs = m->springs;
    double *factor = work, *x = factor + (NR + 1) * (NR + 1), *k = x + NR * NR;
    double *n = k + NR * NR, *seen = n + NR * NR;
    int i, j, e;
    axl_levers_react(m, soft, coupling, factor, x);
    for (j = 0; j < springs; ++j) {
        for (i = 0; i <= j; ++i) {
            double sum = coupling[m->spring[i] * NR + m->spring[j]];
            for (e = 0; e < held; ++e) {
                sum -= coupling[m->rows[e] * NR + m->spring[i]] * x[j * held + e];
            }
            sum *= m->carries[i] * m->carries[j];
            k[i * springs + j] = k[j * springs + i] = sum / soft;
        }
    }
    axl_lever_eigen(springs, k, n);
    memset(m->share, 0, (size_t)(held * springs) * sizeof(double));
    for (e = 0; e < springs; ++e) {
        const double *v = n + e * springs;
        const int is_left = k[e * springs + e] * LEVER * LEVER > 1.0;
        if (!SWEEPS && !is_left) {
            continue;
        }
        axl_levers_seen(m, coupling, x, v, is_left, factor, seen);
        for (i = 0; i < held; ++i) {
            for (j = 0; j < springs; ++j) {
                m->share[i * springs + j] += seen[i] * v[j];
            }
        }
    }
}

/* Find the rows; none are held where nothing is left to springs. Work: 2 NR^2 doubles. */
static void axl_levers_begin(
    axl_levers *m, double h, const double *coupling, const double *velocity, const double *push,
    const double *law, const double *lower, const double *upper, double *work)
{
    double mobility;
    axl_levers_rows(m, h, coupling, velocity, push, law, lower, upper);
    mobility = axl_levers_mobility(m, coupling);
#if SWEEPS
    {
        const int some = (mobility > 0.0) & axl_levers_redundant(m, mobility, coupling, work);
        int i;
        for (i = 0; i < m->held; ++i) {
            m->holds[i] *= (double)some;
        }
    }
#else
    if (m->held == 0 || !(mobility > 0.0) || !axl_levers_redundant(m, mobility, coupling, work)) {
        m->could = m->held = 0;
    }
#endif
}

/* Work: 4 NR^2 + (NR + 1)^2 + NR doubles. */
static void axl_levers_leave(
    axl_levers *m, double *columns, double *coupling, double *velocity, double *push, double *work)
{
    const double mobility = axl_levers_mobility(m, coupling);
    int i, j;
    if (!SWEEPS && m->held == 0) {
        return;
    }
    m->share = work;
    axl_levers_find(
        m, NEAR * LEVER * LEVER * axl_choose(mobility > 0.0, mobility, 1.0), coupling, work + NR * NR);
    axl_levers_take(m, velocity, 1);
    axl_levers_take(m, push, 1);
    for (j = 0; j < NP; ++j) {
        axl_levers_take(m, columns + j, NP);
    }
    for (j = 0; j < NR; ++j) {
        axl_levers_take(m, coupling + j, NR);
    }
    for (i = 0; i < NR; ++i) {
        axl_levers_take(m, coupling + i * NR, 1);
        for (j = 0; j < i; ++j) {
            coupling[j * NR + i] = coupling[i * NR + j];
        }
    }
}

#if !SWEEPS
/* Hold what moves by no more than a lever of what springs move; whether that is new. The first
   time rows are added and removed, and after it removed alone. */
static int axl_levers_correct(
    axl_levers *m, double h, const double *coupling, const double *velocity, const double *push,
    const double *matrix, const double *offset, const double *force)
{
    const int before = m->held;
    double square = 0.0;
    int i, j, same = 1;
    for (i = 0; i < m->springs; ++i) {
        const int row = m->spring[i];
        double moved = velocity[row] + h * push[row];
        for (j = 0; j < NR; ++j) {
            moved += h * coupling[row * NR + j] * force[j];
        }
        square += moved * moved;
    }
    m->held = 0;
    for (i = 0; i < m->could; ++i) {
        const int row = m->able[i];
        double w = offset[row], terms = fabs(w);
        for (j = 0; j < NR; ++j) {
            w += matrix[row * NR + j] * force[j];
            terms += fabs(matrix[row * NR + j] * force[j]);
        }
        if (fabs(w) <= fmax(LEVER * sqrt(square), SETTLED * terms)) {
            same = same && m->held < before && m->rows[m->held] == row;
            m->rows[m->held] = m->able[m->held] = row;
            m->holds[m->held] = 1.0;
            m->held += 1;
        }
    }
    m->could = m->held;
    return !(same && m->held == before);
}
#endif
