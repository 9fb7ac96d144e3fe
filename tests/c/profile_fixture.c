/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile_sample.h"

#include "profile_fixture.h"

servet_profile *profile;

int profile_begin(void **state)
{
    (void)state;
    return sample_profile(&profile, NULL);
}

int profile_end(void **state)
{
    (void)state;
    servet_profile_close(profile);
    return 0;
}
