/* The functions of FMI 3.0 over an instance; before them are instance.c and GUID, the text by which
   an importing tool shows that the description that it has read is the one of this code. */

#define AXL_FUNCTION(name) FMI3_EXPORT fmi3Status FMI3(name)
#define AXL_STATE(verb, of) FMI3_EXPORT fmi3Status FMI3(verb##FMUState##of)
#define AXL_DESERIALIZE AXL_STATE(Deserialize, )
typedef fmi3Status axl_status;
typedef fmi3Boolean axl_boolean;
typedef fmi3Byte axl_byte;
#include "functions.inc"

static void axl_send(const axl_instance *i, int status, const char *category, const char *text)
{
    if (i->call.log != 0) {
        i->call.log(i->whom, (fmi3Status)status, category, text);
    }
}

FMI3_EXPORT const char *FMI3(GetVersion)(void)
{
    return "3.0";
}

static fmi3Instance axl_instantiate(
    fmi3String name, fmi3String token, int exchange, fmi3Boolean logging,
    fmi3InstanceEnvironment whom, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update)
{
    axl_instance *i = axl_make(name, exchange, logging);
    if (i == 0) {
        return 0;
    }
    i->whom = whom;
    i->call.log = log;
    i->call.update = update;
    if (token == 0 || strcmp(token, GUID) != 0) {
        axl_say(i, FMU_ERROR, "the token %.60s is not that of this code, " GUID, token ? token : "");
    } else if (SOLVED && exchange) {
        axl_say(i, FMU_ERROR, "steps of this model are solved for forces: co-simulation alone");
    } else {
        return i;
    }
    free(i);
    return 0;
}

FMI3_EXPORT fmi3Instance FMI3(InstantiateModelExchange)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment whom, fmi3LogMessageCallback log)
{
    (void)resources, (void)visible;
    return axl_instantiate(name, token, 1, logging, whom, log, 0);
}

FMI3_EXPORT fmi3Instance FMI3(InstantiateCoSimulation)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3Boolean events, fmi3Boolean early,
    const fmi3ValueReference required[], size_t count, fmi3InstanceEnvironment whom,
    fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update)
{
    axl_instance *i;
    (void)resources, (void)visible, (void)required, (void)count;
    i = (axl_instance *)axl_instantiate(name, token, 0, logging, whom, log, update);
    if (i != 0 && events) {
        axl_say(i, FMU_ERROR, "co-simulation of this FMU has no event mode");
        free(i);
        return 0;
    }
    if (i != 0) {
        i->call.early = early;
    }
    return i;
}

FMI3_EXPORT fmi3Instance FMI3(InstantiateScheduledExecution)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment whom, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
    fmi3UnlockPreemptionCallback unlock)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    (void)whom, (void)log, (void)update, (void)lock, (void)unlock;
    return 0;
}

FMI3_EXPORT void FMI3(FreeInstance)(fmi3Instance c)
{
    free(c);
}

AXL_FUNCTION(EnterInitializationMode)(
    fmi3Instance c, fmi3Boolean tolerance_defined, fmi3Float64 tolerance, fmi3Float64 start,
    fmi3Boolean stop_defined, fmi3Float64 stop)
{
    AXL_INSTANCE(c);
    const int status = axl_enter_initialisation(i);
    (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
    if (status == FMU_OK) {
        axl_begin_at(i, start);
    }
    return (fmi3Status)status;
}

AXL_FUNCTION(EnterConfigurationMode)(fmi3Instance c)
{
    (void)c;
    return fmi3OK;
}

AXL_FUNCTION(ExitConfigurationMode)(fmi3Instance c)
{
    (void)c;
    return fmi3OK;
}

AXL_FUNCTION(GetFloat64)(
    fmi3Instance c, const fmi3ValueReference ref[], size_t count, fmi3Float64 value[], size_t values)
{
    AXL_INSTANCE(c);
    const int status = axl_count(i, values, count);
    return (fmi3Status)(status == FMU_OK ? axl_get_several(i, ref, count, value) : status);
}

AXL_FUNCTION(SetFloat64)(
    fmi3Instance c, const fmi3ValueReference ref[], size_t count, const fmi3Float64 value[],
    size_t values)
{
    AXL_INSTANCE(c);
    const int status = axl_count(i, values, count);
    return (fmi3Status)(status == FMU_OK ? axl_set_several(i, ref, count, value) : status);
}

static fmi3Status axl_none(fmi3Instance c, size_t count)
{
    return count == 0 ? fmi3OK
                      : (fmi3Status)axl_say(
                          (axl_instance *)c, FMU_ERROR, "all variables of this FMU are Float64");
}

#define AXL_NONE(Name, type)                                                                        \
    AXL_FUNCTION(Get##Name)(                                                                        \
        fmi3Instance c, const fmi3ValueReference ref[], size_t count, type value[], size_t values)  \
    {                                                                                               \
        (void)ref, (void)value, (void)values;                                                       \
        return axl_none(c, count);                                                                  \
    }                                                                                               \
    AXL_FUNCTION(Set##Name)(                                                                        \
        fmi3Instance c, const fmi3ValueReference ref[], size_t count, const type value[],           \
        size_t values)                                                                              \
    {                                                                                               \
        (void)ref, (void)value, (void)values;                                                       \
        return axl_none(c, count);                                                                  \
    }
AXL_NONE(Float32, fmi3Float32)
AXL_NONE(Int8, fmi3Int8)
AXL_NONE(UInt8, fmi3UInt8)
AXL_NONE(Int16, fmi3Int16)
AXL_NONE(UInt16, fmi3UInt16)
AXL_NONE(Int32, fmi3Int32)
AXL_NONE(UInt32, fmi3UInt32)
AXL_NONE(Int64, fmi3Int64)
AXL_NONE(UInt64, fmi3UInt64)
AXL_NONE(Boolean, fmi3Boolean)
AXL_NONE(String, fmi3String)

AXL_FUNCTION(GetBinary)(
    fmi3Instance c, const fmi3ValueReference ref[], size_t count, size_t sizes[],
    fmi3Binary value[], size_t values)
{
    (void)ref, (void)sizes, (void)value, (void)values;
    return axl_none(c, count);
}

AXL_FUNCTION(SetBinary)(
    fmi3Instance c, const fmi3ValueReference ref[], size_t count, const size_t sizes[],
    const fmi3Binary value[], size_t values)
{
    (void)ref, (void)sizes, (void)value, (void)values;
    return axl_none(c, count);
}

AXL_FUNCTION(GetClock)(
    fmi3Instance c, const fmi3ValueReference ref[], size_t count, fmi3Clock value[])
{
    (void)ref, (void)value;
    return axl_none(c, count);
}

AXL_FUNCTION(SetClock)(
    fmi3Instance c, const fmi3ValueReference ref[], size_t count, const fmi3Clock value[])
{
    (void)ref, (void)value;
    return axl_none(c, count);
}

AXL_FUNCTION(GetNumberOfVariableDependencies)(fmi3Instance c, fmi3ValueReference ref, size_t *count)
{
    (void)ref, (void)count;
    return (fmi3Status)axl_say(
        (axl_instance *)c, FMU_ERROR, "variables are no arrays; the description has what they "
        "depend on");
}

AXL_FUNCTION(GetVariableDependencies)(
    fmi3Instance c, fmi3ValueReference dependent, size_t element_of_dependent[],
    fmi3ValueReference independent[], size_t element_of_independent[], fmi3DependencyKind kind[],
    size_t count)
{
    (void)dependent, (void)element_of_dependent, (void)independent, (void)element_of_independent;
    (void)kind, (void)count;
    return FMI3(GetNumberOfVariableDependencies)(c, dependent, 0);
}

AXL_FUNCTION(GetDirectionalDerivative)(
    fmi3Instance c, const fmi3ValueReference unknown[], size_t unknowns,
    const fmi3ValueReference known[], size_t knowns, const fmi3Float64 seed[], size_t seeds,
    fmi3Float64 found[], size_t sensitivities)
{
    AXL_INSTANCE(c);
    if (axl_count(i, seeds, knowns) != FMU_OK || axl_count(i, sensitivities, unknowns) != FMU_OK) {
        return fmi3Error;
    }
    return (fmi3Status)axl_derivative(i, unknown, unknowns, known, knowns, seed, found, 0);
}

AXL_FUNCTION(GetAdjointDerivative)(
    fmi3Instance c, const fmi3ValueReference unknown[], size_t unknowns,
    const fmi3ValueReference known[], size_t knowns, const fmi3Float64 seed[], size_t seeds,
    fmi3Float64 found[], size_t sensitivities)
{
    AXL_INSTANCE(c);
    if (axl_count(i, seeds, unknowns) != FMU_OK || axl_count(i, sensitivities, knowns) != FMU_OK) {
        return fmi3Error;
    }
    return (fmi3Status)axl_derivative(i, unknown, unknowns, known, knowns, seed, found, 1);
}

/* Clocks, of which there are none. */

AXL_FUNCTION(GetIntervalDecimal)(
    fmi3Instance c, const fmi3ValueReference ref[], size_t count, fmi3Float64 intervals[],
    fmi3IntervalQualifier qualifiers[])
{
    (void)ref, (void)intervals, (void)qualifiers;
    return axl_none(c, count);
}

AXL_FUNCTION(GetIntervalFraction)(
    fmi3Instance c, const fmi3ValueReference ref[], size_t count, fmi3UInt64 counters[],
    fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[])
{
    (void)ref, (void)counters, (void)resolutions, (void)qualifiers;
    return axl_none(c, count);
}

AXL_FUNCTION(GetShiftDecimal)(
    fmi3Instance c, const fmi3ValueReference ref[], size_t count, fmi3Float64 shifts[])
{
    (void)ref, (void)shifts;
    return axl_none(c, count);
}

AXL_FUNCTION(GetShiftFraction)(
    fmi3Instance c, const fmi3ValueReference ref[], size_t count, fmi3UInt64 counters[],
    fmi3UInt64 resolutions[])
{
    (void)ref, (void)counters, (void)resolutions;
    return axl_none(c, count);
}

AXL_FUNCTION(SetIntervalDecimal)(
    fmi3Instance c, const fmi3ValueReference ref[], size_t count, const fmi3Float64 intervals[])
{
    (void)ref, (void)intervals;
    return axl_none(c, count);
}

AXL_FUNCTION(SetIntervalFraction)(
    fmi3Instance c, const fmi3ValueReference ref[], size_t count, const fmi3UInt64 counters[],
    const fmi3UInt64 resolutions[])
{
    (void)ref, (void)counters, (void)resolutions;
    return axl_none(c, count);
}

AXL_FUNCTION(SetShiftDecimal)(
    fmi3Instance c, const fmi3ValueReference ref[], size_t count, const fmi3Float64 shifts[])
{
    (void)ref, (void)shifts;
    return axl_none(c, count);
}

AXL_FUNCTION(SetShiftFraction)(
    fmi3Instance c, const fmi3ValueReference ref[], size_t count, const fmi3UInt64 counters[],
    const fmi3UInt64 resolutions[])
{
    (void)ref, (void)counters, (void)resolutions;
    return axl_none(c, count);
}

AXL_FUNCTION(ActivateModelPartition)(fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time)
{
    (void)clock, (void)time;
    return axl_none(c, 1);
}

/* Model exchange. */

AXL_FUNCTION(EvaluateDiscreteStates)(fmi3Instance c)
{
    (void)c;
    return fmi3OK;
}

AXL_FUNCTION(UpdateDiscreteStates)(
    fmi3Instance c, fmi3Boolean *again, fmi3Boolean *terminate, fmi3Boolean *nominals_changed,
    fmi3Boolean *values_changed, fmi3Boolean *next_defined, fmi3Float64 *next)
{
    *again = *terminate = *nominals_changed = *next_defined = false;
    *next = 0.0;
    *values_changed = axl_update((axl_instance *)c) != 0;
    return fmi3OK;
}

AXL_FUNCTION(GetContinuousStateDerivatives)(fmi3Instance c, fmi3Float64 rates[], size_t count)
{
    return (fmi3Status)axl_get_all_rates((axl_instance *)c, rates, count);
}

AXL_FUNCTION(GetNumberOfEventIndicators)(fmi3Instance c, size_t *count)
{
    (void)c;
    *count = NEVENTS;
    return fmi3OK;
}

AXL_FUNCTION(GetNumberOfContinuousStates)(fmi3Instance c, size_t *count)
{
    (void)c;
    *count = NTOTAL;
    return fmi3OK;
}

/* Co-simulation. */

AXL_FUNCTION(EnterStepMode)(fmi3Instance c)
{
    AXL_INSTANCE(c);
    i->v.mode = FMU_STEPPING;
    return fmi3OK;
}

AXL_FUNCTION(GetOutputDerivatives)(
    fmi3Instance c, const fmi3ValueReference ref[], size_t count, const fmi3Int32 order[],
    fmi3Float64 value[], size_t values)
{
    (void)ref, (void)order, (void)value, (void)values;
    return count == 0 ? fmi3OK
                      : (fmi3Status)axl_say(
                          (axl_instance *)c, FMU_ERROR, "derivatives of outputs are not given");
}

/* After an internal step: the importer may look, and may ask for an early return. */
static int axl_after_step(axl_instance *i, axl_real time)
{
    fmi3Boolean requested = false;
    fmi3Float64 until = time;
    i->call.update(i->whom, time, false, true, true, i->call.early, &requested, &until);
    if (requested && i->call.early && !(i->call.until <= until)) {
        i->call.until = until;
    }
    return i->call.until <= time;
}

AXL_FUNCTION(DoStep)(
    fmi3Instance c, fmi3Float64 from, fmi3Float64 over, fmi3Boolean no_set_prior,
    fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *last)
{
    AXL_INSTANCE(c);
    int status;
    (void)no_set_prior;
    *event_needed = *terminate = *early = false;
    *last = model_stepper_time(i->s);
    if (i->v.mode != FMU_STEPPING) {
        return (fmi3Status)axl_say(i, FMU_ERROR, "a step is asked for before the run has begun");
    }
    i->call.until = HUGE_VAL;
    status = axl_steps(i, from, over, i->call.update ? axl_after_step : 0);
    *last = model_stepper_time(i->s);
    *early = i->call.until < HUGE_VAL && *last < from + over - 1e-9 * over;
    return (fmi3Status)status;
}
