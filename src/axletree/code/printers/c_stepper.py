"""A stepper in C: a structure of the caller that is reset, given values, and moved on by steps.

A person, another program or an action gives values of inputs at instants. An input goes over
into its new value along a polynomial of degree five, so that it, its rate and its acceleration
have no jump (Flash and Hogan 1985), and inputs that are rates of others follow from it. Nothing
is allocated, and several steppers run side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from axletree.code.printers.steps import c_step
from axletree.code.program import Program
from axletree.code.step_rules import StepLine
from axletree.expr.quantity import Quantity, Role

# A course: coefficients of s = (t - begin) / over from power 0 up, begin and over [s], the end.
_STRUCTURE: Final = """\
/* A run that goes on step by step. Its fields are read by functions, and `x` by anyone. */
typedef struct {
    axl_real step, start; /* [s] */
    long steps; /* since the start */
    axl_real x[PREFIX_STATES + 1], u[PREFIX_INPUTS + 1];
    axl_real p[PREFIX_PARAMETERS + 1], c[PREFIX_CONSTANTS + 1];
    axl_real courses[PREFIX_COURSES + 1][9]; /* of the inputs that are no rates of others */
} model_stepper;

/* The bytes of a stepper, for those who do not know its fields. */
unsigned long model_stepper_bytes(void);
/* To the model's own values at a time [s], with steps of this length [s]. */
void model_stepper_reset(model_stepper *s, axl_real start, axl_real step);
axl_real model_stepper_time(const model_stepper *s);
axl_real *model_stepper_states(model_stepper *s);
/* A parameter: constants are computed anew. 0, or 1 where there is none of this index. */
int model_stepper_set_parameter(model_stepper *s, int index, axl_real value);
int model_stepper_set_state(model_stepper *s, int index, axl_real value);
/* An input goes over into a value within some time [s], 0 for at once; its rates, where they are
   inputs, too, follow. 0, or 1 where there is no input of this index that is no rate. */
int model_stepper_set_input(model_stepper *s, int index, axl_real value, axl_real over);
/* So many steps: 0, or 1 where a state is not finite any more, which ends them. */
int model_stepper_advance(model_stepper *s, long count);
/* The outputs at the present time. */
void model_stepper_outputs(const model_stepper *s, axl_real *y);"""

_COURSES: Final = """\
typedef model_stepper axl_run;

/* Value, rate and acceleration of a course at a time. */
static void axl_course(const axl_real *a, axl_real t, axl_real *at)
{
    const axl_real over = a[7], s = over > AXL_N(0.0) ? (t - a[6]) / over : AXL_N(1.0);
    if (s < AXL_N(1.0)) {
        at[0] = ((((a[5] * s + a[4]) * s + a[3]) * s + a[2]) * s + a[1]) * s + a[0];
        at[1] = ((((AXL_N(5.0) * a[5] * s + AXL_N(4.0) * a[4]) * s + AXL_N(3.0) * a[3]) * s
                  + AXL_N(2.0) * a[2]) * s + a[1]) / over;
        at[2] = (((AXL_N(20.0) * a[5] * s + AXL_N(12.0) * a[4]) * s + AXL_N(6.0) * a[3]) * s
                 + AXL_N(2.0) * a[2]) / (over * over);
    } else {
        at[0] = a[8];
        at[1] = AXL_N(0.0);
        at[2] = AXL_N(0.0);
    }
}

static void axl_inputs(const axl_run *run, axl_real t, axl_real *u)
{
    int k, order;
    for (k = 0; k < NC; ++k) {
        axl_real at[3];
        axl_course(run->courses[k], t, at);
        for (order = 0; order < 3; ++order) {
            if (axl_input_places[k][order] >= 0) {
                u[axl_input_places[k][order]] = at[order];
            }
        }
    }
}
"""
_RATES: Final = """\
static void axl_{0}(const axl_run *run, axl_real t, const axl_real *x, axl_real *{2})
{{
    axl_real u[NU_ARRAY];
    axl_inputs(run, t, u);
    model_{1}(t, x, u, run->c, {2});
}}
"""
_PROJECT: Final = """\
        axl_inputs(s, t + s->step, s->u);
        model_project(t + s->step, s->x, s->u, s->c, moved);
        memcpy(s->x, moved, NX * sizeof(axl_real));
"""
_FUNCTIONS: Final = """\
unsigned long model_stepper_bytes(void)
{
    return (unsigned long)sizeof(model_stepper);
}

void model_stepper_reset(model_stepper *s, axl_real start, axl_real step)
{
    int k;
    memset(s, 0, sizeof(*s));
    s->step = step;
    s->start = start;
    model_defaults(s->x, s->u, s->p);
    model_constants(s->p, s->c);
    for (k = 0; k < NC; ++k) {
        s->courses[k][8] = s->u[axl_input_places[k][0]];
    }
    axl_inputs(s, start, s->u);
}

axl_real model_stepper_time(const model_stepper *s)
{
    return s->start + s->step * (axl_real)s->steps;
}

axl_real *model_stepper_states(model_stepper *s)
{
    return s->x;
}

int model_stepper_set_parameter(model_stepper *s, int index, axl_real value)
{
    if (index < 0 || index >= PREFIX_PARAMETERS) {
        return 1;
    }
    s->p[index] = value;
    model_constants(s->p, s->c);
    return 0;
}

int model_stepper_set_state(model_stepper *s, int index, axl_real value)
{
    if (index < 0 || index >= NX) {
        return 1;
    }
    s->x[index] = value;
    return 0;
}

int model_stepper_set_input(model_stepper *s, int index, axl_real value, axl_real over)
{
    const axl_real t = model_stepper_time(s);
    axl_real at[3], left, *a;
    int k = 0;
    while (k < NC && axl_input_places[k][0] != index) {
        ++k;
    }
    if (k == NC) {
        return 1;
    }
    a = s->courses[k];
    axl_course(a, t, at);
    a[6] = t;
    a[7] = over;
    a[8] = value;
    a[0] = at[0];
    a[1] = at[1] * over;
    a[2] = AXL_N(0.5) * at[2] * over * over;
    left = value - a[0] - a[1] - a[2];
    a[3] = AXL_N(10.0) * left + AXL_N(4.0) * a[1] + AXL_N(7.0) * a[2];
    a[4] = AXL_N(-15.0) * left - AXL_N(7.0) * a[1] - AXL_N(12.0) * a[2];
    a[5] = AXL_N(6.0) * left + AXL_N(3.0) * a[1] + AXL_N(5.0) * a[2];
    axl_inputs(s, t, s->u);
    return 0;
}

int model_stepper_advance(model_stepper *s, long count)
{
    MOVED
    long k;
    int i;
    for (k = 0; k < count; ++k) {
        const axl_real t = model_stepper_time(s);
        axl_real sum = AXL_N(0.0);
        axl_inputs(s, t, s->u);
        axl_step(s, t, s->step, s->x);
        PROJECT
        s->steps += 1;
        for (i = 0; i < NX; ++i) {
            sum += s->x[i] - s->x[i]; /* 0, or NaN where a state is not finite */
        }
        if (sum != AXL_N(0.0)) {
            return 1;
        }
    }
    axl_inputs(s, model_stepper_time(s), s->u);
    return 0;
}

void model_stepper_outputs(const model_stepper *s, axl_real *y)
{
    model_outputs(model_stepper_time(s), s->x, s->u, s->c, y);
}
"""


def input_courses(inputs: Sequence[Quantity]) -> list[tuple[int, int, int]]:
    """The places of every input that is no rate, of its rate and of its acceleration; or -1."""
    rates = {q.derivative_of: (k, q.name) for k, q in enumerate(inputs) if q.derivative_of}
    found = []
    for k, quantity in enumerate(inputs):
        if not quantity.derivative_of:
            rate, name = rates.get(quantity.name, (-1, ""))
            found.append((k, rate, rates.get(name, (-1, ""))[0] if name else -1))
    return found


def stepper_declarations(program: Program, prefix: str = "model") -> list[str]:
    """What the header says of the stepper."""
    courses = len(input_courses(program.inputs))
    return [
        "",
        f"enum {{ {prefix.upper()}_COURSES = {courses} }};",
        "",
        _named(_STRUCTURE, prefix),
    ]


def stepper_text(program: Program, lines: Sequence[StepLine], prefix: str = "model") -> list[str]:
    """The functions of the stepper, which take steps of these lines; they follow the unit."""
    sizes = {
        "NX": len(program.states),
        "NX_ARRAY": len(program.states) + 1,
        "NP": sum(q.role is Role.SPEED for q in program.states),
        "NS_ARRAY": 1 + (program.speed_rates.size if program.speed_rates is not None else 0),
        "NU_ARRAY": len(program.inputs) + 1,
        "NC": len(input_courses(program.inputs)),
    }
    places = input_courses(program.inputs) or [(-1, -1, -1)]
    table = ", ".join("{" + ", ".join(map(str, row)) + "}" for row in places)
    step = c_step(lines)
    moved, projected = "axl_real moved[NX_ARRAY];", program.project is not None
    functions = _FUNCTIONS.replace("    MOVED\n", f"    {moved}\n" if projected else "")
    functions = functions.replace("        PROJECT\n", _PROJECT if projected else "")
    texts = [
        "#include <string.h>\n",
        f"enum {{ {', '.join(f'{name} = {size}' for name, size in sizes.items())} }};\n",
        f"static const int axl_input_places[{len(places)}][3] = {{{table}}};\n",
        _COURSES,
        *([_RATES.format("slope", "rhs", "xdot")] if "axl_slope" in step else []),
        *([_RATES.format("speed_rates", "speed_rates", "pdot")] if "axl_speed" in step else []),
        step,
        functions,
    ]
    return [_named(text, prefix) for text in texts]


def _named(text: str, prefix: str) -> str:
    return text.replace("PREFIX", prefix.upper()).replace("model_", f"{prefix}_")
