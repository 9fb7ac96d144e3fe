/* SPDX-License-Identifier: BSD-3-Clause */
/** Copies from and to accelerators: several visits to each row, at different moments. Other work
 * only slows copies down: the fastest visit counts. */
#ifndef SRV_FACTS_ACCELERATORS_BENCHMARK_H
#define SRV_FACTS_ACCELERATORS_BENCHMARK_H

#include "sample/sampler.h"

/** Time of a visit as long as none is known, s: memory is touched and pinned, the link warms up,
 * and the samples. */
#define SRV_COPY_SECONDS 60e-3

/** Copies in flight, and bytes of each, whose rate is that of the link: requesting them and waiting
 * takes some 10 us, and 64 MiB some ms even at 20 GB/s, 0.3 ms on the fastest links. A small copy
 * is a line. */
#define SRV_COPY_IN_FLIGHT   4
#define SRV_COPY_LARGE_BYTES (64. * (1 << 20))
#define SRV_COPY_SMALL_BYTES 64.

enum { SRV_COPY_VISITS_MAX = 5 };

/** A visit to one of the copies of a row. */
typedef struct srv_copy_visit {
    double ns, fast; /**< of one copy: median and lower quartile */
} srv_copy_visit;

/** Copies at once. */
typedef struct srv_copy_row {
    srv_copy copy[SRV_DEVICES_MAX];
    int count;
    bool refused; /**< the driver does not do them */
    int visits;
    srv_copy_visit visit[SRV_COPY_VISITS_MAX][SRV_DEVICES_MAX];
} srv_copy_row;

/**
 * Visits all rows in turn, which begin without visits, twice, and more often until the two fastest
 * visits are alike; those after the deadline have none. `refusal` becomes the reason of the last
 * row that was refused. Errors: those of the machine, SERVET_EINTERRUPTED.
 */
int srv_bench_copies(const srv_sampler *sampler, srv_copy_row *rows, int count,
                     char refusal[SERVET_TEXT_MAX], servet_error *error);

/** The time of a copy of a row in s, and its rate in B/s: of the fastest visit, in an interval that
 * reaches to the second fastest; not trusted if these differ; unknown without a visit. */
servet_value srv_copy_time(const srv_copy_row *row, int copy);
servet_value srv_copy_rate(const srv_copy_row *row, int copy);

#endif
