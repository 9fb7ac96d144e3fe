/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops once more for each set of instructions, hence no include guard. Before it is included:
 *
 *   SRV_SET     name of the set
 *   SRV_BYTES   of a vector
 *   SRV_TARGET  attribute that lets the compiler use the set
 *   SRV_USABLE  expression: whether this processor has it
 *   SRV_STREAM  (pointer to vector, value, next value): two non-temporal stores; undefined: none
 *   SRV_DRAIN   statement: waits until they are done
 *
 * They are undefined again at the end.
 */
#define SRV_PASTE_(a, b)  a##_##b
#define SRV_PASTE(a, b)   SRV_PASTE_(a, b)
#define SRV_NAME(name)    SRV_PASTE(SRV_SET, name)
#define SRV_STRING_(text) #text
#define SRV_STRING(text)  SRV_STRING_(text)
#define SRV_VECTOR        SRV_NAME(vector)
#define SRV_WORDS         SRV_NAME(words)

/* The compiler must assume that the loop's body changes all memory: it recognises no library idiom.
 * */
#define SRV_LOOP(body)                                                                             \
    for (; passes > 0; passes--)                                                                   \
        for (size_t at = 0; at < n / (SRV_BYTES / sizeof(double)); at += 8) {                      \
            body __asm__ volatile("" : : : "memory");                                              \
        }
#define SRV_EACH(step)  step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7)
#define SRV_PAIRS(step) step(0, 1) step(2, 3) step(4, 5) step(6, 7)

typedef double SRV_VECTOR __attribute__((vector_size(SRV_BYTES), may_alias));
typedef long long SRV_WORDS __attribute__((vector_size(SRV_BYTES), may_alias));

/* Arbitrary, and no power of two that a compiler could treat in another way. A double also where
 * constants have more digits (i386). */
#define SRV_SCALAR ((double)3.1)

/* Exclusive or takes a cycle on every processor, and processors do at least one for each load at a
 * time. Additions of doubles are slower than the loads of a first cache on some. */
SRV_TARGET static void SRV_NAME(read)(double *a, const double *b, const double *c, size_t n,
                                      size_t passes)
{
    const SRV_WORDS *from = (const SRV_WORDS *)b;
    (void)a, (void)c;
#define FOLD(k) SRV_WORDS fold##k = {0};
#define STEP(k) fold##k ^= from[at + k];
    SRV_EACH(FOLD)
    SRV_LOOP(SRV_EACH(STEP))
#undef FOLD
#undef STEP
    SRV_WORDS fold = fold0 ^ fold1 ^ fold2 ^ fold3 ^ fold4 ^ fold5 ^ fold6 ^ fold7;
    __asm__ volatile("" : : "m"(fold));
}

SRV_TARGET static void SRV_NAME(write)(double *a, const double *b, const double *c, size_t n,
                                       size_t passes)
{
    SRV_VECTOR *to = (SRV_VECTOR *)a, value = (SRV_VECTOR){0} + SRV_SCALAR;
    (void)b, (void)c;
#define STEP(k) to[at + k] = value;
    SRV_LOOP(SRV_EACH(STEP))
#undef STEP
}

SRV_TARGET static void SRV_NAME(copy)(double *a, const double *b, const double *c, size_t n,
                                      size_t passes)
{
    SRV_VECTOR *to = (SRV_VECTOR *)a;
    const SRV_VECTOR *from = (const SRV_VECTOR *)b;
    (void)c;
#define STEP(k) to[at + k] = from[at + k];
    SRV_LOOP(SRV_EACH(STEP))
#undef STEP
}

SRV_TARGET static void SRV_NAME(triad)(double *a, const double *b, const double *c, size_t n,
                                       size_t passes)
{
    SRV_VECTOR *to = (SRV_VECTOR *)a, factor = (SRV_VECTOR){0} + SRV_SCALAR;
    const SRV_VECTOR *from = (const SRV_VECTOR *)b, *other = (const SRV_VECTOR *)c;
#define STEP(k) to[at + k] = from[at + k] + factor * other[at + k];
    SRV_LOOP(SRV_EACH(STEP))
#undef STEP
}

#ifdef SRV_STREAM
SRV_TARGET static void SRV_NAME(write_nt)(double *a, const double *b, const double *c, size_t n,
                                          size_t passes)
{
    SRV_VECTOR *to = (SRV_VECTOR *)a, value = (SRV_VECTOR){0} + SRV_SCALAR;
    (void)b, (void)c;
#define STEP(k, l) SRV_STREAM(&to[at + k], value, value)
    SRV_LOOP(SRV_PAIRS(STEP))
#undef STEP
    SRV_DRAIN;
}

SRV_TARGET static void SRV_NAME(copy_nt)(double *a, const double *b, const double *c, size_t n,
                                         size_t passes)
{
    SRV_VECTOR *to = (SRV_VECTOR *)a;
    const SRV_VECTOR *from = (const SRV_VECTOR *)b;
    (void)c;
#define STEP(k, l) SRV_STREAM(&to[at + k], from[at + k], from[at + l])
    SRV_LOOP(SRV_PAIRS(STEP))
#undef STEP
    SRV_DRAIN;
}

SRV_TARGET static void SRV_NAME(triad_nt)(double *a, const double *b, const double *c, size_t n,
                                          size_t passes)
{
    SRV_VECTOR *to = (SRV_VECTOR *)a, factor = (SRV_VECTOR){0} + SRV_SCALAR;
    const SRV_VECTOR *from = (const SRV_VECTOR *)b, *other = (const SRV_VECTOR *)c;
#define VALUE(k)   from[at + k] + factor *other[at + k]
#define STEP(k, l) SRV_STREAM(&to[at + k], VALUE(k), VALUE(l))
    SRV_LOOP(SRV_PAIRS(STEP))
#undef STEP
#undef VALUE
    SRV_DRAIN;
}
#endif

static bool SRV_NAME(usable)(void)
{
    return SRV_USABLE;
}

static const srv_stream_set SRV_NAME(set) = {
    SRV_STRING(SRV_SET),
    SRV_NAME(usable),
    {
        [SERVET_KERNEL_READ] = SRV_NAME(read),
        [SERVET_KERNEL_WRITE] = SRV_NAME(write),
        [SERVET_KERNEL_COPY] = SRV_NAME(copy),
        [SERVET_KERNEL_TRIAD] = SRV_NAME(triad),
#ifdef SRV_STREAM
        [SERVET_KERNEL_WRITE_NT] = SRV_NAME(write_nt),
        [SERVET_KERNEL_COPY_NT] = SRV_NAME(copy_nt),
        [SERVET_KERNEL_TRIAD_NT] = SRV_NAME(triad_nt),
#endif
    },
};

#undef SRV_PASTE_
#undef SRV_PASTE
#undef SRV_NAME
#undef SRV_STRING_
#undef SRV_STRING
#undef SRV_VECTOR
#undef SRV_WORDS
#undef SRV_LOOP
#undef SRV_EACH
#undef SRV_PAIRS
#undef SRV_SCALAR
#undef SRV_SET
#undef SRV_BYTES
#undef SRV_TARGET
#undef SRV_USABLE
#undef SRV_STREAM
#undef SRV_DRAIN
