/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/compute_sets.h"

#include <stdint.h>
#include <string.h>

/* --- loops --------------------------------------------------------------------------------------
 * A pass is four steps of each chain. The instructions are written explicitly where the processor
 * is known: compilers fuse, split and vectorise expressions as they like, and leave out what has no
 * use. Each chain needs a register. Of 12 chains the fused multiply-adds of current x86 cores need
 * 8 to 10 (4 or 5 cycles, two units), of 24 those of Arm's 16 to 18 (4 cycles and four units, 9
 * cycles and two). */

#define SIX(step, op, x)                                                                           \
    step(op, x##0) step(op, x##1) step(op, x##2) step(op, x##3) step(op, x##4) step(op, x##5)
#define TIMES_4(x) x x x x

#if defined(__x86_64__)
#define OTHERS(step, op)
#else
#define OTHERS(step, op) SIX(step, op, c) SIX(step, op, d)
#endif

#define DECLARE(first, x) chain x = first;
#define ADD_UP(total, x)  total += x;

/* Adds up the numbers in the registers: first by registers, whose numbers are still exact. */
#define RETURN_SUM(number)                                                                         \
    number held[sizeof(chain) / sizeof(number)];                                                   \
    double total = 0;                                                                              \
    memcpy(held, &sum, sizeof held);                                                               \
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)                                        \
        total += (double)held[i];                                                                  \
    return total;

/* The compiler does not know that the factor is one. */
#define BEGIN(type, number)                                                                        \
    typedef type chain;                                                                            \
    volatile number given = 1;                                                                     \
    chain none = {0}, one = none + given, sum = none;

/* All chains multiply by one and add one: step(op, x). */
#define FUSED(name, target, type, number, step, op)                                                \
    target static double name(size_t passes)                                                       \
    {                                                                                              \
        BEGIN(type, number)                                                                        \
        SIX(DECLARE, none, a)                                                                      \
        SIX(DECLARE, none, b)                                                                      \
        OTHERS(DECLARE, none)                                                                      \
        for (; passes > 0; passes--) {                                                             \
            TIMES_4(SIX(step, op, a) SIX(step, op, b) OTHERS(step, op))                            \
        }                                                                                          \
        SIX(ADD_UP, sum, a)                                                                        \
        SIX(ADD_UP, sum, b) OTHERS(ADD_UP, sum) RETURN_SUM(number)                                 \
    }

/* Half of the chains multiply by one, the others add one: for processors that do not fuse. */
#define APART(name, target, type, number, multiply, add, op)                                       \
    target static double name(size_t passes)                                                       \
    {                                                                                              \
        BEGIN(type, number)                                                                        \
        SIX(DECLARE, one, a)                                                                       \
        SIX(DECLARE, none, b)                                                                      \
        for (; passes > 0; passes--) {                                                             \
            TIMES_4(multiply(op, a0) add(op, b0) multiply(op, a1) add(op, b1) multiply(op, a2)     \
                        add(op, b2) multiply(op, a3) add(op, b3) multiply(op, a4) add(op, b4)      \
                            multiply(op, a5) add(op, b5))                                          \
        }                                                                                          \
        SIX(ADD_UP, sum, b) RETURN_SUM(number)                                                     \
    }

/* Integers are only added: every core does that as often as it issues simple instructions. The
 * empty instruction keeps the compiler from adding up several steps. */
#define COUNT(op, x)                                                                               \
    x += one;                                                                                      \
    __asm__ volatile("" : "+r"(x));
FUSED(plain_64, , int64_t, int64_t, COUNT, )

#define VECTOR(number, bytes) number __attribute__((vector_size(bytes)))

static bool always(void)
{
    return true;
}

#define SET(name, usable, bits)                                                                    \
    {                                                                                              \
#name, usable, bits, name                                                                  \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, NULL, 0, NULL                                                                        \
    }

#if defined(__x86_64__)

typedef VECTOR(double, 16) doubles_2;
typedef VECTOR(double, 32) doubles_4;
typedef VECTOR(double, 64) doubles_8;
typedef VECTOR(float, 16) floats_4;
typedef VECTOR(float, 32) floats_8;
typedef VECTOR(float, 64) floats_16;

#define WITH_SSE2   __attribute__((target("sse2")))
#define WITH_AVX    __attribute__((target("avx")))
#define WITH_FMA    __attribute__((target("avx2,fma")))
#define WITH_AVX512 __attribute__((target("avx512f")))

#define FUSE(op, x)      __asm__ volatile("vfmadd231" op " %1, %1, %0" : "+x"(x) : "x"(one));
#define MULTIPLY(op, x)  __asm__ volatile("mul" op " %1, %0" : "+x"(x) : "x"(one));
#define ADD(op, x)       __asm__ volatile("add" op " %1, %0" : "+x"(x) : "x"(one));
#define VMULTIPLY(op, x) __asm__ volatile("vmul" op " %1, %0, %0" : "+x"(x) : "x"(one));
#define VADD(op, x)      __asm__ volatile("vadd" op " %1, %0, %0" : "+x"(x) : "x"(one));

static bool has_avx(void)
{
    return __builtin_cpu_supports("avx");
}

static bool has_fma(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}

APART(sse2_sd, WITH_SSE2, double, double, MULTIPLY, ADD, "sd")
APART(sse2_ss, WITH_SSE2, float, float, MULTIPLY, ADD, "ss")
APART(sse2_pd, WITH_SSE2, doubles_2, double, MULTIPLY, ADD, "pd")
APART(sse2_ps, WITH_SSE2, floats_4, float, MULTIPLY, ADD, "ps")
APART(avx_pd, WITH_AVX, doubles_4, double, VMULTIPLY, VADD, "pd")
APART(avx_ps, WITH_AVX, floats_8, float, VMULTIPLY, VADD, "ps")
FUSED(fma_sd, WITH_FMA, double, double, FUSE, "sd")
FUSED(fma_ss, WITH_FMA, float, float, FUSE, "ss")
FUSED(fma_pd, WITH_FMA, doubles_4, double, FUSE, "pd")
FUSED(fma_ps, WITH_FMA, floats_8, float, FUSE, "ps")
FUSED(avx512_pd, WITH_AVX512, doubles_8, double, FUSE, "pd")
FUSED(avx512_ps, WITH_AVX512, floats_16, float, FUSE, "ps")

static const srv_compute_set f64_scalar[] = {SET(sse2_sd, always, 64), SET(fma_sd, has_fma, 64),
                                             END},
                             f32_scalar[] = {SET(sse2_ss, always, 32), SET(fma_ss, has_fma, 32),
                                             END},
                             f64_vector[] = {SET(sse2_pd, always, 128), SET(avx_pd, has_avx, 256),
                                             SET(fma_pd, has_fma, 256),
                                             SET(avx512_pd, has_avx512, 512), END},
                             f32_vector[] = {SET(sse2_ps, always, 128), SET(avx_ps, has_avx, 256),
                                             SET(fma_ps, has_fma, 256),
                                             SET(avx512_ps, has_avx512, 512), END};

#else

typedef VECTOR(double, 16) doubles_2;
typedef VECTOR(float, 16) floats_4;

#if defined(__aarch64__)
#define FUSE_SCALAR(op, x)                                                                         \
    __asm__ volatile("fmadd %" op "0, %" op "1, %" op "1, %" op "0" : "+w"(x) : "w"(one));
#define FUSE_VECTOR(op, x)                                                                         \
    __asm__ volatile("fmla %0." op ", %1." op ", %1." op : "+w"(x) : "w"(one));
#else
/* The compiler fuses them, or not. */
#define FUSE_SCALAR(op, x) x = x * one + one;
#define FUSE_VECTOR(op, x) x = x * one + one;
#endif

FUSED(plain_d, , double, double, FUSE_SCALAR, "d")
FUSED(plain_s, , float, float, FUSE_SCALAR, "s")
FUSED(plain_2d, , doubles_2, double, FUSE_VECTOR, "2d")
FUSED(plain_4s, , floats_4, float, FUSE_VECTOR, "4s")

static const srv_compute_set f64_scalar[] = {SET(plain_d, always, 64), END},
                             f32_scalar[] = {SET(plain_s, always, 32), END},
                             f64_vector[] = {SET(plain_2d, always, 128), END},
                             f32_vector[] = {SET(plain_4s, always, 128), END};

#endif

static const srv_compute_set i64_scalar[] = {SET(plain_64, always, 64), END}, none[] = {END};

const srv_compute_set *const srv_compute_sets[SERVET_PRECISION_COUNT][SERVET_WIDTH_COUNT] = {
    [SERVET_PRECISION_F64] = {f64_scalar, f64_vector},
    [SERVET_PRECISION_F32] = {f32_scalar, f32_vector},
    [SERVET_PRECISION_I64] = {i64_scalar, none},
};
