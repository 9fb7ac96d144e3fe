/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The messages of a step of the NAS Parallel Benchmarks (D. Bailey and others, The NAS Parallel
 * Benchmarks, IJSA 5(3), 1991; versions 2 and 3 for MPI), without their arithmetic: nas KERNEL
 * CLASS [FILE]. The number of ranks is a power of two. Rank 0 prints the seconds of a step of the
 * rank that took longest; with FILE it writes the messages there instead, FROM TO BYTES, phase by
 * phase: each rank waits for its message of a phase before it sends that of the next one.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3, ALL_PHASES = -1 };

/* Sizes of a class: keys of IS, rows of CG, side of the grids of MG, points of the grid of FT. */
typedef struct class
{
    char name;
    double keys, rows, side, points;
} class;

static const class classes[] = {
    {'W', 1 << 20, 7000, 128, 128. * 128 * 32},
    {'A', 1 << 23, 14000, 256, 256. * 256 * 128},
    {'B', 1 << 25, 75000, 256, 512. * 256 * 256},
    {'C', 1 << 27, 150000, 512, 512. * 512 * 512},
};

/* A rank of a program that runs, or that counts the bytes which it sends to each other rank. */
typedef struct program {
    const class *of;
    int rank, ranks;
    double *counted; /* NULL: it runs */
    int phase, next; /* the phase that it counts, or ALL_PHASES, and the one that comes */
    char *memory;
} program;

/* Begins a phase; returns true if its messages are counted. */
static bool counts(program *on)
{
    int phase = on->next++;
    return on->counted && (on->phase == ALL_PHASES || on->phase == phase);
}

static void exchange(program *on, int to, int from, double bytes)
{
    if (counts(on))
        on->counted[to] += bytes;
    if (!on->counted)
        MPI_Sendrecv(on->memory, (int)bytes, MPI_BYTE, to, 0, on->memory, (int)bytes, MPI_BYTE,
                     from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void all_to_all(program *on, double bytes)
{
    bool counted = counts(on);
    for (int i = 1; i < on->ranks && counted; i++)
        on->counted[(on->rank + i) % on->ranks] += bytes;
    if (!on->counted)
        MPI_Alltoall(on->memory, (int)bytes, MPI_BYTE, on->memory, (int)bytes, MPI_BYTE,
                     MPI_COMM_WORLD);
}

/* Each rank sends its keys of 4 bytes to the ranks that sort them; they are distributed evenly. */
static void is_step(program *on)
{
    all_to_all(on, 4 * on->of->keys / on->ranks / on->ranks);
}

/* A transposition of complex numbers. */
static void ft_step(program *on)
{
    all_to_all(on, 16 * on->of->points / on->ranks / on->ranks);
}

/* A grid of ranks with as many columns as rows, or twice as many. */
static int columns_of(int ranks)
{
    int columns = 1;
    while (columns * columns < ranks)
        columns *= 2;
    return columns;
}

/* A product of a matrix with a vector: sums of the rows' parts by recursive doubling, and the
 * exchange with the transposed place; two sums of one number. */
static void cg_step(program *on)
{
    int columns = columns_of(on->ranks), rows = on->ranks / columns;
    int row = on->rank / columns, column = on->rank % columns, ratio = columns / rows;
    double part = 8 * on->of->rows / rows;
    for (int step = columns / 2; step; step /= 2) {
        int other = row * columns + (column ^ step);
        exchange(on, other, other, part);
    }
    int transposed = (column / ratio) * columns + row * ratio + column % ratio;
    exchange(on, transposed, transposed, transposed != on->rank ? part / ratio : 0);
    for (int sums = 0; sums < 2; sums++)
        for (int step = columns / 2; step; step /= 2)
            exchange(on, row * columns + (column ^ step), row * columns + (column ^ step), 8);
}

/* A halo of a grid with `side` points in each direction, on a periodic grid of ranks. */
static void exchange_halo(program *on, const int grid[3], double side)
{
    for (int axis = 0, stride = 1; axis < 3; stride *= grid[axis++]) {
        int at = on->rank / stride % grid[axis];
        double face = 8;
        for (int other = 0; other < 3; other++)
            face *= other == axis ? 1 : side / grid[other] + 2;
        int up = on->rank + ((at + 1) % grid[axis] - at) * stride;
        int down = on->rank + ((at + grid[axis] - 1) % grid[axis] - at) * stride;
        if (grid[axis] == 1)
            continue;
        exchange(on, up, down, face);
        exchange(on, down, up, face);
    }
}

/* A V-cycle: halos of grids with half of the side each, as far as each rank has points, down and
 * up. */
static void mg_step(program *on)
{
    int grid[3] = {1, 1, 1}, least = 1;
    for (int ranks = 1, axis = 0; ranks < on->ranks; ranks *= 2, axis = (axis + 1) % 3)
        grid[axis] *= 2;
    for (int axis = 0; axis < 3; axis++)
        least = grid[axis] > least ? grid[axis] : least;
    for (double side = on->of->side; side >= least; side /= 2)
        for (int times = 0; times < 2; times++)
            exchange_halo(on, grid, side);
}

static const struct kernel {
    const char *name;
    void (*step)(program *on);
} kernels[] = {{"is", is_step}, {"cg", cg_step}, {"mg", mg_step}, {"ft", ft_step}};

static const struct kernel *find_kernel(const char *name)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return &kernels[i];
    return NULL;
}

static const class *find_class(char name)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (classes[i].name == name)
            return &classes[i];
    return NULL;
}

/* Counts the bytes that a rank sends to each other one in a phase; returns their sum. */
static double count(program *on, const struct kernel *kernel, int phase)
{
    double sum = 0;
    on->phase = phase;
    on->next = 0;
    memset(on->counted, 0, (size_t)on->ranks * sizeof *on->counted);
    kernel->step(on);
    for (int to = 0; to < on->ranks; to++)
        sum += on->counted[to];
    return sum;
}

/* Writes the messages of all ranks. */
static void write_traffic(program on, const struct kernel *kernel, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        MPI_Abort(MPI_COMM_WORLD, 2);
    on.next = 1;
    for (int phase = 0; phase < on.next; phase++) {
        fprintf(file, "phase\n");
        for (on.rank = 0; on.rank < on.ranks; on.rank++) {
            (void)count(&on, kernel, phase);
            for (int to = 0; to < on.ranks; to++)
                if (on.counted[to] > 0 || to == on.rank)
                    fprintf(file, "%d %d %.0f\n", on.rank, to, on.counted[to]);
        }
    }
    fclose(file);
    free(on.counted);
}

/* Runs the steps. The simulator copies nothing of the memory. */
static void run(program on, const struct kernel *kernel)
{
    double all = count(&on, kernel, ALL_PHASES) * on.ranks / (on.ranks - 1);
    on.memory = SMPI_SHARED_MALLOC((size_t)all + 1);
    free(on.counted);
    on.counted = NULL;
    kernel->step(&on);
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime();
    for (int i = 0; i < STEPS; i++)
        kernel->step(&on);
    double seconds = (MPI_Wtime() - began) / STEPS;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (on.rank == 0)
        printf("%.9f s a step\n", seconds);
    SMPI_SHARED_FREE(on.memory);
}

int main(int argc, char **argv)
{
    program on = {.of = NULL};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &on.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &on.ranks);
    const struct kernel *kernel = argc > 2 ? find_kernel(argv[1]) : NULL;
    on.of = argc > 2 ? find_class(argv[2][0]) : NULL;
    on.counted = calloc((size_t)on.ranks, sizeof *on.counted);
    if (!kernel || !on.of || on.ranks < 2 || on.ranks & (on.ranks - 1) || !on.counted)
        MPI_Abort(MPI_COMM_WORLD, 2);
    if (argc == 3)
        run(on, kernel); /* frees the counts */
    else if (on.rank == 0)
        write_traffic(on, kernel, argv[3]);
    MPI_Finalize();
    return 0;
}
