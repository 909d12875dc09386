/* A client of an FMU for co-simulation of FMI 2, for machines that tests only emulate:
   fmu_client LIBRARY GUID REFERENCE STEPS moves it on in steps of 10 ms and prints one variable. */
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <windows.h>
static void *loaded(const char *file) { return (void *)LoadLibraryA(file); }
static void *found(void *library, const char *name) { return (void *)GetProcAddress(library, name); }
#else
#include <dlfcn.h>
static void *loaded(const char *file) { return dlopen(file, RTLD_NOW); }
static void *found(void *library, const char *name) { return dlsym(library, name); }
#endif
#include "fmi2.h"

int main(int count, char **words)
{
    void *library = count == 5 ? loaded(words[1]) : 0;
    fmi2CallbackFunctions callbacks = {0};
    const unsigned reference = count == 5 ? (unsigned)atoi(words[3]) : 0;
    double value = 0.0;
    void *it;
    int k, status = 0;
    if (library == 0) {
        printf("not loaded\n");
        return 1;
    }
    it = ((void *(*)(const char *, int, const char *, const char *, const void *, int, int))found(
        library, "fmi2Instantiate"))("it", fmi2CoSimulation, words[2], "", &callbacks, 0, 0);
    if (it == 0) {
        printf("not made\n");
        return 1;
    }
    status |= ((int (*)(void *, int, double, double, int, double))found(
        library, "fmi2SetupExperiment"))(it, 0, 0.0, 0.0, 0, 0.0);
    status |= ((int (*)(void *))found(library, "fmi2EnterInitializationMode"))(it);
    status |= ((int (*)(void *))found(library, "fmi2ExitInitializationMode"))(it);
    for (k = 0; k < atoi(words[4]); ++k) {
        status |= ((int (*)(void *, double, double, int))found(library, "fmi2DoStep"))(
            it, 0.01 * k, 0.01, 1);
    }
    status |= ((int (*)(void *, const unsigned *, size_t, double *))found(library, "fmi2GetReal"))(
        it, &reference, 1, &value);
    ((void (*)(void *))found(library, "fmi2FreeInstance"))(it);
    printf("%d %.17g\n", status, value);
    return status;
}
