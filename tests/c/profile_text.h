/* SPDX-License-Identifier: BSD-3-Clause */
/** Reads what a profile, its file and its description say. */
#ifndef SRV_TESTS_PROFILE_TEXT_H
#define SRV_TESTS_PROFILE_TEXT_H

#include "profile/shape/shape.h"
#include "servet/profile.h"

/** The text of a profile, which the caller frees. */
char *profile_text(const servet_profile *of);

/** Writes a profile, and opens the file; the caller closes it. */
servet_profile *profile_reopened(const servet_profile *of);

/** Checks that a key prints this; NULL: that it was not measured. */
void profile_prints(const servet_profile *of, const servet_at *at, const char *key,
                    const char *expected);

/** A member of a file by its path, such as "classes[0].memory.levels[1].groups". */
typedef struct profile_member {
    const srv_shape *above;  /**< the struct that holds the one with its row */
    const srv_shape *holder; /**< the struct with its row */
    const srv_field *row;    /**< NULL: an object that only groups members ("classes[0].memory") */
    const char *name;        /**< that of the row, or of the object, in the path */
} profile_member;
profile_member profile_member_at(const char *path);

/** Returns true if a file may lack the member. */
bool profile_may_lack(const char *path);

#endif
