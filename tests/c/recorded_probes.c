/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests and answers as lines of text, and back. */
#include "test.h"

#include "machine/recorded/probes.h"

/* The text before and after "=" is that of the call, and what is read from it is written alike. */
static void is_written_as(const srv_call *call, const char *request, const char *answer)
{
    char *request_text = srv_call_text(call, false),
         *answer_text = srv_answer_text(call, SERVET_OK);
    assert_string_equal(request_text, request);
    assert_string_equal(answer_text, answer);
    free(request_text);
    free(answer_text);
}

TEST(a_line_is_found_by_its_request)
{
    srv_glance glance = {3, 0.1};
    srv_noise noise = {0.25, NAN, 0, 3.5};
    srv_call call = {SRV_PROBE_NOISE, &glance, 1, &noise, 1, NULL, NULL};
    static const char line[] = "noise 1 3 0.1 = 1 0.25 nan 0 3.5";
    const char *answer;
    is_written_as(&call, "noise 1 3 0.1", " = 1 0.25 nan 0 3.5");
    char *loose = srv_call_text(&call, true);
    assert_string_equal(loose, "noise 1 3 *");
    assert_true(srv_call_matches(line, "noise 1 3 0.1", &answer));
    assert_string_equal(answer, " = 1 0.25 nan 0 3.5");
    assert_true(srv_call_matches(line, loose, &answer));
    assert_false(srv_call_matches(line, "noise 1 2 0.1", &answer));
    assert_false(srv_call_matches(line, "noise 1 3", &answer));
    assert_false(srv_call_matches("at 0.5", loose, &answer));
    free(loose);
}

TEST(every_item_is_read_back)
{
    servet_machine written = {.hostname = "node 7",
                              .os = "",
                              .cpu = "100 % of =!",
                              .cores = "0-3,8",
                              .pu_count = 5,
                              .memory_bytes = 25276510208.0,
                              .page_bytes = 4096,
                              .fingerprint = "cpu=A/1 pus=5",
                              .logical_order = "0,8,1-3"};
    servet_machine read;
    srv_call call = {.kind = SRV_PROBE_DESCRIBE, .answer = &written, .most = 1};
    char *text = srv_answer_text(&call, SERVET_OK);
    memset(&read, 0x5a, sizeof read);
    call.answer = &read;
    assert_ok(srv_answer_read(text, &call));
    assert_string_equal(read.hostname, written.hostname);
    assert_string_equal(read.os, "");
    assert_string_equal(read.cpu, written.cpu);
    assert_string_equal(read.cores, written.cores);
    assert_int_equal(read.pu_count, 5);
    assert_true(read.memory_bytes == written.memory_bytes);
    assert_string_equal(read.fingerprint, written.fingerprint);
    assert_string_equal(read.logical_order, written.logical_order);
    free(text);
}

TEST(lists_have_any_length)
{
    srv_reported read = {.count = 7};
    int core = 1;
    srv_call call = {SRV_PROBE_REPORTED, &core, 1, read.level, SRV_CACHES_MAX, &read.count, NULL};
    assert_ok(srv_answer_read(" = 2 32768 64 0 33554432 64 0-1", &call));
    assert_int_equal(read.count, 2);
    assert_true(read.level[1].bytes == 33554432);
    assert_string_equal(read.level[1].cores, "0-1");
    is_written_as(&call, "reported 1 1", " = 2 32768 64 0 33554432 64 0-1");
}

TEST(a_list_without_a_limit_is_allocated)
{
    srv_sets sets = {NULL, 0};
    void *list = NULL;
    srv_call call = {.kind = SRV_PROBE_OBJECTS, .count = &sets.count, .list = &list};
    assert_ok(srv_answer_read(" = 3 0 1 0-1", &call));
    sets.set = list;
    assert_int_equal(sets.count, 3);
    assert_string_equal(sets.set[2], "0-1");
    is_written_as(&call, "objects 0", " = 3 0 1 0-1");
    srv_sets_finish(&sets);
    list = NULL;
    assert_code(srv_answer_read(" = 2000000000 0", &call), SERVET_EFORMAT);
    assert_null(list);
}

TEST(an_exchange_names_its_pairs)
{
    static const srv_rank_pair pairs[] = {{0, 1}, {7, 4}};
    srv_exchange exchange = {.pairs = pairs,
                             .count = 2,
                             .bytes = 33554433,
                             .flow = SRV_FLOW_ONE_WAY,
                             .buffers = SRV_BUFFERS_ROTATED,
                             .seconds = 0.005,
                             .batch = 8};
    srv_spread times[2] = {{2.5e-6, 2e-6, 2.25e-6, 3e-6, 12}, {NAN, NAN, NAN, NAN, 0}};
    srv_call call = {SRV_PROBE_EXCHANGE, &exchange, 1, times, 2, NULL, NULL};
    is_written_as(&call, "exchange 1 8 1 1 33554433 0.005 2 0 1 7 4",
                  " = 2 2.5e-06 2e-06 2.25e-06 3e-06 12 nan nan nan nan 0");
    char *loose = srv_call_text(&call, true);
    assert_string_equal(loose, "exchange 1 8 1 1 33554433 * 2 0 1 7 4");
    free(loose);
}

/* Times from half a nanosecond to an hour: better than any clock resolves. */
TEST(times_are_read_back)
{
    for (double scale = 0.5e-9; scale < 3600; scale *= 7.3) {
        srv_spread time = {scale * 4 / 3, scale, scale * 1.1, scale * 1.7, 33}, read;
        srv_call call = {.kind = SRV_PROBE_EXCHANGE, .answer = &time, .most = 1};
        char *text = srv_answer_text(&call, SERVET_OK);
        call.answer = &read;
        assert_ok(srv_answer_read(text, &call));
        assert_true(fabs(read.median / time.median - 1) <= 1e-6);
        assert_true(fabs(read.high / time.high - 1) <= 1e-6);
        assert_int_equal(read.n, 33);
        free(text);
    }
}

TEST(a_refusal_is_an_answer)
{
    srv_timing timing;
    srv_call call = {.kind = SRV_PROBE_FALSE_SHARING, .answer = &timing, .most = 1};
    char *text = srv_answer_text(&call, SERVET_EUNSUPPORTED);
    assert_string_equal(text, " ! SERVET_EUNSUPPORTED");
    assert_code(srv_answer_read(text, &call), SERVET_EUNSUPPORTED);
    free(text);
}

TEST(malformed_answers_are_refused)
{
    static const char *const texts[] = {
        "",                                  /* cut off */
        " =",                                /* and here */
        " = 1 0.25 0.2 0.2 0.3",             /* a number too few */
        " = 1 0.25 0.2 0.2 0.3 4 1",         /* one too many */
        " = 1 0.25 0.2 0.2 fast 4",          /* no number */
        " = 2 1 1 1 1 1 1 1 1 1 1",          /* more than requested */
        " = 0",                              /* fewer */
        " = -1",                             /* fewer than none */
        " = 1x 0.25 0.2 0.2 0.3 4",          /* no number of structs */
        " = 1 0.25 0.2 0.2 0.3s 4",          /* more than a number */
        " = 1 0.25 0.2 0.2 1e300 4",         /* no time of anything */
        " = 1 0.25 0.2 0.2 0.3 -4",          /* fewer samples than none */
        " = 1 0.25 0.2 0.2 0.3 99999999999", /* more than anybody takes */
        " ! SERVET_OK",                      /* refused, and not */
        " ! SERVET_EVERYTHING",              /* no error */
    };
    srv_spread time;
    srv_call call = {.kind = SRV_PROBE_EXCHANGE, .answer = &time, .most = 1};
    assert_ok(srv_answer_read(" = 1 0.25 0.2 0.2 0.3 4", &call));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (srv_answer_read(texts[i], &call) != SERVET_EFORMAT)
            fail_msg("'%s' is read", texts[i]);
}

/* A text longer than its array is not cut. */
TEST(texts_that_do_not_fit_are_refused)
{
    char text[SERVET_NAME_MAX + 64];
    srv_core_type types[SRV_CORE_TYPES_MAX];
    int count;
    srv_call call = {
        .kind = SRV_PROBE_CORE_TYPES, .answer = types, .most = SRV_CORE_TYPES_MAX, .count = &count};
    snprintf(text, sizeof text, " = 1 %0*d 0", SERVET_NAME_MAX - 1, 1);
    assert_ok(srv_answer_read(text, &call));
    snprintf(text, sizeof text, " = 1 %0*d 0", SERVET_NAME_MAX, 1);
    assert_code(srv_answer_read(text, &call), SERVET_EFORMAT);
}

/* A request with the same number of other elements is another request. */
TEST(the_elements_of_an_eviction_have_a_hash)
{
    static const uint32_t some[] = {1, 2, 3}, others[] = {1, 3, 2};
    srv_eviction eviction = {.trials = 1, .walked = 2, .others = 1, .element = some};
    srv_hashed_eviction first = srv_eviction_hashed(&eviction);
    eviction.element = others;
    assert_true(srv_eviction_hashed(&eviction).hash != first.hash);
}
