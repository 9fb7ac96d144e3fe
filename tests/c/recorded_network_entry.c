/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes of a network and their answers as lines of text, and back. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/recorded/entry.h"
#include "machine/recorded/network_entry.h"

static char *line(const srv_network_entry *entry)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    srv_network_probe_write(entry, false, stream);
    srv_network_answer_write(entry, stream);
    fclose(stream);
    return text;
}

static char *loosely(const srv_network_entry *entry)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    srv_network_probe_write(entry, true, stream);
    fclose(stream);
    return text;
}

static const srv_rank_pair pairs[3] = {{0, 1}, {2, 3}, {7, 4}};
static const srv_exchange exchange = {.pairs = pairs,
                                      .count = 3,
                                      .bytes = 33554433,
                                      .flow = SRV_FLOW_ONE_WAY,
                                      .buffers = SRV_BUFFERS_ROTATED,
                                      .seconds = 0.005};

static void a_batch_is_written_with_its_number_of_messages(void **state)
{
    (void)state;
    srv_exchange batch = {.pairs = pairs,
                          .count = 1,
                          .bytes = 512,
                          .flow = SRV_FLOW_AT_ONCE,
                          .seconds = 0.001,
                          .batch = 8};
    srv_network_entry entry = srv_entry_pass(&batch, NULL);
    char *loose = loosely(&entry), text[SERVET_NAME_MAX];
    assert_string_equal(loose, "batch 8 pass 2 0 512 * 1 0,1");
    srv_network_probe_describe(&entry, text);
    assert_string_equal(text, "batches of 8 messages of 512 bytes");
    free(loose);
    batch.batch = 1;
    loose = loosely(&entry);
    assert_string_equal(loose, "pass 2 0 512 * 1 0,1");
    free(loose);
}

static void an_exchange_is_written_as_a_short_line(void **state)
{
    (void)state;
    srv_spread times[3] = {{2.3457e-6, 2.3337e-6, 2.3377e-6, 2.3607e-6, 12},
                           {100e-6, 100e-6, 100e-6, 100e-6, 12},
                           {3e-6, 3e-6, 3e-6, 4e-6, 11}};
    srv_network_entry entry = srv_entry_pass(&exchange, times);
    char *text = line(&entry), *loose = loosely(&entry);
    const char *answer;
    assert_string_equal(text,
                        "pass 1 1 33554433 0.005 3 0,1 2,3 7,4 = 12 -10 23457,12,8,15 1000000 "
                        "30000,0,0,1000,11");
    assert_string_equal(loose, "pass 1 1 33554433 * 3 0,1 2,3 7,4");
    assert_true(srv_recorded_probe_matches(text, loose, &answer));
    assert_false(srv_recorded_probe_matches(text, "pass 1 1 33554433 * 3 0,1 2,3 7,5", &answer));
    free(text);
    free(loose);
}

static char *answer_of(const srv_network_entry *entry)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    srv_network_answer_write(entry, stream);
    fclose(stream);
    return text;
}

/* An entry that was read is written in the same way. */
static void comes_back(const srv_network_entry *written, const srv_network_entry *read)
{
    char *text = answer_of(written);
    assert_int_equal(srv_network_answer_read(text, read), SERVET_OK);
    char *again = answer_of(read);
    assert_string_equal(text, again);
    free(text);
    free(again);
}

static void near(double read, double written)
{
    assert_true(fabs(read - written) <= 1e-3 * written);
}

/* Half a nanosecond to an hour, with all digits of a double. */
static void times_are_read_back(void **state)
{
    (void)state;
    for (double scale = 0.5e-9; scale < 3600; scale *= 7.3) {
        srv_spread read[3], times[3] = {{scale * 4 / 3, scale, scale * 1.1, scale * 1.7, 1},
                                        {scale, scale * 0.99999, scale, scale, 33},
                                        {scale * 999, scale * 998, scale * 999, scale * 1e4, 2}};
        srv_network_entry written = srv_entry_pass(&exchange, times),
                          to = srv_entry_pass(&exchange, read);
        comes_back(&written, &to);
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(read[i].median / times[i].median - 1) <= 1e-4);
            near(read[i].minimum, times[i].minimum);
            near(read[i].low, times[i].low);
            near(read[i].high, times[i].high);
            assert_int_equal(read[i].n, times[i].n);
        }
    }
}

static void unknown_values_stay_unknown(void **state)
{
    (void)state;
    srv_spread read[3],
        times[3] = {{NAN, NAN, NAN, NAN, 0}, {0, 0, 0, 0, 3}, {1, 0, INFINITY, 1, 3}};
    srv_network_entry written = srv_entry_pass(&exchange, times),
                      to = srv_entry_pass(&exchange, read);
    comes_back(&written, &to);
    assert_true(isnan(read[0].median) && isnan(read[2].median));
    assert_true(read[1].median == 0);
}

static void noise_is_read_back_by_ranks(void **state)
{
    (void)state;
    static const int ranks[] = {1, 3};
    static const srv_glances glances = {ranks, 2, 0.1};
    srv_rank_noise read[4] = {{.core = {.ghz = 7}}},
                   seen[4] = {[1] = {{0.01234, 0, NAN, 2.45}, SRV_ABSENCE_UNKNOWN},
                              [3] = {{1, 0.5, 0.25, 3}, {0.5, 2, NAN, 1}}};
    srv_network_entry written = srv_entry_glances(&glances, seen),
                      to = srv_entry_glances(&glances, read);
    char *text = line(&written);
    assert_string_equal(text, "noise 0.1 2 1 3 = 0.01234,0,nan,2.45 1,0.5,0.25,3,0.5,2,nan,1");
    free(text);
    comes_back(&written, &to);
    assert_true(read[1].core.lost == 0.01234 && isnan(read[1].core.others));
    assert_true(isnan(read[1].absence.share) && isnan(read[1].absence.foreign));
    assert_true(read[3].core.ghz == 3 && read[3].absence.share == 0.5);
    assert_true(read[3].absence.longest == 2 && read[3].absence.moved == 1);
    assert_true(read[0].core.ghz == 7);
}

static void incomplete_answers_are_refused(void **state)
{
    (void)state;
    static const char *const broken[] = {"",
                                         " =",
                                         " = 12",
                                         " = 12 -10",
                                         " = 12 -10 1",
                                         " = 12 -10 1 2",
                                         " = 12 -10 1 2 3 4",
                                         " = 12 -10 1 2 3,4",
                                         " = 12 -10 1 2 3,4,5,6,7,8",
                                         " = 12 -10 1 2 x",
                                         " = 12 -10 1 2 nano",
                                         " = 12 -99 1 2 3",
                                         " = 12 -10 1,0,0,0,-1 2 3",
                                         " = 12 -10 1,0,0,0,99999999999999999999 2 3",
                                         " = 99999999999999999999 -10 1 2 3",
                                         " = x -10 1 2 3"};
    srv_spread times[3];
    srv_network_entry entry = srv_entry_pass(&exchange, times);
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        if (srv_network_answer_read(broken[i], &entry) != SERVET_EFORMAT)
            fail_msg("'%s'", broken[i]);
    assert_int_equal(srv_network_answer_read(" = 12 -10 1 2 3", &entry), SERVET_OK);
    assert_int_equal(srv_network_answer_read(" ! SERVET_ECOMMUNICATION", &entry),
                     SERVET_ECOMMUNICATION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exchange_is_written_as_a_short_line),
        cmocka_unit_test(a_batch_is_written_with_its_number_of_messages),
        cmocka_unit_test(times_are_read_back),
        cmocka_unit_test(unknown_values_stay_unknown),
        cmocka_unit_test(noise_is_read_back_by_ranks),
        cmocka_unit_test(incomplete_answers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
