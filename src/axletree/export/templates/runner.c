/* Runs the model in real time: a step each period, inputs in and outputs out over UDP or shared
   memory. runner.h has the channels of the model and the packets.

   runner [--step S] [--parts N] [--start K] [--periods N] [--every N]
          [--port P] [--bind ADDRESS] [--memory /NAME] [--lockstep]
          [--spin S] [--silence S] [--priority N] [--cpu N] [--attached] [--report FILE]

   --step      length of a step and of a period [s]; --parts: of which each is computed in so many
   --start     the start of layout.json, by its index
   --periods   after so many it ends; without, at a packet that stops it, or at SIGINT or SIGTERM
   --every     outputs are sent each so many periods
   --port      of UDP, at --bind, 127.0.0.1 unless given; 0: any, which is printed
   --memory    the name of POSIX shared memory
   --lockstep  a step for each packet of inputs, without a clock
   --spin      how long before each period it wakes up, to wait for it awake [s]
   --silence   it ends where no packet comes for so long [s] after the first one
   --priority  of SCHED_FIFO; --cpu: the processor to stay on
   --attached  it ends with the program that started it
   --report    a file for the numbers that are printed, as JSON

   Nothing is allocated and no file is touched between the first period and the last. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "model.h"
#include "runner.h"

enum { RANGES = 19, FINE = 1408, STACK = 64 * 1024 };

/* Times of one kind [ns]: in ranges to be printed, and in bins of 3 % for percentiles. */
typedef struct {
    uint64_t count, most, ranges[RANGES + 1], fine[FINE];
} times_of;

typedef struct {
    double step, spin, silence;
    long parts, start, periods, every, port, priority, cpu;
    const char *bind, *memory, *report;
    int lockstep, attached;
} settings;

typedef struct {
    model_stepper *stepper;
    int socket;
    struct sockaddr_in client;
    runner_memory *memory;
    uint64_t seen; /* of the inputs in shared memory */
    uint32_t sequence; /* of the last packet of inputs */
    uint64_t packets, refused, overruns, periods;
    int64_t heard; /* when the last packet was taken [ns], or 0 */
    int stops, silent;
    runner_packet in, out;
    times_of steps, wakes;
    struct rusage before, after;
} runner;

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* What a processor does first when it wakes up, such as the ticks that are due, falls into the time
   of waiting awake [ns], and not into a step. */
static void wait_until(int64_t time, int64_t awake)
{
    struct timespec t;
    t.tv_sec = (time_t)((time - awake) / 1000000000);
    t.tv_nsec = (long)((time - awake) % 1000000000);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, 0);
    while (now() < time) {
    }
}

/* Times */

static int64_t upper_end(int range) /* 100, 200, 500 ns, 1, 2, 5 us, ... 100 ms */
{
    static const int64_t first[3] = {100, 200, 500};
    int64_t end = first[range % 3];
    for (; range >= 3; range -= 3) {
        end *= 10;
    }
    return end;
}

static void add_time(times_of *times, int64_t time)
{
    const uint64_t v = time < 0 ? 0 : (uint64_t)time;
    int range = 0, high = 0, bin;
    while (range < RANGES && (int64_t)v >= upper_end(range)) {
        ++range;
    }
    while (high < 47 && (v >> (high + 1)) != 0) {
        ++high;
    }
    bin = high < 6 ? (int)v : 64 + (high - 6) * 32 + (int)((v >> (high - 5)) & 31);
    times->count += 1;
    times->ranges[range] += 1;
    times->fine[bin < FINE ? bin : FINE - 1] += 1;
    if (v > times->most) {
        times->most = v;
    }
}

/* The upper end of the bin in which a share of all times ends, or the longest of them [ns]. */
static double percentile(const times_of *times, double share)
{
    const double wanted = share * (double)times->count, most = (double)times->most;
    double end;
    uint64_t below = 0;
    int bin;
    for (bin = 0; bin < FINE; ++bin) {
        below += times->fine[bin];
        if ((double)below >= wanted && below > 0) {
            break;
        }
    }
    end = bin < 64 ? bin + 1 : ldexp(33 + (bin - 64) % 32, (bin - 64) / 32 + 1);
    return end < most ? end : most;
}

/* Inputs */

/* All of them are taken, or none: 0 where one is beyond its bounds, or infinite. */
static int set_inputs(runner *r, const double *values)
{
    int k;
    for (k = 0; k < RUNNER_INPUTS; ++k) { /* NaN, which is in no order, leaves an input as it is */
        if (values[k] < runner_bounds[k][0] || values[k] > runner_bounds[k][1]) {
            return 0;
        }
    }
    for (k = 0; k < RUNNER_INPUTS; ++k) {
        if (values[k] == values[k]) {
            model_stepper_set(r->stepper, AXL_INPUTS, runner_places[k], (axl_real)values[k]);
        }
    }
    return 1;
}

/* Whether a packet is one of this model's, and what it asks for is done. */
static int take_packet(runner *r, long bytes)
{
    const runner_packet *p = &r->in;
    if (bytes < (long)RUNNER_HEAD || memcmp(p->magic, RUNNER_MAGIC, 4) != 0
        || p->version != RUNNER_VERSION || p->key != RUNNER_KEY
        || bytes != (long)RUNNER_HEAD + 8 * (long)p->count) {
        return 0;
    }
    switch (p->kind) {
    case RUNNER_SET:
        if (p->count != RUNNER_INPUTS || !set_inputs(r, p->values)) {
            return 0;
        }
        r->sequence = p->sequence;
        return 1;
    case RUNNER_RESET:
        return p->count == 1 && p->values[0] >= 0.0 && p->values[0] < (double)MODEL_STARTS
            && model_stepper_reset(r->stepper, (int)p->values[0], 0.0) == AXL_OK;
    case RUNNER_STOP:
        r->stops = 1;
        return 1;
    default: return p->kind == RUNNER_HELLO;
    }
}

/* All packets that wait, or one of them; the sender of the last good one is the client. */
static int receive(runner *r, int one)
{
    struct sockaddr_in from;
    socklen_t size = sizeof from;
    int kind = 0;
    ssize_t bytes;
    /* The length is that of the packet, which may be longer than what is kept of it. */
    while ((bytes = recvfrom(r->socket, &r->in, sizeof r->in, MSG_DONTWAIT | MSG_TRUNC,
                             (struct sockaddr *)&from, &size)) >= 0) {
        if (take_packet(r, (long)bytes)) {
            r->packets += 1;
            r->heard = now();
            r->client = from;
            kind = r->in.kind;
        } else {
            r->refused += 1;
        }
        size = sizeof from;
        if (one) {
            break;
        }
    }
    return kind;
}

/* Inputs in shared memory count on before and after they are written: whole when even. */
static void read_memory(runner *r)
{
    double values[RUNNER_INPUTS + 1];
    const uint64_t count = __atomic_load_n(&r->memory->inputs_count, __ATOMIC_ACQUIRE);
    if (count == r->seen || count % 2 != 0) {
        return;
    }
    memcpy(values, r->memory->inputs, sizeof r->memory->inputs);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (__atomic_load_n(&r->memory->inputs_count, __ATOMIC_RELAXED) == count) {
        r->seen = count;
        if (!set_inputs(r, values)) {
            r->refused += 1;
            return;
        }
        r->sequence = (uint32_t)(count / 2);
        r->packets += 1;
        r->heard = now();
    }
}

/* Outputs */

static void fill_outputs(runner *r, double *values)
{
    const axl_real *x = model_stepper_values(r->stepper, AXL_STATES);
    const axl_real *y = model_stepper_values(r->stepper, AXL_OUTPUTS);
    int k;
    values[0] = (double)model_stepper_time(r->stepper);
    values[1] = (double)model_stepper_status(r->stepper, 0);
    values[2] = (double)r->overruns;
    values[3] = (double)r->sequence;
    for (k = 0; k < MODEL_STATES; ++k) {
        values[RUNNER_OWN + k] = (double)x[k];
    }
    for (k = 0; k < MODEL_OUTPUTS; ++k) {
        values[RUNNER_OWN + MODEL_STATES + k] = (double)y[k];
    }
}

static void send_outputs(runner *r)
{
    r->out.sequence = (uint32_t)r->periods;
    fill_outputs(r, r->out.values);
    if (r->client.sin_port != 0) {
        sendto(r->socket, &r->out, RUNNER_HEAD + 8 * RUNNER_OUTPUTS, MSG_DONTWAIT,
               (struct sockaddr *)&r->client, sizeof r->client);
    }
}

static void write_memory(runner *r)
{
    runner_memory *m = r->memory;
    const uint64_t count = m->outputs_count;
    __atomic_store_n(&m->outputs_count, count + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    fill_outputs(r, m->outputs);
    __atomic_store_n(&m->outputs_count, count + 2, __ATOMIC_RELEASE);
}

/* Periods */

static void take_step(runner *r)
{
    const int64_t begin = now();
    model_stepper_advance(r->stepper, 1);
    model_stepper_values(r->stepper, AXL_OUTPUTS);
    add_time(&r->steps, now() - begin);
    r->periods += 1;
}

static int goes_on(runner *r, const settings *chosen)
{
    const int64_t most = (int64_t)(chosen->silence * 1e9);
    r->silent = most > 0 && r->heard != 0 && now() - r->heard > most;
    return !interrupted && !r->stops && !r->silent
        && (chosen->periods == 0 || r->periods < (uint64_t)chosen->periods);
}

static void run_by_clock(runner *r, const settings *chosen)
{
    const int64_t period = (int64_t)(chosen->step * 1e9 + 0.5);
    const int64_t awake = (int64_t)(chosen->spin * 1e9);
    /* Ticks of the kernel come at whole milliseconds of this clock (Linux since 6.4): periods begin
       beside them, so that ticks fall between two steps. */
    const int64_t grid = period < 10000000 ? period : 10000000;
    int64_t next = (now() / grid + 1) * grid + grid / 2, late;
    wait_until(next, awake);
    while (goes_on(r, chosen)) {
        next += period;
        if (r->socket >= 0) {
            receive(r, 0);
        } else {
            read_memory(r);
        }
        take_step(r);
        if (r->periods % (uint64_t)chosen->every == 0) {
            if (r->socket >= 0) {
                send_outputs(r);
            } else {
                write_memory(r);
            }
        }
        if (now() > next) {
            r->overruns += 1; /* the next period begins at once, and the run catches up */
            continue;
        }
        wait_until(next, awake);
        late = now() - next;
        add_time(&r->wakes, late);
    }
}

static void run_in_lockstep(runner *r, const settings *chosen)
{
    struct pollfd waits = {r->socket, POLLIN, 0};
    while (goes_on(r, chosen)) {
        int kind;
        if (poll(&waits, 1, 100) <= 0) {
            continue;
        }
        kind = receive(r, 1);
        if (kind == RUNNER_SET) {
            take_step(r);
        }
        if (kind != 0 && kind != RUNNER_STOP) {
            send_outputs(r);
        }
    }
}

/* Before and after */

static int fail(const char *what)
{
    fprintf(stderr, "runner: %s: %s\n", what, strerror(errno));
    return 1;
}

static int open_socket(runner *r, const settings *chosen)
{
    struct sockaddr_in here;
    socklen_t size = sizeof here;
    memset(&here, 0, sizeof here);
    here.sin_family = AF_INET;
    here.sin_port = htons((uint16_t)chosen->port);
    if (inet_pton(AF_INET, chosen->bind, &here.sin_addr) != 1) {
        fprintf(stderr, "runner: %s is no address; expected one such as 127.0.0.1\n", chosen->bind);
        return 2;
    }
    r->socket = socket(AF_INET, SOCK_DGRAM, 0);
    if (r->socket < 0 || bind(r->socket, (struct sockaddr *)&here, sizeof here) != 0
        || getsockname(r->socket, (struct sockaddr *)&here, &size) != 0) {
        fprintf(stderr, "runner: port %ld of UDP at %s: %s%s\n", chosen->port, chosen->bind, strerror(errno),
                errno == EADDRINUSE ? "; --port chooses another one, and --port 0 any that is free" : "");
        return 1;
    }
    printf("listening on %s:%d\n", chosen->bind, (int)ntohs(here.sin_port));
    return 0;
}

static int open_memory(runner *r, const settings *chosen)
{
    const int file = shm_open(chosen->memory, O_CREAT | O_EXCL | O_RDWR, 0600);
    if (file < 0 && errno == EEXIST) {
        fprintf(stderr, "runner: shared memory %s is there already: another runner has it, or one that was "
                        "killed left it; remove /dev/shm%s, or take another name\n",
                chosen->memory, chosen->memory);
        return 1;
    }
    if (file < 0 || ftruncate(file, (off_t)sizeof(runner_memory)) != 0) {
        return fail(chosen->memory);
    }
    r->memory = (runner_memory *)mmap(
        0, sizeof(runner_memory), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (r->memory == MAP_FAILED) {
        return fail(chosen->memory);
    }
    memcpy(r->memory->magic, RUNNER_MAGIC, 4);
    r->memory->version = RUNNER_VERSION;
    r->memory->key = RUNNER_KEY;
    r->memory->inputs_size = RUNNER_INPUTS;
    r->memory->outputs_size = RUNNER_OUTPUTS;
    printf("shared memory %s\n", chosen->memory);
    return 0;
}

/* What the system allows; what it does not is said, and the run goes on without. */
static void prefer_real_time(const settings *chosen)
{
    char stack[STACK];
    int k;
    for (k = 0; k < STACK; k += 1024) {
        ((volatile char *)stack)[k] = 0;
    }
    puts(mlockall(MCL_CURRENT | MCL_FUTURE) == 0 ? "memory locked" : "memory not locked: not allowed");
    if (chosen->cpu >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET((size_t)chosen->cpu, &set);
        printf("processor %ld%s\n", chosen->cpu,
               sched_setaffinity(0, sizeof set, &set) == 0 ? "" : ": there is none, or it is not allowed");
    }
    prctl(PR_SET_TIMERSLACK, 1UL); /* ns; without real-time priority it is 50 us otherwise */
    if (chosen->priority > 0) {
        struct sched_param wanted;
        memset(&wanted, 0, sizeof wanted);
        wanted.sched_priority = (int)chosen->priority;
        printf("SCHED_FIFO %ld%s\n", chosen->priority,
               sched_setscheduler(0, SCHED_FIFO, &wanted) == 0 ? "" : ": not allowed");
    }
}

static void print_times(const char *title, const times_of *times)
{
    uint64_t largest = 1;
    int k, first = RANGES, last = 0;
    if (times->count == 0) {
        return;
    }
    printf("%s: median %.2f us, 99.9 %% within %.2f us, worst %.2f us\n", title,
           1e-3 * percentile(times, 0.5), 1e-3 * percentile(times, 0.999), 1e-3 * (double)times->most);
    for (k = 0; k <= RANGES; ++k) {
        if (times->ranges[k] != 0) {
            first = k < first ? k : first;
            last = k;
            largest = times->ranges[k] > largest ? times->ranges[k] : largest;
        }
    }
    for (k = first; k <= last; ++k) {
        const int bar = (int)(40.0 * (double)times->ranges[k] / (double)largest + 0.999);
        if (k < RANGES) {
            printf("  below %8.1f us  %10lu  ", 1e-3 * (double)upper_end(k), (unsigned long)times->ranges[k]);
        } else {
            printf("  above %8.1f us  %10lu  ", 1e-3 * (double)upper_end(k - 1), (unsigned long)times->ranges[k]);
        }
        printf("%.*s\n", bar, "########################################");
    }
}

static void print_report(const runner *r)
{
    const long minor = r->after.ru_minflt - r->before.ru_minflt;
    const long major = r->after.ru_majflt - r->before.ru_majflt;
    printf("%lu periods, %lu overruns, %lu packets taken, %lu refused\n", (unsigned long)r->periods,
           (unsigned long)r->overruns, (unsigned long)r->packets, (unsigned long)r->refused);
    printf("page faults since the start: %ld\n", minor + major);
    print_times("step", &r->steps);
    print_times("late", &r->wakes);
    if (r->silent) {
        puts("ended: no packet came for longer than --silence");
    }
    if (model_stepper_status(r->stepper, 0) != AXL_OK) {
        printf("stopped at %g s: %s\n", (double)model_stepper_time(r->stepper),
               model_stepper_text(model_stepper_status(r->stepper, 0)));
    }
}

static int write_report(const runner *r, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == 0) {
        return fail(path);
    }
    fprintf(file, "{\"periods\": %lu, \"overruns\": %lu, \"packets\": %lu, \"refused\": %lu,\n",
            (unsigned long)r->periods, (unsigned long)r->overruns, (unsigned long)r->packets,
            (unsigned long)r->refused);
    fprintf(file, " \"page_faults\": %ld, \"status\": %d, \"time\": %.17g,\n",
            r->after.ru_minflt - r->before.ru_minflt + r->after.ru_majflt - r->before.ru_majflt,
            model_stepper_status(r->stepper, 0), (double)model_stepper_time(r->stepper));
    fprintf(file, " \"step_ns\": {\"median\": %.17g, \"p99_9\": %.17g, \"worst\": %lu},\n",
            percentile(&r->steps, 0.5), percentile(&r->steps, 0.999), (unsigned long)r->steps.most);
    fprintf(file, " \"late_ns\": {\"median\": %.17g, \"p99_9\": %.17g, \"worst\": %lu}}\n",
            percentile(&r->wakes, 0.5), percentile(&r->wakes, 0.999), (unsigned long)r->wakes.most);
    return fclose(file) == 0 ? 0 : fail(path);
}

/* The whole text is a number, and it is one of the kind and size that settings have. */
static int read_number(const char *name, const char *text, double *number, long *whole)
{
    char *end;
    const double value = strtod(text, &end);
    if (*text == 0 || *end != 0 || value - value != 0.0
        || (whole != 0 && (value != floor(value) || fabs(value) > 2e9))) {
        fprintf(stderr, "runner: %s is '%s'; expected a %s\n", name, text,
                whole != 0 ? "whole number, of at most 2e9" : "number");
        return 2;
    }
    if (whole != 0) {
        *whole = (long)value;
    } else {
        *number = value;
    }
    return 0;
}

static int read_setting(settings *chosen, const char *name, const char *value)
{
    if (strcmp(name, "--bind") == 0) chosen->bind = value;
    else if (strcmp(name, "--memory") == 0) chosen->memory = value;
    else if (strcmp(name, "--report") == 0) chosen->report = value;
    else if (strcmp(name, "--step") == 0) return read_number(name, value, &chosen->step, 0);
    else if (strcmp(name, "--spin") == 0) return read_number(name, value, &chosen->spin, 0);
    else if (strcmp(name, "--silence") == 0) return read_number(name, value, &chosen->silence, 0);
    else if (strcmp(name, "--parts") == 0) return read_number(name, value, 0, &chosen->parts);
    else if (strcmp(name, "--start") == 0) return read_number(name, value, 0, &chosen->start);
    else if (strcmp(name, "--periods") == 0) return read_number(name, value, 0, &chosen->periods);
    else if (strcmp(name, "--every") == 0) return read_number(name, value, 0, &chosen->every);
    else if (strcmp(name, "--port") == 0) return read_number(name, value, 0, &chosen->port);
    else if (strcmp(name, "--priority") == 0) return read_number(name, value, 0, &chosen->priority);
    else if (strcmp(name, "--cpu") == 0) return read_number(name, value, 0, &chosen->cpu);
    else {
        fprintf(stderr, "runner: unknown option %s; the head of runner.c lists them\n", name);
        return 2;
    }
    return 0;
}

static int read_settings(settings *chosen, int count, char **words)
{
    int k;
    for (k = 1; k < count; ++k) {
        const char *name = words[k];
        if (strcmp(name, "--lockstep") == 0) {
            chosen->lockstep = 1;
        } else if (strcmp(name, "--attached") == 0) {
            chosen->attached = 1;
        } else if (read_setting(chosen, name, k + 1 < count ? words[k + 1] : "") != 0) {
            return 2;
        } else {
            ++k;
        }
    }
    if (!(chosen->step > 0.0) || chosen->step > 10.0 || chosen->parts < 1 || chosen->every < 1
        || chosen->periods < 0 || chosen->port < 0 || chosen->port > 65535 || chosen->spin < 0.0
        || chosen->spin > 10.0 || chosen->silence < 0.0 || chosen->silence > 1e6
        || (chosen->lockstep && chosen->memory != 0)) {
        fprintf(stderr, "runner: a step is above 0 and at most 10 s, spin at most 10 s and silence 1e6 s, "
                        "parts and every are at least 1, a port at most 65535, and lockstep is for UDP\n");
        return 2;
    }
    return 0;
}

int main(int count, char **words)
{
    static runner r;
    settings chosen = {0.001, RUNNER_SPIN, 0.0, 1, 0, 0, 1, RUNNER_PORT, 0, -1, "127.0.0.1", 0, 0, 0, 0};
    const uint16_t order = 1;
    const unsigned long bytes = model_stepper_bytes();
    struct sigaction act;
    void *room;
    int code = read_settings(&chosen, count, words);
    if (code != 0) {
        return code;
    }
    if (*(const char *)&order != 1) {
        fputs("runner: packets are little-endian, and this machine is not\n", stderr);
        return 1;
    }
    r.socket = -1;
    room = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    r.stepper = room == MAP_FAILED ? 0 : model_stepper_init(room, bytes, (axl_real)chosen.step);
    if (r.stepper == 0
        || model_stepper_set_step(r.stepper, (axl_real)chosen.step, (int)chosen.parts) != AXL_OK
        || model_stepper_reset(r.stepper, (int)chosen.start, 0.0) != AXL_OK) {
        fprintf(stderr, "runner: there is no start %ld, or no memory\n", chosen.start);
        return 2;
    }
    memcpy(r.out.magic, RUNNER_MAGIC, 4);
    r.out.version = RUNNER_VERSION;
    r.out.kind = RUNNER_STATE;
    r.out.key = RUNNER_KEY;
    r.out.count = RUNNER_OUTPUTS;
    code = chosen.memory != 0 ? open_memory(&r, &chosen) : open_socket(&r, &chosen);
    if (code != 0) {
        return code;
    }
    memset(&act, 0, sizeof act);
    act.sa_handler = interrupt;
    sigaction(SIGINT, &act, 0);
    sigaction(SIGTERM, &act, 0);
    if (chosen.attached) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
    }
    prefer_real_time(&chosen);
    /* All that periods touch is touched once, and then begins again. */
    take_step(&r);
    fill_outputs(&r, r.out.values);
    wait_until(now(), 0);
    memset(&r.steps, 0, sizeof r.steps);
    memset(&r.wakes, 0, sizeof r.wakes);
    r.periods = 0;
    model_stepper_reset(r.stepper, (int)chosen.start, 0.0);
    fflush(stdout);
    getrusage(RUSAGE_SELF, &r.before);
    if (chosen.lockstep) {
        run_in_lockstep(&r, &chosen);
    } else {
        run_by_clock(&r, &chosen);
    }
    getrusage(RUSAGE_SELF, &r.after);
    print_report(&r);
    if (chosen.memory != 0) {
        shm_unlink(chosen.memory);
    }
    return chosen.report == 0 ? 0 : write_report(&r, chosen.report);
}
