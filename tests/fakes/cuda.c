/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A driver library of accelerators that has none: its copies take the time of a model, and it
 * refuses what a driver would refuse (no context, memory that is not pinned, addresses of another
 * device). Built as libcuda.so.1. The environment describes the model:
 *
 *   FAKE_DEVICES         number of devices; 2
 *   FAKE_GB              GB/s of each link; 20
 *   FAKE_US              time of a copy of no bytes, us; 6
 *   FAKE_SWITCH_GB       GB/s in each direction of the switch above devices 0 and 1, 2 and 3, ...;
 * 0: none FAKE_PEER            1: the devices below a switch reach each other FAKE_FAILS name of
 * the function that fails FAKE_CALLS           number of calls of it that do not fail before
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    DEVICES_MAX = 16,
    PINS_MAX = 64,
    NO_CONTEXT = 201,
    INVALID = 1,
    GONE = 999,
    NO_DEVICE = 100
};

typedef struct stream {
    int device;
    double until; /* s: all its copies are done */
} stream;

typedef struct memory {
    int device;
    size_t bytes;
    char content[64]; /* of its beginning: copies move this much for real */
} memory;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double busy[2][DEVICES_MAX]; /* until when each device copies, by direction */
static struct {
    char *base;
    size_t bytes;
} pins[PINS_MAX];
static _Thread_local int current = -1;
static char contexts[DEVICES_MAX];

static double number(const char *name, double otherwise)
{
    const char *text = getenv(name);
    return text ? atof(text) : otherwise;
}

static int devices(void)
{
    return (int)number("FAKE_DEVICES", 2);
}

/* True if this call has to fail. */
static int fails(const char *function)
{
    static atomic_int calls;
    const char *name = getenv("FAKE_FAILS");
    return name && strcmp(name, function) == 0 &&
           atomic_fetch_add(&calls, 1) >= (int)number("FAKE_CALLS", 0);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#define API __attribute__((visibility("default"))) int
#define FAIL(function)                                                                             \
    if (fails(function))                                                                           \
    return GONE

API cuInit(unsigned flags);
API cuInit(unsigned flags)
{
    FAIL("cuInit");
    return flags ? INVALID : devices() == 0 ? NO_DEVICE : 0;
}

API cuDeviceGetCount(int *count);
API cuDeviceGetCount(int *count)
{
    FAIL("cuDeviceGetCount");
    *count = devices();
    return 0;
}

API cuDeviceGet(int *device, int ordinal);
API cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return ordinal < devices() ? 0 : INVALID;
}

API cuDeviceGetName(char *name, int size, int device);
API cuDeviceGetName(char *name, int size, int device)
{
    snprintf(name, (size_t)size, "Fake %d", device);
    return 0;
}

API cuDeviceGetPCIBusId(char *bus, int size, int device);
API cuDeviceGetPCIBusId(char *bus, int size, int device)
{
    snprintf(bus, (size_t)size, "fffe:%02X:00.0", device + 1);
    return 0;
}

API cuDeviceCanAccessPeer(int *can, int device, int peer);
API cuDeviceCanAccessPeer(int *can, int device, int peer)
{
    *can = number("FAKE_PEER", 0) > 0 && device / 2 == peer / 2;
    return 0;
}

API cuGetErrorName(int status, const char **name);
API cuGetErrorName(int status, const char **name)
{
    *name = status == GONE ? "CUDA_ERROR_UNKNOWN" : NULL;
    return *name ? 0 : INVALID;
}

API cuDevicePrimaryCtxRetain(void **context, int device);
API cuDevicePrimaryCtxRetain(void **context, int device)
{
    FAIL("cuDevicePrimaryCtxRetain");
    *context = &contexts[device];
    return 0;
}

API cuDevicePrimaryCtxRelease_v2(int device);
API cuDevicePrimaryCtxRelease_v2(int device)
{
    return device < devices() ? 0 : INVALID;
}

static int device_of(const void *context)
{
    return (int)((const char *)context - contexts);
}

API cuCtxSetCurrent(void *context);
API cuCtxSetCurrent(void *context)
{
    current = device_of(context);
    return context ? 0 : NO_CONTEXT;
}

API cuCtxEnablePeerAccess(void *context, unsigned flags);
API cuCtxEnablePeerAccess(void *context, unsigned flags)
{
    return current < 0 ? NO_CONTEXT : context && !flags ? 0 : INVALID;
}

API cuMemAlloc_v2(uint64_t *address, size_t bytes);
API cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
    FAIL("cuMemAlloc_v2");
    memory *made = current < 0 ? NULL : calloc(1, sizeof *made);
    if (!made)
        return NO_CONTEXT;
    *made = (memory){.device = current, .bytes = bytes};
    *address = (uint64_t)(uintptr_t)made;
    return 0;
}

API cuMemFree_v2(uint64_t address);
API cuMemFree_v2(uint64_t address)
{
    free((void *)(uintptr_t)address);
    return current < 0 ? NO_CONTEXT : 0;
}

API cuMemHostRegister_v2(void *base, size_t bytes, unsigned flags);
API cuMemHostRegister_v2(void *base, size_t bytes, unsigned flags)
{
    FAIL("cuMemHostRegister_v2");
    int status = current < 0 || flags != 1 ? NO_CONTEXT : INVALID;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < PINS_MAX && status == INVALID; i++)
        if (!pins[i].base) {
            pins[i].base = base;
            pins[i].bytes = bytes;
            status = 0;
        }
    pthread_mutex_unlock(&lock);
    return status;
}

API cuMemHostUnregister(void *base);
API cuMemHostUnregister(void *base)
{
    int status = INVALID;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < PINS_MAX; i++)
        if (pins[i].base == base) {
            pins[i].base = NULL;
            status = 0;
        }
    pthread_mutex_unlock(&lock);
    return status;
}

API cuStreamCreate(void **made, unsigned flags);
API cuStreamCreate(void **made, unsigned flags)
{
    FAIL("cuStreamCreate");
    stream *one = current < 0 || flags ? NULL : calloc(1, sizeof *one);
    if (!one)
        return NO_CONTEXT;
    one->device = current;
    *made = one;
    return 0;
}

API cuStreamDestroy_v2(void *one);
API cuStreamDestroy_v2(void *one)
{
    free(one);
    return 0;
}

/* Spins: drivers do, too, and a thread that sleeps has no core. */
API cuStreamSynchronize(void *one);
API cuStreamSynchronize(void *one)
{
    FAIL("cuStreamSynchronize");
    while (now() < ((stream *)one)->until)
        ;
    return 0;
}

static int is_pinned(const char *base, size_t bytes)
{
    int pinned = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < PINS_MAX; i++)
        pinned |=
            pins[i].base && base >= pins[i].base && base + bytes <= pins[i].base + pins[i].bytes;
    pthread_mutex_unlock(&lock);
    return pinned;
}

/* Adds the time of a copy to the stream: the devices below a switch share it. */
static void take_time(stream *on, int direction, size_t bytes)
{
    double begin = now(), rate = number("FAKE_GB", 20), shared = number("FAKE_SWITCH_GB", 0);
    pthread_mutex_lock(&lock);
    int other = on->device ^ 1;
    if (shared > 0 && busy[direction][other] > begin)
        shared /= 2;
    rate = shared > 0 && shared < rate ? shared : rate;
    begin = on->until > begin ? on->until : begin + number("FAKE_US", 6) * 1e-6;
    on->until = busy[direction][on->device] = begin + (double)bytes / (rate * 1e9);
    pthread_mutex_unlock(&lock);
}

static size_t real_bytes(size_t bytes)
{
    return bytes < sizeof((memory *)NULL)->content ? bytes : sizeof((memory *)NULL)->content;
}

API cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *on);
API cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *on)
{
    FAIL("cuMemcpyHtoDAsync_v2");
    memory *target = (void *)(uintptr_t)to;
    if (target->device != ((stream *)on)->device || bytes > target->bytes ||
        !is_pinned(from, bytes))
        return INVALID;
    memcpy(target->content, from, real_bytes(bytes));
    take_time(on, 0, bytes);
    return 0;
}

API cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *on);
API cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *on)
{
    FAIL("cuMemcpyDtoHAsync_v2");
    const memory *source = (void *)(uintptr_t)from;
    if (source->device != ((stream *)on)->device || bytes > source->bytes || !is_pinned(to, bytes))
        return INVALID;
    memcpy(to, source->content, real_bytes(bytes));
    take_time(on, 1, bytes);
    return 0;
}

API cuMemcpyPeerAsync(uint64_t to, void *peer, uint64_t from, void *context, size_t bytes,
                      void *on);
API cuMemcpyPeerAsync(uint64_t to, void *peer, uint64_t from, void *context, size_t bytes, void *on)
{
    FAIL("cuMemcpyPeerAsync");
    memory *target = (void *)(uintptr_t)to;
    const memory *source = (void *)(uintptr_t)from;
    if (target->device != device_of(peer) || source->device != device_of(context) ||
        source->device != ((stream *)on)->device || bytes > source->bytes || bytes > target->bytes)
        return INVALID;
    memcpy(target->content, source->content, real_bytes(bytes));
    take_time(on, 1, bytes);
    return 0;
}
