/* SPDX-License-Identifier: BSD-3-Clause */
/** The place of accelerators among the PCI devices that hwloc reports. */
#ifndef SRV_HARDWARE_DEVICE_PLACE_H
#define SRV_HARDWARE_DEVICE_PLACE_H

#include "machine/hardware/topology.h"
#include "machine/machine.h"

/**
 * Adds to devices, which have their bus, the node, cores and cards that hwloc reports. A device
 * that hwloc does not list keeps none of them. PCI devices are read here alone, so that a node
 * without accelerators does not pay for it.
 */
void srv_devices_place(const srv_topology *known, srv_device *devices, int count);

/** The same for one device in a topology that has PCI devices: for tests. */
void srv_device_place_in(hwloc_topology_t topology, hwloc_const_bitmap_t usable,
                         srv_device *device);

#endif
