/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/driver.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "core/error.h"

_Static_assert(sizeof(void (*)(void)) == sizeof(void *), "functions are found as pointers");

/* Both drivers give this answer to init where the node has none of their devices. */
enum { NO_DEVICE = 100 };

/* --- libraries -------------------------------------------------------------------------------- */

enum { CUDA, HIP, KINDS };

typedef struct symbol {
    size_t offset;
    const char *name[KINDS];
} symbol;

#define SYMBOL(member, parameters, cuda, hip) {offsetof(srv_driver_calls, member), {cuda, hip}},
static const symbol symbols[] = {SRV_DRIVER_CALLS(SYMBOL)};
#undef SYMBOL

/* HIP's name without a number comes with the files for developers. */
static const struct {
    const char *name;
    int kind;
} libraries[] = {{"libcuda.so.1", CUDA},
                 {"libamdhip64.so", HIP},
                 {"libamdhip64.so.7", HIP},
                 {"libamdhip64.so.6", HIP}};

static int find_calls(srv_driver *driver, int kind, servet_error *error)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        const char *name = symbols[i].name[kind];
        void *found = name ? dlsym(driver->library, name) : NULL;
        if (name && !found)
            return srv_fail(error, SERVET_EUNSUPPORTED, "%s has no function %s", driver->name,
                            name);
        memcpy((char *)&driver->call + symbols[i].offset, &found, sizeof found);
    }
    return SERVET_OK;
}

static int find_devices(srv_driver *driver, servet_error *error)
{
    int count = 0, status = driver->call.init(0);
    if (status == NO_DEVICE)
        return SERVET_OK;
    int code = srv_driver_check(driver, "be initialized", status, error);
    if (code != SERVET_OK)
        return code;
    status = driver->call.count_devices(&count);
    code = status == NO_DEVICE ? SERVET_OK : srv_driver_check(driver, "count", status, error);
    for (int i = 0; i < count && i < SRV_DEVICES_MAX && code == SERVET_OK; i++) {
        code = srv_driver_check(driver, "find a device",
                                driver->call.find_device(&driver->device[i].handle, i), error);
        driver->count += code == SERVET_OK;
    }
    return code;
}

static int load(srv_driver *driver, const char *name, int kind, servet_error *error)
{
    *driver = (srv_driver){.library = dlopen(name, RTLD_NOW | RTLD_LOCAL), .name = name};
    if (!driver->library)
        return SERVET_OK;
    int code = find_calls(driver, kind, error);
    if (code == SERVET_OK)
        code = find_devices(driver, error);
    if (driver->count == 0 || code != SERVET_OK)
        srv_driver_close(driver);
    return code;
}

/* A broken driver is an error only where no other one has devices. */
int srv_driver_open(srv_driver *driver, servet_error *error)
{
    int first = SERVET_OK;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !driver->library; i++) {
        int code =
            load(driver, libraries[i].name, libraries[i].kind, first == SERVET_OK ? error : NULL);
        first = first == SERVET_OK ? code : first;
    }
    return driver->library ? SERVET_OK : first;
}

void srv_driver_close(srv_driver *driver)
{
    for (int i = 0; i < driver->count; i++)
        if (driver->device[i].context)
            driver->call.release(driver->device[i].handle);
    /* The library is never closed: its threads may still run its code. */
    *driver = (srv_driver){0};
}

int srv_driver_check(const srv_driver *driver, const char *what, int status, servet_error *error)
{
    const char *name = NULL;
    if (status == 0)
        return SERVET_OK;
    if (driver->call.name_error(status, &name) != 0 || !name)
        name = "unknown error";
    return srv_fail(error, SERVET_EUNSUPPORTED, "%s cannot %s: %s (%d)", driver->name, what, name,
                    status);
}

/* --- devices ---------------------------------------------------------------------------------- */

static int describe(const srv_driver *driver, int number, srv_device *device, servet_error *error)
{
    const srv_driver_calls *call = &driver->call;
    int handle = driver->device[number].handle, can;
    *device = (srv_device){.node = -1};
    int code = srv_driver_check(driver, "name a device",
                                call->read_name(device->name, sizeof device->name, handle), error);
    if (code == SERVET_OK)
        code = srv_driver_check(driver, "locate a device",
                                call->read_bus(device->bus, sizeof device->bus, handle), error);
    for (int i = 0; i < driver->count; i++)
        if (i != number && call->can_reach(&can, handle, driver->device[i].handle) == 0 && can)
            device->reaches |= 1 << i;
    return code;
}

int srv_driver_describe(const srv_driver *driver, srv_device devices[SRV_DEVICES_MAX],
                        servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < driver->count && code == SERVET_OK; i++)
        code = describe(driver, i, &devices[i], error);
    return code;
}

int srv_driver_use(srv_driver *driver, int device, servet_error *error)
{
    srv_driver_device *one = &driver->device[device];
    if (!driver->call.retain || one->context)
        return SERVET_OK;
    return srv_driver_check(driver, "use a device", driver->call.retain(&one->context, one->handle),
                            error);
}

int srv_driver_enter(const srv_driver *driver, int device, servet_error *error)
{
    const srv_driver_device *one = &driver->device[device];
    int status = driver->call.enter_context ? driver->call.enter_context(one->context)
                                            : driver->call.enter_device(one->handle);
    return srv_driver_check(driver, "enter a device", status, error);
}

void srv_driver_reach(const srv_driver *driver, int device, int peer)
{
    const srv_driver_device *one = &driver->device[peer];
    int can = 0;
    if (driver->call.can_reach(&can, driver->device[device].handle, one->handle) != 0 || !can)
        return;
    /* An error says that this was done before; the copies then show what they do. */
    if (driver->call.reach_context)
        (void)driver->call.reach_context(one->context, 0);
    else
        (void)driver->call.reach_device(one->handle, 0);
}

int srv_driver_to_peer(const srv_driver *driver, uint64_t to, int peer, uint64_t from, int device,
                       size_t bytes, void *stream)
{
    const srv_driver_device *source = &driver->device[device], *target = &driver->device[peer];
    return driver->call.to_peer_context
               ? driver->call.to_peer_context(to, target->context, from, source->context, bytes,
                                              stream)
               : driver->call.to_peer_device(to, target->handle, from, source->handle, bytes,
                                             stream);
}
