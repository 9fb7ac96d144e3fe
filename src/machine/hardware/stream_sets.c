/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/stream_sets.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define SRV_SET    sse2
#define SRV_BYTES  16
#define SRV_TARGET __attribute__((target("sse2")))
#define SRV_USABLE true
#define SRV_STREAM(to, one, next)                                                                  \
    _mm_stream_pd((double *)(to), one), _mm_stream_pd((double *)(to) + 2, next);
#define SRV_DRAIN _mm_sfence()
#include "machine/hardware/stream_loops.h"

#define SRV_SET    avx2
#define SRV_BYTES  32
#define SRV_TARGET __attribute__((target("avx2,fma")))
#define SRV_USABLE __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
#define SRV_STREAM(to, one, next)                                                                  \
    _mm256_stream_pd((double *)(to), one), _mm256_stream_pd((double *)(to) + 4, next);
#define SRV_DRAIN _mm_sfence()
#include "machine/hardware/stream_loops.h"

#define SRV_SET    avx512
#define SRV_BYTES  64
#define SRV_TARGET __attribute__((target("avx512f")))
#define SRV_USABLE __builtin_cpu_supports("avx512f")
#define SRV_STREAM(to, one, next)                                                                  \
    _mm512_stream_pd((double *)(to), one), _mm512_stream_pd((double *)(to) + 8, next);
#define SRV_DRAIN _mm_sfence()
#include "machine/hardware/stream_loops.h"

const srv_stream_set *const srv_stream_sets[] = {&sse2_set, &avx2_set, &avx512_set, NULL};

#elif defined(__aarch64__)

/* The only non-temporal stores are those of pairs. */
#define SRV_SET   neon
#define SRV_BYTES 16
#define SRV_TARGET
#define SRV_USABLE true
#define SRV_STREAM(to, one, next)                                                                  \
    __asm__ volatile("stnp %q0, %q1, [%2]" : : "w"(one), "w"(next), "r"(to) : "memory");
#define SRV_DRAIN __asm__ volatile("dmb ishst" : : : "memory")
#include "machine/hardware/stream_loops.h"

const srv_stream_set *const srv_stream_sets[] = {&neon_set, NULL};

#else

#define SRV_SET   plain
#define SRV_BYTES 16
#define SRV_TARGET
#define SRV_USABLE true
#include "machine/hardware/stream_loops.h"

const srv_stream_set *const srv_stream_sets[] = {&plain_set, NULL};

#endif
