/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/prefetch.h"

/* Consecutive ascending loads after which a stream is prefetched. */
enum { ASCENTS_MIN = 2 };

typedef int see(srv_prefetcher *prefetcher, int64_t address, int64_t *offsets);

static bool same_page(const srv_prefetcher *prefetcher, int64_t a, int64_t b)
{
    return (a ^ b) < prefetcher->page && (a ^ b) >= 0;
}

static int see_next_line(srv_prefetcher *prefetcher, int64_t address, int64_t *offsets)
{
    offsets[0] = address & prefetcher->line ? -prefetcher->line : prefetcher->line;
    return 1;
}

/* A distance that occurs twice in a row is expected a third time. */
static int see_stride(srv_prefetcher *prefetcher, int64_t address, int64_t *offsets)
{
    int64_t stride = address - prefetcher->last;
    bool follows = stride != 0 && stride == prefetcher->stride && stride <= prefetcher->reach &&
                   -stride <= prefetcher->reach && same_page(prefetcher, address, address + stride);
    prefetcher->last = address;
    prefetcher->stride = stride;
    offsets[0] = stride;
    return follows;
}

static int run_ahead(const srv_prefetcher *prefetcher, int64_t line, int64_t *ahead,
                     int64_t *offsets)
{
    int count = 0;
    int64_t from = *ahead > line ? *ahead : line;
    for (int64_t next = from + prefetcher->line;
         next <= line + prefetcher->reach && same_page(prefetcher, line, next) &&
         count < SRV_PREFETCH_LINES_MAX;
         next += prefetcher->line) {
        offsets[count++] = next - line;
        *ahead = next;
    }
    return count;
}

static int see_stream(srv_prefetcher *prefetcher, int64_t address, int64_t *offsets)
{
    int64_t page = address / prefetcher->page, line = address & -prefetcher->line;
    int at = (int)(page % SRV_PREFETCH_STREAMS);
    if (prefetcher->stream[at].page != page || line < prefetcher->stream[at].last ||
        line - prefetcher->stream[at].last > prefetcher->reach) {
        prefetcher->stream[at].page = page;
        prefetcher->stream[at].last = prefetcher->stream[at].ahead = line;
        prefetcher->stream[at].ascents = 0;
        return 0;
    }
    prefetcher->stream[at].ascents += line > prefetcher->stream[at].last;
    prefetcher->stream[at].last = line;
    if (prefetcher->stream[at].ascents < ASCENTS_MIN)
        return 0;
    return run_ahead(prefetcher, line, &prefetcher->stream[at].ahead, offsets);
}

int srv_prefetcher_see(srv_prefetcher *prefetcher, uint64_t address,
                       int64_t offsets[SRV_PREFETCH_LINES_MAX])
{
    static see *const types[SRV_PREFETCHER_COUNT] = {
        [SRV_PREFETCH_NEXT_LINE] = see_next_line,
        [SRV_PREFETCH_STRIDE] = see_stride,
        [SRV_PREFETCH_STREAM] = see_stream,
    };
    return types[prefetcher->type](prefetcher, (int64_t)address, offsets);
}

void srv_prefetcher_init(srv_prefetcher *prefetcher, const srv_model_prefetcher *model,
                         double line_bytes, double page_bytes)
{
    *prefetcher = (srv_prefetcher){.type = model->type,
                                   .reach = (int64_t)model->reach_bytes,
                                   .line = (int64_t)line_bytes,
                                   .page = (int64_t)page_bytes,
                                   .last = -1};
    for (int i = 0; i < SRV_PREFETCH_STREAMS; i++)
        prefetcher->stream[i].page = -1;
}
