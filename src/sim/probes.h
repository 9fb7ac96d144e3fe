/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A simulated machine: the state that its probes share, and the probes, each beside what it
 * simulates. Their requests are those of the lists in machine/machine.h, and have been checked.
 */
#ifndef SRV_MODEL_PROBES_H
#define SRV_MODEL_PROBES_H

#include "machine/machine.h"
#include "sim/routes.h"
#include "sim/simulated_run.h"

/** Number of places for findings; a later one replaces the one at its place. */
enum { SRV_REMEMBERED_MAX = 2048 };

/** Results of probes before the noise: a probe that must have the same result is not simulated
 * again. A zeroed list is valid. */
typedef struct srv_remembered_list {
    struct {
        uint64_t key;
        size_t bytes;
        void *found; /**< NULL: nothing */
    } at[SRV_REMEMBERED_MAX];
    size_t bytes; /**< of all */
} srv_remembered_list;

typedef struct srv_simulated {
    srv_machine machine;
    srv_model *model;
    srv_hierarchy *hierarchy;
    srv_remembered_list found;
    int arena_core; /**< the core that touched the arena; -1: there is none */
    servet_pages arena_pages;
    double arena_bytes;
    srv_eviction elements;    /**< the last probe, if it was one of eviction: its memory is kept */
    double elements_ns;       /**< on the trials' clock */
    srv_traversal chased;     /**< the chase of the last probe under load: its memory is kept */
    srv_simulated_run *chase; /**< that chase in a memory at rest; NULL: none yet */
    uint64_t random;          /**< of the noise */
    double clock_ns;
} srv_simulated;

/** Costs of a probe on hardware besides its loads (share/doc/measuring.md), in ns: waiting until a
 * core has reached its frequency, a page fault, a step of the random order, measuring the
 * frequency, starting a thread. */
#define SRV_SETTLE_NS    5e6
#define SRV_FAULT_NS     250.0
#define SRV_ORDER_NS     8.0
#define SRV_FREQUENCY_NS 110e3
#define SRV_THREAD_NS    20e3

/** Step of the virtual clock, in ns. */
#define SRV_CLOCK_STEP_NS 1.0

/** Advances the clock by undisturbed time and the time stolen meanwhile. */
void srv_simulated_pass(srv_simulated *sim, double ns);

/** Time in which a core touches an array first, in ns. */
double srv_simulated_fault_ns(const srv_simulated *sim, double bytes);

/** The frequency of a core, changed by drift. */
double srv_simulated_ghz(const srv_simulated *sim, int pu);

/** Forgets the memory of the last probe of eviction: each other probe has memory of its own. */
void srv_simulated_drop_elements(srv_simulated *sim);

/** Errors: SERVET_EMEMORY (the arrays of a probe do not fit into the memory). */
int srv_simulated_check_room(const srv_simulated *sim, double bytes, servet_error *error);

/** Errors: SERVET_EINTERRUPTED (srv_hierarchy_ended()). */
int srv_simulated_check_ended(const srv_simulated *sim, servet_error *error);

/** Finds the PU of a core and the node of its memory (0: its own). Errors: SERVET_EARGUMENT. */
int srv_simulated_access(const srv_simulated *sim, int core, int node, srv_access *access,
                         servet_error *error);

/** Rates of `count` samples, at most SRV_SAMPLES_MAX, from now on, of which each does this work in
 * `sample_ns`, seen through the noise; per ns. */
srv_spread srv_simulated_rates(srv_simulated *sim, double work, double sample_ns, int count);

/**
 * Runs traversals, at least one; `runs[i]`, zeroed, is then that of `traversals[i]`: finished, and
 * without noise. Threads that must have the same results as others, or as those of an earlier
 * probe, are not simulated. Errors: SERVET_EARGUMENT (no such core or NUMA node), SERVET_EMEMORY,
 * SERVET_EUNSUPPORTED, SERVET_EINTERRUPTED.
 */
int srv_simulated_run_together(srv_simulated *sim, const srv_traversal *traversals, int count,
                               srv_simulated_run *runs, servet_error *error);

/** ns of the steps on hardware before the caches of a run are measured; alone: the arena of the
 * last traversal is used again. */
double srv_simulated_prepare_ns(srv_simulated *sim, const srv_traversal *traversal,
                                const srv_simulated_run *run, bool alone);

/** Samples of a run with the noise of the machine, each at its time. */
void srv_simulated_read(srv_simulated *sim, const srv_traversal *traversal, srv_simulated_run *run,
                        srv_timing *timing);

/** Frees the results of earlier probes. */
void srv_simulated_forget(srv_simulated *sim);

#define SRV_SIMULATED_AT_ONCE_(KIND, name, request, answer)                                        \
    int srv_simulated_##name(srv_simulated *sim, const request *requests, int count,               \
                             answer *answers, servet_error *error);
#define SRV_SIMULATED_ALONE_(KIND, name, request, answer)                                          \
    int srv_simulated_##name(srv_simulated *sim, const request *wanted, answer *found,             \
                             servet_error *error);
SRV_PROBES_AT_ONCE(SRV_SIMULATED_AT_ONCE_)
SRV_PROBES_ALONE(SRV_SIMULATED_ALONE_)
int srv_simulated_evict(srv_simulated *sim, const srv_eviction *eviction, float *ns,
                        servet_error *error);

#endif
