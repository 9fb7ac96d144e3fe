/* SPDX-License-Identifier: BSD-3-Clause */
/* The binding that another rank sent is read completely or refused. Nothing is read beyond its end.
 */
#include "test.h"

#include "machine/hardware/binding.h"

/* The host, Slurm's request, the job's PUs, the threads' PUs, numbers, and two threads. */
static const char sent[] = "node7\0map_cpu:0\0"
                           "0-3\0"
                           "0-7\0"
                           "0,2\0"
                           "0,2\0"
                           "1 2 2\0"
                           "0\0"
                           "0\0"
                           "2\0"
                           "2";

/* Reads a copy that ends with the allocated memory, so that sanitizers report any read beyond it.
 */
static int read_first(size_t size, srv_observed_binding *binding, char **copy)
{
    servet_error error = SERVET_ERROR_INIT;
    *copy = malloc(size ? size : 1);
    assert_non_null(*copy);
    memcpy(*copy, sent, size);
    int code = srv_observed_binding_read(*copy, size, binding, &error);
    assert_true(code == SERVET_OK || *error.text);
    return code;
}

TEST(a_complete_binding_is_read)
{
    srv_observed_binding binding;
    char *copy;
    assert_ok(read_first(sizeof sent, &binding, &copy));
    assert_string_equal(binding.host, "node7");
    assert_string_equal(binding.requested, "map_cpu:0");
    assert_string_equal(binding.job_whole, "0-7");
    assert_true(binding.openmp);
    assert_int_equal(binding.core_count, 2);
    assert_int_equal(binding.thread_count, 2);
    assert_string_equal(binding.threads[1].cores, "2");
    assert_int_equal(binding.threads[1].core, 2);
    free(binding.threads);
    free(copy);
}

TEST(truncated_bindings_are_refused)
{
    for (size_t size = 0; size < sizeof sent - 8; size++) {
        srv_observed_binding binding;
        char *copy;
        assert_int_equal(read_first(size, &binding, &copy), SERVET_ECOMMUNICATION);
        free(binding.threads);
        free(copy);
    }
}

TEST(wrong_thread_counts_are_refused)
{
    static const char *const numbers[] = {"1 2 -1", "1 2 2000000000", "1 2 3", "1 2", ""};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        srv_observed_binding binding;
        char text[64] = "n\0\0"
                        "0\0"
                        "0\0"
                        "0\0"
                        "0";
        size_t head = 11;
        strcpy(text + head, numbers[i]);
        size_t size = head + strlen(numbers[i]) + 1;
        assert_int_equal(srv_observed_binding_read(text, size, &binding, NULL),
                         SERVET_ECOMMUNICATION);
        free(binding.threads);
    }
}
