/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel for each number of independent chains: the cursors are variables of their own, which the
 * compiler keeps in registers as far as there are some. */
#include "machine/hardware/chase.h"

/* Cursors are numbered in octal, p00 to p77. EACH_n applies X to the first n of eight, UPTO_n to
 * all of the first n eights. */
#define EACH_1(X, eight) X(eight, 0)
#define EACH_2(X, eight) EACH_1(X, eight) X(eight, 1)
#define EACH_3(X, eight) EACH_2(X, eight) X(eight, 2)
#define EACH_4(X, eight) EACH_3(X, eight) X(eight, 3)
#define EACH_5(X, eight) EACH_4(X, eight) X(eight, 4)
#define EACH_6(X, eight) EACH_5(X, eight) X(eight, 5)
#define EACH_7(X, eight) EACH_6(X, eight) X(eight, 6)
#define EACH_8(X, eight) EACH_7(X, eight) X(eight, 7)
#define UPTO_0(X)
#define UPTO_1(X) UPTO_0(X) EACH_8(X, 0)
#define UPTO_2(X) UPTO_1(X) EACH_8(X, 1)
#define UPTO_3(X) UPTO_2(X) EACH_8(X, 2)
#define UPTO_4(X) UPTO_3(X) EACH_8(X, 3)
#define UPTO_5(X) UPTO_4(X) EACH_8(X, 4)
#define UPTO_6(X) UPTO_5(X) EACH_8(X, 5)
#define UPTO_7(X) UPTO_6(X) EACH_8(X, 6)

#define TAKE(eight, one) void *p##eight##one = cursor[8 * eight + one];
#define LOAD(eight, one) p##eight##one = *(void **)p##eight##one;
#define GIVE(eight, one) cursor[8 * eight + one] = p##eight##one;

/* With few chains, several steps make a pass of the loop; with many, they hide the loop's own work.
 */
#define STEPS_8(x) x x x x x x x x
#define STEPS_2(x) x x

/* Not laid out by clang-format, which takes the statements of macros for one expression. */
/* clang-format off */
/* The cursors go back to the caller, so the loads have a user and the compiler keeps them. */
#define KERNEL(eights, rest, steps)                                                                \
    static void chase_##eights##_##rest(void **cursor, size_t loads)                               \
    {                                                                                              \
        UPTO_##eights(TAKE) EACH_##rest(TAKE, eights)                                              \
        for (size_t i = 0; i < loads; i += steps) {                                                \
            STEPS_##steps(UPTO_##eights(LOAD) EACH_##rest(LOAD, eights))                           \
        }                                                                                          \
        UPTO_##eights(GIVE) EACH_##rest(GIVE, eights)                                              \
    }
#define KERNELS(eights, steps)                                                                     \
    KERNEL(eights, 1, steps) KERNEL(eights, 2, steps) KERNEL(eights, 3, steps)                     \
    KERNEL(eights, 4, steps) KERNEL(eights, 5, steps) KERNEL(eights, 6, steps)                     \
    KERNEL(eights, 7, steps) KERNEL(eights, 8, steps)
#define NAMES(eights)                                                                              \
    chase_##eights##_1, chase_##eights##_2, chase_##eights##_3, chase_##eights##_4,                \
        chase_##eights##_5, chase_##eights##_6, chase_##eights##_7, chase_##eights##_8,
/* clang-format on */

KERNELS(0, 8)
KERNELS(1, 2)
KERNELS(2, 2)
KERNELS(3, 2)
KERNELS(4, 2)
KERNELS(5, 2)
KERNELS(6, 2)
KERNELS(7, 2)

srv_chase_kernel *srv_chase_kernel_for(int chains)
{
    static srv_chase_kernel *const kernels[SRV_CHASE_STARTS] = {
        NAMES(0) NAMES(1) NAMES(2) NAMES(3) NAMES(4) NAMES(5) NAMES(6) NAMES(7)};
    return chains >= 1 && chains <= SRV_CHASE_STARTS ? kernels[chains - 1] : NULL;
}
