/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the topology, checks that the profile is of a machine with this topology, and makes a file
 * of both. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/text.h"
#include "export/hwloc_xml.h"
#include "export/node_sets.h"

/* --- loading ---------------------------------------------------------------------------------- */

/* Checks the version of the XML: hwloc reports a version that it cannot read only as "Invalid
 * argument". XML of hwloc 1 has no version number. */
static int check_version(const char *text, const char *path, servet_error *error)
{
    unsigned runs = hwloc_get_api_version() >> 16;
    int file = 0;
    const char *root = strstr(text, "<topology");
    const char *end = root ? strchr(root, '>') : NULL,
               *at = root ? strstr(root, "version=\"") : NULL;
    if (!end || !at || at > end || sscanf(at, "version=\"%d", &file) != 1 || file <= (int)runs)
        return SERVET_OK;
    return srv_fail_at(error, SERVET_EFORMAT, path, 0,
                       "XML of version %d of hwloc, Servet runs with version %u: write it with "
                       "lstopo of hwloc %u, or with --export-xml-flags v%u",
                       file, runs, runs, runs);
}

static int set_file(srv_export *on, const char *path)
{
    char *text;
    size_t size;
    int code = srv_text_read(path, SRV_FILE_BYTES_MAX, &text, &size, on->error);
    if (code != SERVET_OK)
        return code;
    code = check_version(text, path, on->error);
    if (code == SERVET_OK && hwloc_topology_set_xmlbuffer(on->topology, text, (int)size + 1) != 0)
        code = srv_fail_at(on->error, SERVET_EFORMAT, path, 0,
                           "not an hwloc XML file (lstopo FILE.xml writes one)");
    free(text);
    return code;
}

/* Sets the source of the topology: a file or, if there is no such file, a description. */
static int set_source(srv_export *on, const char *source)
{
    if (strcmp(source, "-") == 0 || access(source, F_OK) == 0)
        return set_file(on, source);
    return hwloc_topology_set_synthetic(on->topology, source) == 0
               ? SERVET_OK
               : srv_fail(on->error, SERVET_ENOTFOUND,
                          "%.128s: expected a file or a topology such as 'pack:2 core:4 pu:2'",
                          source);
}

static int load_other(srv_export *on, const char *source)
{
    if (hwloc_topology_init(&on->topology) != 0)
        return srv_fail_memory(on->error);
    int code = set_source(on, source);
    if (code == SERVET_OK && hwloc_topology_load(on->topology) != 0)
        code = srv_fail_at(on->error, SERVET_EFORMAT, source, 0, "hwloc cannot read it: %s",
                           errno == EINVAL ? "it describes no whole machine, or is damaged"
                                           : strerror(errno));
    return code;
}

static int load_here(srv_export *on)
{
    int code = srv_topology_init(&on->here, on->error);
    on->topology = on->here.hwloc;
    return code;
}

static void finish(srv_export *on)
{
    if (!on->here.hwloc && on->topology)
        hwloc_topology_destroy(on->topology);
    srv_topology_finish(&on->here);
}

/* --- fitting ---------------------------------------------------------------------------------- */

hwloc_bitmap_t srv_export_set(const char *cores)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    if (set && hwloc_bitmap_list_sscanf(set, cores) == 0)
        return set;
    hwloc_bitmap_free(set);
    return NULL;
}

static int check_cores(srv_export *on, const char *cores)
{
    hwloc_bitmap_t set = srv_export_set(cores);
    if (!set)
        return srv_fail_memory(on->error);
    hwloc_const_bitmap_t all = hwloc_topology_get_topology_cpuset(on->topology);
    bool fits = hwloc_bitmap_isincluded(set, all);
    hwloc_bitmap_andnot(set, set, all);
    int stranger = hwloc_bitmap_first(set);
    hwloc_bitmap_free(set);
    return fits ? SERVET_OK
                : srv_fail(on->error, SERVET_EMACHINE,
                           "the profile does not fit the topology: it has no PU %d", stranger);
}

/* Compares an info of the topology, if it is there, with the profile. */
static int check_word(srv_export *on, hwloc_obj_t object, const char *info, const char *expected)
{
    const char *told = object ? hwloc_obj_get_info_by_name(object, info) : NULL;
    if (!told || !*expected || srv_text_same(told, expected))
        return SERVET_OK;
    return srv_fail(on->error, SERVET_EMACHINE,
                    "the profile does not fit the topology: %s is %.64s, and was %.64s", info, told,
                    expected);
}

/* Checks the PUs. For a machine with very many PUs, the set of PUs is truncated; the core types
 * name all of them. */
static int check_machine(srv_export *on)
{
    servet_machine machine;
    int code = srv_export_machine(on->profile, on->at.node_class, &machine, on->error);
    if (code == SERVET_OK)
        code =
            check_word(on, hwloc_get_root_obj(on->topology), "Architecture", machine.architecture);
    if (code == SERVET_OK)
        code = check_word(on, hwloc_get_obj_by_type(on->topology, HWLOC_OBJ_PACKAGE, 0), "CPUModel",
                          machine.cpu);
    return code == SERVET_OK && *machine.cores ? check_cores(on, machine.cores) : code;
}

static int check_fit(srv_export *on)
{
    servet_kind kind;
    servet_numa numa;
    int code = check_machine(on);
    for (int i = 0;
         code == SERVET_OK && servet_kind_get(on->profile, &on->at, i, &kind) == SERVET_OK; i++)
        code = check_cores(on, kind.cores);
    for (int i = 0;
         code == SERVET_OK && servet_numa_get(on->profile, &on->at, i, &numa) == SERVET_OK; i++)
        if (!hwloc_get_numanode_obj_by_os_index(on->topology, (unsigned)numa.number))
            code = srv_fail(on->error, SERVET_EMACHINE,
                            "the profile does not fit the topology: it has no NUMA node %d",
                            numa.number);
    return code;
}

int srv_export_on_topology(const servet_profile *profile, const servet_export_request *request,
                           srv_export_maker *make, FILE *stream, servet_error *error)
{
    srv_export on = {
        .profile = profile, .at = {request->node_class, SERVET_ANY_CORE}, .error = error};
    int code = request->topology ? load_other(&on, request->topology) : load_here(&on);
    if (code == SERVET_OK)
        code = check_fit(&on);
    if (code == SERVET_OK)
        code = make(&on, stream);
    finish(&on);
    return code;
}
