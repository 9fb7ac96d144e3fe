/* SPDX-License-Identifier: BSD-3-Clause */
/* Series recorded on machines of known lines. */
#include "test.h"

#include "facts/line/detect.h"

/* --- blocks ----------------------------------------------------------------------------------- */

static const double apart[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
enum { STEPS = sizeof apart / sizeof *apart };

static servet_value block_of(const double ns[STEPS])
{
    return srv_detect_block(apart, ns, STEPS);
}

/* Two cores of a Granite Rapids guest: 64 bytes. */
TEST(contention_ends_with_the_block)
{
    const double ns[STEPS] = {46.2, 43.1, 43.2, 43.4, 43.2, 43.5, 7.6, 7.6, 7.6, 7.6, 7.7};
    servet_value block = block_of(ns);
    assert_true(block.value == 64 && block.low == 64 && block.high == 64);
    assert_true(block.trusted);
    assert_int_equal(block.unit, SERVET_UNIT_BYTE);
}

TEST(every_block_size_is_found)
{
    for (int at = 1; at < STEPS; at++) {
        double ns[STEPS];
        for (int i = 0; i < STEPS; i++)
            ns[i] = i < at ? 20 : 2.5;
        servet_value block = block_of(ns);
        assert_true(block.value == apart[at] && block.trusted);
    }
}

/* One point was measured while the other core was idle, another one while another program had it.
 */
TEST(single_points_do_not_decide)
{
    const double calm[STEPS] = {46, 43, 43, 8, 43, 43, 8, 8, 8, 8, 8};
    servet_value block = block_of(calm);
    assert_true(block.value == 64 && block.low == 8 && block.high == 64);
    assert_false(block.trusted);
    const double busy[STEPS] = {46, 43, 43, 43, 43, 43, 8, 8, 8, 90, 8};
    block = block_of(busy);
    assert_true(block.value == 64 && block.low == 64 && block.high == 1024);
    assert_false(block.trusted);
    const double away[STEPS] = {45, 45, 45, 45, 45, 45, 8, 8, 8, 8, 19566};
    block = block_of(away);
    assert_true(block.value == 64 && block.low == 64);
    assert_false(block.trusted);
}

/* The cut that leaves both sides nearest to their medians: where one point is contended and all
 * others are not, or the other way round. Outliers count no more than a point of the other side. */
TEST(the_cut_may_be_next_to_an_end)
{
    const double one_near[] = {30, 5, 5.1, 4.9, 5}, one_far[] = {30, 31, 29, 30, 5};
    servet_value block = srv_detect_block(apart, one_near, 5);
    assert_true(block.value == apart[1] && block.low == apart[1] && block.high == apart[1]);
    block = srv_detect_block(apart, one_far, 5);
    assert_true(block.value == apart[4] && block.trusted && block.samples == 5);
    const double outlier[] = {30, 900, 31, 30, 5, 5, 5};
    block = srv_detect_block(apart, outlier, 7);
    assert_true(block.value == apart[4] && block.low == apart[4] && block.trusted);
    const double slightly[] = {7, 7, 7, 5, 5, 5}, enough[] = {7.6, 7.6, 7.6, 5, 5, 5};
    block = srv_detect_block(apart, slightly, 6);
    assert_false(servet_value_known(&block));
    block = srv_detect_block(apart, enough, 6);
    assert_true(block.value == apart[3]);
}

/* Threads that share all caches, or a machine whose lines are larger than the largest distance. */
TEST(without_a_change_there_is_no_block)
{
    double ns[STEPS];
    for (int i = 0; i < STEPS; i++)
        ns[i] = 7.6 * (1 + 0.1 * (i % 3 - 1));
    servet_value block = block_of(ns);
    assert_false(servet_value_known(&block));
    block = srv_detect_block(apart, ns, 0);
    assert_false(servet_value_known(&block));
}

/* --- lines ------------------------------------------------------------------------------------ */

static const double stride[] = {8, 16, 32, 64, 128, 256, 512, 1024};
enum { STRIDES = sizeof stride / sizeof *stride };

static servet_value line_of(srv_line_evidence evidence, const double *first, const double *second,
                            bool *pairs)
{
    evidence.count = STRIDES;
    evidence.stride = stride;
    evidence.first = first;
    evidence.second = second;
    return srv_detect_line(&evidence, pairs);
}

/* A set in the L2 of a Granite Rapids guest (1.4 ns in L1, 4.45 ns in L2). */
TEST(a_second_load_hits_its_line)
{
    const double first[STRIDES] = {3.1, 3.2, 3.6, 4.4, 4.4, 4.5, 4.5, 4.5};
    const double second[STRIDES] = {1.4, 1.4, 1.4, 3.4, 3.6, 4.4, 4.4, 4.3};
    bool pairs = false;
    srv_line_evidence evidence = {.hit_ns = 1.4};
    servet_value line = line_of(evidence, first, second, &pairs);
    assert_true(line.value == 64 && line.trusted);
    evidence.block = 64;
    line = line_of(evidence, first, second, &pairs);
    assert_true(line.value == 64 && line.trusted);
    assert_false(pairs);
}

/* Lines of 64 bytes. A busy thread evicts a part of the first ones before their second loads, the
 * more the further these lie: those 32 bytes behind take longer than halfway to a miss. */
TEST(lines_that_others_evict_leave_a_doubt)
{
    const double first[STRIDES] = {6.8, 6.8, 8.4, 6.9, 10.2, 8.9, 8.1, 13.2};
    const double second[STRIDES] = {2.3, 3.6, 4.9, 6.8, 6.7, 7.5, 7.5, 7.6};
    bool pairs = false;
    const srv_line_evidence evidence = {.hit_ns = 2.2, .block = 64};
    assert_false(line_of(evidence, first, second, &pairs).trusted);
}

/* A first level of 2.6 ns that keeps a third of the set by itself (6.8 ns in the next level):
 * while second loads come between, it keeps none, and these seem to take what first ones do longer.
 */
TEST(a_kept_part_of_the_set_is_no_smaller_line)
{
    const double kept = 1 / 3., hit = 2.6, miss = 6.8, alone = kept * hit + (1 - kept) * miss;
    double first[STRIDES], second[STRIDES];
    for (int i = 0; i < STRIDES; i++) {
        first[i] = alone;
        second[i] = 8 << i < 64 ? hit + miss - alone : alone;
    }
    bool pairs = false;
    srv_line_evidence evidence = {.hit_ns = hit};
    servet_value line = line_of(evidence, first, second, &pairs);
    assert_true(line.value == 64 && line.trusted);
}

/* The line above was taken for 128 bytes, so that the first stride of 64 is no hit. */
TEST(a_first_stride_beyond_the_line_shows_nothing)
{
    const double first[STRIDES] = {100, 100, 100, 100, 100, 100, 100, 100};
    const double second[STRIDES] = {98, 103, 103, 103, 103, 103, 103, 103};
    bool pairs = false;
    const srv_line_evidence evidence = {.hit_ns = 15, .above = 128};
    servet_value line = line_of(evidence, first, second, &pairs);
    assert_false(servet_value_known(&line));
}

/* A set in memory: L2 of 16 ns whose lines are 128 bytes, or 64 with a prefetcher that fetches
 * pairs. */
static const double in_memory[STRIDES] = {120, 120, 120, 120, 120, 120, 120, 120};
static const double to_128[STRIDES] = {2, 2, 2, 16, 119, 118, 120, 119};

TEST(the_block_distinguishes_pairs_from_lines)
{
    bool pairs = false;
    srv_line_evidence evidence = {.hit_ns = 16, .above = 64, .block = 64};
    servet_value line = line_of(evidence, in_memory, to_128, &pairs);
    assert_true(line.value == 64 && line.high == 64 && line.trusted);
    assert_true(pairs);
    pairs = false;
    evidence.block = 128;
    line = line_of(evidence, in_memory, to_128, &pairs);
    assert_true(line.value == 128 && line.trusted);
    assert_false(pairs);
}

/* Behind the caches that the block is about, what was seen there counts. */
TEST(prefetched_pairs_are_assumed_in_later_levels)
{
    bool pairs = true;
    srv_line_evidence evidence = {.hit_ns = 16, .above = 64};
    servet_value line = line_of(evidence, in_memory, to_128, &pairs);
    assert_true(line.value == 64 && line.low == 64 && line.high == 64 && line.trusted);
    pairs = false;
    line = line_of(evidence, in_memory, to_128, &pairs);
    assert_true(line.value == 64 && line.low == 64 && line.high == 128);
    assert_false(line.trusted);
}

/* A Granite Rapids guest that loads from memory, behind an L3 of 37 ns: the neighbour of a line
 * comes into the L2 (4.5 ns), which shows the prefetcher; what comes behind it is fetched in part.
 */
TEST(a_line_closer_than_the_first_was_prefetched)
{
    const double first[STRIDES] = {160, 160, 160, 157, 158, 159, 160, 160};
    const double second[STRIDES] = {2, 2, 3, 7, 130, 131, 130, 130};
    const double partly[STRIDES] = {2, 2, 3, 7, 45, 130, 130, 130};
    const double all[STRIDES] = {2, 2, 3, 7, 45, 20, 44, 50};
    srv_line_evidence evidence = {.hit_ns = 37, .above = 64};
    bool pairs = false;
    servet_value line = line_of(evidence, first, second, &pairs);
    assert_true(pairs && line.value == 64 && line.high == 64 && line.trusted);
    line = line_of(evidence, first, partly, &pairs);
    assert_true(line.value == 64 && line.high == 256 && !line.trusted);
    line = line_of(evidence, first, all, &pairs); /* there is no end */
    assert_false(servet_value_known(&line));
}

/* A model of eight cores on an L2 of 5.3 ns with lines of 128 bytes, behind lines of 64. In pages
 * of 64 KiB a prefetcher follows the pairs, and first loads of pairs take less than those alone:
 * the difference is less than a load of the same line, 1.09 ns, and no time of a load at all. */
TEST(a_prefetcher_that_follows_pairs_shows_no_line)
{
    const double first[STRIDES] = {86.7, 86.7, 86.7, 98.6, 99.9, 101, 101, 101};
    const double follows[STRIDES] = {1.09, 1.09, 1.09, -3.74, 93, 98.9, 101, 101};
    const double pairs_only[STRIDES] = {1.09, 1.09, 1.09, 1.33, 93, 98.9, 101, 101};
    srv_line_evidence evidence = {.hit_ns = 5.31, .above = 64};
    bool pairs = false;
    servet_value line = line_of(evidence, first, follows, &pairs);
    assert_false(pairs);
    assert_true(line.value == 64 && line.high == 128 && !line.trusted);
    line = line_of(evidence, first, pairs_only, &pairs); /* a hit of the first level */
    assert_true(pairs && line.value == 64 && line.high == 64 && line.trusted);
}

/* Two prefetchers may explain the same times, so that the word of the system leaves a doubt. */
TEST(pairs_alone_do_not_overrule_the_system)
{
    const double second[STRIDES] = {1.3, 1.3, 1.3, 2.5, 99, 100, 100, 100};
    srv_line_evidence evidence = {.hit_ns = 5.31, .above = 64, .reported = 128};
    bool pairs = false;
    servet_value line = line_of(evidence, in_memory, second, &pairs);
    assert_true(line.value == 64 && line.high == 128 && !line.trusted);
    evidence.reported = 64;
    line = line_of(evidence, in_memory, second, &pairs);
    assert_true(line.value == 64 && line.high == 64 && line.trusted);
    evidence.reported = 128;
    evidence.block = 64; /* no prefetcher affects it */
    line = line_of(evidence, in_memory, second, &pairs);
    assert_true(line.value == 64 && line.high == 64 && line.trusted);
}

/* Sets of 256 bytes and more have few enough lines to fit the level; only the loads before count.
 */
TEST(working_sets_that_fit_do_not_count)
{
    const double first[STRIDES] = {120, 120, 120, 119, 80, 19, 17, 16};
    const double second[STRIDES] = {2, 2, 2, 118, 78, 18, 16, 16};
    bool pairs = false;
    srv_line_evidence evidence = {.hit_ns = 16};
    servet_value line = line_of(evidence, first, second, &pairs);
    assert_true(line.value == 64 && line.high == 64 && line.trusted);
}

/* Niagara: lines of 16 bytes in L1 and of 64 in L2, four times as much: no pair. */
TEST(much_larger_lines_are_lines)
{
    const double second[STRIDES] = {2.5, 18, 18, 90, 90, 90, 90, 90};
    const double first[STRIDES] = {90, 90, 90, 90, 90, 90, 90, 90};
    bool pairs = false;
    srv_line_evidence evidence = {.hit_ns = 18.3, .above = 16};
    servet_value line = line_of(evidence, first, second, &pairs);
    assert_true(line.value == 64 && line.trusted);
}

TEST(without_evidence_the_line_is_unknown)
{
    const double hits[STRIDES] = {2, 2, 2, 2, 2, 2, 2, 2};
    bool pairs = false;
    srv_line_evidence evidence = {.hit_ns = 16};
    servet_value line = line_of(evidence, in_memory, hits, &pairs);
    assert_false(servet_value_known(&line));
    line = line_of(evidence, in_memory, in_memory, &pairs);
    assert_false(servet_value_known(&line));
    line = line_of(evidence, hits, hits, &pairs); /* the set was in the cache */
    assert_false(servet_value_known(&line));
    evidence.above = 256; /* no line is smaller than the one above it */
    line = line_of(evidence, in_memory, to_128, &pairs);
    assert_false(servet_value_known(&line));
}
