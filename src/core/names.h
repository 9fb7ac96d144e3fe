/* SPDX-License-Identifier: BSD-3-Clause */
/** Names of enumerators, from the X(enumerator, text, ...) lists that also declare them. */
#ifndef SRV_CORE_NAMES_H
#define SRV_CORE_NAMES_H

/** An X for such a list: makes the items of an array of its texts. */
#define SRV_TEXT_OF(name, ...)    SRV_FIRST_OF_(__VA_ARGS__, 0),
#define SRV_FIRST_OF_(first, ...) first

/** An X for such a list: joins all texts in one literal, with a comma behind each. */
#define SRV_JOINED(name, ...) SRV_FIRST_OF_(__VA_ARGS__, 0) ","

/** Defines the function that gives the text of an enumerator; "?" for any other number. */
#define SRV_NAMES(function_, enum_, list_)                                                         \
    const char *function_(enum_ number)                                                            \
    {                                                                                              \
        static const char *const texts[] = {list_(SRV_TEXT_OF)};                                   \
        return (unsigned)number < sizeof texts / sizeof *texts ? texts[number] : "?";              \
    }

#endif
