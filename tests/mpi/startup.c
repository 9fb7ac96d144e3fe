/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes of one job that are each alone in MPI. */
#include "machine/ranks/startup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Names and values of variables, each twice NULL-terminated. */
static const char *const *variables;

static char *find(const char *name)
{
    for (const char *const *at = variables; *at; at += 2)
        if (strcmp(*at, name) == 0)
            return (char *)(uintptr_t)at[1];
    return NULL;
}

#define WITH(...)                                                                                  \
    (variables = (const char *const[]){__VA_ARGS__, NULL}, srv_startup_find_singleton(find))

static void a_process_without_launcher_runs_alone(void **state)
{
    (void)state;
    assert_null(WITH(NULL).launcher);
    assert_null(WITH("OMPI_COMM_WORLD_SIZE", "1", "OMPI_COMM_WORLD_RANK", "0").launcher);
    assert_null(WITH("PMI_SIZE", "", "PMI_RANK", "x").launcher);
}

/* In a script of Slurm, without srun: the allocation's tasks are no processes that run. */
static void script_of_slurm(void **state)
{
    (void)state;
    assert_null(WITH("SLURM_NTASKS", "4", "SLURM_PROCID", "0").launcher);
}

/* mpirun on one of four nodes has its daemons started by srun. */
static void nearest_launcher_counts(void **state)
{
    (void)state;
    assert_null(WITH("SLURM_STEP_NUM_TASKS", "4", "SLURM_PROCID", "3", "OMPI_COMM_WORLD_SIZE", "1",
                     "OMPI_COMM_WORLD_RANK", "0")
                    .launcher);
}

static void srun_without_plugin(void **state)
{
    (void)state;
    srv_singleton first = WITH("SLURM_STEP_NUM_TASKS", "4", "SLURM_PROCID", "0");
    assert_string_equal(first.launcher, "srun");
    assert_string_equal(first.variable, "SLURM_STEP_NUM_TASKS");
    assert_int_equal(first.started, 4);
    assert_true(first.speaks);
    assert_non_null(strstr(first.help, "--mpi=pmix"));
    srv_singleton last = WITH("SLURM_STEP_NUM_TASKS", "4", "SLURM_PROCID", "3");
    assert_non_null(last.launcher);
    assert_false(last.speaks);
}

/* It tells an MPI library that knows PMI 2 what Hydra tells it; this one does not. */
static void srun_with_the_wrong_plugin(void **state)
{
    (void)state;
    srv_singleton first = WITH("PMI_SIZE", "4", "PMI_RANK", "0", "PMI_FD", "9",
                               "SLURM_STEP_NUM_TASKS", "4", "SLURM_PROCID", "0");
    assert_string_equal(first.launcher, "srun");
    assert_non_null(strstr(first.help, "--mpi=pmix"));
}

/* Its daemons on two nodes are started by srun, or by an unknown program. */
static void hydra_is_recognized(void **state)
{
    (void)state;
    srv_singleton third = WITH("PMI_SIZE", "4", "PMI_RANK", "2", "MPI_LOCALRANKID", "0",
                               "SLURM_STEP_NUM_TASKS", "2", "SLURM_PROCID", "1");
    assert_string_equal(third.launcher, "the mpiexec of MPICH");
    assert_int_equal(third.started, 4);
    assert_int_equal(third.rank, 2);
    assert_string_equal(WITH("PMI_SIZE", "4", "PMI_RANK", "0", "MPI_LOCALRANKID", "0").launcher,
                        "the mpiexec of MPICH");
}

static void launcher_of_another_library(void **state)
{
    (void)state;
    assert_int_equal(WITH("OMPI_COMM_WORLD_SIZE", "2", "OMPI_COMM_WORLD_RANK", "1").started, 2);
    assert_int_equal(WITH("PMI_SIZE", "3", "PMI_RANK", "0").started, 3);
    assert_string_equal(WITH("PMI_SIZE", "3", "PMI_RANK", "0").launcher, "a launcher with PMI");
}

/* The first process cannot know; all others do, and the first of those tells. */
static void a_rank_without_size_is_recognized(void **state)
{
    (void)state;
    assert_null(WITH("PALS_RANKID", "0").launcher);
    assert_true(WITH("PALS_RANKID", "1").speaks);
    assert_int_equal(WITH("PALS_RANKID", "1").started, 0);
    assert_non_null(WITH("PALS_RANKID", "2").launcher);
    assert_false(WITH("PALS_RANKID", "2").speaks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_without_launcher_runs_alone),
        cmocka_unit_test(script_of_slurm),
        cmocka_unit_test(nearest_launcher_counts),
        cmocka_unit_test(srun_without_plugin),
        cmocka_unit_test(srun_with_the_wrong_plugin),
        cmocka_unit_test(hydra_is_recognized),
        cmocka_unit_test(launcher_of_another_library),
        cmocka_unit_test(a_rank_without_size_is_recognized),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
