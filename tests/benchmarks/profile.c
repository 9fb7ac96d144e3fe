/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of a profile: its size, opening it, and each query. Without an argument the profile is
 * the largest one; else it is that file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "largest.h"
#include "queries.h"

enum { OPENINGS = 11 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double seconds_to_open(const char *path)
{
    double seconds[OPENINGS];
    servet_profile *profile;
    for (int i = 0; i < OPENINGS; i++) {
        double begin = now();
        check(servet_profile_open(&profile, path, NULL), path);
        seconds[i] = now() - begin;
        servet_profile_close(profile);
    }
    qsort(seconds, OPENINGS, sizeof *seconds, ascending);
    return seconds[OPENINGS / 2];
}

/* Is true if the queries of the profile are within their time limits. */
static bool time_profile(const char *path, bool complete)
{
    struct stat status;
    servet_profile *profile;
    if (stat(path, &status) == 0)
        printf("%-34s %12.1f KB\n", "file", (double)status.st_size / 1e3);
    printf("%-34s %12.2f ms\n", "open", seconds_to_open(path) * 1e3);
    check(servet_profile_open(&profile, path, NULL), path);
    bool passed = time_queries(profile, complete);
    servet_profile_close(profile);
    return passed;
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/servet-benchmark-XXXXXX", path[64];
    if (argc > 1)
        return !time_profile(argv[1], false);
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/profile.json", folder);
    servet_profile *made = make_largest();
    check(servet_profile_write(made, path, NULL), path);
    servet_profile_close(made);
    bool passed = time_profile(path, true);
    unlink(path);
    rmdir(folder);
    return !passed;
}
