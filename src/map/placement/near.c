/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/placement/near.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/ranges.h"
#include "profile/types.h"

/* --- near cores ------------------------------------------------------------------------------- */

/* The near cores of a device (from 0), owned by the profile; NULL: they are not known. */
static const char *near_cores(const servet_profile *profile, const servet_at *at, int device)
{
    servet_accelerator found = {.cores = ""};
    const int number = device + 1;
    int code =
        servet_profile_item(profile, at, "accelerators.devices", &number, &found, sizeof found);
    bool sure = found.trusted || !profile->trusted_only;
    return code == SERVET_OK && *found.cores && sure ? found.cores : NULL;
}

static int count_devices(const servet_profile *profile, const servet_at *at, int accelerators)
{
    int count = 0;
    if (servet_profile_count(profile, at, "accelerators.devices", NULL, &count) != SERVET_OK)
        return 0;
    return count < accelerators ? count : accelerators;
}

/* --- in turn ---------------------------------------------------------------------------------- */

static bool is_near(const srv_map_class *class, int slot, const char *cores)
{
    for (int t = 0; t < class->threads; t++)
        if (!srv_ranges_contain(cores, class->slot_cores[slot * class->threads + t]))
            return false;
    return true;
}

/* The first slot from `first` on that is near; the first one of all if none is. */
static int choose_slot(const srv_map_class *class, int first, const char *cores)
{
    for (int s = first; s < class->slot_count; s++)
        if (is_near(class, s, cores))
            return s;
    return first;
}

/* Moves a slot before those from `to` on, which keep their order. The weights stay: a node's load
 * depends on how many slots are taken. */
static void move_slot(srv_map_class *class, int from, int to, int *room)
{
    size_t size = (size_t) class->threads * sizeof *room;
    int *slots = class->slot_cores;
    memcpy(room, slots + from * class->threads, size);
    memmove(slots + (to + 1) * class->threads, slots + to * class->threads,
            (size_t)(from - to) * size);
    memcpy(slots + to * class->threads, room, size);
}

int srv_map_class_near(srv_map_class *class, const servet_profile *profile, const char *class_name,
                       int accelerators, int *used, servet_error *error)
{
    const servet_at at = {.node_class = class_name, .core = SERVET_ANY_CORE};
    int devices = count_devices(profile, &at, accelerators);
    if (devices == 0)
        return srv_fail(error, SERVET_EUNMEASURED,
                        "node class '%s' has no accelerators that were measured", class_name);
    int *room = malloc((size_t) class->threads * sizeof *room);
    if (!room)
        return srv_fail_memory(error);
    int code = SERVET_OK;
    for (int s = 0; s < class->slot_count && code == SERVET_OK; s++) {
        const char *cores = near_cores(profile, &at, s % devices);
        if (!cores)
            code = srv_fail(error, SERVET_EUNMEASURED,
                            "which cores of node class '%s' are near to accelerator %d was not "
                            "measured",
                            class_name, s % devices);
        else
            move_slot(class, choose_slot(class, s, cores), s, room);
    }
    free(room);
    *used = devices;
    return code;
}
