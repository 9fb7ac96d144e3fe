/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded: clocks that lie to the program, and to nobody else. LIE says how:
 *
 *     tsc-back     the counter goes back by a tenth of a second at every hundredth reading
 *     tsc-rate     its rate doubles and halves every two milliseconds
 *     tsc-jumps    from half a second on it jumps forward by a second, every 20 ms
 *     tsc-returns  from half a second on it goes back by a second, every 20 ms
 *     coarse       CLOCK_MONOTONIC and its like tick every 4 ms
 *     steps        they jump forward by ten seconds, every half second
 *     still        they stand still
 *     1970         CLOCK_REALTIME begins in 1970
 *
 * Readings of the counter trap (PR_SET_TSC), on x86 only; those of the kernel's own functions get
 * the truth. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const int64_t SECOND = 1000000000;
static const char *lie = "";
static int64_t begin;

static int64_t true_ns(clockid_t clock)
{
    struct timespec now = {0, 0};
    syscall(SYS_clock_gettime, clock, &now);
    return now.tv_sec * SECOND + now.tv_nsec;
}

static bool is(const char *name)
{
    return strcmp(lie, name) == 0;
}

/* --- the system's clocks ---------------------------------------------------------------------- */

static int64_t told_ns(clockid_t clock, int64_t ns)
{
    if (clock == CLOCK_REALTIME)
        return is("1970") ? ns - true_ns(CLOCK_REALTIME) / SECOND * SECOND : ns;
    if (clock != CLOCK_MONOTONIC && clock != CLOCK_MONOTONIC_RAW)
        return ns;
    if (is("coarse"))
        return ns / 4000000 * 4000000;
    if (is("steps"))
        return ns + (ns - begin) / (SECOND / 2) * 10 * SECOND;
    return is("still") ? begin : ns;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int status = (int)syscall(SYS_clock_gettime, clock, now);
    int64_t told = told_ns(clock, now->tv_sec * SECOND + now->tv_nsec);
    *now = (struct timespec){told / SECOND, told % SECOND};
    return status;
}

time_t time(time_t *at)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at)
        *at = now.tv_sec;
    return now.tv_sec;
}

/* --- the processor's counter ------------------------------------------------------------------ */

#if defined(__x86_64__)
#include <link.h>
#include <ucontext.h>
#include <x86intrin.h>

typedef struct range {
    uintptr_t from, to;
} range;

static range kernel_functions;

static int find_kernel_functions(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    if (info->dlpi_name && strstr(info->dlpi_name, "vdso"))
        kernel_functions = (range){info->dlpi_addr, info->dlpi_addr + 0x4000};
    return 0;
}

/* Ticks count as nanoseconds; the value need not be exact. */
static uint64_t told_ticks(uint64_t ticks)
{
    static _Thread_local unsigned readings;
    int64_t past = true_ns(CLOCK_MONOTONIC) - begin, late = past - SECOND / 2;
    if (is("tsc-back"))
        return ++readings % 100 ? ticks : ticks - 100000000;
    if (is("tsc-rate"))
        return past / 2000000 % 2 ? ticks * 2 : ticks;
    if (late > 0 && is("tsc-jumps"))
        return ticks + (uint64_t)(late / 20000000 * SECOND);
    if (late > 0 && is("tsc-returns"))
        return ticks - (uint64_t)(late / 20000000 * SECOND);
    return ticks;
}

/* RDTSC is 0f 31, RDTSCP 0f 01 f9. */
static void answer(int number, siginfo_t *info, void *context)
{
    (void)info;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    uintptr_t at = (uintptr_t)registers[REG_RIP];
    const unsigned char *code = (const unsigned char *)at;
    bool plain = code[0] == 0x0f && code[1] == 0x31;
    if (!plain && !(code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9)) {
        signal(number, SIG_DFL);
        return;
    }
    prctl(PR_SET_TSC, PR_TSC_ENABLE);
    uint64_t ticks = __rdtsc();
    prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
    if (at < kernel_functions.from || at >= kernel_functions.to)
        ticks = told_ticks(ticks);
    registers[REG_RAX] = (greg_t)(ticks & 0xffffffff);
    registers[REG_RDX] = (greg_t)(ticks >> 32);
    registers[REG_RIP] += plain ? 2 : 3;
}

static void trap_counter(void)
{
    struct sigaction act = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_NODEFER};
    dl_iterate_phdr(find_kernel_functions, NULL);
    sigaction(SIGSEGV, &act, NULL);
    prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
}
#else
static void trap_counter(void)
{
}
#endif

__attribute__((constructor)) static void begin_lying(void)
{
    lie = getenv("LIE") ? getenv("LIE") : "";
    begin = true_ns(CLOCK_MONOTONIC);
    if (strncmp(lie, "tsc-", 4) == 0)
        trap_counter();
}
