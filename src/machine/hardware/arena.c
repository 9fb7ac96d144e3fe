/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/arena.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"

/* Alignment that lets huge pages of any common size (2 MiB, 16 MiB on POWER) begin at the base. */
static const size_t ALIGNMENT = (size_t)16 << 20;

/* The kernel's own account of the mapping that holds `address`: kB of it on huge pages. */
static double huge_kilobytes(uintptr_t address)
{
    FILE *stream = fopen("/proc/self/smaps", "r");
    if (!stream)
        return NAN;
    char line[512];
    uintptr_t start, end;
    double kilobytes = NAN;
    for (int inside = 0; fgets(line, sizeof line, stream);) {
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &start, &end) == 2)
            inside = start <= address && address < end;
        else if (inside && sscanf(line, "AnonHugePages: %lf kB", &kilobytes) == 1)
            break;
    }
    fclose(stream);
    return kilobytes;
}

static void advise(srv_arena *arena)
{
#if defined(MADV_HUGEPAGE) && defined(MADV_NOHUGEPAGE)
    int advice = arena->pages == SERVET_PAGES_HUGE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE;
    (void)madvise(arena->mapping, arena->mapping_bytes, advice); /* huge_share has the outcome */
#else
    (void)arena;
#endif
}

int srv_arena_init(srv_arena *arena, size_t room, servet_pages pages, servet_error *error)
{
    *arena = (srv_arena)SRV_ARENA_INIT;
    size_t mapping_bytes = room + ALIGNMENT;
    void *mapping = mmap(NULL, mapping_bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED)
        return srv_fail(error, SERVET_EMEMORY, "cannot reserve %zu MiB", room >> 20);
    arena->mapping = mapping;
    arena->mapping_bytes = mapping_bytes;
    arena->base = (char *)(((uintptr_t)mapping + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
    arena->room = room;
    arena->pages = pages;
    advise(arena);
    return SERVET_OK;
}

int srv_arena_grow(srv_arena *arena, size_t bytes, servet_error *error)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), end = (bytes + page - 1) / page * page;
    if (bytes > arena->room)
        return srv_fail(error, SERVET_EMEMORY, "%zu MiB are more than this job may use (%zu MiB)",
                        bytes >> 20, arena->room >> 20);
    arena->used = end > arena->used ? end : arena->used;
    if (end <= arena->bytes)
        return SERVET_OK;
    for (size_t at = arena->bytes; at < end; at += page)
        arena->base[at] = 1;
    arena->bytes = end;
    arena->huge_share =
        fmin(1, huge_kilobytes((uintptr_t)arena->base) * 1024 / (double)(arena->skipped + end));
    return SERVET_OK;
}

void srv_arena_move(srv_arena *arena, size_t room)
{
    size_t whole = arena->skipped + arena->room, touched = arena->skipped + arena->bytes,
           end = arena->skipped + arena->used, next = (end + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    next = next + room <= touched && next + room <= whole ? next : 0;
    arena->base = arena->base - arena->skipped + next;
    arena->bytes = touched - next;
    arena->room = whole - next;
    arena->skipped = next;
    arena->used = 0;
}

void srv_arena_finish(srv_arena *arena)
{
    if (arena->mapping)
        munmap(arena->mapping, arena->mapping_bytes);
    *arena = (srv_arena)SRV_ARENA_INIT;
}
