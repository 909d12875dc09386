/* An instance of the FMU, whichever version of the standard asks: a stepper, and beside it what
   model exchange needs. It stands in one unit with the stepper; before it are

   NINPUTS, NFILTERS       inputs of the FMU, and those of them that go through a filter
   NEVENTS                 event indicators, the last of the outputs
   NSETTINGS               parameters of the FMU itself: the step, the tolerance of the projection,
                           and the time of each filter
   FORWARD, BACKWARD       1 where model_directional and model_adjoint are there, NPORTS how many
                           outputs, from the first on, they are of
   *_ARRAY                 sizes of arrays, at least 1

   and the tables axl_filter: the filter of an input or -1; axl_allowed: bounds of parameters and
   whether the lower one is excluded; axl_bounds: those of inputs; axl_own_settings;
   axl_state_names, axl_parameter_names, axl_input_names.

   The FMU's states are those of the model and, for each filter, its value f and its rate g:
   f' = g, T^2 g' = u - f - 2 T g, which is the filter of the stepper. */

#include <stdarg.h>
#include <stdio.h>

enum { FMU_OK = 0, FMU_WARNING = 1, FMU_DISCARD = 2, FMU_ERROR = 3 };
/* Where the run is: between creation and initialisation, in it, and after it. */
enum { FMU_CREATED, FMU_INITIALISING, FMU_EVENT, FMU_CONTINUOUS, FMU_STEPPING, FMU_ENDED };
enum { SETTING_STEP = 0, SETTING_PROJECTION = 1, SETTING_FILTERS = 2 };
/* Value references. */
enum {
    REF_TIME = 0,
    REF_STATES = 1,
    REF_RATES = REF_STATES + NTOTAL,
    REF_INPUTS = REF_RATES + NTOTAL,
    REF_PARAMETERS = REF_INPUTS + NINPUTS,
    REF_SETTINGS = REF_PARAMETERS + NPARAMETERS,
    REF_OUTPUTS = REF_SETTINGS + NSETTINGS,
    REF_END = REF_OUTPUTS + NY
};

/* All that an instance is beside its stepper: numbers alone, so that a copy of both is its state. */
typedef struct {
    int64_t exchange, mode, moved, constants, known, rates_known;
    axl_real input[NINPUTS_ARRAY], filter[2 * NFILTERS + 1], setting[NSETTINGS];
    axl_real rates[NTOTAL_ARRAY];
} axl_values;

typedef struct axl_instance {
    axl_values v;
    model_stepper *s;
    void *whom;
    int logging;
    axl_callbacks call;
    char name[128];
} axl_instance;

/* Of the version of the standard. */
static void axl_send(const axl_instance *i, int status, const char *category, const char *text);

static int axl_say(const axl_instance *i, int status, const char *format, ...)
{
    static const char *const category[] = {
        "logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError"};
    char text[512], *letter;
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    for (letter = text; *letter; ++letter) {
        *letter = *letter == '%' ? '/' : *letter; /* some who are told take it for a format */
    }
    if (status != FMU_OK || i->logging) {
        axl_send(i, status, category[status], text);
    }
    return status;
}

static unsigned long axl_instance_bytes(void)
{
    return (sizeof(axl_instance) + 15) / 16 * 16 + model_stepper_bytes();
}

static void axl_restart(axl_instance *i)
{
    const int64_t exchange = i->v.exchange;
    int k;
    memset(&i->v, 0, sizeof i->v);
    i->v.exchange = exchange;
    for (k = 0; k < NSETTINGS; ++k) {
        i->v.setting[k] = axl_own_settings[k];
    }
    i->s = (model_stepper *)((char *)i + (sizeof(axl_instance) + 15) / 16 * 16);
    model_stepper_init(i->s, model_stepper_bytes(), i->v.setting[SETTING_STEP]);
    for (k = 0; k < NINPUTS; ++k) {
        i->v.input[k] = i->s->u[axl_shaped[k][0]];
    }
    i->v.mode = FMU_CREATED;
}

static axl_instance *axl_make(const char *name, int exchange, int logging)
{
    axl_instance *i = (axl_instance *)calloc(1, axl_instance_bytes());
    if (i != 0) {
        i->v.exchange = exchange;
        i->logging = logging;
        strncpy(i->name, name ? name : "", sizeof i->name - 1);
        axl_restart(i);
    }
    return i;
}

static axl_real axl_acceleration(const axl_values *v, int k)
{
    const int n = axl_filter[k];
    const axl_real over = v->setting[SETTING_FILTERS + n], *f = v->filter + 2 * n;
    return (v->input[k] - f[0] - 2.0 * over * f[1]) / (over * over);
}

/* The model's inputs by what is set and by the states of filters. */
static void axl_levels(axl_instance *i)
{
    int k, order;
    for (k = 0; k < NINPUTS; ++k) {
        const int n = axl_filter[k];
        axl_real at[3] = {i->v.input[k], 0.0, 0.0};
        if (n >= 0) {
            at[0] = i->v.filter[2 * n];
            at[1] = i->v.filter[2 * n + 1];
            at[2] = axl_acceleration(&i->v, k);
        }
        for (order = 0; order < 3; ++order) {
            if (axl_shaped[k][order] >= 0) {
                i->s->u[axl_shaped[k][order]] = at[order];
            }
        }
    }
}

#if PROJECTED
/* The states moved onto their constraints, and by how much, over one more than their size. */
static axl_real axl_moved(const axl_instance *i, axl_real *moved)
{
    const model_stepper *s = i->s;
    axl_real most = 0.0;
    int k;
    model_project(model_stepper_time(s), s->x, s->u, s->c, moved);
    for (k = 0; k < NX; ++k) {
        most = fmax(most, fabs(moved[k] - s->x[k]) / (1.0 + fabs(s->x[k])));
    }
    return most;
}

static void axl_onto_constraints(axl_instance *i)
{
    axl_real moved[NX_ARRAY];
    axl_moved(i, moved);
    memcpy(i->s->x, moved, NX * sizeof(axl_real));
}
#endif

/* Before the run: inputs stand still, and states fit together with what was set. */
static void axl_settle(axl_instance *i)
{
    model_stepper *s = i->s;
    int k;
    model_stepper_set_step(s, i->v.setting[SETTING_STEP], 1);
    for (k = 0; k < NINPUTS; ++k) {
        axl_rest(s, k, i->v.input[k]);
        if (axl_filter[k] >= 0) {
            i->v.filter[2 * axl_filter[k]] = i->v.input[k];
            i->v.filter[2 * axl_filter[k] + 1] = 0.0;
        }
    }
    axl_levels(i);
#if PROJECTED
    for (k = 0; i->v.moved && k < 4; ++k) {
        axl_onto_constraints(i);
    }
#endif
    axl_renew(s);
}

/* Constants and inputs are those of what was set. */
static void axl_know(axl_instance *i)
{
    model_stepper *s = i->s;
    if (i->v.known) {
        return;
    }
    if (!i->v.constants) {
        model_constants(s->p, s->c);
        i->v.constants = 1;
    }
    if (i->v.mode <= FMU_INITIALISING) {
        axl_settle(i);
    } else if (i->v.exchange) {
        axl_levels(i);
    } else {
        axl_inputs(s, model_stepper_time(s));
    }
    s->fresh = 0;
    i->v.rates_known = 0;
    i->v.known = 1;
}

/* Rates of all states of the FMU. */
static const axl_real *axl_rates(axl_instance *i)
{
    model_stepper *s = i->s;
    int k;
    axl_know(i);
    if (!i->v.rates_known) {
        model_rhs(model_stepper_time(s), s->x, s->u, s->c, i->v.rates);
        for (k = 0; k < NINPUTS; ++k) {
            axl_real *rate = i->v.rates + NX + 2 * axl_filter[k];
            if (axl_filter[k] >= 0 && i->v.exchange) {
                rate[0] = i->v.filter[2 * axl_filter[k] + 1];
                rate[1] = axl_acceleration(&i->v, k);
            } else if (axl_filter[k] >= 0) {
                axl_real at[3];
                axl_course(s->courses + AXL_COURSE * k, model_stepper_time(s), at);
                rate[0] = at[1];
                rate[1] = at[2];
            }
        }
        i->v.rates_known = 1;
    }
    return i->v.rates;
}

/* The states of filters; those of co-simulation are in the courses of the stepper. */
static const axl_real *axl_filters(axl_instance *i)
{
    int k;
    for (k = 0; k < NINPUTS && !i->v.exchange; ++k) {
        if (axl_filter[k] >= 0) {
            axl_real at[3];
            axl_course(i->s->courses + AXL_COURSE * k, model_stepper_time(i->s), at);
            i->v.filter[2 * axl_filter[k]] = at[0];
            i->v.filter[2 * axl_filter[k] + 1] = at[1];
        }
    }
    return i->v.filter;
}

static int axl_get(axl_instance *i, unsigned long ref, axl_real *value)
{
    if (ref == REF_TIME) {
        *value = model_stepper_time(i->s);
    } else if (ref < REF_RATES) {
        const unsigned long k = ref - REF_STATES;
        axl_know(i);
        *value = k < NX ? i->s->x[k] : axl_filters(i)[k - NX];
    } else if (ref < REF_INPUTS) {
        *value = axl_rates(i)[ref - REF_RATES];
    } else if (ref < REF_PARAMETERS) {
        *value = i->v.input[ref - REF_INPUTS];
    } else if (ref < REF_SETTINGS) {
        *value = i->s->p[ref - REF_PARAMETERS];
    } else if (ref < REF_OUTPUTS) {
        *value = i->v.setting[ref - REF_SETTINGS];
    } else if (ref < REF_END) {
        axl_know(i);
        *value = model_stepper_values(i->s, AXL_OUTPUTS)[ref - REF_OUTPUTS];
    } else {
        return axl_say(i, FMU_ERROR, "there is no variable of value reference %lu", ref);
    }
    return FMU_OK;
}

static int axl_set_parameter(axl_instance *i, unsigned long k, axl_real value)
{
    const axl_real *allowed = axl_allowed[k];
    if (value < allowed[0] || value > allowed[1] || (allowed[2] != 0.0 && value == allowed[0])) {
        return axl_say(
            i, FMU_ERROR, "parameter %s is set to %g; expected a value %s %g and at most %g",
            axl_parameter_names[k], value, allowed[2] != 0.0 ? "above" : "of at least", allowed[0],
            allowed[1]);
    }
    i->v.moved = i->v.moved || value != i->s->p[k];
    i->s->p[k] = value;
    i->v.constants = 0;
    return FMU_OK;
}

static int axl_set_setting(axl_instance *i, unsigned long k, axl_real value)
{
    int n;
    if (!(value > 0.0) && !(k == SETTING_PROJECTION && value == 0.0)) {
        return axl_say(i, FMU_ERROR, "a step, tolerance or filter time is set to %g", value);
    }
    if (k == SETTING_STEP && i->v.mode > FMU_INITIALISING) {
        return axl_say(i, FMU_ERROR, "the step is fixed once the run has begun");
    }
    i->v.setting[k] = value;
    for (n = 0; n < NINPUTS; ++n) {
        if (axl_filter[n] >= 0 && k == (unsigned long)(SETTING_FILTERS + axl_filter[n])) {
            model_stepper_shape(i->s, axl_shaped[n][0], AXL_FILTER, value);
        }
    }
    return FMU_OK;
}

static int axl_set_state(axl_instance *i, unsigned long k, axl_real value)
{
    if (!i->v.exchange && i->v.mode > FMU_INITIALISING) {
        return axl_say(
            i, FMU_ERROR, "state %s is set while co-simulation runs; expected its start value "
            "before the end of the initialisation", k < NX ? axl_state_names[k] : "of a filter");
    }
    if (k >= NX && i->v.mode <= FMU_INITIALISING) {
        return axl_say(i, FMU_ERROR, "the state of a filter is set; it starts at its input");
    }
    if (k >= NX) {
        i->v.filter[k - NX] = value;
    } else {
        i->v.moved = i->v.moved || value != i->s->x[k];
        i->s->x[k] = value;
    }
    return FMU_OK;
}

/* Beyond its bounds an input is as it was, which the importer may know what to do about. */
static int axl_set_input(axl_instance *i, unsigned long k, axl_real value)
{
    if (value < axl_bounds[k][0] || value > axl_bounds[k][1]) {
        return axl_say(
            i, FMU_DISCARD, "input %s is set to %g; expected a value from %g to %g",
            axl_input_names[k], value, axl_bounds[k][0], axl_bounds[k][1]);
    }
    i->v.moved = i->v.moved || value != i->v.input[k];
    i->v.input[k] = value;
    if (!i->v.exchange && i->v.mode > FMU_INITIALISING) {
        model_stepper_set(i->s, AXL_INPUTS, axl_shaped[k][0], value);
    }
    return FMU_OK;
}

static int axl_set(axl_instance *i, unsigned long ref, axl_real value)
{
    int status;
    if (value - value != 0.0) {
        return axl_say(i, FMU_ERROR, "the value for value reference %lu is not finite", ref);
    }
    if (ref >= REF_STATES && ref < REF_RATES) {
        status = axl_set_state(i, ref - REF_STATES, value);
    } else if (ref >= REF_INPUTS && ref < REF_PARAMETERS) {
        status = axl_set_input(i, ref - REF_INPUTS, value);
    } else if (ref >= REF_PARAMETERS && ref < REF_SETTINGS) {
        status = axl_set_parameter(i, ref - REF_PARAMETERS, value);
    } else if (ref >= REF_SETTINGS && ref < REF_OUTPUTS) {
        status = axl_set_setting(i, ref - REF_SETTINGS, value);
    } else {
        return axl_say(
            i, FMU_ERROR, "the variable of value reference %lu is computed and not set", ref);
    }
    i->v.known = 0;
    return status;
}

static int axl_get_several(
    axl_instance *i, const unsigned int *ref, size_t count, axl_real *value)
{
    int status = FMU_OK;
    size_t k;
    for (k = 0; k < count && status < FMU_ERROR; ++k) {
        status = axl_get(i, ref[k], value + k);
    }
    return status;
}

static int axl_set_several(
    axl_instance *i, const unsigned int *ref, size_t count, const axl_real *value)
{
    int status = FMU_OK;
    size_t k;
    for (k = 0; k < count && status < FMU_DISCARD; ++k) {
        status = axl_set(i, ref[k], value[k]);
    }
    return status;
}

/* Where the run begins. */
static void axl_begin_at(axl_instance *i, axl_real time)
{
    i->s->start = time;
    i->s->steps = 0;
#if NLAWS
    i->s->origin = time;
#endif
    i->v.known = 0;
}

static void axl_begin(axl_instance *i)
{
    axl_know(i);
    i->v.mode = i->v.exchange ? FMU_EVENT : FMU_STEPPING;
    i->v.moved = 0;
}

/* Model exchange. */

static void axl_set_states(axl_instance *i, const axl_real *states)
{
    memcpy(i->s->x, states, NX * sizeof(axl_real));
    memcpy(i->v.filter, states + NX, 2 * NFILTERS * sizeof(axl_real));
    i->v.known = 0;
}

static void axl_get_states(axl_instance *i, axl_real *states)
{
    axl_know(i);
    memcpy(states, i->s->x, NX * sizeof(axl_real));
    memcpy(states + NX, axl_filters(i), 2 * NFILTERS * sizeof(axl_real));
}

static int axl_get_rates(axl_instance *i, axl_real *rates)
{
    const axl_real *found = axl_rates(i);
    int k;
    memcpy(rates, found, NTOTAL * sizeof(axl_real));
    for (k = 0; k < NX; ++k) {
        if (found[k] - found[k] != 0.0) {
            return axl_say(
                i, FMU_DISCARD, "the rate of %s is not finite at t = %g s", axl_state_names[k],
                model_stepper_time(i->s));
        }
    }
    return FMU_OK;
}

static void axl_get_events(axl_instance *i, axl_real *indicators)
{
    axl_know(i);
    memcpy(
        indicators, model_stepper_values(i->s, AXL_OUTPUTS) + NY - NEVENTS,
        NEVENTS * sizeof(axl_real));
}

/* Whether the states are so far off their constraints that an event has to move them there. */
static int axl_has_drifted(axl_instance *i)
{
#if PROJECTED
    axl_real moved[NX_ARRAY];
    axl_know(i);
    return axl_moved(i, moved) > i->v.setting[SETTING_PROJECTION];
#else
    (void)i;
    return 0;
#endif
}

/* In event mode; 1 where states have changed. */
static int axl_update(axl_instance *i)
{
#if PROJECTED
    if (axl_has_drifted(i)) {
        axl_onto_constraints(i);
        i->v.known = 0;
        return 1;
    }
#endif
    (void)i;
    return 0;
}

/* Co-simulation. */

typedef int (*axl_between)(axl_instance *i, axl_real time); /* 1 to go no further */

static int axl_failed(const axl_instance *i, int code)
{
    int where;
    model_stepper_status(i->s, &where);
    return axl_say(
        i, FMU_DISCARD, "the step from t = %.9g s fails%s%s: %s", model_stepper_time(i->s),
        where >= 0 && where < NX ? " at " : "", where >= 0 && where < NX ? axl_state_names[where] : "",
        model_stepper_text(code));
}

static int axl_steps(axl_instance *i, axl_real from, axl_real over, axl_between between)
{
    model_stepper *s = i->s;
    const axl_real length = from + over - model_stepper_time(s);
    const axl_real parts = ceil(length / i->v.setting[SETTING_STEP] - 1e-6);
    int64_t part;
    if (!(over > 0.0) || fabs(from - model_stepper_time(s)) > 1e-3 * over || !(parts < 1e9)) {
        return axl_say(
            i, FMU_ERROR, "a communication step from %g s over %g s is asked for, and the run is "
            "at %g s; expected a step from there, of positive length", from, over,
            model_stepper_time(s));
    }
    if (s->status != AXL_OK) {
        return axl_say(i, FMU_ERROR, "the run has failed; restore a state of it, or reset it");
    }
    axl_know(i);
    if (fabs(length - s->step) > 1e-7 * s->step || (axl_real)s->parts != fmax(parts, 1.0)) {
        model_stepper_set_step(s, length, (int)fmax(parts, 1.0));
    }
    for (part = s->parts; part > 0; --part) {
        const int code = axl_take_part(s);
        i->v.known = 0;
        if (code != AXL_OK) {
            return axl_failed(i, code);
        }
        if (between != 0 && between(i, model_stepper_time(s))) {
            break;
        }
    }
    return FMU_OK;
}

#if FORWARD
/* Derivatives: seeds of states and inputs of the FMU as those of the model, and back. */

static axl_real axl_over_square(const axl_values *v, int k)
{
    const axl_real over = v->setting[SETTING_FILTERS + axl_filter[k]];
    return 1.0 / (over * over);
}

static void axl_seeds_of_model(const axl_values *v, const axl_real *states, const axl_real *inputs,
                               axl_real *seeds)
{
    int k, order;
    memcpy(seeds, states, NX * sizeof(axl_real));
    memset(seeds + NX, 0, NU * sizeof(axl_real));
    for (k = 0; k < NINPUTS; ++k) {
        const int n = axl_filter[k];
        axl_real at[3] = {inputs[k], 0.0, 0.0};
        if (n >= 0) {
            const axl_real *f = states + NX + 2 * n, over = v->setting[SETTING_FILTERS + n];
            at[0] = f[0];
            at[1] = f[1];
            at[2] = (inputs[k] - f[0] - 2.0 * over * f[1]) * axl_over_square(v, k);
        }
        for (order = 0; order < 3; ++order) {
            if (axl_shaped[k][order] >= 0) {
                seeds[NX + axl_shaped[k][order]] = at[order];
            }
        }
    }
}

/* Of rates (NTOTAL) and ports, along seeds of states (NTOTAL) and inputs. */
static void axl_forward(axl_instance *i, const axl_real *states, const axl_real *inputs,
                        axl_real *found)
{
    axl_real seeds[NX + NU + 1], rows[NX + NPORTS + 1];
    int k;
    axl_know(i);
    axl_seeds_of_model(&i->v, states, inputs, seeds);
    model_directional(model_stepper_time(i->s), i->s->x, i->s->u, i->s->c, seeds, rows);
    memcpy(found, rows, NX * sizeof(axl_real));
    memcpy(found + NTOTAL, rows + NX, NPORTS * sizeof(axl_real));
    for (k = 0; k < NINPUTS; ++k) {
        const int n = axl_filter[k];
        if (n >= 0) {
            const axl_real *f = states + NX + 2 * n, over = i->v.setting[SETTING_FILTERS + n];
            found[NX + 2 * n] = f[1];
            found[NX + 2 * n + 1] = (inputs[k] - f[0] - 2.0 * over * f[1])
                * axl_over_square(&i->v, k);
        }
    }
}

#endif
#if BACKWARD
/* Back from weights of rates (NTOTAL) and ports to states (NTOTAL) and inputs. */
static void axl_backward(axl_instance *i, const axl_real *weights, axl_real *states,
                         axl_real *inputs)
{
    axl_real seeds[NX + NPORTS + 1], found[NX + NU + 1];
    int k;
    memcpy(seeds, weights, NX * sizeof(axl_real));
    memcpy(seeds + NX, weights + NTOTAL, NPORTS * sizeof(axl_real));
    axl_know(i);
    model_adjoint(model_stepper_time(i->s), i->s->x, i->s->u, i->s->c, seeds, found);
    memcpy(states, found, NX * sizeof(axl_real));
    for (k = 0; k < NINPUTS; ++k) {
        const int n = axl_filter[k], *place = axl_shaped[k];
        const axl_real value = found[NX + place[0]];
        if (n < 0) {
            inputs[k] = value;
        } else {
            axl_real *f = states + NX + 2 * n, over = i->v.setting[SETTING_FILTERS + n];
            const axl_real *w = weights + NX + 2 * n;
            const axl_real push = ((place[2] >= 0 ? found[NX + place[2]] : 0.0) + w[1])
                * axl_over_square(&i->v, k);
            inputs[k] = push;
            f[0] = value - push;
            f[1] = (place[1] >= 0 ? found[NX + place[1]] : 0.0) + w[0] - 2.0 * over * push;
        }
    }
}

#endif
#if FORWARD
/* The place of a variable in an array of states, then inputs, or of rates, then ports, then
   states; or -1. */
static int axl_known_place(unsigned long ref)
{
    if (ref >= REF_STATES && ref < REF_RATES) {
        return (int)(ref - REF_STATES);
    }
    return ref >= REF_INPUTS && ref < REF_PARAMETERS ? (int)(ref - REF_INPUTS) + NTOTAL : -1;
}

static int axl_unknown_place(unsigned long ref)
{
    if (ref >= REF_RATES && ref < REF_INPUTS) {
        return (int)(ref - REF_RATES);
    }
    if (ref >= REF_STATES && ref < REF_RATES) {
        return (int)(ref - REF_STATES) + NTOTAL + NPORTS;
    }
    return ref >= REF_OUTPUTS && ref < REF_OUTPUTS + NPORTS ? (int)(ref - REF_OUTPUTS) + NTOTAL : -1;
}
#endif

/* Of some unknowns along seeds of some knowns; `back` from seeds of unknowns to knowns. */
static int axl_derivative(
    axl_instance *i, const unsigned int *unknown, size_t unknowns, const unsigned int *known,
    size_t knowns, const axl_real *seed, axl_real *found, int back)
{
#if FORWARD
    axl_real inner[NTOTAL + NINPUTS + 1] = {0.0}, outer[2 * NTOTAL + NPORTS + 1] = {0.0};
    size_t k;
    int place;
    for (k = 0; k < knowns; ++k) {
        if ((place = axl_known_place(known[k])) < 0) {
            return axl_say(
                i, FMU_ERROR, "derivatives are by states and inputs, not by value reference %u",
                known[k]);
        }
        inner[place] = back ? 0.0 : inner[place] + seed[k];
    }
    for (k = 0; k < unknowns; ++k) {
        if ((place = axl_unknown_place(unknown[k])) < 0) {
            return axl_say(
                i, FMU_ERROR, "derivatives are of rates and outputs, not of value reference %u",
                unknown[k]);
        }
        outer[place] = back ? outer[place] + seed[k] : 0.0;
    }
    if (back) {
#if BACKWARD
        axl_backward(i, outer, inner, inner + NTOTAL);
#endif
        for (place = 0; place < NTOTAL; ++place) {
            inner[place] += outer[NTOTAL + NPORTS + place];
        }
    } else {
        axl_forward(i, inner, inner + NTOTAL, outer);
        memcpy(outer + NTOTAL + NPORTS, inner, NTOTAL * sizeof(axl_real));
    }
    for (k = 0; k < (back ? knowns : unknowns); ++k) {
        found[k] = back ? inner[axl_known_place(known[k])] : outer[axl_unknown_place(unknown[k])];
    }
    return FMU_OK;
#else
    (void)unknown, (void)unknowns, (void)known, (void)knowns, (void)seed, (void)found, (void)back;
    return axl_say(i, FMU_ERROR, "this model has no derivatives");
#endif
}

/* The state of an instance: its numbers, then its stepper. */

static unsigned long axl_state_bytes(void)
{
    return sizeof(axl_values) + model_stepper_bytes();
}

static int axl_save(const axl_instance *i, void *room)
{
    memcpy(room, &i->v, sizeof i->v);
    return model_stepper_save(i->s, (char *)room + sizeof i->v, model_stepper_bytes());
}

static int axl_restore(axl_instance *i, const void *room, size_t bytes)
{
    const int64_t exchange = i->v.exchange;
    axl_values v;
    if (bytes < axl_state_bytes()) {
        return axl_say(i, FMU_ERROR, "what is to be restored is too short for a state");
    }
    memcpy(&v, room, sizeof v);
    if (v.exchange != exchange
        || model_stepper_restore(i->s, (const char *)room + sizeof v, model_stepper_bytes())) {
        return axl_say(i, FMU_ERROR, "what is to be restored is no state of this model and kind");
    }
    i->v = v;
    return FMU_OK;
}
