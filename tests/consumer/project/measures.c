/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the machine of a model: all that libservet_measure needs has to be linked. */
#include <servet/measure.h>
#include <servet/servet.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile = NULL;
    int levels = 0;

    options.machine = argc > 1 ? argv[1] : NULL;
    options.only = 1u << SERVET_BENCHMARK_CACHE;
    options.max_bytes = 1 << 18;
    if (servet_measure(&options, &profile, &error) != SERVET_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    servet_cache_count(profile, NULL, &levels);
    printf("%d levels\n", levels);
    servet_profile_close(profile);
    return 0;
}
