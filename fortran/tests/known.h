/* SPDX-License-Identifier: BSD-3-Clause */
/** Structs and a profile with values that the Fortran tests know. */
#ifndef SRV_TESTS_KNOWN_H
#define SRV_TESTS_KNOWN_H

#include <stdio.h>

#include <servet/servet.h>

/** Copies `text` into the array of characters `member`. */
#define FILL(member, text) snprintf(member, sizeof(member), "%s", text)

/** A value that depends on k: k + 1/2 within k + 1/4 .. k + 3/4, k samples, trusted if k is odd. */
servet_value known_value(int k, servet_unit unit, servet_method method);

/** `value` within 15/16 .. 17/16 of it, 25 samples, trusted. */
servet_value known_around(double value, servet_unit unit, servet_method method);

/** Fill every member with a different value. */
void known_fill_run(servet_run *run);
void known_fill_machine(servet_machine *machine);

/**
 * Writes a profile to `path`: class "thin" with the core kinds "big" (cores 0-3, three levels,
 * memory latency 100 ns) and "little" (cores 4-7, one level, memory latency unknown), and class
 * "fat" of which only the cores are known. Returns 0 or an error code of the library.
 */
int known_write_profile(const char *path);

/**
 * Adds to a class with cores 0-7 all facts that servet/node.h queries (known_node.c lists them).
 * Loads in flight are known of core type `kind` only. Returns 0 or an error code.
 */
int known_add_node(servet_profile *profile, int node_class, int kind, servet_error *error);

/** Adds all facts that servet/network.h queries (known_network.c lists them). Returns 0 or an error
 * code. */
int known_add_network(servet_profile *profile, servet_error *error);

/** Writes to `path` a profile of two nodes, on which processes are placed (known_map.c lists it).
 * Returns 0 or an error code. */
int known_write_cluster(const char *path);

#endif
