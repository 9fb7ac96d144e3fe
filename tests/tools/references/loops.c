/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small loops that measure hardware without any code of Servet: references for its facts.
 *
 *   loops clock                   GHz of dependent additions; ns between two readings of the clock
 *   loops chase BYTES STRIDE HUGE ns of a dependent load of random elements, STRIDE bytes apart
 *   loops near BYTES              the same with hardly any translation: random within 64 pages that
 *                                 follow each other, one line of each pair
 *   loops chains BYTES N          GB/s of N such chains on lines of 64 bytes
 *   loops load BYTES              GB/s of the widest loads, in the order of addresses
 *   loops KERNEL BYTES [THREADS]  GB/s of each thread; read, write, copy, triad; -nt on x86
 *   loops line CORE CORE          ns of a hand-over of a line, half of a round trip
 *   loops false CORE CORE APART   ns of an increment while the other core increments APART away
 *   loops WAY CORE CORE...        ns of an operation of all together: add; swap, by comparison;
 *                                 ticket, a lock; meet, a central barrier; tell, one by flags in
 *                                 rounds (dissemination)
 *   loops beside BYTES THREADS    ns of a dependent load on core 0, of random lines, while cores 1
 *                                 to THREADS read arrays of as many bytes
 *
 * Each prints the median and the best of many short samples.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

enum { SAMPLES = 400, WIDTH = 64, THREADS_MAX = 64 };
typedef long long words __attribute__((vector_size(WIDTH), may_alias));
typedef double reals __attribute__((vector_size(WIDTH), may_alias));
#define KEEP() __asm__ volatile("" : : : "memory")

/* The compiler makes one version for each set of instructions, and the widest usable one runs. */
#ifdef __x86_64__
#define WIDEST __attribute__((noinline, target_clones("default", "avx2", "avx512f")))
#else
#define WIDEST __attribute__((noinline))
#endif

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median, and the smallest or largest. */
static void print(double *sample, int n, int largest, const char *unit)
{
    qsort(sample, (size_t)n, sizeof *sample, ascending);
    printf("%.4g %.4g %s\n", sample[n / 2], sample[largest ? n - 1 : 0], unit);
}

static void bind_to(int core)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    sched_setaffinity(0, sizeof set, &set);
}

static char *memory(size_t bytes, int huge)
{
    enum { ALIGNMENT = 2 << 20 };
    size_t room = (bytes + 2 * ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    char *at = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        exit(1);
    at = (char *)(((uintptr_t)at + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
    madvise(at, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    memset(at, 1, bytes);
    return at;
}

/* Memory that the first TLB of every current processor translates, and the size of a pair of lines
 * that are prefetched together. */
enum { NEAR_BYTES = 64 * 4096, PAIR = 128 };

/* --- loads one after the other ---------------------------------------------------------------- */

static void shuffle(size_t *order, size_t n)
{
    for (size_t i = n - 1; i > 0; i--) {
        size_t k = (size_t)random() % (i + 1), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
}

/* A random cycle through elements, each at another line of its stride; in random order within
 * blocks of `block` elements. */
static void **cycle(size_t bytes, size_t stride, int huge, size_t block)
{
    size_t n = bytes / stride, *order = malloc(n * sizeof *order);
    char *base = memory(bytes, huge);
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = 0; i < n; i += block)
        shuffle(order + i, block < n - i ? block : n - i);
#define AT(i) (base + order[(i) % n] * stride + order[(i) % n] % (stride / 64) * 64)
    for (size_t i = 0; i < n; i++)
        *(void **)AT(i) = AT(i + 1);
    void **first = (void **)AT(0);
    free(order);
    return first;
}

static void chase(size_t bytes, size_t stride, int huge, size_t block)
{
    enum { LOADS = 4096 };
    double sample[SAMPLES];
    void **at = cycle(bytes, stride, huge, block);
    for (size_t i = 0; i < 2 * bytes / stride; i++)
        at = *at;
    for (int s = 0; s < SAMPLES; s++) {
        double start = now();
        for (int i = 0; i < LOADS; i += 8)
            at = *(void **)*(void **)*(void **)*(void **)*(void **)*(void **)*(void **)*at;
        __asm__ volatile("" : "+r"(at));
        sample[s] = (now() - start) / LOADS;
    }
    print(sample, SAMPLES, 0, "ns");
}

/* The switch leaves the chains in registers. */
static void chains(size_t bytes, int n)
{
    enum { STEPS = 512, MOST = 16 };
    double sample[SAMPLES];
    void **at[MOST];
    at[0] = cycle(bytes, 64, 1, bytes / 64);
    for (int c = 1; c < n; c++) {
        at[c] = at[c - 1];
        for (size_t i = 0; i < bytes / 64 / (size_t)n; i++)
            at[c] = *at[c];
    }
    for (int s = 0; s < SAMPLES; s++) {
        double start = now();
#define CHAINS(count)                                                                              \
    case count:                                                                                    \
        for (int i = 0; i < STEPS; i++)                                                            \
            _Pragma("GCC unroll 16") for (int c = 0; c < (count); c++) at[c] = *at[c];             \
        break;
        switch (n) {
            CHAINS(1) CHAINS(2) CHAINS(4) CHAINS(6) CHAINS(8) CHAINS(10) CHAINS(12) CHAINS(16)
        }
        for (int c = 0; c < n; c++)
            __asm__ volatile("" : "+r"(at[c]));
        sample[s] = 64.0 * STEPS * n / (now() - start);
    }
    print(sample, SAMPLES, 1, "GB/s");
}

/* --- arrays ----------------------------------------------------------------------------------- */

#define EIGHT(step) step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7)
#define FOLD(k)     words f##k = {0};
#define LOAD(k)     f##k ^= *(const words *)(from + at + (k)*WIDTH);
WIDEST static void load(const char *from, size_t bytes, size_t passes)
{
    EIGHT(FOLD)
    for (; passes > 0; passes--)
        for (size_t at = 0; at < bytes; at += 8 * WIDTH) {
            EIGHT(LOAD)
            KEEP();
        }
    words all = f0 ^ f1 ^ f2 ^ f3 ^ f4 ^ f5 ^ f6 ^ f7;
    __asm__ volatile("" : : "m"(all));
}

#define EACH(statement)                                                                            \
    for (size_t i = 0; i < n / sizeof(reals); i++) {                                               \
        statement;                                                                                 \
        KEEP();                                                                                    \
    }
WIDEST static void write_to(reals *a, const reals *b, const reals *c, size_t n)
{
    (void)b, (void)c;
    EACH(a[i] = (reals){0} + 3.1)
}
WIDEST static void copy(reals *a, const reals *b, const reals *c, size_t n)
{
    (void)c;
    EACH(a[i] = b[i])
}
WIDEST static void triad(reals *a, const reals *b, const reals *c, size_t n)
{
    EACH(a[i] = b[i] + 3.1 * c[i])
}
static void read_from(reals *a, const reals *b, const reals *c, size_t n)
{
    (void)b, (void)c;
    load((const char *)a, n, 1);
}
#ifdef __x86_64__
#define STREAM(value)                                                                              \
    const double *x = (const double *)b, *y = (const double *)c;                                   \
    (void)x, (void)y;                                                                              \
    for (size_t i = 0; i < n / 8; i += 2)                                                          \
        _mm_stream_pd((double *)a + i, value);                                                     \
    _mm_sfence();
static void write_nt(reals *a, const reals *b, const reals *c, size_t n)
{
    STREAM(_mm_set1_pd(3.1))
}
static void copy_nt(reals *a, const reals *b, const reals *c, size_t n)
{
    STREAM(_mm_load_pd(x + i))
}
static void triad_nt(reals *a, const reals *b, const reals *c, size_t n)
{
    STREAM(_mm_add_pd(_mm_load_pd(x + i), _mm_mul_pd(_mm_set1_pd(3.1), _mm_load_pd(y + i))))
}
#endif

static const struct kernel {
    const char *name;
    void (*run)(reals *a, const reals *b, const reals *c, size_t n);
    int arrays;
} kernels[] = {
    {"read", read_from, 1},    {"write", write_to, 1},  {"copy", copy, 2},
    {"triad", triad, 3},
#ifdef __x86_64__
    {"write-nt", write_nt, 1}, {"copy-nt", copy_nt, 2}, {"triad-nt", triad_nt, 3},
#endif
};

static void load_again(size_t bytes)
{
    double sample[SAMPLES];
    size_t passes = bytes < 1 << 20 ? (1 << 22) / bytes : 1;
    const char *from = memory(bytes, 1);
    bytes = bytes / 512 * 512;
    for (int s = 0; s < SAMPLES; s++) {
        double start = now();
        load(from, bytes, passes);
        sample[s] = (double)(bytes * passes) / (now() - start);
    }
    print(sample, SAMPLES, 1, "GB/s");
}

static struct team {
    const struct kernel *kernel;
    size_t bytes; /* of an array */
    pthread_barrier_t barrier;
} team;

/* Samples of 1 MiB of each array, from place to place, so that no cache holds it. */
static void *stream(void *number)
{
    enum { PIECE = 1 << 20 };
    double *sample = malloc(SAMPLES * sizeof *sample);
    bind_to((int)(intptr_t)number);
    char *a = memory(team.bytes * (size_t)team.kernel->arrays, 1), *b = a, *c = a;
    if (team.kernel->arrays > 1)
        b = c = a + team.bytes;
    if (team.kernel->arrays > 2)
        c = b + team.bytes;
    pthread_barrier_wait(&team.barrier);
    for (size_t s = 0, at = 0; s < SAMPLES; s++, at = (at + PIECE) % team.bytes) {
        double start = now();
        team.kernel->run((reals *)(a + at), (reals *)(b + at), (reals *)(c + at), PIECE);
        sample[s] = (double)team.kernel->arrays * PIECE / (now() - start);
    }
    pthread_barrier_wait(&team.barrier);
    if (number == NULL)
        print(sample, SAMPLES, 1, "GB/s");
    free(sample);
    return NULL;
}

static void run_kernel(const struct kernel *kernel, size_t bytes, int threads)
{
    pthread_t thread[THREADS_MAX];
    team.kernel = kernel;
    team.bytes = bytes / (1 << 20) * (1 << 20);
    pthread_barrier_init(&team.barrier, NULL, (unsigned)threads);
    for (int i = 1; i < threads; i++)
        pthread_create(&thread[i], NULL, stream, (void *)(intptr_t)i);
    stream(NULL);
    for (int i = 1; i < threads; i++)
        pthread_join(thread[i], NULL);
}

/* --- two cores -------------------------------------------------------------------------------- */

static struct {
    _Alignas(4096) _Atomic int turn;
    _Alignas(4096) _Atomic unsigned char bytes[8192];
    _Alignas(4096) _Atomic int ready;
    int core, apart;
} shared;

enum { STOPPED = -1 };

/* Takes the line as long as it has not this turn, and passes the next one on. */
static void pass(int turn)
{
    for (int seen = turn; !atomic_compare_exchange_weak(&shared.turn, &seen, turn + 1); seen = turn)
        if (seen == STOPPED)
            return;
}

static void *answer(void *unused)
{
    bind_to(shared.core);
    shared.ready = 1;
    for (int turn = 1; shared.turn != STOPPED; turn += 2)
        pass(turn);
    return unused;
}

static void *increment(void *unused)
{
    bind_to(shared.core);
    shared.ready = 1;
    while (shared.turn != STOPPED)
        for (int i = 0; i < 1000; i++)
            shared.bytes[shared.apart]++;
    return unused;
}

static void hand_over(void)
{
    enum { TURNS = 100 };
    double sample[SAMPLES];
    for (int s = 0, turn = 0; s < SAMPLES; s++) {
        double start = now();
        for (int i = 0; i < TURNS; i++, turn += 2)
            pass(turn);
        sample[s] = (now() - start) / TURNS / 2;
    }
    print(sample, SAMPLES, 0, "ns");
}

static void contend(void)
{
    enum { TURNS = 2000 };
    double sample[SAMPLES];
    for (int s = 0; s < SAMPLES; s++) {
        double start = now();
        for (int i = 0; i < TURNS; i++)
            shared.bytes[0]++;
        sample[s] = (now() - start) / TURNS;
    }
    print(sample, SAMPLES, 0, "ns");
}

static void with_other(int core, int other, void *(*body)(void *), void (*measure)(void))
{
    pthread_t thread;
    shared.core = other;
    pthread_create(&thread, NULL, body, NULL);
    bind_to(core);
    while (!shared.ready)
        ;
    measure();
    shared.turn = STOPPED;
    pthread_join(thread, NULL);
}

/* --- synchronization -------------------------------------------------------------------------- */

enum { ROUNDS_MAX = 6 }; /* of a dissemination barrier: 2^6 threads */

/* Threads that do the same, each with a count of its own. */
static struct {
    _Alignas(4096) _Atomic long number;
    _Atomic long served; /* of the same line */
    _Alignas(4096) _Atomic int arrived;
    _Alignas(4096) _Atomic int sense;
    _Alignas(4096) _Atomic int reached[THREADS_MAX][ROUNDS_MAX][16];
    _Alignas(4096) _Atomic long done[THREADS_MAX][512];
    _Alignas(4096) _Atomic int stopped;
    _Atomic int ready;
    int core[THREADS_MAX], members;
} all;

/* A thread without a core: it may have this one. */
enum { SPINS = 10000 };
static int goes_on(int *spins)
{
    if (++*spins > SPINS)
        sched_yield();
    return !all.stopped;
}

/* Each operates once for each turn behind `turn`, up to `last`. */
static void add_one(int me, int turn, int last)
{
    (void)me;
    while (turn++ < last)
        all.number++;
}

static void swap_one(int me, int turn, int last)
{
    (void)me;
    while (turn++ < last) {
        long seen = all.number;
        while (!atomic_compare_exchange_strong(&all.number, &seen, seen + 1))
            ;
    }
}

static void take_ticket(int me, int turn, int last)
{
    (void)me;
    while (turn++ < last) {
        int spins = 0;
        long ticket = all.number++;
        while (all.served != ticket && goes_on(&spins))
            ;
        all.served = ticket + 1;
    }
}

static void meet(int me, int turn, int last)
{
    (void)me;
    while (turn++ < last) {
        int spins = 0;
        if (++all.arrived == all.members) {
            all.arrived = 0;
            all.sense = turn % 2;
            continue;
        }
        while (all.sense != turn % 2 && goes_on(&spins))
            ;
    }
}

static void tell(int me, int turn, int last)
{
    while (turn++ < last)
        for (int round = 0, apart = 1; apart < all.members; round++, apart *= 2) {
            int spins = 0;
            all.reached[(me + apart) % all.members][round][0] = turn;
            while (all.reached[me][round][0] < turn && goes_on(&spins))
                ;
        }
}

static const struct way {
    const char *name;
    void (*run)(int me, int turn, int last);
    int meets;
} ways[] = {
    {"add", add_one, 0}, {"swap", swap_one, 0}, {"ticket", take_ticket, 0},
    {"meet", meet, 1},   {"tell", tell, 1},
};
static const struct way *way;

/* 64 operations, which this thread counts. */
static int run_way(int me, int turn)
{
    way->run(me, turn, turn + 64);
    atomic_store_explicit(&all.done[me][0], all.done[me][0] + 64, memory_order_relaxed);
    return turn + 64;
}

static void *synchronize(void *number)
{
    int me = (int)(intptr_t)number;
    bind_to(all.core[me]);
    all.ready++;
    for (int turn = 0; !all.stopped;)
        turn = run_way(me, turn);
    return NULL;
}

static double done_by_others(void)
{
    double sum = 0;
    for (int i = 1; i < all.members; i++)
        sum += (double)all.done[i][0];
    return sum;
}

/* Samples in which the other threads did a quarter to four times as many operations each. */
static void count_all(void)
{
    double sample[SAMPLES];
    int turn = 0, s = 0;
    for (int tries = 0; s < SAMPLES && tries < 200 * SAMPLES; tries++) {
        double others = done_by_others(), start = now();
        for (int i = 0; i < 4; i++)
            turn = run_way(0, turn);
        double ns = now() - start;
        others = done_by_others() - others;
        if (others < 64 * (all.members - 1) || others > 1024 * (all.members - 1))
            continue;
        sample[s++] = ns / (way->meets ? 256 : 256 + others);
    }
    all.stopped = 1;
    if (s > 0)
        print(sample, s, 0, "ns");
}

static void with_all(int count, char **cores)
{
    pthread_t thread[THREADS_MAX];
    all.members = count < THREADS_MAX ? count : THREADS_MAX;
    for (int i = 0; i < all.members; i++)
        all.core[i] = atoi(cores[i]);
    for (int i = 1; i < all.members; i++)
        pthread_create(&thread[i], NULL, synchronize, (void *)(intptr_t)i);
    bind_to(all.core[0]);
    while (all.ready < all.members - 1)
        ;
    count_all();
    for (int i = 1; i < all.members; i++)
        pthread_join(thread[i], NULL);
}

/* --- latency under load ----------------------------------------------------------------------- */

static struct {
    _Atomic int ready, stopped;
    size_t bytes;
} load_of;

static void *keep_reading(void *core)
{
    bind_to((int)(intptr_t)core);
    char *from = memory(load_of.bytes, 1);
    for (load_of.ready++; !load_of.stopped;)
        load(from, load_of.bytes, 1);
    return NULL;
}

static void chase_beside(size_t bytes, int threads)
{
    pthread_t thread[THREADS_MAX];
    load_of.bytes = bytes / 512 * 512;
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, keep_reading, (void *)(intptr_t)(i + 1));
    bind_to(0);
    while (load_of.ready < threads)
        ;
    chase(bytes, PAIR, 1, bytes / PAIR);
    load_of.stopped = 1;
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
}

/* --- clock ------------------------------------------------------------------------------------ */

static void clock_facts(void)
{
    enum { ADDITIONS = 40000 };
    double sample[SAMPLES], read[SAMPLES];
    for (int s = 0; s < SAMPLES; s++) {
        uint64_t x = 0;
        double start = now();
        for (int i = 0; i < ADDITIONS; i++) {
            __asm__ volatile("" : "+r"(x));
            x = ((x + 3) ^ 5) + 7;
            __asm__ volatile("" : "+r"(x));
            x = ((x ^ 3) + 5) ^ 7;
        }
        sample[s] = 6 * ADDITIONS / (now() - start);
        start = now();
        read[s] = now() - start;
    }
    print(sample, SAMPLES, 1, "GHz");
    print(read, SAMPLES, 0, "ns");
}

int main(int count, char **words_)
{
    const char *what = count > 1 ? words_[1] : "";
    double argument[3] = {0};
    for (int i = 2; i < count && i < 5; i++)
        argument[i - 2] = atof(words_[i]);
    size_t bytes = (size_t)argument[0];
    int second = (int)argument[1], third = (int)argument[2];
    if (strcmp(what, "clock") == 0)
        clock_facts();
    else if (strcmp(what, "chase") == 0)
        chase(bytes, (size_t)second, third, bytes / (size_t)second);
    else if (strcmp(what, "near") == 0)
        chase(bytes, PAIR, 1, NEAR_BYTES / PAIR);
    else if (strcmp(what, "chains") == 0)
        chains(bytes, second);
    else if (strcmp(what, "load") == 0)
        load_again(bytes);
    else if (strcmp(what, "beside") == 0)
        chase_beside(bytes, second);
    else if (strcmp(what, "line") == 0)
        with_other((int)argument[0], second, answer, hand_over);
    else if (strcmp(what, "false") == 0) {
        shared.apart = third;
        with_other((int)argument[0], second, increment, contend);
    }
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(what, ways[i].name) == 0) {
            way = &ways[i];
            with_all(count - 2, words_ + 2);
        }
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (strcmp(what, kernels[i].name) == 0)
            run_kernel(&kernels[i], bytes, second > 1 ? second : 1);
    return 0;
}
