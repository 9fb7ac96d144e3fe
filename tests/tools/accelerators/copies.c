/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of device 0 by CUDA's driver without any code of Servet: memory that the driver itself
 * pinned, and pageable memory; large copies are timed by the device's events, small ones by the
 * clock. Prints "DIRECTION MEMORY BYTES GB/s us-of-a-copy".
 *
 *     cc -O2 -o copies copies.c -ldl
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned long long address;

static void *library;

static void *find(const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "no %s\n", name);
        exit(1);
    }
    return found;
}

#define CALL(name, parameters, ...)                                                                \
    do {                                                                                           \
        int status_ = ((int(*) parameters)find(name))(__VA_ARGS__);                                \
        if (status_) {                                                                             \
            fprintf(stderr, "%s: %d\n", name, status_);                                            \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void *stream, *begin, *end;

/* Looking a function up takes time, which is none of a copy's. */
static int (*to_host_by)(void *, address, size_t, void *);
static int (*to_device_by)(address, const void *, size_t, void *);
static int (*wait_for)(void *);

static void check(int status)
{
    if (status) {
        fprintf(stderr, "a copy failed: %d\n", status);
        exit(1);
    }
}

static void copy(int to_host, void *host, address device, size_t bytes)
{
    check(to_host ? to_host_by(host, device, bytes, stream)
                  : to_device_by(device, host, bytes, stream));
}

/* Seconds of one of `count` copies, by the device's own events. */
static double by_events(int to_host, void *host, address device, size_t bytes, int count)
{
    float ms;
    CALL("cuEventRecord", (void *, void *), begin, stream);
    for (int i = 0; i < count; i++)
        copy(to_host, host, device, bytes);
    CALL("cuEventRecord", (void *, void *), end, stream);
    CALL("cuStreamSynchronize", (void *), stream);
    CALL("cuEventElapsedTime", (float *, void *, void *), &ms, begin, end);
    return ms * 1e-3 / count;
}

/* The time from the request until the thread knows that the copy is done. */
static double by_clock(int to_host, void *host, address device, size_t bytes)
{
    double start = now();
    copy(to_host, host, device, bytes);
    check(wait_for(stream));
    return now() - start;
}

enum { EVENTS = 21, TIMES = 2001, COPIES = 8 };

static double median(int to_host, void *host, address device, size_t bytes, int events)
{
    static double seconds[TIMES];
    int count = events ? EVENTS : TIMES;
    for (int i = 0; i < count; i++)
        seconds[i] = events ? by_events(to_host, host, device, bytes, COPIES)
                            : by_clock(to_host, host, device, bytes);
    qsort(seconds, (size_t)count, sizeof *seconds, ascending);
    return seconds[count / 2];
}

int main(void)
{
    static const size_t sizes[] = {64, 4096, 65536, 1 << 20, 16 << 20, 64 << 20, 256 << 20};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    int device, count;
    void *context, *memory[2];
    address on_device;
    char name[100];
    library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
        return fprintf(stderr, "%s\n", dlerror()), 1;
    *(void **)&to_host_by = find("cuMemcpyDtoHAsync_v2");
    *(void **)&to_device_by = find("cuMemcpyHtoDAsync_v2");
    *(void **)&wait_for = find("cuStreamSynchronize");
    CALL("cuInit", (unsigned), 0);
    CALL("cuDeviceGetCount", (int *), &count);
    CALL("cuDeviceGet", (int *, int), &device, 0);
    CALL("cuDeviceGetName", (char *, int, int), name, sizeof name, device);
    printf("# %d device(s), the first is %s\n", count, name);
    CALL("cuDevicePrimaryCtxRetain", (void **, int), &context, device);
    CALL("cuCtxSetCurrent", (void *), context);
    CALL("cuStreamCreate", (void **, unsigned), &stream, 0);
    CALL("cuEventCreate", (void **, unsigned), &begin, 0);
    CALL("cuEventCreate", (void **, unsigned), &end, 0);
    CALL("cuMemAlloc_v2", (address *, size_t), &on_device, sizes[SIZES - 1]);
    CALL("cuMemHostAlloc", (void **, size_t, unsigned), &memory[0], sizes[SIZES - 1], 0);
    memory[1] = malloc(sizes[SIZES - 1]);
    for (int m = 0; m < 2; m++) {
        memset(memory[m], 1, sizes[SIZES - 1]);
        for (int to_host = 0; to_host < 2; to_host++)
            for (int i = 0; i < SIZES; i++) {
                int events = sizes[i] > 65536;
                (void)median(to_host, memory[m], on_device, sizes[i], events);
                double seconds = median(to_host, memory[m], on_device, sizes[i], events);
                printf("%s %s %zu %.3f %.3f\n", to_host ? "to-host" : "to-device",
                       m ? "pageable" : "pinned", sizes[i], (double)sizes[i] / seconds / 1e9,
                       seconds * 1e6);
            }
    }
    return 0;
}
