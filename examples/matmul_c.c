/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrix multiplication blocked for the cache that Servet measured.
 *
 *   cc -O3 matmul_c.c $(pkg-config --cflags --libs servet) -o matmul_c
 *   ./matmul_c [N [PROFILE]]
 *
 * Both times are of the same loops; all that differs is the size of the blocks, so their ratio is
 * what blocking alone gains. Without -O3 arithmetic takes so long that memory hardly matters.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <servet/servet.h>

/*
 * Three blocks, of A, B and C, are in use at a time and should stay in the cache together. The
 * second level is the right one on most machines: the largest that a core has to itself. The first
 * is so small that the inner loops become too short to pay, later ones are shared.
 */
static int block_size(const servet_profile *profile)
{
    enum { MATRICES = 3, LEVEL_MAX = 2, ALONE = 1 };
    servet_block block;
    int levels, code = servet_cache_count(profile, NULL, &levels);
    if (code == SERVET_OK)
        code = servet_cache_block(profile, NULL, levels < LEVEL_MAX ? levels : LEVEL_MAX, MATRICES,
                                  sizeof(double), ALONE, &block);
    if (code != SERVET_OK) {
        fprintf(stderr, "matmul_c: caches: %s\n", servet_error_text(code));
        return 0;
    }
    printf("block %lld x %lld: three fit into %.0f KiB of cache level %d\n", block.side, block.side,
           block.bytes / 1024, block.level);
    return (int)block.side;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The inner loop on its own: compilers then make the same of it, whatever the loops around it. */
static void add_row(int columns, double factor, const double *restrict from, double *restrict to)
{
    for (int j = 0; j < columns; j++)
        to[j] += factor * from[j];
}

/* Unblocked is a single block as large as the matrices. */
static void multiply(int n, int block, const double *a, const double *b, double *c)
{
    for (int i0 = 0; i0 < n; i0 += block)
        for (int k0 = 0; k0 < n; k0 += block)
            for (int j0 = 0; j0 < n; j0 += block)
                for (int i = i0; i < least(i0 + block, n); i++)
                    for (int k = k0; k < least(k0 + block, n); k++)
                        add_row(least(block, n - j0), a[i * n + k], &b[k * n + j0], &c[i * n + j0]);
}

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Small whole numbers: every sum is exact in any order, so both results must be the same. */
static void fill(int n, double *a, double *b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i * n + j] = (i + 2 * j) % 7 - 3;
            b[i * n + j] = (3 * i + j) % 5 - 2;
        }
}

/* `memory` holds four matrices of n x n: A, B and the two results. */
static int compare(int n, int block, double *memory)
{
    size_t size = (size_t)n * (size_t)n;
    double *a = memory, *b = a + size, *plain = b + size, *blocked = plain + size;
    fill(n, a, b);
    memset(plain, 0, 2 * size * sizeof *plain);

    double start = seconds();
    multiply(n, n, a, b, plain);
    double middle = seconds();
    multiply(n, block, a, b, blocked);
    double end = seconds();

    printf("%d x %d, unblocked %.3f s, blocked %.3f s, ratio %.2f\n", n, n, middle - start,
           end - middle, (middle - start) / (end - middle));
    if (end - middle >= middle - start)
        printf("blocking gains nothing here: the matrices fit into a cache, or arithmetic takes "
               "longer than memory (compile with -O3)\n");
    if (memcmp(plain, blocked, size * sizeof *plain) != 0) {
        fprintf(stderr, "matmul_c: the results differ\n");
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
    double *memory = calloc((size_t)n * (size_t)n, 4 * sizeof *memory);
    if (!memory) {
        fprintf(stderr, "matmul_c: no memory for four matrices of %d x %d\n", n, n);
        return EXIT_FAILURE;
    }
    int status = compare(n, block, memory);
    free(memory);
    return status;
}

int main(int argc, char **argv)
{
    /* Not a power of two: the rows of a block would compete for a few sets of the cache. */
    int n = argc > 1 ? atoi(argv[1]) : 1500;
    if (argc > 3 || n < 1 || n > 20000) {
        fprintf(stderr, "usage: matmul_c [N [PROFILE]], N from 1 to 20000\n");
        return 2;
    }
    servet_profile *profile = NULL;
    servet_error error = SERVET_ERROR_INIT;
    if (servet_profile_open(&profile, argc > 2 ? argv[2] : NULL, &error) != SERVET_OK) {
        char line[SERVET_ERROR_FILE_MAX + SERVET_ERROR_TEXT_MAX];
        fprintf(stderr, "matmul_c: %s\n", servet_error_line(&error, line, sizeof line));
        return EXIT_FAILURE;
    }
    int status = run(n, profile);
    servet_profile_close(profile);
    return status;
}
