/* SPDX-License-Identifier: BSD-3-Clause */
/* What one simulated load costs, with its step of the random order. Usage: simulator MODEL */
#include <stdio.h>
#include <time.h>

#include "machine/model/hierarchy.h"
#include "machine/order.h"

enum { LOADS = 1 << 21, LINE = 64 };

static double cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Walks LOADS lines of a working set of PU 0; ns of the virtual clock. */
static double walk(srv_hierarchy *hierarchy, size_t lines)
{
    srv_order order = srv_order_of(lines, 1);
    double now_ns = 0;
    for (size_t i = 0; i < LOADS; i++) {
        uint64_t address = srv_order_at(&order, i % lines) * LINE;
        now_ns += srv_hierarchy_load(hierarchy, 0, address, now_ns);
    }
    return now_ns;
}

static int run(srv_hierarchy *hierarchy, double bytes, servet_error *error)
{
    srv_view view = {.pu = 0, .first = 0, .bytes = bytes};
    srv_hierarchy_flush(hierarchy, 1);
    int code = srv_hierarchy_enter(hierarchy, &view, error);
    if (code != SERVET_OK)
        return code;
    double start = cpu_ns(), simulated = walk(hierarchy, (size_t)bytes / LINE);
    printf("%8.0f KiB: %6.1f ns of CPU time a load, which takes %6.1f ns there\n", bytes / 1024,
           (cpu_ns() - start) / LOADS, simulated / LOADS);
    return SERVET_OK;
}

int main(int argc, char **argv)
{
    static const double sizes[] = {16 << 10, 1 << 20, 8 << 20, 64 << 20};
    servet_error error = SERVET_ERROR_INIT;
    srv_model *model = NULL;
    srv_hierarchy *hierarchy = NULL;
    int code = srv_model_read(&model, argc > 1 ? argv[1] : "dunnington", &error);
    if (code == SERVET_OK)
        code = srv_hierarchy_create(&hierarchy, model, &error);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && code == SERVET_OK; i++)
        code = run(hierarchy, sizes[i], &error);
    if (code != SERVET_OK)
        fprintf(stderr, "simulator: %s\n", error.text);
    srv_hierarchy_destroy(hierarchy);
    srv_model_free(model);
    return code == SERVET_OK ? 0 : 1;
}
