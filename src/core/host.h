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
 * (PUs that share it), `page` and `memory` (bytes). They describe the whole node, also PUs that the
 * job may not use. Properties that the system does not report are left out: words are by the
 * kernel, from /proc and /sys below `root` ("" for the real ones).
 */
void srv_host_fingerprint(const char *root, char text[SRV_FINGERPRINT_MAX]);

/** True if two fingerprints differ, and if so the name of a word in which they do, in `name` of
 * `size` bytes ("cpu"); else "". Memory may differ by 5 %. */
bool srv_fingerprint_differs(const char *a, const char *b, char *name, size_t size);

/** The value of a word of a fingerprint into `value` of `size` bytes; false and "" if it has no
 * such word. */
bool srv_fingerprint_word(const char *text, const char *name, char *value, size_t size);

#endif
