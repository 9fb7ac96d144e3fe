/* SPDX-License-Identifier: BSD-3-Clause */
/** The profile that a test changes. This comes after other headers, whose parameters have its name.
 */
#ifndef SRV_TESTS_PROFILE_FIXTURE_H
#define SRV_TESTS_PROFILE_FIXTURE_H

#include "profile_text.h"

extern servet_profile *profile;

/** Before and after each test: `profile` is that of profile_sample.h, as it was made. */
int profile_begin(void **state);
int profile_end(void **state);

#endif
