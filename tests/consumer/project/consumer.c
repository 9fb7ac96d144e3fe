/* SPDX-License-Identifier: BSD-3-Clause */
#include <servet/servet.h>
#include <stdio.h>

int main(void)
{
    servet_profile *profile = NULL;
    servet_error error = SERVET_ERROR_INIT;
    servet_cache cache;
    int levels;

    if (servet_profile_open(&profile, NULL, &error) != SERVET_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    int failed = servet_cache_count(profile, NULL, &levels) != SERVET_OK ||
                 servet_cache_get(profile, NULL, levels, &cache) != SERVET_OK;
    if (!failed)
        printf("Servet %s: %d levels, the last has %.0f bytes (%s)\n", servet_version(), levels,
               cache.bytes.value, servet_verdict_name(cache.verdict));
    servet_profile_close(profile);
    return failed;
}
