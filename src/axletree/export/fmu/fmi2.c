/* The functions of FMI 2.0 over an instance; before them are instance.c and GUID, the text by which
   an importing tool shows that the description that it has read is the one of this code. */

#define AXL_FUNCTION(name) FMI2_EXPORT fmi2Status FMI2(name)
#define AXL_STATE(verb, of) FMI2_EXPORT fmi2Status FMI2(verb##FMUstate##of)
#define AXL_DESERIALIZE AXL_STATE(DeSerialize, )
typedef fmi2Status axl_status;
typedef fmi2Boolean axl_boolean;
typedef fmi2Byte axl_byte;
#include "functions.inc"

static void axl_send(const axl_instance *i, int status, const char *category, const char *text)
{
    if (i->call.logger != 0) {
        i->call.logger(i->whom, i->name, (fmi2Status)status, category, text);
    }
}

FMI2_EXPORT const char *FMI2(GetTypesPlatform)(void)
{
    return "default";
}

FMI2_EXPORT const char *FMI2(GetVersion)(void)
{
    return "2.0";
}

FMI2_EXPORT fmi2Component FMI2(Instantiate)(
    fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
    const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logging)
{
    axl_instance *i;
    (void)resources, (void)visible;
    i = axl_make(name, type == fmi2ModelExchange, logging);
    if (i == 0) {
        return 0;
    }
    if (functions != 0) {
        i->call = *functions;
        i->whom = functions->componentEnvironment;
    }
    if (guid == 0 || strcmp(guid, GUID) != 0) {
        axl_say(i, FMU_ERROR, "the GUID %.60s is not that of this code, " GUID, guid ? guid : "");
    } else if (SOLVED && type == fmi2ModelExchange) {
        axl_say(i, FMU_ERROR, "steps of this model are solved for forces: co-simulation alone");
    } else {
        return i;
    }
    free(i);
    return 0;
}

FMI2_EXPORT void FMI2(FreeInstance)(fmi2Component c)
{
    free(c);
}

AXL_FUNCTION(SetupExperiment)(
    fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance, fmi2Real start,
    fmi2Boolean stop_defined, fmi2Real stop)
{
    AXL_INSTANCE(c);
    (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
    axl_begin_at(i, start);
    return fmi2OK;
}

AXL_FUNCTION(EnterInitializationMode)(fmi2Component c)
{
    return (fmi2Status)axl_enter_initialisation((axl_instance *)c);
}

AXL_FUNCTION(GetReal)(fmi2Component c, const fmi2ValueReference ref[], size_t count, fmi2Real value[])
{
    return (fmi2Status)axl_get_several((axl_instance *)c, ref, count, value);
}

AXL_FUNCTION(SetReal)(
    fmi2Component c, const fmi2ValueReference ref[], size_t count, const fmi2Real value[])
{
    return (fmi2Status)axl_set_several((axl_instance *)c, ref, count, value);
}

static fmi2Status axl_none(fmi2Component c, size_t count)
{
    return count == 0 ? fmi2OK
                      : (fmi2Status)axl_say(
                          (axl_instance *)c, FMU_ERROR, "all variables of this FMU are real");
}

#define AXL_NONE(Name, type)                                                                        \
    AXL_FUNCTION(Get##Name)(                                                                        \
        fmi2Component c, const fmi2ValueReference ref[], size_t count, type value[])                \
    {                                                                                               \
        (void)ref, (void)value;                                                                     \
        return axl_none(c, count);                                                                  \
    }                                                                                               \
    AXL_FUNCTION(Set##Name)(                                                                        \
        fmi2Component c, const fmi2ValueReference ref[], size_t count, const type value[])          \
    {                                                                                               \
        (void)ref, (void)value;                                                                     \
        return axl_none(c, count);                                                                  \
    }
AXL_NONE(Integer, fmi2Integer)
AXL_NONE(Boolean, fmi2Boolean)
AXL_NONE(String, fmi2String)

AXL_FUNCTION(GetDirectionalDerivative)(
    fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns,
    const fmi2ValueReference known[], size_t knowns, const fmi2Real seed[], fmi2Real found[])
{
    return (fmi2Status)axl_derivative(
        (axl_instance *)c, unknown, unknowns, known, knowns, seed, found, 0);
}

/* Model exchange. */

AXL_FUNCTION(NewDiscreteStates)(fmi2Component c, fmi2EventInfo *info)
{
    memset(info, 0, sizeof *info);
    info->valuesOfContinuousStatesChanged = axl_update((axl_instance *)c);
    return fmi2OK;
}

AXL_FUNCTION(GetDerivatives)(fmi2Component c, fmi2Real rates[], size_t count)
{
    return (fmi2Status)axl_get_all_rates((axl_instance *)c, rates, count);
}

/* Co-simulation. */

AXL_FUNCTION(SetRealInputDerivatives)(
    fmi2Component c, const fmi2ValueReference ref[], size_t count, const fmi2Integer order[],
    const fmi2Real value[])
{
    (void)ref, (void)order, (void)value;
    return count == 0 ? fmi2OK
                      : (fmi2Status)axl_say(
                          (axl_instance *)c, FMU_ERROR, "derivatives of inputs are not taken");
}

AXL_FUNCTION(GetRealOutputDerivatives)(
    fmi2Component c, const fmi2ValueReference ref[], size_t count, const fmi2Integer order[],
    fmi2Real value[])
{
    (void)ref, (void)order, (void)value;
    return count == 0 ? fmi2OK
                      : (fmi2Status)axl_say(
                          (axl_instance *)c, FMU_ERROR, "derivatives of outputs are not given");
}

AXL_FUNCTION(DoStep)(fmi2Component c, fmi2Real from, fmi2Real over, fmi2Boolean no_set_prior)
{
    AXL_INSTANCE(c);
    (void)no_set_prior;
    if (i->v.mode != FMU_STEPPING) {
        return (fmi2Status)axl_say(i, FMU_ERROR, "a step is asked for before the run has begun");
    }
    return (fmi2Status)axl_steps(i, from, over, 0);
}

AXL_FUNCTION(CancelStep)(fmi2Component c)
{
    return (fmi2Status)axl_say((axl_instance *)c, FMU_ERROR, "steps are never pending");
}

AXL_FUNCTION(GetStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value)
{
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}

AXL_FUNCTION(GetRealStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    AXL_INSTANCE(c);
    if (kind != fmi2LastSuccessfulTime) {
        return fmi2Discard;
    }
    *value = model_stepper_time(i->s);
    return fmi2OK;
}

AXL_FUNCTION(GetIntegerStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value)
{
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}

AXL_FUNCTION(GetBooleanStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{
    (void)c;
    if (kind != fmi2Terminated) {
        return fmi2Discard;
    }
    *value = fmi2False;
    return fmi2OK;
}

AXL_FUNCTION(GetStringStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2String *value)
{
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}
