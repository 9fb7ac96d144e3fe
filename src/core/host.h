/* SPDX-License-Identifier: BSD-3-Clause */
/** The node that the program runs on: its name, and the properties that identify its type. */
#ifndef SRV_CORE_HOST_H
#define SRV_CORE_HOST_H

#include <stdbool.h>
#include <stddef.h>

enum { SRV_HOST_NAME_MAX = 256, SRV_FINGERPRINT_MAX = 256 };

/**
 * Writes the name of this node; "" if the system reports none.
 */
void srv_host_name(char name[SRV_HOST_NAME_MAX]);

/**
 * Writes the common properties of nodes of one type, as words "NAME=VALUE": `arch`, `cpu` (vendor,
 * family, model and stepping, or the equivalents of the architecture), `model` (the name that the
 * processor is sold by, with "_" for blanks), `pus` that are online, `threads` of a core, `package`
 * (its PUs), `numa` (nodes), and of each data cache of the first PU `L1` (size) and `L1_sharers`
 * (PUs that share it), `page` and `memory` (bytes). They describe the whole node, even PUs that the
 * job may not use. They come from the kernel's files in /proc and /sys below `root` ("" for the
 * real ones); properties that the kernel does not report are left out.
 */
void srv_host_fingerprint(const char *root, char text[SRV_FINGERPRINT_MAX]);

/** Returns true if two fingerprints differ, and writes the name of the first different word ("cpu")
 * into `name` of `size` bytes; otherwise "". Memory may differ by 5 %. */
bool srv_fingerprint_differs(const char *a, const char *b, char *name, size_t size);

/** Writes the value of a word of a fingerprint into `value` of `size` bytes. Returns false, and
 * writes "", if the fingerprint does not have the word. */
bool srv_fingerprint_word(const char *text, const char *name, char *value, size_t size);

#endif
