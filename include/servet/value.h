/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A measured value: never a bare number.
 *
 * Every measured fact carries its unit, the interval it was found to lie in, how many samples stand
 * behind it, by which method, and whether it is to be trusted. Of each kind of fact there is one
 * unit: times are seconds, sizes bytes, bandwidths bytes per second, frequencies hertz.
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
    X(SERVET_UNIT_SECOND, "s")

/** Methods: how a value came about; the text is what the profile stores. */
#define SERVET_METHOD_LIST(X)                                                                      \
    X(SERVET_METHOD_NONE, "none")               /* not measured: the value is unknown */           \
    X(SERVET_METHOD_OS, "os")                   /* the operating system or firmware says so */     \
    X(SERVET_METHOD_TIMED, "timed")             /* a timed kernel, robust statistics of samples */ \
    X(SERVET_METHOD_CURVE_FIT, "curve-fit")     /* all levels fitted at once to a latency curve */ \
    X(SERVET_METHOD_TURNOVER, "turnover")       /* what is reachable of a cache churned by others */ \
    X(SERVET_METHOD_SERVET2010, "servet2010")   /* as the papers of 2010 print it; for a size the   \
                                                   interval is the range of the votes */           \
    X(SERVET_METHOD_SERVET2010_STEP, "servet2010-step") /* the same, where no votes were needed: the \
                                                   interval is a step of the sizes walked */       \
    X(SERVET_METHOD_CONFLICT, "conflict")       /* counted: how many lines of one set, or pages of  \
                                                   one colour, are kept (share/doc/detection.md) */ \
    X(SERVET_METHOD_INTERPOLATED, "interpolated") /* from measured ones on both sides, or beyond \
                                                   them: then it is not trusted. Only of answers:  \
                                                   what is stored was measured */

#define SERVET_VALUE_ENUM_(name, text) name,
typedef enum servet_unit { SERVET_UNIT_LIST(SERVET_VALUE_ENUM_) SERVET_UNIT_COUNT } servet_unit;
typedef enum servet_method { SERVET_METHOD_LIST(SERVET_VALUE_ENUM_) SERVET_METHOD_COUNT } servet_method;
#undef SERVET_VALUE_ENUM_

/** One measured value. Where it is known, low <= value <= high and all three are finite. */
typedef struct servet_value {
    double value;         /**< the estimate; NaN where unknown */
    double low, high;     /**< 95 % interval of the estimate; see the method */
    int samples;          /**< independent samples (or curve points) behind it */
    servet_unit unit;
    servet_method method; /**< SERVET_METHOD_NONE: unknown */
    bool trusted;         /**< false: disturbed, extrapolated, or only reported by the OS */
} servet_value;

/**
 * What a value was by turns while it was measured: a machine, or a hypervisor below it, that moves
 * what it runs shows one, then another. The value itself is then their median and not trusted; its
 * interval holds both.
 */
typedef struct servet_modes {
    int count;       /**< 0: one mode, or too few repeats to tell; else 2 */
    double value[2]; /**< of each, in the unit of the value, ascending */
    double share[2]; /**< of the repeats (0..1), which were spread over the measurement's time */
} servet_modes;

/** The value that says "not measured". */
SERVET_API servet_value servet_value_unknown(servet_unit unit);

/** Whether the value was measured (or reported) at all. */
SERVET_API bool servet_value_known(const servet_value *value);

/** The unit's symbol ("B/s"); "?" for a number that is no unit. Static storage. */
SERVET_API const char *servet_unit_symbol(servet_unit unit);

/** The method's name ("curve-fit"); "?" for a number that is no method. Static storage. */
SERVET_API const char *servet_method_name(servet_method method);

#ifdef __cplusplus
}
#endif
#endif
