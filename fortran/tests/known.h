/* SPDX-License-Identifier: BSD-3-Clause */
/** Structs and a profile whose every value the Fortran tests know. */
#ifndef SRV_TESTS_KNOWN_H
#define SRV_TESTS_KNOWN_H

#include <stdio.h>

#include <servet/servet.h>

/** Copies `text` into the array of characters `member`. */
#define FILL(member, text) snprintf(member, sizeof(member), "%s", text)

/** Number k in every member: k + 1/2 within k + 1/4 .. k + 3/4, k samples, trusted if k is odd. */
servet_value known_value(int k, servet_unit unit, servet_method method);

/** `value` within 15/16 .. 17/16 of it, 25 samples, trusted. */
servet_value known_around(double value, servet_unit unit, servet_method method);

/** Fill every member with a value of its own (fortran/tests/raw_layout.f90 lists them). */
void known_fill_value(servet_value *value);
void known_fill_modes(servet_modes *modes);
void known_fill_error(servet_error *error);
void known_fill_at(servet_at *at);
void known_fill_run(servet_run *run);
void known_fill_kind(servet_kind *kind);
void known_fill_machine(servet_machine *machine);
void known_fill_cache(servet_cache *cache);
void known_fill_sharing(servet_sharing *sharing);
void known_fill_coherence(servet_coherence *coherence);
void known_fill_distance_layer(servet_distance_layer *layer);
void known_fill_memory_level(servet_memory_level *level);
void known_fill_numa(servet_numa *numa);
void known_fill_concurrency(servet_concurrency *concurrency);
void known_fill_matrix(servet_matrix *matrix);
void known_fill_layers(servet_layers *layers);
void known_fill_map_request(servet_map_request *request);
void known_fill_map_process(servet_map_process *process);
void known_fill_map_cost(servet_map_cost *cost);
void known_fill_map_idle(servet_map_idle *idle);
void known_fill_map_seat(servet_map_seat *seat);

/** sizeof of the struct called `name` ("servet_cache"); 0 for another name. */
size_t known_size(const char *name);

/**
 * Writes a profile to `path`: class "thin" with the core kinds "big" (cores 0-3, three levels,
 * memory latency 100 ns) and "little" (cores 4-7, one level, memory latency unknown), and class
 * "fat" of which only the cores are known. 0 or an error code of the library.
 */
int known_write_profile(const char *path);

/**
 * Adds to a class with cores 0-7 what servet/node.h asks about (known_node.c lists it); `kind` is
 * the one whose loads in flight are known. 0 or an error code.
 */
int known_add_node(servet_profile *profile, int node_class, int kind, servet_error *error);

/** Adds what servet/network.h asks about (known_network.c lists it). 0 or an error code. */
int known_add_network(servet_profile *profile, servet_error *error);

/** Writes a profile of two nodes to place processes on (known_map.c lists it) to `path`. 0 or an error
 *  code. */
int known_write_cluster(const char *path);

#endif
