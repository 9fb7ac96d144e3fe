/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the facts of the profile mean for a program with threads: how far apart to keep data, which
 * blocks to work in, how many threads to use, how many loads to keep in flight, which cores are
 * near each other.
 *
 *   cc advice_c.c $(pkg-config --cflags --libs servet) -lm -o advice_c
 *   ./advice_c [PROFILE]
 *
 * A fact that was not measured says so and costs no more than its own advice.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <servet/servet.h>

/* Whether a code tells of a failure, which is then printed. */
static bool missing(const char *topic, const char *what, int code)
{
    if (code != SERVET_OK)
        printf("%s: %s: %s\n", topic, what, servet_error_text(code));
    return code != SERVET_OK;
}

/* Threads that write into one such block take it from each other all the time. */
static void padding(const servet_profile *profile)
{
    servet_coherence coherence;
    if (!missing("padding", "coherence", servet_coherence_get(profile, NULL, &coherence)))
        printf("padding: keep what different threads write %.0f bytes apart\n",
               coherence.line.value);
}

/* The number of cores in a set such as "0-2,12". */
static int cores_in(const char *set)
{
    int count = 0;
    while (*set) {
        char *end;
        long first = strtol(set, &end, 10), last = first;
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        count += (int)(last - first) + 1;
        set = end + (*end == ',');
    }
    return count;
}

/* How many cores share an instance of a cache; one if not known. */
static int sharers(const servet_profile *profile, int level)
{
    const char *cores;
    int code = servet_cache_group(profile, NULL, level, 0, &cores);
    return code == SERVET_OK ? cores_in(cores) : 1;
}

/*
 * Three blocks, of the two factors and the product of matrices, should stay in a thread's part of a
 * cache. Of what is reachable we take the low end: a block that is too small costs little, one that
 * is too large costs a lot.
 */
static void block(const servet_profile *profile, int level)
{
    servet_cache cache;
    if (missing("block", "cache", servet_cache_get(profile, NULL, level, &cache)))
        return;
    if (cache.kind == SERVET_CACHE_TURNOVER) {
        printf("block: none for level %d, which others keep busy\n", level);
        return;
    }
    double bytes = cache.reachable_bytes.low / sharers(profile, level);
    int side = (int)sqrt(bytes / (3 * sizeof(double)));
    printf("block: %d x %d doubles in level %d, of which a thread has %d KiB\n", side, side, level,
           (int)(bytes / 1024));
}

static void blocks(const servet_profile *profile)
{
    int levels;
    if (missing("block", "caches", servet_cache_count(profile, NULL, &levels)))
        return;
    for (int level = 1; level <= levels; level++)
        block(profile, level);
}

static void threads_of_level(const servet_profile *profile, int level)
{
    servet_memory_level memory;
    int groups;
    const char *cores;
    if (missing("threads", "memory level",
                servet_memory_level_get(profile, NULL, level, &memory)) ||
        missing("threads", "groups", servet_memory_group_count(profile, NULL, level, &groups)))
        return;
    if (memory.saturation == 0)
        return; /* not measured */
    for (int i = 0; i < groups; i++)
        if (!missing("threads", "group", servet_memory_group(profile, NULL, level, i, &cores)))
            printf("threads: %d fill the memory of cores %s\n", memory.saturation, cores);
}

/* More threads than that get no more out of the memory that they share. */
static void threads(const servet_profile *profile)
{
    int levels, enough;
    if (missing("threads", "memory levels", servet_memory_level_count(profile, NULL, &levels)))
        return;
    for (int level = 1; level <= levels; level++)
        threads_of_level(profile, level);
    if (!missing("threads", "memory saturation", servet_memory_saturation(profile, NULL, &enough)))
        printf("threads: %d fill the memory of the whole node\n", enough);
}

/* In so many independent chains, or fetched so many ahead. */
static void loads(const servet_profile *profile)
{
    servet_concurrency concurrency;
    if (!missing("loads", "concurrency of level 0",
                 servet_concurrency_get(profile, NULL, 0, &concurrency)))
        printf("loads: %d in flight fetch as fast as a core can\n", concurrency.requests);
}

static void neighbours_of_layer(const servet_profile *profile, int layer)
{
    servet_distance_layer distance;
    int groups;
    const char *cores;
    if (missing("neighbours", "layer",
                servet_distance_layer_get(profile, NULL, layer, &distance)) ||
        missing("neighbours", "groups", servet_distance_group_count(profile, NULL, layer, &groups)))
        return;
    for (int i = 0; i < groups; i++)
        if (!missing("neighbours", "group", servet_distance_group(profile, NULL, layer, i, &cores)))
            printf("neighbours: %.0f ns between cores %s\n", 1e9 * distance.latency.value, cores);
}

/* Threads that hand each other data belong on cores of a near group. */
static void neighbours(const servet_profile *profile)
{
    int layers;
    if (missing("neighbours", "distances", servet_distance_layer_count(profile, NULL, &layers)))
        return;
    for (int layer = 1; layer <= layers; layer++)
        neighbours_of_layer(profile, layer);
}

int main(int argc, char **argv)
{
    servet_profile *profile = NULL;
    servet_error error = SERVET_ERROR_INIT;
    if (servet_profile_open(&profile, argc > 1 ? argv[1] : NULL, &error) != SERVET_OK) {
        char line[SERVET_ERROR_FILE_MAX + SERVET_ERROR_TEXT_MAX];
        fprintf(stderr, "advice_c: %s\n", servet_error_line(&error, line, sizeof line));
        return EXIT_FAILURE;
    }
    printf("profile %s\n", servet_profile_path(profile));
    padding(profile);
    blocks(profile);
    threads(profile);
    loads(profile);
    neighbours(profile);
    servet_profile_close(profile);
    return EXIT_SUCCESS;
}
