/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Results of probes in the simulated hierarchy, before the noise: a probe that must have the same
 * result is not simulated again.
 */
#ifndef SRV_MODEL_REMEMBERED_H
#define SRV_MODEL_REMEMBERED_H

#include <stddef.h>
#include <stdint.h>

/** Number of places for findings; a later one replaces the one at its place. */
enum { SRV_REMEMBERED_MAX = 2048 };

/** Bytes that are kept at a time, at most. */
enum { SRV_REMEMBERED_BYTES_MAX = 16 << 20 };

/** A zeroed list is valid. */
typedef struct srv_remembered_list {
    struct {
        uint64_t key;
        size_t bytes;
        void *found; /**< NULL: nothing */
    } at[SRV_REMEMBERED_MAX];
    size_t bytes; /**< of all */
} srv_remembered_list;

/** Returns the entry of `key`, a sum over all that determines it; NULL: nothing, or no longer. */
const void *srv_remembered_find(const srv_remembered_list *list, uint64_t key);

/** Keeps a copy of `bytes` > 0 bytes. Without memory, or room for them, it keeps nothing. */
void srv_remembered_keep(srv_remembered_list *list, uint64_t key, const void *found, size_t bytes);

/** Frees its memory; the list is empty. */
void srv_remembered_forget(srv_remembered_list *list);

#endif
