/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/binding.h"

#include <stdlib.h>
#include <string.h>

#include "core/host.h"
#include "core/utf8.h"
#include "machine/hardware/openmp_team.h"
#include "machine/hardware/topology.h"

/* Each thread fills its own part; `ready` is false where memory was short. */
typedef struct observation {
    hwloc_topology_t hwloc;
    hwloc_bitmap_t *cores;
    int *core;
    int count;
} observation;

static bool begin_observation(observation *on, hwloc_topology_t hwloc, int count)
{
    *on = (observation){hwloc, calloc((size_t)count, sizeof *on->cores),
                        calloc((size_t)count, sizeof *on->core), 0};
    while (on->cores && on->core && on->count < count) {
        on->cores[on->count] = hwloc_bitmap_alloc();
        if (!on->cores[on->count])
            return false;
        on->count++;
    }
    return on->count == count;
}

static void finish_observation(observation *on)
{
    for (int i = 0; i < on->count; i++)
        hwloc_bitmap_free(on->cores[i]);
    free(on->cores);
    free(on->core);
}

static void observe(void *context, int thread)
{
    observation *on = context;
    hwloc_bitmap_t set = on->cores[thread];
    hwloc_get_last_cpu_location(on->hwloc, set, HWLOC_CPUBIND_THREAD);
    on->core[thread] = hwloc_bitmap_first(set);
    if (hwloc_get_cpubind(on->hwloc, set, HWLOC_CPUBIND_THREAD) != 0)
        hwloc_bitmap_zero(set);
}

/* --- sets ------------------------------------------------------------------------------------- */

/* Adds to `whole` all hardware threads of the cores of `set`, also those that the job may not use;
 * returns the number of cores. */
static int add_whole(hwloc_topology_t hwloc, hwloc_const_bitmap_t set, hwloc_bitmap_t whole)
{
    int count = 0;
    hwloc_obj_t core = NULL;
    while ((core = hwloc_get_next_obj_by_type(hwloc, HWLOC_OBJ_CORE, core)))
        if (hwloc_bitmap_intersects(core->cpuset, set)) {
            hwloc_bitmap_or(whole, whole, core->complete_cpuset);
            count++;
        }
    hwloc_bitmap_or(whole, whole, set);
    return count ? count : hwloc_bitmap_weight(set);
}

static bool write_set(FILE *stream, hwloc_const_bitmap_t set)
{
    char *text;
    if (hwloc_bitmap_list_asprintf(&text, set) < 0)
        return false;
    fprintf(stream, "%s%c", text, '\0');
    free(text);
    return true;
}

/* The set, the set with whole cores; the number of these goes to `*count`. */
static bool write_sets(FILE *stream, hwloc_topology_t hwloc, hwloc_const_bitmap_t set, int *count)
{
    hwloc_bitmap_t whole = hwloc_bitmap_alloc();
    if (!whole)
        return false;
    *count = add_whole(hwloc, set, whole);
    bool written = write_set(stream, set) && write_set(stream, whole);
    hwloc_bitmap_free(whole);
    return written;
}

/* --- one text after the other ----------------------------------------------------------------- */

/* srun sets it whether or not a plugin is there that binds. */
static const char *slurm_setting(void)
{
    const char *type = getenv("SLURM_CPU_BIND_TYPE");
    const char *list = getenv("SLURM_CPU_BIND_LIST");
    return type && list && *list && strstr(type, "_cpu") ? list : "";
}

static void write_node(FILE *stream)
{
    char setting[SERVET_NAME_MAX], name[SRV_HOST_NAME_MAX];
    srv_host_name(name);
    snprintf(setting, sizeof setting, "%s", slurm_setting());
    srv_utf8_clean(setting);
    fprintf(stream, "%s%c%s%c", *name ? name : "?", '\0', setting, '\0');
}

static bool write_observation(FILE *stream, const observation *on, bool openmp)
{
    int cores, job_cores;
    hwloc_const_bitmap_t job = hwloc_topology_get_allowed_cpuset(on->hwloc);
    hwloc_bitmap_t all = hwloc_bitmap_alloc();
    bool written = all != NULL;
    for (int i = 0; i < on->count && written; i++)
        written = hwloc_bitmap_or(all, all, on->cores[i]) == 0;
    write_node(stream);
    written = written && write_sets(stream, on->hwloc, job, &job_cores) &&
              write_sets(stream, on->hwloc, all, &cores);
    if (written)
        fprintf(stream, "%d %d %d%c", openmp, cores, on->count, '\0');
    for (int i = 0; i < on->count && written; i++) {
        written = write_set(stream, on->cores[i]);
        fprintf(stream, "%d%c", on->core[i], '\0');
    }
    hwloc_bitmap_free(all);
    return written;
}

int srv_observed_binding_write(FILE *stream, servet_error *error)
{
    srv_topology topology;
    srv_openmp_team team;
    observation on = {.count = 0};
    int code = srv_topology_init(&topology, error);
    if (code != SERVET_OK) {
        srv_topology_finish(&topology);
        return code;
    }
    srv_openmp_team_begin(&team);
    bool done = begin_observation(&on, topology.hwloc, team.count);
    if (done) {
        srv_openmp_team_run(&team, observe, &on);
        done = write_observation(stream, &on, team.openmp != NULL);
    }
    finish_observation(&on);
    srv_topology_finish(&topology);
    return done ? SERVET_OK : srv_fail_memory(error);
}
