/* SPDX-License-Identifier: BSD-3-Clause */
/** The load path of a PU: translation, the caches above it, the links to memory. */
#ifndef SRV_MODEL_LOAD_PATH_H
#define SRV_MODEL_LOAD_PATH_H

#include "sim/instance.h"
#include "sim/load_result.h"
#include "sim/prefetch.h"
#include "sim/sibling.h"
#include "sim/translate.h"

enum { SRV_LINKS_MAX = SRV_MODEL_DOMAINS_MAX + 1, SRV_LINK_PORT = -1 };

/** A port, bus or controller between cores and memory; several paths may share one. */
typedef struct srv_link {
    double *free_ns; /**< time at which it has carried all requests so far */
    int domain;      /**< the model's, or SRV_LINK_PORT: of a core */
    double ns_per_byte;
} srv_link;

typedef struct srv_load_path {
    int depth;
    srv_instance *cache[SRV_MODEL_CACHES_MAX];   /**< the nearest cache first */
    double latency_ns[SRV_MODEL_CACHES_MAX + 1]; /**< of a hit in each; the last is memory's */
    srv_tlb *tlb;
    srv_space space;
    bool huge;
    double pace; /**< relative to the time of others who replace lines, see thinning.h; 1: the real
                    time */
    size_t page; /**< of the last load, whose translation is known; SIZE_MAX: none */
    int prefetcher_count;
    srv_prefetcher prefetcher[SRV_MODEL_PREFETCHERS_MAX];
    int prefetch_level[SRV_MODEL_PREFETCHERS_MAX]; /**< index in `cache` of what each fills */
    int link_count;
    srv_link link[SRV_LINKS_MAX];
    double memory_line_bytes; /**< that a miss of all caches moves */
    srv_sibling *sibling;     /**< of the PU; NULL: none */
    srv_load_result last;     /**< of the last load that is not only to fill the caches */
    unsigned prefetches;      /**< that its prefetchers have wanted */
} srv_load_path;

/**
 * Simulates a load of a virtual address within the space of the path at `now_ns`; returns its time
 * in ns.
 */
double srv_load_path_load(srv_load_path *path, uint64_t address, double now_ns);

/** The time in ns of a load at `now_ns` that finds its line where an earlier one did. */
double srv_load_path_again(const srv_load_path *path, const srv_load_result *load, double now_ns);

/**
 * A number that depends on the sets of these lines and of their translations, and on all that
 * determines these sets: it hardly ever stays the same if they change.
 */
uint64_t srv_load_path_contents(const srv_load_path *path, const uint64_t *address, size_t count);

/** True if nothing but loads changes the caches down to number `depth` on the path. */
bool srv_load_path_is_calm(const srv_load_path *path, int depth);

/** Simulates a load that only fills the caches, without TLBs and prefetchers. */
double srv_load_path_bring(srv_load_path *path, uint64_t address, double now_ns);

/**
 * Simulates `count` such loads, of lines that are found where the first one is, at `address`. A
 * share 1 / `overlap` of a load's time passes before the next one. Returns the time after the last
 * one.
 */
double srv_load_path_bring_alike(srv_load_path *path, uint64_t address, int count, double overlap,
                                 double now_ns);

/** Translates the address only; returns the time in ns. */
double srv_load_path_translate(srv_load_path *path, uint64_t address);

#endif
