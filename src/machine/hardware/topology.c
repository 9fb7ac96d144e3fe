/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/topology.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifdef __linux__
#include <hwloc/linux.h>
#endif

#include "core/affinity.h"
#include "core/error.h"
#include "core/host.h"
#include "core/ranges.h"
#include "core/text.h"
#include "core/utf8.h"

/* --- which PUs -------------------------------------------------------------------------------- */

/* The PUs that the kernel lets this thread run on, cpuset and cgroup included. Once hwloc knows PUs
 * it reduces that to those, which are too few if sysfs is hidden, or renumbered by a container: so
 * it is read before. */
static int read_binding(const srv_topology *topology, hwloc_bitmap_t set)
{
#ifdef __linux__
    return hwloc_linux_get_tid_cpubind(topology->hwloc, 0, set);
#else
    (void)topology, (void)set;
    return -1;
#endif
}

static int set_binding(const srv_topology *topology, hwloc_const_bitmap_t set)
{
#ifdef __linux__
    return hwloc_linux_set_tid_cpubind(topology->hwloc, 0, set);
#else
    return hwloc_set_cpubind(topology->hwloc, set, HWLOC_CPUBIND_THREAD);
#endif
}

/* Other systems report the binding to hwloc only. */
static int find_usable(srv_topology *topology, servet_error *error)
{
    hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_cpuset(topology->hwloc);
    if (hwloc_bitmap_iszero(topology->binding) &&
        hwloc_get_cpubind(topology->hwloc, topology->binding, HWLOC_CPUBIND_THREAD) != 0)
        hwloc_bitmap_copy(topology->binding, allowed);
    topology->usable = hwloc_bitmap_dup(topology->binding);
    if (!topology->usable)
        return srv_fail_memory(error);
    if (hwloc_bitmap_iszero(topology->usable))
        return srv_fail(error, SERVET_EMACHINE, "this job may not use any core");
    return SERVET_OK;
}

/* --- life ------------------------------------------------------------------------------------- */

/* True if a folder that lists NUMA nodes lists none, as where it was covered by an empty one. */
static bool nodes_are_hidden(void)
{
    DIR *folder = opendir("/sys/devices/system/node");
    bool hidden = folder != NULL;
    for (struct dirent *entry; hidden && (entry = readdir(folder));)
        hidden = strncmp(entry->d_name, "node", 4) != 0;
    if (folder)
        closedir(folder);
    return hidden;
}

/* True if the system lists none of the PUs that may be used, as where a container shows numbers of
 * its own. */
static bool is_renumbered(const srv_topology *topology)
{
    char line[4096] = "";
    FILE *stream = fopen("/sys/devices/system/cpu/online", "r");
    hwloc_bitmap_t listed = hwloc_bitmap_alloc();
    bool known = stream && listed && fgets(line, sizeof line, stream) && strchr(line, '\n');
    line[strcspn(line, "\n")] = '\0';
    known = known && hwloc_bitmap_list_sscanf(listed, line) == 0 && !hwloc_bitmap_iszero(listed);
    bool renumbered = known && !hwloc_bitmap_iszero(topology->binding) &&
                      !hwloc_bitmap_intersects(listed, topology->binding);
    hwloc_bitmap_free(listed);
    if (stream)
        fclose(stream);
    return renumbered;
}

/* hwloc's reader of Linux ends the process if it finds no NUMA node, and fails or crashes if it
 * finds no PU that may be used: it then uses CPUID, or the number of processors. */
static int load(srv_topology *topology)
{
    if (nodes_are_hidden() || is_renumbered(topology))
        hwloc_topology_set_components(topology->hwloc, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST,
                                      "linux");
    return hwloc_topology_load(topology->hwloc);
}

/* If the system refuses to report the affinity, hwloc 2.9 searches forever for a mask that is large
 * enough. */
static int check_cores_are_reported(servet_error *error)
{
    srv_affinity mask;
    if (srv_affinity_get(&mask))
        return SERVET_OK;
    return srv_fail(error, SERVET_EMACHINE,
                    "the system does not tell which cores may be used: sched_getaffinity: %s",
                    strerror(errno));
}

int srv_topology_init(srv_topology *topology, servet_error *error)
{
    *topology = (srv_topology){0};
    int code = check_cores_are_reported(error);
    if (code != SERVET_OK)
        return code;
    topology->binding = hwloc_bitmap_alloc();
    if (!topology->binding || hwloc_topology_init(&topology->hwloc) != 0)
        return srv_fail_memory(error);
    if (read_binding(topology, topology->binding) != 0)
        hwloc_bitmap_zero(topology->binding);
    if (load(topology) != 0)
        return srv_fail(error, SERVET_EMACHINE, "hwloc cannot read this machine: %s",
                        strerror(errno));
    if (!hwloc_topology_is_thissystem(topology->hwloc))
        return srv_fail(error, SERVET_EMACHINE,
                        "hwloc describes another machine: unset HWLOC_XMLFILE, HWLOC_SYNTHETIC "
                        "and HWLOC_FSROOT");
    return find_usable(topology, error);
}

void srv_topology_finish(srv_topology *topology)
{
    if (topology->hwloc && topology->binding && !hwloc_bitmap_iszero(topology->binding))
        set_binding(topology, topology->binding);
    hwloc_bitmap_free(topology->binding);
    hwloc_bitmap_free(topology->usable);
    if (topology->hwloc)
        hwloc_topology_destroy(topology->hwloc);
    *topology = (srv_topology){0};
}

int srv_topology_bind(srv_topology *topology, int core, servet_error *error)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    if (!set || hwloc_bitmap_only(set, (unsigned)core) != 0) {
        hwloc_bitmap_free(set);
        return srv_fail_memory(error);
    }
    int failed = set_binding(topology, set);
    hwloc_bitmap_free(set);
    if (failed)
        return srv_fail(error, SERVET_EMACHINE, "cannot run on core %d: %s", core, strerror(errno));
    return SERVET_OK;
}

/* Without an answer of the system, or without memory, no change is known. */
bool srv_topology_is_bound(const srv_topology *topology, int core)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    bool known = set && read_binding(topology, set) == 0;
    bool bound =
        !known || (hwloc_bitmap_isset(set, (unsigned)core) && hwloc_bitmap_weight(set) == 1);
    hwloc_bitmap_free(set);
    return bound;
}

/* --- description ------------------------------------------------------------------------------ */

/* Objects of a type that hold a PU this job may use. */
static int count_usable(const srv_topology *topology, hwloc_obj_type_t type)
{
    int count = 0;
    hwloc_obj_t object = NULL;
    while ((object = hwloc_get_next_obj_by_type(topology->hwloc, type, object)))
        count += object->cpuset && hwloc_bitmap_intersects(object->cpuset, topology->usable);
    return count;
}

/* PUs unknown to hwloc count as cores of their own. */
static int count_unknown(const srv_topology *topology)
{
    int count = 0, pu;
    hwloc_bitmap_foreach_begin(pu, topology->usable) count +=
        !hwloc_get_pu_obj_by_os_index(topology->hwloc, (unsigned)pu);
    hwloc_bitmap_foreach_end();
    return count;
}

void srv_topology_print(hwloc_const_bitmap_t set, char *text, size_t size)
{
    if (hwloc_bitmap_list_snprintf(text, size, set) >= (int)size)
        *strrchr(text, ',') = '\0';
}

/* Writes the PUs in hwloc's logical order; nothing if there are more than can be stored. */
static int print_logical_order(const srv_topology *topology, char *text, size_t size,
                               servet_error *error)
{
    int count = 0;
    hwloc_obj_t pu = NULL;
    int *numbers =
        calloc((size_t)hwloc_get_nbobjs_by_type(topology->hwloc, HWLOC_OBJ_PU), sizeof *numbers);
    if (!numbers)
        return srv_fail_memory(error);
    while ((pu = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_PU, pu)))
        numbers[count++] = (int)pu->os_index;
    if (!srv_ranges_write(numbers, count, text, size))
        *text = '\0';
    free(numbers);
    return SERVET_OK;
}

static void describe_system(servet_machine *description)
{
    struct utsname name;
    char host[SRV_HOST_NAME_MAX];
    srv_host_name(host);
    snprintf(description->hostname, sizeof description->hostname, "%.63s", host);
    if (uname(&name) == 0) {
        snprintf(description->os, sizeof description->os, "%.31s %.31s", name.sysname,
                 name.release);
        snprintf(description->architecture, sizeof description->architecture, "%.63s",
                 name.machine);
    }
    description->page_bytes = (double)sysconf(_SC_PAGESIZE);
    /* Not hwloc's sum over NUMA nodes: in some guests that grows while memory is first used. */
    description->memory_bytes = (double)sysconf(_SC_PHYS_PAGES) * description->page_bytes;
}

int srv_topology_describe(srv_topology *topology, servet_machine *description, servet_error *error)
{
    *description = (servet_machine){0};
    describe_system(description);
    srv_host_fingerprint("", description->fingerprint);
    hwloc_obj_t package = hwloc_get_obj_by_type(topology->hwloc, HWLOC_OBJ_PACKAGE, 0);
    const char *cpu = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
    if (!cpu)
        cpu = hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology->hwloc), "CPUModel");
    cpu = cpu ? cpu : "";
    snprintf(description->cpu, sizeof description->cpu, "%.*s", srv_text_trimmed(cpu), cpu);
    srv_utf8_clean(description->cpu);
    description->pu_count = hwloc_bitmap_weight(topology->usable);
    description->core_count = count_usable(topology, HWLOC_OBJ_CORE) + count_unknown(topology);
    description->package_count = count_usable(topology, HWLOC_OBJ_PACKAGE);
    description->numa_count = count_usable(topology, HWLOC_OBJ_NUMANODE);
    srv_topology_print(topology->usable, description->cores, sizeof description->cores);
    return print_logical_order(topology, description->logical_order,
                               sizeof description->logical_order, error);
}

/* --- types ------------------------------------------------------------------------------------ */

static void add_type(srv_core_type types[SRV_CORE_TYPES_MAX], int *count, const char *name,
                     hwloc_const_bitmap_t set)
{
    srv_core_type *type = &types[(*count)++];
    snprintf(type->name, sizeof type->name, "%s", name);
    srv_topology_print(set, type->cores, sizeof type->cores);
}

/* hwloc orders core types by efficiency, the fastest last; here the fastest is first. Cores of no
 * type, or of more types than there is room for, come last. */
int srv_topology_core_types(srv_topology *topology, srv_core_type types[SRV_CORE_TYPES_MAX],
                            int *count, servet_error *error)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc(), rest = hwloc_bitmap_dup(topology->usable);
    int known = hwloc_cpukinds_get_nr(topology->hwloc, 0);
    *count = 0;
    for (int i = known - 1; i >= 0 && known > 1 && *count < SRV_CORE_TYPES_MAX - 1 && set && rest;
         i--) {
        char name[SERVET_NAME_MAX];
        hwloc_cpukinds_get_info(topology->hwloc, (unsigned)i, set, NULL, NULL, NULL, 0);
        hwloc_bitmap_and(set, set, rest);
        hwloc_bitmap_andnot(rest, rest, set);
        snprintf(name, sizeof name, "kind%d", *count + 1);
        if (!hwloc_bitmap_iszero(set))
            add_type(types, count, name, set);
    }
    bool allocated = set && rest;
    if (allocated && !hwloc_bitmap_iszero(rest))
        add_type(types, count, *count ? "others" : "all", rest);
    hwloc_bitmap_free(set);
    hwloc_bitmap_free(rest);
    return allocated ? SERVET_OK : srv_fail_memory(error);
}

/* --- caches as reported ----------------------------------------------------------------------- */

/* The usable PUs below an object; a set too long to store is omitted. */
static int print_usable(const srv_topology *topology, hwloc_obj_t object, char *text, size_t size,
                        servet_error *error)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    if (!set || hwloc_bitmap_and(set, object->cpuset, topology->usable) != 0) {
        hwloc_bitmap_free(set);
        return srv_fail_memory(error);
    }
    if (hwloc_bitmap_list_snprintf(text, size, set) >= (int)size)
        *text = '\0';
    hwloc_bitmap_free(set);
    return SERVET_OK;
}

/* Range of line sizes: lines of 16 to 256 B are built, and sectors of up to four. Hypervisors may
 * report any size. */
enum { LINE_BYTES_LEAST = 8, LINE_BYTES_MOST = 1024 };

int srv_topology_reported(srv_topology *topology, int core, srv_reported *reported,
                          servet_error *error)
{
    *reported = (srv_reported){0};
    hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology->hwloc, (unsigned)core);
    if (!pu && !hwloc_bitmap_isset(topology->usable, (unsigned)core))
        return srv_fail(error, SERVET_EMACHINE, "there is no core %d", core);
    int code = SERVET_OK;
    for (hwloc_obj_t object = pu ? pu->parent : NULL; object && code == SERVET_OK;
         object = object->parent) {
        if (!hwloc_obj_type_is_dcache(object->type) || object->attr->cache.size == 0)
            continue;
        if (reported->count == SRV_CACHES_MAX)
            break;
        int at = reported->count++;
        reported->level[at].bytes = (double)object->attr->cache.size;
        unsigned line = object->attr->cache.linesize;
        bool possible =
            (line & (line - 1)) == 0 && line >= LINE_BYTES_LEAST && line <= LINE_BYTES_MOST;
        reported->level[at].line_bytes = possible ? line : 0;
        code = print_usable(topology, object, reported->level[at].cores,
                            sizeof reported->level[at].cores, error);
    }
    return code;
}

/* --- sets ------------------------------------------------------------------------------------- */

static int add_object(const srv_topology *topology, hwloc_obj_t object, hwloc_bitmap_t room,
                      srv_sets *sets, servet_error *error)
{
    char *text;
    hwloc_bitmap_and(room, object->cpuset, topology->usable);
    if (hwloc_bitmap_weight(room) < 2)
        return SERVET_OK;
    if (hwloc_bitmap_list_asprintf(&text, room) < 0)
        return srv_fail_memory(error);
    int code = srv_sets_add(sets, text, error);
    free(text);
    return code;
}

int srv_topology_objects(srv_topology *topology, srv_sets *sets, servet_error *error)
{
    *sets = (srv_sets){NULL, 0};
    hwloc_bitmap_t room = hwloc_bitmap_alloc();
    if (!room)
        return srv_fail_memory(error);
    int code = SERVET_OK;
    /* NUMA nodes hang beside the tree, at a depth of their own. */
    int depths = hwloc_topology_get_depth(topology->hwloc);
    for (int i = 0; i <= depths; i++) {
        int depth = i < depths ? i : HWLOC_TYPE_DEPTH_NUMANODE;
        hwloc_obj_t object = NULL;
        while (code == SERVET_OK &&
               (object = hwloc_get_next_obj_by_depth(topology->hwloc, depth, object)))
            code = add_object(topology, object, room, sets, error);
    }
    hwloc_bitmap_free(room);
    if (code != SERVET_OK)
        srv_sets_finish(sets);
    return code;
}
