/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Measured values.
 *
 * A measured fact is not only a number: it has a unit, a 95 % interval, the number of samples, the
 * method, and a mark whether it is trusted. Each kind of fact has one unit: times are seconds,
 * sizes bytes, bandwidths bytes per second, frequencies hertz, peak rates floating-point operations
 * per second.
 */
#ifndef SERVET_VALUE_H
#define SERVET_VALUE_H

#include <stdbool.h>
#include "servet/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Units: name, symbol as the profile writes it. */
#define SERVET_UNIT_LIST(X)                                                                        \
    X(SERVET_UNIT_NONE, "1")                                                                       \
    X(SERVET_UNIT_BYTE, "B")                                                                       \
    X(SERVET_UNIT_CYCLE, "cycles")                                                                 \
    X(SERVET_UNIT_BYTE_PER_SECOND, "B/s")                                                          \
    X(SERVET_UNIT_HERTZ, "Hz")                                                                     \
    X(SERVET_UNIT_SECOND, "s")                                                                     \
    X(SERVET_UNIT_FLOP_PER_SECOND, "FLOP/s")                                                       \
    X(SERVET_UNIT_FLOP_PER_BYTE, "FLOP/B")

/**
 * Methods: how a value was obtained; the text is what the profile stores. "servet2010" is the
 * method of the papers of 2010. "conflict" counts the lines that one set keeps, or the pages that
 * one colour keeps (share/doc/detection.md). "interpolated" is computed from measured values on
 * both sides, or beyond the last one: then it is not trusted.
 */
#define SERVET_METHOD_LIST(X)                                                                      \
    X(SERVET_METHOD_NONE, "none")             /* not measured: the value is unknown */             \
    X(SERVET_METHOD_OS, "os")                 /* by the operating system or firmware */            \
    X(SERVET_METHOD_TIMED, "timed")           /* timed kernel, robust statistics */                \
    X(SERVET_METHOD_CURVE_FIT, "curve-fit")   /* all levels at once to a latency curve */          \
    X(SERVET_METHOD_TURNOVER, "turnover")     /* the part that is reachable beside other users */  \
    X(SERVET_METHOD_SERVET2010, "servet2010") /* 2010's; interval: range of the votes */           \
    X(SERVET_METHOD_SERVET2010_STEP, "servet2010-step") /* no votes; interval: step of sizes */    \
    X(SERVET_METHOD_CONFLICT, "conflict")               /* lines of a set, or pages of a colour */ \
    X(SERVET_METHOD_INTERPOLATED, "interpolated")       /* of queries only; no profile stores it */

#define SERVET_VALUE_ENUM_(name, text) name,
typedef enum servet_unit { SERVET_UNIT_LIST(SERVET_VALUE_ENUM_) SERVET_UNIT_COUNT } servet_unit;
typedef enum servet_method {
    SERVET_METHOD_LIST(SERVET_VALUE_ENUM_) SERVET_METHOD_COUNT
} servet_method;
#undef SERVET_VALUE_ENUM_

/** One measured value. If it is known, low <= value <= high, and all three are finite. */
typedef struct servet_value {
    double value;     /**< the estimate; NaN if unknown */
    double low, high; /**< 95 % interval of the estimate; see the method */
    int samples;      /**< independent samples (or curve points) behind it */
    servet_unit unit;
    servet_method method; /**< SERVET_METHOD_NONE: unknown */
    bool trusted;         /**< false: measured under noise, extrapolated, or reported by the OS */
} servet_value;

/* The library fills in structs of this layout. Compiler flags that change enums or structs of the
 * program only, such as -fshort-enums and -fpack-struct, would make the library write beyond the
 * program's structs. A double is aligned to 8 bytes if pointers have 8 bytes. */
#ifdef __GNUC__
#define SERVET_ALIGNED (__alignof__(servet_value) == 8 || sizeof(void *) < 8)
#else
#define SERVET_ALIGNED 1
#endif
#define SERVET_LAYOUT                                                                              \
    (sizeof(servet_unit) == sizeof(int) && sizeof(servet_value) == 40 && SERVET_ALIGNED)
#if defined __cplusplus && __cplusplus >= 201103L
static_assert(SERVET_LAYOUT, "compile without -fshort-enums, -fpack-struct and #pragma pack");
#elif defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
_Static_assert(SERVET_LAYOUT, "compile without -fshort-enums, -fpack-struct and #pragma pack");
#else
typedef char servet_no_short_enums[SERVET_LAYOUT ? 1 : -1];
#endif
#undef SERVET_ALIGNED
#undef SERVET_LAYOUT

/**
 * The two modes between which a value alternated while it was measured, for instance because a
 * hypervisor moved the virtual cores. The value itself is then the slower mode, which programs
 * reach in any case, and its interval contains both modes.
 */
typedef struct servet_modes {
    int count;       /**< 2; or 0: one mode, or too few repeats to decide */
    double value[2]; /**< of each mode, in the unit of the value, ascending */
    /** share of the repeats in each mode (0..1); repeats are spread over the run */
    double share[2];
} servet_modes;

/** The value for "not measured". */
SERVET_API servet_value servet_value_unknown(servet_unit unit);

/** True if the value was measured (or reported) at all. */
SERVET_API bool servet_value_known(const servet_value *value);

/** The unit's symbol ("B/s"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_unit_symbol(servet_unit unit);

/** The method's name ("curve-fit"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_method_name(servet_method method);

#ifdef __cplusplus
}
#endif
#endif
