// A step of sweeps as C++ in which numbers count what is done with them. STEP is the file of its
// text, STATES, INPUTS and FOLLOWING the sizes.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static long additions, multiplications, divisions, functions, chosen;

struct Counted {
    double value;
    Counted() = default;
    Counted(double v) : value(v) {}
    Counted &operator+=(Counted b) { ++additions; value += b.value; return *this; }
    Counted &operator-=(Counted b) { ++additions; value -= b.value; return *this; }
    Counted &operator*=(Counted b) { ++multiplications; value *= b.value; return *this; }
    Counted &operator/=(Counted b) { ++divisions; value /= b.value; return *this; }
    friend Counted operator+(Counted a, Counted b) { return a += b; }
    friend Counted operator-(Counted a, Counted b) { return a -= b; }
    friend Counted operator*(Counted a, Counted b) { return a *= b; }
    friend Counted operator/(Counted a, Counted b) { return a /= b; }
    friend Counted operator-(Counted a) { return Counted(-a.value); }
    friend bool operator<(Counted a, Counted b) { ++functions; return a.value < b.value; }
    friend bool operator>(Counted a, Counted b) { ++functions; return a.value > b.value; }
    friend bool operator<=(Counted a, Counted b) { ++functions; return a.value <= b.value; }
    friend bool operator>=(Counted a, Counted b) { ++functions; return a.value >= b.value; }
    friend bool operator==(Counted a, Counted b) { ++functions; return a.value == b.value; }
    friend bool operator!=(Counted a, Counted b) { ++functions; return a.value != b.value; }
};
static Counted fabs(Counted a) { ++functions; return Counted(fabs(a.value)); }
static Counted sqrt(Counted a) { ++functions; return Counted(sqrt(a.value)); }
static Counted fmin(Counted a, Counted b) { ++functions; return Counted(fmin(a.value, b.value)); }
static Counted fmax(Counted a, Counted b) { ++functions; return Counted(fmax(a.value, b.value)); }
static Counted frexp(Counted a, int *e) { return Counted(frexp(a.value, e)); }
static Counted ldexp(Counted a, int e) { return Counted(ldexp(a.value, e)); }
#undef isinf
static int isinf(Counted a) { return __builtin_isinf(a.value); }

#define double Counted
#define AXL_F(x) x
enum { NX = STATES, NU = INPUTS, NX_ARRAY = STATES };
struct axl_run { Counted *u, *c, *report, *work; };
static void axl_inputs(const axl_run *, double) {}
static int axl_all_finite(const double *, int) { return 1; }
static long seed = 1;
static Counted any() { seed = seed * 48271 % 2147483647; return Counted((Counted(1e-9).value) * seed); }
static void fill(int count, Counted *values) { for (int i = 0; i < count; ++i) values[i] = any(); }
static void model_rows(double, const double *, const double *, const double *, double *r);
static void model_bounds(double, const double *, const double *, const double *, double *b)
{
    fill(2 * FOLLOWING, b);
}
static void model_later_rates(double, const double *, const double *, const double *, double *z)
{
    fill(STATES, z);
}
#include STEP
static void model_rows(double, const double *, const double *, const double *, double *r)
{
    fill(NROWS, r);
}
#undef double

int main()
{
    static Counted x[STATES], u[INPUTS], c[1], report[INPUTS + 64];
    Counted *work = new Counted[1000000];
    axl_run run = {u, c, report, work};
    for (int k = 0; k < 3; ++k) {
        fill(STATES, x);
        fill(INPUTS, u);
        additions = multiplications = divisions = functions = chosen = 0;
        axl_step(&run, Counted(0.0), Counted(1e-3), x);
        printf("%ld %ld %ld %ld\n", additions, multiplications, divisions, functions + chosen);
    }
    return 0;
}
