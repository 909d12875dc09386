/* The functions of the stepper. Before them are the routines of the model, the header, the numbers
   of evaluation.c, for which EVALUATION stands, and

   NPARAMETERS, NCONSTANTS, NSHAPED, NSTARTS, NREPORT   sizes
   DIGEST                 of the text, by which a saved stepper is known
   FORCES                 how many inputs at the end are forces that steps are solved for
   NLAWS, NMEMORY, NWISHES, NCOMMANDED   laws of controllers, what they keep and what they wish, and
                          the inputs that they wish it for; LAW_RESULTS of the longest law
   RELATIVE, ABSOLUTE     tolerances of methods that divide their steps

   and the tables axl_shaped: places of an input, its rate and its acceleration, or -1;
   axl_own_shapes: its shape and time; axl_start_states, axl_start_inputs; axl_turn_places. Time is
   the start plus a whole number of steps, never a sum of steps.

   Where there are laws, axl_law evaluates them, and there are the tables axl_laws: of each the
   place of its switch among the inputs, of its memory and of its wishes, and how many these are;
   axl_intervals; axl_memory_starts; axl_wished: of each wish the commanded input; axl_commanded: of
   each of these its place in axl_shaped and its rule; axl_command_bounds. */

enum { SHAPE, TIME, BEGIN, PACE, END, DECAY, FIRST, AXL_COURSE = FIRST + 6 };

struct model_stepper {
    uint64_t digest, bytes;
    int64_t steps, parts, turns, fresh, status, where;
    axl_real start, step, h, relative, absolute;
    axl_real *x, *previous, *u, *p, *c, *y, *courses, *report, *work;
    const int64_t *turn_places;
#if NLAWS
    int64_t instants[NLAWS]; /* the number of the next one */
    axl_real origin;         /* the time of instant 0 */
    /* of laws what they keep, what they wish and whether they act; of commanded inputs what was set
       from outside, and whether it is commanded */
    axl_real memory[NMEMORY], wishes[NWISHES], acts[NLAWS], outside[NCOMMANDED], given[NCOMMANDED];
#endif
};

typedef struct model_stepper axl_run;

#if SOLVED
/* How many numbers at run->work a step needs. */
int axl_step_work(void);
#endif
/* Moves the states x from t to t + h. */
static void axl_step(const axl_run *run, axl_real t, axl_real h, axl_real *x);

/* Value, rate and acceleration of an input that goes over into END: with s = (t - BEGIN) * PACE
   and a polynomial P, END + P(s) exp(-DECAY s), from s = 1 on END alone unless it decays. */
static void axl_course(const axl_real *a, axl_real t, axl_real *at)
{
    const axl_real *k = a + FIRST;
    const axl_real s = (t - a[BEGIN]) * a[PACE], d = a[DECAY];
    const axl_real before = s < AXL_N(1.0) ? AXL_N(1.0) : AXL_N(0.0);
    const axl_real factor = d > AXL_N(0.0) ? AXL_F(exp)(-d * s) : before;
    const axl_real p = ((((k[5] * s + k[4]) * s + k[3]) * s + k[2]) * s + k[1]) * s + k[0];
    const axl_real dp = (((AXL_N(5.0) * k[5] * s + AXL_N(4.0) * k[4]) * s + AXL_N(3.0) * k[3]) * s
                         + AXL_N(2.0) * k[2]) * s + k[1];
    const axl_real ddp = ((AXL_N(20.0) * k[5] * s + AXL_N(12.0) * k[4]) * s + AXL_N(6.0) * k[3]) * s
        + AXL_N(2.0) * k[2];
    at[0] = a[END] + p * factor;
    at[1] = (dp - d * p) * factor * a[PACE];
    at[2] = (ddp - d * (AXL_N(2.0) * dp - d * p)) * factor * (a[PACE] * a[PACE]);
}

static void axl_inputs(const axl_run *run, axl_real t)
{
    int k, order;
    for (k = 0; k < NSHAPED; ++k) {
        axl_real at[3];
        axl_course(run->courses + AXL_COURSE * k, t, at);
        for (order = 0; order < 3; ++order) {
            if (axl_shaped[k][order] >= 0) {
                run->u[axl_shaped[k][order]] = at[order];
            }
        }
    }
}

EVALUATION
/* A filtered input decays at rest, too, so that it costs the same whether it was set or not. */
static void axl_stay(axl_real *a, axl_real value)
{
    int i;
    a[BEGIN] = a[PACE] = AXL_N(0.0);
    a[DECAY] = a[SHAPE] == (axl_real)AXL_FILTER ? AXL_N(1.0) : AXL_N(0.0);
    a[END] = value;
    for (i = 0; i < 6; ++i) {
        a[FIRST + i] = AXL_N(0.0);
    }
}

/* From where the input is at t, and as fast as it moves there, to rest at a value. */
static void axl_go(axl_real *a, axl_real t, axl_real value)
{
    const axl_real over = a[TIME];
    axl_real at[3], *k = a + FIRST, left, v, w;
    axl_course(a, t, at);
    axl_stay(a, value);
    left = at[0] - value;
    v = at[1] * over;
    w = AXL_N(0.5) * at[2] * over * over;
    if (a[SHAPE] == AXL_N(0.0)) {
        return;
    }
    a[BEGIN] = t;
    a[PACE] = AXL_N(1.0) / over;
    k[0] = left;
    if (a[SHAPE] == (axl_real)AXL_LINEAR) {
        k[1] = -left;
    } else if (a[SHAPE] == (axl_real)AXL_FILTER) {
        k[1] = v + left;
    } else {
        k[1] = v;
        k[2] = w;
        left += v + w;
        k[3] = AXL_N(-10.0) * left + AXL_N(4.0) * v + AXL_N(7.0) * w;
        k[4] = AXL_N(15.0) * left - AXL_N(7.0) * v - AXL_N(12.0) * w;
        k[5] = AXL_N(-6.0) * left + AXL_N(3.0) * v + AXL_N(5.0) * w;
    }
}

#if NLAWS
/* Where an input is among those that are commanded, or NCOMMANDED. */
static int axl_commanded_place(int shaped)
{
    int j;
    for (j = 0; j < NCOMMANDED && axl_commanded[j][0] != shaped; ++j) {
    }
    return j;
}

/* Instants begin anew here. */
static void axl_forget(model_stepper *s, axl_real time)
{
    /* Numbers that it does not know gcc copies as they are: of 1 1 1 1 0 0 0 0 gcc 12 makes eight
       times 1 for AVX-512. */
    const axl_real *volatile from = axl_memory_starts;
    int k;
    s->origin = time;
    for (k = 0; k < NLAWS; ++k) {
        s->instants[k] = 0;
        s->acts[k] = AXL_N(0.0);
    }
    memcpy(s->memory, from, sizeof s->memory);
    for (k = 0; k < NCOMMANDED; ++k) {
        s->given[k] = AXL_N(0.0);
    }
}

/* What an input has by the wishes of the laws that act, and whether there is one. What is no number
   is passed on. Values are chosen by their place in an array, not by jumps: laws that act cost the
   same as those that do not. */
static int axl_command_of(const model_stepper *s, int j, axl_real *value)
{
    const int rule = axl_commanded[j][1];
    const axl_real lower = axl_command_bounds[j][0], upper = axl_command_bounds[j][1];
    axl_real bounded[3];
    int k, i, found = 0;
    for (k = 0; k < NLAWS; ++k) {
        for (i = axl_laws[k][3]; i < axl_laws[k][3] + axl_laws[k][4]; ++i) {
            if (axl_wished[i] == j) {
                const axl_real wish = s->wishes[i], choice[3] = {*value, wish, *value + wish};
                const int acts = s->acts[k] != AXL_N(0.0), is_nan = wish != wish;
                const int lower_one = (rule == AXL_MINIMUM) & (wish < *value);
                const int higher_one = (rule == AXL_MAXIMUM) & (wish > *value);
                const int takes = (found == 0) | is_nan | lower_one | higher_one;
                const int adds = found & (rule == AXL_SUM);
                *value = choice[acts * (takes & (adds == 0)) + 2 * (acts * adds)];
                found |= acts;
            }
        }
    }
    bounded[0] = *value;
    bounded[1] = lower;
    bounded[2] = upper;
    *value = bounded[(*value < lower) + 2 * (*value > upper)];
    return found;
}

/* To a commanded input what laws wish; what was set from outside where none does any more. */
static void axl_give(model_stepper *s, int j, axl_real t)
{
    axl_real *course = s->courses + AXL_COURSE * axl_commanded[j][0], value = AXL_N(0.0);
    axl_real ways[3][AXL_COURSE]; /* as it is, commanded, back to what was set */
    const int found = axl_command_of(s, j, &value), was = s->given[j] != AXL_N(0.0);
    int way;
    for (way = 0; way < 3; ++way) {
        memcpy(ways[way], course, sizeof ways[way]);
    }
    axl_stay(ways[1], value);
    axl_go(ways[2], t, s->outside[j]);
    memcpy(course, ways[found + 2 * ((found == 0) & was)], sizeof ways[0]);
    s->given[j] = (axl_real)found;
}

/* At the beginning of a step: laws that are due read before any of them gives. */
static void axl_control(model_stepper *s, axl_real t)
{
    int k, j, i, any = 0, due[NLAWS];
    for (k = 0; k < NLAWS; ++k) {
        const axl_real since = t - s->origin + AXL_N(0.25) * s->h;
        due[k] = since >= (axl_real)s->instants[k] * axl_intervals[k];
        if (due[k]) {
            const axl_real count = since / axl_intervals[k], most = AXL_N(9e15);
            any = 1;
            s->instants[k] = (int64_t)(count < most ? count : most) + 1;
        }
    }
    if (!any) {
        return;
    }
    axl_inputs(s, t);
    for (k = 0; k < NLAWS; ++k) {
        const int *law = axl_laws[k];
        axl_real next[LAW_RESULTS];
        if (due[k]) {
            s->acts[k] = (axl_real)(s->u[law[0]] >= AXL_N(0.5));
            axl_law(k, t, s->x, s->u, s->c, s->memory + law[1], next);
            memcpy(s->memory + law[1], next, (size_t)law[2] * sizeof(axl_real));
            memcpy(s->wishes + law[3], next + law[2], (size_t)law[4] * sizeof(axl_real));
        }
    }
    for (j = 0; j < NCOMMANDED; ++j) {
        for (k = 0, any = 0; k < NLAWS; ++k) {
            for (i = axl_laws[k][3]; i < axl_laws[k][3] + axl_laws[k][4]; ++i) {
                any = any || (due[k] && axl_wished[i] == j);
            }
        }
        if (any) {
            axl_give(s, j, t);
        }
    }
    s->fresh = 0;
}
#endif

/* An input is at rest at a value that was set from outside. */
static void axl_rest(model_stepper *s, int k, axl_real value)
{
    axl_stay(s->courses + AXL_COURSE * k, value);
#if NLAWS
    if (axl_commanded_place(k) < NCOMMANDED) {
        s->outside[axl_commanded_place(k)] = value;
    }
#endif
}

/* Whether a value from outside is kept until no law commands the input any more. */
static int axl_waits(model_stepper *s, int k, axl_real value)
{
#if NLAWS
    const int j = axl_commanded_place(k);
    if (j < NCOMMANDED) {
        s->outside[j] = value;
        return s->given[j] != AXL_N(0.0);
    }
#endif
    (void)s, (void)k, (void)value;
    return 0;
}

/* The arrays stand behind the structure, in this order. */
static void axl_bind(model_stepper *s)
{
    axl_real *next = (axl_real *)(s + 1);
    s->x = next;
    s->previous = next += NX;
    s->u = next += NX;
    s->p = next += NU;
    s->c = next += NPARAMETERS;
    s->y = next += NCONSTANTS;
    s->courses = next += NY;
    s->report = next += AXL_COURSE * NSHAPED;
    s->work = next + NREPORT;
    s->turns = TURNS;
    s->turn_places = axl_turn_places;
}

int model_stepper_abi(void)
{
    return PREFIX_STEPPER_ABI;
}

unsigned long model_stepper_bytes(void)
{
    unsigned long numbers = 2 * NX + NU + NPARAMETERS + NCONSTANTS + NY;
    numbers += AXL_COURSE * NSHAPED + NREPORT;
#if SOLVED
    numbers += (unsigned long)axl_step_work();
#endif
    return sizeof(model_stepper) + numbers * sizeof(axl_real);
}

model_stepper *model_stepper_init(void *room, unsigned long bytes, axl_real step)
{
    model_stepper *s = (model_stepper *)room;
    int k;
    if (s == 0 || bytes < model_stepper_bytes() || !(step > AXL_N(0.0)) || step - step != AXL_N(0.0)) {
        return 0;
    }
    memset(room, 0, model_stepper_bytes());
    axl_bind(s);
    s->digest = DIGEST;
    s->bytes = model_stepper_bytes();
    s->step = s->h = step;
    s->parts = 1;
    s->relative = RELATIVE;
    s->absolute = ABSOLUTE;
    model_defaults(s->x, s->u, s->p);
    model_constants(s->p, s->c);
    for (k = 0; k < NSHAPED; ++k) {
        s->courses[AXL_COURSE * k + SHAPE] = axl_own_shapes[k][0];
        s->courses[AXL_COURSE * k + TIME] = axl_own_shapes[k][1];
    }
    model_stepper_reset(s, 0, AXL_N(0.0));
    return s;
}

#ifndef AXL_NO_ALLOCATION
model_stepper *model_stepper_create(axl_real step)
{
    const unsigned long bytes = model_stepper_bytes();
    void *room = malloc(bytes);
    model_stepper *s = model_stepper_init(room, bytes, step);
    if (s == 0) {
        free(room);
    }
    return s;
}

void model_stepper_destroy(model_stepper *s)
{
    free(s);
}

#endif
axl_real model_stepper_time(const model_stepper *s)
{
    return s->start + s->h * (axl_real)s->steps;
}

/* After states have changed from outside: the run goes on, and forces are those of this instant. */
static void axl_renew(model_stepper *s)
{
    s->status = AXL_OK;
    s->where = -1;
    s->fresh = 0;
#if SOLVED
    s->report[0] = AXL_N(0.0);
    memcpy(s->previous, s->x, NX * sizeof(axl_real)); /* the step is solved, not taken */
    axl_step(s, model_stepper_time(s), s->h, s->previous);
#endif
}

int model_stepper_place(
    model_stepper *s, const axl_real *states, const axl_real *inputs, axl_real time)
{
    int k;
    if (!axl_all_finite(states, NX) || !axl_all_finite(inputs, NU - FORCES)
        || !axl_all_finite(&time, 1)) {
        return AXL_BAD_NUMBER;
    }
    s->start = time;
    s->steps = 0;
    memcpy(s->x, states, NX * sizeof(axl_real));
    for (k = 0; k < NU; ++k) {
        s->u[k] = k < NU - FORCES ? inputs[k] : AXL_N(0.0);
    }
    for (k = 0; k < NREPORT; ++k) {
        s->report[k] = AXL_N(0.0);
    }
#if NLAWS
    axl_forget(s, time);
#endif
    for (k = 0; k < NSHAPED; ++k) {
        axl_rest(s, k, s->u[axl_shaped[k][0]]);
    }
    axl_inputs(s, time);
    axl_renew(s);
    return AXL_OK;
}

int model_stepper_reset(model_stepper *s, int start, axl_real time)
{
    if (start < 0 || start >= NSTARTS) {
        return AXL_NO_SUCH;
    }
    return model_stepper_place(s, axl_start_states[start], axl_start_inputs[start], time);
}

int model_stepper_set_step(model_stepper *s, axl_real step, int parts)
{
    if (!(step > AXL_N(0.0)) || step - step != AXL_N(0.0) || parts < 1) {
        return AXL_BAD_NUMBER;
    }
    s->start = model_stepper_time(s);
    s->steps = 0;
    s->step = step;
    s->parts = parts;
    s->h = step / (axl_real)parts;
    return AXL_OK;
}

static int axl_shaped_place(int input)
{
    int k;
    for (k = 0; k < NSHAPED && axl_shaped[k][0] != input; ++k) {
    }
    return k;
}

int model_stepper_shape(model_stepper *s, int input, int shape, axl_real time)
{
    const int k = axl_shaped_place(input);
    if (input < 0 || input >= NU || shape < AXL_HOLD || shape > AXL_SMOOTH) {
        return AXL_NO_SUCH;
    }
    if (k == NSHAPED) {
        return AXL_NOT_SET;
    }
    if ((shape != AXL_HOLD && !(time > AXL_N(0.0))) || time - time != AXL_N(0.0)) {
        return AXL_BAD_NUMBER;
    }
    s->courses[AXL_COURSE * k + SHAPE] = (axl_real)shape;
    s->courses[AXL_COURSE * k + TIME] = time;
    return AXL_OK;
}

static int axl_size(int array)
{
    switch (array) {
    case AXL_STATES: return NX;
    case AXL_INPUTS: return NU;
    case AXL_PARAMETERS: return NPARAMETERS;
    case AXL_OUTPUTS: return NY;
#if NLAWS
    case AXL_MEMORY: return NMEMORY_OWN;
#endif
    default: return 0;
    }
}

int model_stepper_set(model_stepper *s, int array, int index, axl_real value)
{
    if (index < 0 || index >= axl_size(array)) {
        return AXL_NO_SUCH;
    }
    if (value - value != AXL_N(0.0)) {
        return AXL_BAD_NUMBER;
    }
    if (array == AXL_STATES) {
        s->x[index] = value;
        axl_renew(s);
    } else if (array == AXL_PARAMETERS) {
        s->p[index] = value;
        model_constants(s->p, s->c);
    } else if (array == AXL_INPUTS) {
        const int k = axl_shaped_place(index);
        axl_real *a = s->courses + AXL_COURSE * k;
        if (k == NSHAPED) {
            return AXL_NOT_SET;
        }
        if (!axl_waits(s, k, value) && value != a[END]) { /* on its way there it goes on */
            axl_go(a, model_stepper_time(s), value);
            axl_inputs(s, model_stepper_time(s));
        }
    } else {
        return AXL_NOT_SET;
    }
    s->fresh = 0;
    return AXL_OK;
}

const axl_real *model_stepper_values(model_stepper *s, int array)
{
    switch (array) {
    case AXL_STATES: return s->x;
    case AXL_INPUTS: return s->u;
    case AXL_PARAMETERS: return s->p;
    case AXL_OUTPUTS:
        if (!s->fresh) {
            model_outputs(model_stepper_time(s), s->x, s->u, s->c, s->y);
            s->fresh = 1;
        }
        return s->y;
#if NLAWS
    case AXL_MEMORY: return s->memory;
#endif
    default: return 0;
    }
}

int model_stepper_get(model_stepper *s, int array, int index, axl_real *value)
{
    if (index < 0 || index >= axl_size(array)) {
        return AXL_NO_SUCH;
    }
    *value = model_stepper_values(s, array)[index];
    return AXL_OK;
}

/* The step is not taken: the run stays where it was before it. */
static int axl_stop(model_stepper *s, int code, int where)
{
    s->status = code;
    s->where = where;
    memcpy(s->x, s->previous, NX * sizeof(axl_real));
    axl_inputs(s, model_stepper_time(s));
    s->fresh = 0;
    return code;
}

static int axl_take_part(model_stepper *s)
{
    const axl_real t = model_stepper_time(s);
#if NLAWS
    axl_control(s, t);
#endif
    memcpy(s->previous, s->x, NX * sizeof(axl_real));
    axl_step(s, t, s->h, s->x);
#if SOLVED
    if (s->report[0] != AXL_N(0.0)) {
        int row;
        for (row = 0; row < FORCES && s->report[1 + row] == AXL_N(0.0); ++row) {
        }
        return axl_stop(s, AXL_UNSOLVED, row < FORCES ? NU - FORCES + row : -1);
    }
#endif
#if PROJECTED
    axl_project(s, s->start + s->h * (axl_real)(s->steps + 1), s->x);
#endif
    if (!axl_all_finite(s->x, NX)) {
        int i;
        for (i = 0; i < NX - 1 && s->x[i] - s->x[i] == AXL_N(0.0); ++i) {
        }
        return axl_stop(s, AXL_NOT_FINITE, i);
    }
    if (axl_lost(s)) {
        return axl_stop(s, AXL_LOST, (int)s->turn_places[1]);
    }
    s->steps += 1;
    return AXL_OK;
}

int model_stepper_advance(model_stepper *s, long steps)
{
    long k;
    int part;
    if (s->status != AXL_OK) {
        return (int)s->status;
    }
    if (steps < 0) {
        return AXL_BAD_NUMBER;
    }
    for (k = 0; k < steps; ++k) {
        for (part = 0; part < s->parts; ++part) {
            if (axl_take_part(s) != AXL_OK) {
                return (int)s->status;
            }
        }
    }
    axl_inputs(s, model_stepper_time(s));
    s->fresh = 0;
    return AXL_OK;
}

/* Addresses are those of one stepper, and no part of what it is. */
int model_stepper_save(const model_stepper *s, void *room, unsigned long bytes)
{
    model_stepper head = *s;
    if (room == 0 || bytes < s->bytes) {
        return AXL_NO_ROOM;
    }
    head.x = head.previous = head.u = head.p = head.c = head.y = 0;
    head.courses = head.report = head.work = 0;
    head.turn_places = 0;
    memcpy(room, s, s->bytes);
    memcpy(room, &head, sizeof head);
    return AXL_OK;
}

int model_stepper_restore(model_stepper *s, const void *room, unsigned long bytes)
{
    model_stepper head;
    if (room == 0 || bytes < sizeof head) {
        return AXL_OTHER_MODEL;
    }
    memcpy(&head, room, sizeof head);
    if (head.digest != DIGEST || head.bytes != model_stepper_bytes() || bytes < head.bytes) {
        return AXL_OTHER_MODEL;
    }
    memcpy(s, room, head.bytes);
    axl_bind(s);
    return AXL_OK;
}

int model_stepper_status(const model_stepper *s, int *index)
{
    if (index != 0) {
        *index = (int)s->where;
    }
    return (int)s->status;
}

const char *model_stepper_text(int code)
{
    switch (code) {
    case AXL_OK: return "all is well";
    case AXL_NO_SUCH: return "there is no quantity, start or shape of this number";
    case AXL_NOT_SET: return "outputs, rates of other inputs and forces are computed, not set";
    case AXL_BAD_NUMBER: return "a number is not finite, a time or step is not positive, or a count below 0";
    case AXL_NO_ROOM: return "the memory is too small for a stepper";
    case AXL_OTHER_MODEL: return "what is to be restored was not saved by a stepper of this model";
    case AXL_NOT_FINITE: return "a state is not finite after a step; try a smaller step";
    case AXL_LOST: return "Euler angles have lost an orientation in a step; try a smaller step, or quaternions";
    case AXL_UNSOLVED: return "the set-valued forces of a step are not solved for";
    default: return "there is no such code";
    }
}
