/* SPDX-License-Identifier: BSD-3-Clause */
/* The absence of a thread that sleeps or spins for a known time is measured, probes add up, and a
 * binding that others change is noticed. */
#define _GNU_SOURCE /* for sched_setaffinity() */
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "machine/hardware/absence.h"
#include "machine/hardware/clock.h"
#include "two_cores.h"

static const double SLEPT_NS = 40e6, SPUN_NS = 20e6;

static double cpu_ns(void)
{
    struct timespec ran;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran);
    return 1e9 * (double)ran.tv_sec + (double)ran.tv_nsec;
}

static void spin(void)
{
    double end = cpu_ns() + SPUN_NS;
    while (cpu_ns() < end) {
    }
}

static void rest(void)
{
    struct timespec left = {0, (long)SLEPT_NS};
    while (nanosleep(&left, &left) != 0) {
    }
}

/* On a busy machine, the thread is absent for longer, never shorter; falling asleep takes time,
 * too. */
TEST(sleeping_is_absence_but_spinning_is_not)
{
    srv_spell spell = srv_spell_begin();
    spin();
    double slept_ns = srv_clock_raw_ns();
    rest();
    slept_ns = srv_clock_raw_ns() - slept_ns;
    srv_spell_end(&spell, false);
    assert_true(spell.ran_ns >= SPUN_NS);
    assert_true(spell.wall_ns - spell.ran_ns >= 0.9 * slept_ns);
    assert_false(spell.moved);
    spell = srv_spell_begin();
    spin();
    srv_spell_end(&spell, true);
    assert_true(spell.ran_ns >= SPUN_NS);
    assert_true(spell.moved);
}

TEST(absences_of_probes_add_up)
{
    srv_absences absences = {0};
    assert_float_equal(srv_absences_seen(&absences).share, 0, 0);
    srv_absences_add(&absences, &(srv_spell){6e9, 6e9, false});
    srv_absences_add(&absences, &(srv_spell){4e9, 1e9, true});
    srv_absences_add_share(&absences, 1, 2);
    srv_absences_add_share(&absences, 0, 3);
    srv_absence seen = srv_absences_seen(&absences);
    assert_float_equal(seen.share, 0.2, 1e-9);
    assert_float_equal(seen.longest, 3, 1e-9);
    assert_int_equal(seen.moved, 1);
    assert_true(isnan(seen.foreign));
}

/* A fifth of ten seconds may have been lost in slices: medians survive that. */
TEST(time_slices_of_others_are_not_a_standstill)
{
    srv_absences absences = {0};
    srv_absences_add(&absences, &(srv_spell){10e9, 8e9, false});
    assert_float_equal(srv_absences_seen(&absences).longest, 0, 0);
    assert_float_equal(srv_absences_seen(&absences).share, 0, 0);
}

TEST(the_thread_that_ran_least_counts)
{
    const srv_spell of_team[] = {{4e9, 4e9, true}, {5e9, 2e9, false}, {6e9, 5e9, false}};
    srv_spell spell = {0};
    for (int i = 0; i < 3; i++)
        srv_spell_join(&spell, &of_team[i]);
    assert_float_equal(spell.wall_ns, 5e9, 0);
    assert_float_equal(spell.ran_ns, 2e9, 0);
    assert_true(spell.moved);
}

static srv_traversal traversal_of(int core, double seconds)
{
    return (srv_traversal){.core = core,
                           .bytes = 16384,
                           .pattern = SRV_PATTERN_LINES,
                           .line_bytes = 64,
                           .chains = 1,
                           .seconds = seconds};
}

static int moved_of(void)
{
    srv_absence absence;
    assert_ok(srv_machine_absence(machine, &absence, NULL));
    assert_true(absence.share >= 0 && absence.share <= 1);
    return absence.moved;
}

TEST(a_thread_that_keeps_its_core_is_not_moved)
{
    srv_timing timing;
    srv_traversal traversal = traversal_of(cores[0], 2e-3);
    (void)moved_of();
    assert_ok(machine->ops->traverse(machine, &traversal, 1, &timing, NULL));
    assert_int_equal(moved_of(), 0);
}

/* Somebody else who binds the measuring thread to another core, again and again. */
typedef struct mover {
    pid_t victim;
    int core;
    atomic_bool done;
} mover;

static void *move(void *argument)
{
    mover *on = argument;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)on->core, &set);
    while (!atomic_load(&on->done)) {
        sched_setaffinity(on->victim, sizeof set, &set);
        usleep(1000);
    }
    return NULL;
}

TEST(a_thread_that_others_move_is_noticed_and_bound_again)
{
    pthread_t thread;
    srv_timing timing;
    needs_two_cores();
    mover on = {.victim = gettid(), .core = cores[1]};
    srv_traversal traversal = traversal_of(cores[0], 50e-3);
    (void)moved_of();
    assert_int_equal(pthread_create(&thread, NULL, move, &on), 0);
    int moved = 0;
    for (int i = 0; i < 100 && moved == 0; i++) {
        assert_ok(machine->ops->traverse(machine, &traversal, 1, &timing, NULL));
        moved = moved_of();
    }
    atomic_store(&on.done, true);
    pthread_join(thread, NULL);
    assert_true(moved > 0);
    assert_ok(machine->ops->traverse(machine, &traversal, 1, &timing, NULL));
    assert_int_equal(moved_of(), 0);
    assert_int_equal(sched_getcpu(), cores[0]);
}

static const double STOPPED_SECONDS = 1.2;

/* A process that stops this one after a moment, and lets it go on. */
static pid_t stop_soon(void)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    usleep(200000);
    kill(getppid(), SIGSTOP);
    usleep((useconds_t)(1e6 * STOPPED_SECONDS));
    kill(getppid(), SIGCONT);
    _exit(0);
}

/* The stop may come between two probes: then repeat. */
TEST(a_stopped_thread_is_at_a_standstill)
{
    srv_timing timing;
    srv_absence absence = {0};
    srv_traversal traversal = traversal_of(cores[0], 20e-3);
    (void)moved_of();
    for (int i = 0; i < 20 && absence.longest < STOPPED_SECONDS; i++) {
        pid_t child = stop_soon();
        assert_true(child > 0);
        while (waitpid(child, NULL, WNOHANG) == 0)
            assert_ok(machine->ops->traverse(machine, &traversal, 1, &timing, NULL));
        assert_ok(srv_machine_absence(machine, &absence, NULL));
    }
    assert_true(absence.longest >= STOPPED_SECONDS);
}

TEST_GROUP(two_cores_begin, two_cores_end)
