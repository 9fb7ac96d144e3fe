/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transposes a matrix in blocks for the cache that Servet measured.
 *
 *   cc -O3 transpose_c.c $(pkg-config --cflags --libs servet) -o transpose_c
 *   ./transpose_c [N [PROFILE]]
 *
 * Both ways copy the same elements; all that differs is the order. Row by row, each element is
 * written to another line and another page than the one before; a block's lines stay in the cache
 * until they are full.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <servet/servet.h>

/* Two blocks, of both matrices, are in use at a time. The first level is the right one: a block
 * needs no more than a few lines for each of its rows, and its pages stay in the TLB. */
static int block_size(const servet_profile *profile)
{
    enum { LEVEL = 1, MATRICES = 2, ALONE = 1 };
    servet_block block;
    int code = servet_cache_block(profile, NULL, LEVEL, MATRICES, sizeof(double), ALONE, &block);
    if (code != SERVET_OK) {
        fprintf(stderr, "transpose_c: caches: %s\n", servet_error_text(code));
        return 0;
    }
    printf("block %lld x %lld: two fit into %.0f KiB of cache level %d\n", block.side, block.side,
           block.bytes / 1024, block.level);
    return (int)block.side;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void transpose(int n, const double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[(size_t)j * n + i] = a[(size_t)i * n + j];
}

static void transpose_blocked(int n, int block, const double *restrict a, double *restrict b)
{
    for (int i0 = 0; i0 < n; i0 += block)
        for (int j0 = 0; j0 < n; j0 += block)
            for (int i = i0; i < least(i0 + block, n); i++)
                for (int j = j0; j < least(j0 + block, n); j++)
                    b[(size_t)j * n + i] = a[(size_t)i * n + j];
}

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double value(int row, int column)
{
    return row + 1e-5 * column;
}

/* How many elements are not those of the transposed matrix. Forgets them, for the next time. */
static long wrong(int n, double *b)
{
    long count = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            count += b[(size_t)i * n + j] != value(j, i);
            b[(size_t)i * n + j] = -1;
        }
    return count;
}

/* `memory` holds the two matrices of n x n. */
static int compare(int n, int block, double *memory)
{
    double *a = memory, *b = a + (size_t)n * (size_t)n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[(size_t)i * n + j] = value(i, j);
    (void)wrong(n, b); /* its pages exist from now on */

    double start = seconds();
    transpose(n, a, b);
    double plain = seconds() - start;
    long differ = wrong(n, b);
    start = seconds();
    transpose_blocked(n, block, a, b);
    double blocked = seconds() - start;
    differ += wrong(n, b);

    printf("%d x %d, unblocked %.3f s, blocked %.3f s, ratio %.2f\n", n, n, plain, blocked,
           plain / blocked);
    if (differ) {
        fprintf(stderr, "transpose_c: %ld elements are wrong\n", differ);
        return EXIT_FAILURE;
    }
    printf("the results agree\n");
    return EXIT_SUCCESS;
}

static int run(int n, const servet_profile *profile)
{
    printf("profile %s\n", servet_profile_path(profile));
    int block = block_size(profile);
    if (block < 1)
        return EXIT_FAILURE;
    double *memory = calloc((size_t)n * (size_t)n, 2 * sizeof *memory);
    if (!memory) {
        fprintf(stderr, "transpose_c: no memory for two matrices of %d x %d\n", n, n);
        return EXIT_FAILURE;
    }
    int status = compare(n, block, memory);
    free(memory);
    return status;
}

int main(int argc, char **argv)
{
    /* Not a power of two: the lines of a block would compete for a few sets of the cache. */
    int n = argc > 1 ? atoi(argv[1]) : 5000;
    if (argc > 3 || n < 1 || n > 20000) {
        fprintf(stderr, "usage: transpose_c [N [PROFILE]], N from 1 to 20000\n");
        return 2;
    }
    servet_profile *profile = NULL;
    servet_error error = SERVET_ERROR_INIT;
    if (servet_profile_open(&profile, argc > 2 ? argv[2] : NULL, &error) != SERVET_OK) {
        char line[SERVET_ERROR_FILE_MAX + SERVET_ERROR_TEXT_MAX];
        fprintf(stderr, "transpose_c: %s\n", servet_error_line(&error, line, sizeof line));
        return EXIT_FAILURE;
    }
    int status = run(n, profile);
    servet_profile_close(profile);
    return status;
}
