/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stencil with OpenMP that places itself. Each sweep sets each grid point to the mean of its four
 * neighbours, on two grids that do not fit in the caches: memory bandwidth limits it. The profile
 * gives
 * - the number of threads that saturates memory, and their cores: balanced over the groups of cores
 *   that contend for memory, so that none has more threads than it has bandwidth for;
 * - the width of the columns of blocks: three rows of a block stay in the part of the cache that a
 *   thread has, beside the threads that share it, so that each row is read from memory once.
 *
 *   cc -O3 -fopenmp stencil_omp_c.c $(pkg-config --cflags --libs servet) -lm -o stencil_omp_c
 *   ./stencil_omp_c [ROWS[xCOLUMNS] [SWEEPS [PROFILE]]]
 *
 * With 0 sweeps it runs nothing, and predicts what the placement gains on the machine of the
 * profile, which may be another one: the copy bandwidth of all threads, compared with the same
 * number of threads packed together. Without facts it says so, and leaves threads and blocks as
 * they are.
 */
#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <servet/servet.h>

enum { CORES_MAX = 4096, ROWS = 3, GRIDS = 2 };

#define POINTS_MAX 10000000000

typedef struct extent {
    long rows, columns;
} extent;

/* The profile's advice. */
typedef struct thread_plan {
    int threads;
    int cores[CORES_MAX]; /* of each thread */
    int width;            /* of a block */
    bool placed;
} thread_plan;

static bool failed(const char *what, int code)
{
    if (code != SERVET_OK)
        printf("%s: %s\n", what, servet_error_text(code));
    return code != SERVET_OK;
}

/* --- the plan --------------------------------------------------------------------------------- */

static void place_threads(const servet_profile *profile, thread_plan *plan)
{
    const servet_policy policy = SERVET_POLICY_MEMORY;
    int threads;
    if (failed("threads",
               servet_thread_room(profile, NULL, policy, NULL, 0, &threads, NULL, NULL)) ||
        threads > CORES_MAX ||
        failed("cores", servet_thread_place(profile, NULL, policy, NULL, 0, plan->cores, threads,
                                            NULL, NULL)))
        return;
    plan->threads = threads;
    plan->placed = true;
}

/* The last cache that others leave alone, for those of the threads that share it. */
static void choose_width(const servet_profile *profile, thread_plan *plan)
{
    const servet_at first = {.core = plan->placed ? plan->cores[0] : SERVET_THIS_CORE};
    servet_block block;
    int sharers = 1;
    if (failed("block",
               servet_cache_block(profile, &first, 2, ROWS + 1, sizeof(double), 1, &block)))
        return;
    if (plan->placed &&
        servet_cache_sharers(profile, &first, 2, plan->cores, plan->threads, &sharers) ==
            SERVET_OK &&
        failed("block",
               servet_cache_block(profile, &first, 2, ROWS + 1, sizeof(double), sharers, &block)))
        return;
    plan->width = (int)fmin((double)block.elements, 1 << 20);
}

static void print_plan(const thread_plan *plan)
{
    printf("threads: %d, on cores", plan->threads);
    for (int i = 0; i < plan->threads && plan->placed; i++)
        printf(" %d", plan->cores[i]);
    printf("%s\nblocks: %d columns wide\n", plan->placed ? "" : " as the system likes",
           plan->width);
}

/* --- what it should gain ---------------------------------------------------------------------- */

/* How many of the cores are in a set such as "0-3,8". */
static int members(const char *set, const int *cores, int count)
{
    int all[CORES_MAX], size = 0, found = 0;
    (void)servet_cores_from_text(set, all, CORES_MAX, &size);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < size && k < CORES_MAX; k++)
            found += cores[i] == all[k];
    return found;
}

/* Each core gets what its level leaves to each of the cores that are busy in its group. */
static double bandwidth_of(const servet_profile *profile, const int *cores, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const servet_at at = {.core = cores[i]};
        servet_value each;
        int levels = 0, group;
        const char *set;
        double least = servet_memory_single(profile, &at, &each) == SERVET_OK ? each.value : 0;
        (void)servet_memory_level_count(profile, &at, &levels);
        for (int level = 1; level <= levels; level++)
            if (servet_memory_group_of(profile, &at, level, &group) == SERVET_OK &&
                servet_memory_group(profile, &at, level, group, &set) == SERVET_OK &&
                servet_memory_scaling(profile, &at, level, members(set, cores, count), &each) ==
                    SERVET_OK)
                least = fmin(least, each.value);
        sum += least;
    }
    return sum;
}

static void predict(const servet_profile *profile, const thread_plan *plan)
{
    int packed[CORES_MAX];
    if (!plan->placed ||
        failed("packed", servet_thread_place(profile, NULL, SERVET_POLICY_COMPACT, NULL, 0, packed,
                                             plan->threads, NULL, NULL)))
        return;
    double own = bandwidth_of(profile, plan->cores, plan->threads);
    double other = bandwidth_of(profile, packed, plan->threads);
    if (other > 0)
        printf("predicted: %.2f GB/s, packed together %.2f GB/s: %.2f times as fast\n", own * 1e-9,
               other * 1e-9, own / other);
}

/* --- the stencil ------------------------------------------------------------------------------ */

/* Rows first..last - 1 of a sweep over a grid of n columns, block by block. */
static void sweep(const double *from, double *to, long n, long first, long last, long width)
{
    for (long left = 1; left < n - 1; left += width) {
        long right = left + width < n - 1 ? left + width : n - 1;
        for (long i = first; i < last; i++)
            for (long j = left; j < right; j++)
                to[i * n + j] = 0.25 * (from[i * n + j - 1] + from[i * n + j + 1] +
                                        from[(i - 1) * n + j] + from[(i + 1) * n + j]);
    }
}

/* Memory is where it is first written: each thread begins with the rows that it works on. */
static void begin(double *grid, double *other, long n, long first, long last)
{
    for (long i = first; i < last; i++)
        for (long j = 0; j < n; j++)
            grid[i * n + j] = other[i * n + j] = i == 0 ? 1 : 0;
}

/* Binds the thread, and checks that the system has it where it belongs. */
static bool bind(const thread_plan *plan, int thread)
{
    int core, usable[2], count;
    return servet_bind_thread(&plan->cores[thread], 1, NULL) == SERVET_OK &&
           servet_core_here(&core) == SERVET_OK && core == plan->cores[thread] &&
           servet_cores_usable(usable, 2, &count, NULL) == SERVET_OK && count == 1;
}

/* Seconds for all sweeps, of the slowest thread; negative if a thread is not where it belongs. */
static double run(const thread_plan *plan, extent size, int sweeps, double *checksum)
{
    const long n = size.columns;
    double *grid[GRIDS] = {malloc((size_t)(size.rows * n) * sizeof(double)),
                           malloc((size_t)(size.rows * n) * sizeof(double))};
    double seconds = 0, sum = 0;
    int astray = !grid[0] || !grid[1];
    if (!astray) {
#pragma omp parallel num_threads(plan->threads) reduction(+ : sum, astray)
        {
            int thread = omp_get_thread_num(), threads = omp_get_num_threads();
            long first = size.rows * thread / threads, last = size.rows * (thread + 1) / threads;
            astray = plan->placed && !bind(plan, thread);
            begin(grid[0], grid[1], n, first, last);
            first = first > 1 ? first : 1;
            last = last < size.rows - 1 ? last : size.rows - 1;
#pragma omp barrier
            double started = omp_get_wtime();
            for (int i = 0; i < sweeps; i++) {
                sweep(grid[i % GRIDS], grid[(i + 1) % GRIDS], n, first, last, plan->width);
#pragma omp barrier
            }
#pragma omp single
            seconds = omp_get_wtime() - started;
            for (long i = first; i < last; i++)
                for (long j = 1; j < n - 1; j++)
                    sum += grid[sweeps % GRIDS][i * n + j];
        }
    }
    free(grid[0]);
    free(grid[1]);
    *checksum = sum;
    return astray ? -1 : seconds;
}

static int compare(const thread_plan *own, extent size, int sweeps)
{
    thread_plan plain = {.threads = omp_get_max_threads(), .width = (int)size.columns};
    double sum, same;
    double before = run(&plain, size, sweeps, &same), after = run(own, size, sweeps, &sum);
    if (before < 0 || after < 0 || fabs(sum - same) > 1e-9 * fabs(same)) {
        fprintf(stderr, "stencil_omp_c: %s\n",
                before < 0 || after < 0 ? "a thread is not on its core, or memory is short"
                                        : "the results differ");
        return EXIT_FAILURE;
    }
    printf("all threads bound, checksum %.9g\n", sum);
    printf("%ld x %ld, %d sweeps: %.3f s, as the system places %d threads %.3f s\n", size.rows,
           size.columns, sweeps, after, plain.threads, before);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static thread_plan own;
    extent size = {4000, 4000};
    int sweeps = argc > 2 ? atoi(argv[2]) : 20;
    servet_profile *profile = NULL;
    servet_error error = SERVET_ERROR_INIT;
    int given = argc > 1 ? sscanf(argv[1], "%ldx%ld", &size.rows, &size.columns) : 2;
    if (given == 1)
        size.columns = size.rows;
    if (given < 1 || size.rows < 3 || size.columns < 3 || size.rows > 1000000 ||
        size.columns > 1000000 || size.rows > POINTS_MAX / size.columns || sweeps < 0) {
        fputs("usage: stencil_omp_c [ROWS[xCOLUMNS] [SWEEPS [PROFILE]]]\n", stderr);
        return 2;
    }
    own.threads = omp_get_max_threads();
    own.width = (int)size.columns;
    if (servet_profile_open(&profile, argc > 3 ? argv[3] : NULL, &error) == SERVET_OK) {
        place_threads(profile, &own);
        choose_width(profile, &own);
    } else {
        printf("no profile: %s\n", error.text);
    }
    print_plan(&own);
    if (sweeps == 0 && profile)
        predict(profile, &own);
    servet_profile_close(profile);
    return sweeps == 0 ? EXIT_SUCCESS : compare(&own, size, sweeps);
}
