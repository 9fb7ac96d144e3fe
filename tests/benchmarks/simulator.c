/* SPDX-License-Identifier: BSD-3-Clause */
/* Times a simulated load, in ns of CPU time, by the level that answers it and the replacement of
 * lines. Usage: simulator MODEL */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "sim/simulated_traversal.h"

/* The fastest of several parts counts: others may have the processor, or its caches, in the rest.
 */
enum { PARTS = 64, LOADS = 1 << 14, LINE = 64 };

/* Working sets: half of each cache, and this many of the largest for loads from memory. */
static const double LARGEST_CACHES = 4;

static double cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double time_steps(srv_simulated_traversal *traversal, size_t steps)
{
    double start = cpu_ns();
    for (size_t i = 0; i < steps; i++)
        srv_simulated_traversal_step(traversal);
    return (cpu_ns() - start) / (double)steps;
}

static double fastest_steps(srv_simulated_traversal *traversal)
{
    double fastest = INFINITY;
    for (int i = 0; i < PARTS; i++)
        fastest = fmin(fastest, time_steps(traversal, LOADS));
    return fastest;
}

/* Loads from `bytes` in random order by PU 0, once they have gone round. */
static int time_loads(const srv_model *model, double bytes, servet_error *error)
{
    srv_traversal chase = {.bytes = bytes, .line_bytes = LINE, .chains = 1, .seed = 1};
    srv_hierarchy *hierarchy = NULL;
    srv_simulated_traversal traversal = {0};
    int code = srv_hierarchy_create(&hierarchy, model, error);
    if (code == SERVET_OK)
        code = srv_simulated_traversal_start(&traversal, hierarchy, model, 0, &chase, 1, error);
    if (code == SERVET_OK) {
        time_steps(&traversal, traversal.slots.count);
        printf(" %9.1f", fastest_steps(&traversal));
    }
    srv_simulated_traversal_finish(&traversal);
    srv_hierarchy_destroy(hierarchy);
    return code;
}

/* A row of the table: all caches replace lines like this. */
static int time_policy(srv_model *model, srv_replacement replacement, servet_error *error)
{
    int code = SERVET_OK, prefetchers = model->prefetcher_count;
    double largest = 0;
    model->prefetcher_count = 0;
    for (int i = 0; i < model->cache_count; i++) {
        model->cache[i].replacement = replacement;
        largest = fmax(largest, model->cache[i].bytes);
    }
    for (int i = 0; i < model->cache_count && code == SERVET_OK; i++)
        code = time_loads(model, model->cache[i].bytes / 2, error);
    if (code == SERVET_OK)
        code = time_loads(model, LARGEST_CACHES * largest, error);
    model->prefetcher_count = prefetchers;
    if (code == SERVET_OK)
        code = time_loads(model, LARGEST_CACHES * largest, error);
    return code;
}

static int time_policies(srv_model *model, servet_error *error)
{
#define TEXT(name, text) text,
    static const char *const names[] = {SRV_REPLACEMENT_LIST(TEXT)};
#undef TEXT
    int code = SERVET_OK;
    printf("%-10s", "found in");
    for (int i = 0; i < model->cache_count; i++)
        printf("  cache L%d", model->cache[i].level);
    puts("    memory  with prefetchers");
    for (srv_replacement i = 0; i < SRV_REPLACEMENT_COUNT && code == SERVET_OK; i++) {
        printf("%-10s", names[i]);
        code = time_policy(model, i, error);
        puts("");
    }
    return code;
}

int main(int argc, char **argv)
{
    servet_error error = SERVET_ERROR_INIT;
    srv_model *model = NULL;
    int code = srv_model_read(&model, argc > 1 ? argv[1] : "dunnington", &error);
    if (code == SERVET_OK)
        code = time_policies(model, &error);
    if (code != SERVET_OK)
        fprintf(stderr, "simulator: %s\n", error.text);
    srv_model_free(model);
    return code == SERVET_OK ? 0 : 1;
}
