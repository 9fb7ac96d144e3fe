/* SPDX-License-Identifier: BSD-3-Clause */
/** Machines whose facts are known, as profiles to place processes by. */
#ifndef SRV_TESTS_MAP_MACHINE_H
#define SRV_TESTS_MAP_MACHINE_H

#include "servet/map.h"
#include "servet/record.h"

/** Messages that told the layers apart. */
enum { MAP_MESSAGE_BYTES = 32768 };

enum { MAP_SETS_MAX = 16, MAP_LEVELS_MAX = 3, MAP_RATIOS_MAX = 6, MAP_CONCURRENT_MAX = 8 };

/** Sets of cores, the rest NULL. */
typedef struct map_sets {
    const char *sets[MAP_SETS_MAX];
    double latency; /**< of layers: ns */
} map_sets;

/** A cluster of nodes n0, n1, ... that are alike. What has no sets is not there. */
typedef struct map_machine {
    int nodes;
    const char *nodes_prefix; /**< of their names; NULL: "n" */
    const char *cores, *logical_order;
    map_sets caches[MAP_LEVELS_MAX];    /**< those that are shared; from level 2 on */
    map_sets memory[MAP_LEVELS_MAX];    /**< overhead levels */
    map_sets distances[MAP_LEVELS_MAX]; /**< fastest first */
    double inside, between;             /**< latencies of messages; s; 0: no network */
    int close_nodes;                    /**< nodes on each switch; 0: all */
    double close;                       /**< latency between those */
    /** time that each further message of a batch adds between nodes; s; 0: not measured */
    double further;
    /** slowdown of 2, 4, 8, ... messages of a layer */
    double slowdown[MAP_LEVELS_MAX][MAP_CONCURRENT_MAX];
    bool doubtful; /**< these are not trusted */
    /** bandwidth of each of 1, 2, 3, ... cores; 0: no more */
    double node_copies[MAP_CONCURRENT_MAX];
    double access[MAP_RATIOS_MAX]; /**< ratNC of 1, 2, 4, ... processes; 0: no more */
    bool access_in_half; /**< each ratNC but the first was measured on half of the nodes */
    double distance[MAP_RATIOS_MAX]; /**< ratDist of 1, 2, 3, ... steps; 0: no more */
    int torus[MAP_LEVELS_MAX];       /**< nodes along each dimension; 0: no more */
    double step;                     /**< time that each link adds; s */
    double all_to_all;               /**< measured between all cores; s; 0: not measured */
    map_sets blocks[MAP_RATIOS_MAX]; /**< what rule 4 makes of them within a node */
} map_machine;

extern const map_machine map_hector, map_finis_terrae, map_dunnington, map_flat, map_switches,
    map_uplinks;

/* These functions keep what they make until the test ends. */

/** The profile of the machine, its first `nodes` nodes; 0: all. */
servet_profile *map_profile(const map_machine *machine, int nodes);

/** A layer of messages between cores 0 and 1 of node 0, or core 0 of node 0 and of node `to`. */
servet_network_layer map_layer(double latency, bool between, int to);

/** A placement on these nodes, which must succeed, and a process of it. */
servet_map *map_placed(const map_machine *machine, int nodes, servet_map_request request);
servet_map *map_placed_by(const servet_profile *profile, servet_map_request request);
servet_map_process map_process(const servet_map *map, int rank);

/** Checks that the request is refused with that code and text. */
void map_refuses(const map_machine *machine, int nodes, servet_map_request request, int code,
                 const char *text);

/** Messages of MAP_MESSAGE_BYTES: of a pattern, or none yet. */
servet_traffic *map_pattern(servet_pattern which, int processes);
servet_traffic *map_no_messages(int processes);

/** Adds a message from `from` to `to`. */
void map_send(servet_traffic *traffic, int from, int to, double bytes);

#endif
