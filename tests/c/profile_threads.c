/* SPDX-License-Identifier: BSD-3-Clause */
/* One open profile, many threads that query it without locks. */
#include "test.h"
#include "profile_sample.h"

#include <pthread.h>

enum { THREADS = 16, ROUNDS = 400 };

static servet_profile *profile;
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
    for (size_t i = 0; i < test_cases(ROUNDS, ROUNDS); i++)
        *(int *)wrong += query_once();
    return NULL;
}

static void threads_get_the_same_answers(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    int wrong[THREADS] = {0};
    char path[TEST_PATH_MAX];
    servet_profile *written;
    sample_path(path);
    assert_int_equal(sample_profile(&written, NULL), SERVET_OK);
    assert_int_equal(servet_profile_write(written, path, NULL), SERVET_OK);
    servet_profile_close(written);
    assert_int_equal(servet_profile_open(&profile, path, NULL), SERVET_OK);
    pthread_barrier_init(&start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, query_often, &wrong[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(wrong[i], 0);
    }
    pthread_barrier_destroy(&start);
    servet_profile_close(profile);
    assert_int_equal(sample_remove(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_get_the_same_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
