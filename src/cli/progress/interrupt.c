/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/progress/interrupt.h"

#include <signal.h>
#include <stddef.h>

/* SIGXCPU: a batch system's limit of CPU time; SIGPIPE: no process reads the progress any more. */
static const int numbers[] = {SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGPIPE};
enum { NUMBER_COUNT = sizeof numbers / sizeof numbers[0] };

/* Global, because a signal handler has no other place to write to. */
static volatile sig_atomic_t signalled;

static struct sigaction earlier[NUMBER_COUNT];

static void on_signal(int number)
{
    signalled = number;
}

void cli_interrupt_begin(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    signalled = 0;
    for (int i = 0; i < NUMBER_COUNT; i++) {
        sigaction(numbers[i], NULL, &earlier[i]);
        if (earlier[i].sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

int cli_interrupted(void)
{
    return signalled;
}

void cli_interrupt_end(void)
{
    for (int i = 0; i < NUMBER_COUNT; i++)
        sigaction(numbers[i], &earlier[i], NULL);
}
