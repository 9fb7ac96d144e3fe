/* SPDX-License-Identifier: BSD-3-Clause */
/* One open profile, many threads that query it without locks. */
#include "test.h"
#include "profile_sample.h"

#include <pthread.h>
#include "profile_fixture.h"

enum { THREADS = 16, ROUNDS = 400 };

static pthread_barrier_t start;

/* Counts wrong answers; asserts belong to the main thread. */
static int query_once(void)
{
    const servet_at big = {"fat", 1}, thin = {"thin", SERVET_ANY_CORE};
    servet_cache cache;
    servet_run run;
    servet_machine machine;
    servet_error error = SERVET_ERROR_INIT;
    char text[32];
    int count = 0, wrong = 0;
    wrong += servet_cache_count(profile, &big, &count) != SERVET_OK || count != 3;
    for (int level = 1; level <= 3; level++)
        wrong += servet_cache_get(profile, &big, level, &cache) != SERVET_OK ||
                 cache.bytes.value != 1536.0 * (1 << (5 * level));
    wrong += servet_profile_run(profile, &run) != SERVET_OK || strcmp(run.clock, "tsc") != 0;
    wrong += servet_profile_machine(profile, &thin, &machine) != SERVET_OK ||
             strcmp(machine.hostname, "node02") != 0;
    wrong += servet_profile_get(profile, &big, "caches.1.latency_ns", text, sizeof text, &error) !=
                 SERVET_OK ||
             strcmp(text, "1.39") != 0;
    wrong += servet_profile_get(profile, &big, "cache.count", text, sizeof text, &error) !=
                 SERVET_EKEY ||
             !strstr(error.text, "nearest one is caches.count");
    wrong += servet_cache_count(profile, NULL, &count) != SERVET_EOTHER;
    return wrong;
}

static void *query_often(void *wrong)
{
    pthread_barrier_wait(&start);
    for (size_t i = 0; i < test_cases(ROUNDS / 8, ROUNDS); i++)
        *(int *)wrong += query_once();
    return NULL;
}

TEST_EACH(profile_begin, profile_end)

TEST(threads_get_the_same_answers)
{
    pthread_t threads[THREADS];
    int wrong[THREADS] = {0};
    servet_profile *made = profile;
    profile = profile_reopened(made);
    servet_profile_close(made);
    pthread_barrier_init(&start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, query_often, &wrong[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(wrong[i], 0);
    }
    pthread_barrier_destroy(&start);
}
