/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Translates virtual to physical addresses: the placement of pages by the operating system, and the
 * TLBs.
 */
#ifndef SRV_MODEL_TRANSLATE_H
#define SRV_MODEL_TRANSLATE_H

#include "sim/set_cache.h"

/* --- placement -------------------------------------------------------------------------------- */

/** Physical memory; no page is allocated twice until all are used. */
typedef struct srv_frames {
    double page_bytes, huge_bytes;   /**< powers of two; huge_bytes 0: there are none */
    uint32_t page_count;             /**< base pages in memory; the upper half is for huge ones */
    uint32_t run;                    /**< neighbouring base pages that stay neighbours */
    uint32_t base_taken, huge_taken; /**< runs and huge pages given out */
    uint64_t seed;
} srv_frames;

/**
 * The memory of a node of the model with its placement: random pages lie anywhere; coloured ones
 * keep the bits of their virtual address that index the physically indexed caches; huge ones lie
 * contiguous over huge_bytes.
 */
void srv_frames_init(srv_frames *frames, const srv_model *model, uint64_t seed);

/** A range of virtual addresses with the pages behind it. */
typedef struct srv_space {
    uint64_t first_page; /**< number of the first page */
    uint32_t *frame;     /**< physical page of each; NULL: an empty space */
    size_t count, room;
    unsigned page_bits; /**< log2 of the page size, base or huge */
    uint64_t offset_mask;
} srv_space;

#define SRV_SPACE_INIT                                                                             \
    {                                                                                              \
        0, NULL, 0, 0, 0, 0                                                                        \
    }

/**
 * Places the pages for `bytes` from virtual address `first` on, and drops earlier pages of the
 * space; on huge pages if they are requested and exist. Errors: SERVET_EMEMORY.
 */
int srv_space_map(srv_space *space, srv_frames *frames, uint64_t first, double bytes, bool huge,
                  servet_error *error);

/** Makes `space` the same range with the same pages as `other`. Errors: SERVET_EMEMORY. */
int srv_space_copy(srv_space *space, const srv_space *other, servet_error *error);

/** Frees the table; an empty space is valid. */
void srv_space_finish(srv_space *space);

/** The page of an address within the space, counted from its first one. */
static inline size_t srv_space_page(const srv_space *space, uint64_t address)
{
    return (size_t)((address >> space->page_bits) - space->first_page);
}

/** The physical address of a virtual address within that page. */
static inline uint64_t srv_space_physical(const srv_space *space, size_t page, uint64_t address)
{
    return ((uint64_t)space->frame[page] << space->page_bits) | (address & space->offset_mask);
}

/* --- translation buffers ---------------------------------------------------------------------- */

/** The TLB levels of one core. */
typedef struct srv_tlb {
    int count;
    srv_set_cache *level[SRV_MODEL_TLBS_MAX];
    double penalty_ns[SRV_MODEL_TLBS_MAX];
} srv_tlb;

/** Errors: SERVET_EMEMORY. srv_tlb_finish() accepts a partly created or zeroed one. */
int srv_tlb_init(srv_tlb *tlb, const srv_model *model, double clock_ghz, servet_error *error);
void srv_tlb_finish(srv_tlb *tlb);

void srv_tlb_flush(srv_tlb *tlb);

/** Translates virtual page `page`, which lies at `frame`; returns the ns that misses add. */
double srv_tlb_use(srv_tlb *tlb, uint64_t page, uint32_t frame, bool huge);

#endif
