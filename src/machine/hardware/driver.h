/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The driver of accelerators: CUDA's or HIP's library, loaded when devices are listed, by
 * prototypes of our own, so that neither building nor running needs anything of a vendor. Device
 * addresses are 64-bit numbers in one of them and pointers in the other, which all 64-bit ABIs pass
 * alike.
 */
#ifndef SRV_HARDWARE_DRIVER_H
#define SRV_HARDWARE_DRIVER_H

#include "machine/machine.h"

/** The functions used: member, parameters, name in CUDA, name in HIP; NULL: it has another one. All
 * return 0 or an error. */
#define SRV_DRIVER_CALLS(X)                                                                        \
    X(init, (unsigned flags), "cuInit", "hipInit")                                                 \
    X(count_devices, (int *count), "cuDeviceGetCount", "hipGetDeviceCount")                        \
    X(find_device, (int *device, int number), "cuDeviceGet", "hipDeviceGet")                       \
    X(read_name, (char *name, int size, int device), "cuDeviceGetName", "hipDeviceGetName")        \
    X(read_bus, (char *bus, int size, int device), "cuDeviceGetPCIBusId", "hipDeviceGetPCIBusId")  \
    X(can_reach, (int *can, int device, int peer), "cuDeviceCanAccessPeer",                        \
      "hipDeviceCanAccessPeer")                                                                    \
    X(name_error, (int status, const char **name), "cuGetErrorName", "hipDrvGetErrorName")         \
    X(retain, (void **context, int device), "cuDevicePrimaryCtxRetain", NULL)                      \
    X(release, (int device), "cuDevicePrimaryCtxRelease_v2", NULL)                                 \
    X(enter_context, (void *context), "cuCtxSetCurrent", NULL)                                     \
    X(enter_device, (int device), NULL, "hipSetDevice")                                            \
    X(reach_context, (void *context, unsigned flags), "cuCtxEnablePeerAccess", NULL)               \
    X(reach_device, (int device, unsigned flags), NULL, "hipDeviceEnablePeerAccess")               \
    X(take, (uint64_t * address, size_t bytes), "cuMemAlloc_v2", "hipMalloc")                      \
    X(give, (uint64_t address), "cuMemFree_v2", "hipFree")                                         \
    X(pin, (void *memory, size_t bytes, unsigned flags), "cuMemHostRegister_v2",                   \
      "hipHostRegister")                                                                           \
    X(unpin, (void *memory), "cuMemHostUnregister", "hipHostUnregister")                           \
    X(begin_stream, (void **stream, unsigned flags), "cuStreamCreate", "hipStreamCreateWithFlags") \
    X(end_stream, (void *stream), "cuStreamDestroy_v2", "hipStreamDestroy")                        \
    X(wait, (void *stream), "cuStreamSynchronize", "hipStreamSynchronize")                         \
    X(to_device, (uint64_t to, const void *from, size_t bytes, void *stream),                      \
      "cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync")                                                \
    X(to_host, (void *to, uint64_t from, size_t bytes, void *stream), "cuMemcpyDtoHAsync_v2",      \
      "hipMemcpyDtoHAsync")                                                                        \
    X(to_peer_context,                                                                             \
      (uint64_t to, void *peer, uint64_t from, void *context, size_t bytes, void *stream),         \
      "cuMemcpyPeerAsync", NULL)                                                                   \
    X(to_peer_device,                                                                              \
      (uint64_t to, int peer, uint64_t from, int device, size_t bytes, void *stream), NULL,        \
      "hipMemcpyPeerAsync")

#define SRV_DRIVER_CALL_(member, parameters, cuda, hip) int(*member) parameters;
typedef struct srv_driver_calls {
    SRV_DRIVER_CALLS(SRV_DRIVER_CALL_)
} srv_driver_calls;
#undef SRV_DRIVER_CALL_

/** A device of the driver. */
typedef struct srv_driver_device {
    int handle;
    void *context; /**< CUDA's, retained once the device is used; NULL before, and in HIP */
} srv_driver_device;

typedef struct srv_driver {
    void *library;    /**< NULL: none with devices is loaded */
    const char *name; /**< of its file */
    srv_driver_calls call;
    srv_driver_device device[SRV_DEVICES_MAX];
    int count;
} srv_driver;

/**
 * Loads the first library that has devices, unless that is done. Without a library, or without
 * devices, the count is 0. Errors: SERVET_EUNSUPPORTED (a driver fails; the text says how).
 */
int srv_driver_open(srv_driver *driver, servet_error *error);

/** Gives all devices and the library back. A zeroed one is valid. */
void srv_driver_close(srv_driver *driver);

/** Describes the devices as far as the driver knows them. Errors: SERVET_EUNSUPPORTED. */
int srv_driver_describe(const srv_driver *driver, srv_device devices[SRV_DEVICES_MAX],
                        servet_error *error);

/** Makes a device usable by all threads. By one thread. Errors: SERVET_EUNSUPPORTED. */
int srv_driver_use(srv_driver *driver, int device, servet_error *error);

/** Makes a device, which is in use, that of the calling thread. Errors: SERVET_EUNSUPPORTED. */
int srv_driver_enter(const srv_driver *driver, int device, servet_error *error);

/** Lets copies from a device, which the thread has entered, go to another one directly, if they
 * can. */
void srv_driver_reach(const srv_driver *driver, int device, int peer);

/** Requests a copy between two devices in use; as the driver's functions. */
int srv_driver_to_peer(const srv_driver *driver, uint64_t to, int peer, uint64_t from, int device,
                       size_t bytes, void *stream);

/** SERVET_OK for status 0, else SERVET_EUNSUPPORTED: "libcuda.so.1: cannot DO: CUDA_ERROR_...". */
int srv_driver_check(const srv_driver *driver, const char *what, int status, servet_error *error);

#endif
