/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts that one profile takes from another. */
#include "test.h"
#include "profile_sample.h"

#include "profile_fixture.h"

static servet_profile *other;

TEST_FIXTURE(begin)
{
    profile_begin(NULL);
    assert_ok(servet_profile_copy(profile, &other, NULL));
    return 0;
}

TEST_FIXTURE(end)
{
    servet_profile_close(other);
    return profile_end(NULL);
}

TEST_EACH(begin, end)

static const servet_at fat = {"fat", 0};

static double size_of(const servet_profile *of)
{
    servet_cache cache;
    assert_ok(servet_cache_get(of, &fat, 1, &cache));
    return cache.bytes.value;
}

/* Levels that are stored anew have no groups; they are taken, with a doubt, and nothing else is. */
TEST(facts_and_doubts_are_taken)
{
    servet_cache levels[SERVET_CACHE_LEVELS_MAX];
    servet_trust trust;
    char before[SERVET_TEXT_MAX], after[SERVET_TEXT_MAX];
    int count;
    assert_ok(servet_cache_count(profile, &fat, &count));
    for (int i = 0; i < count; i++)
        assert_ok(servet_cache_get(profile, &fat, i + 1, &levels[i]));
    assert_ok(servet_profile_get(other, &fat, "caches.1.groups", before, sizeof before, NULL));
    assert_ok(servet_profile_distrust(other, 0, "kinds.1.caches.1.groups", "noise", NULL));
    assert_ok(servet_profile_distrust(other, 0, "coherence", "noise", NULL));
    levels[0].bytes.value = levels[0].bytes.high;
    levels[0].ways = levels[0].sets = servet_value_unknown(SERVET_UNIT_NONE);
    assert_ok(
        servet_profile_set(profile, 0, "kinds.1.caches", levels, sizeof *levels, count, NULL));
    assert_int_equal(
        servet_profile_get(profile, &fat, "caches.1.groups", after, sizeof after, NULL),
        SERVET_EUNMEASURED);

    assert_ok(
        servet_profile_take(profile, other, 0, "kinds.caches.groups kinds.caches.sharing", NULL));
    assert_ok(servet_profile_get(profile, &fat, "caches.1.groups", after, sizeof after, NULL));
    assert_string_equal(after, before);
    assert_ok(servet_profile_trust(profile, &fat, "caches.1.groups", &trust, NULL));
    assert_string_equal(trust.reason, "noise");
    assert_ok(servet_profile_trust(profile, &fat, "coherence_line", &trust, NULL));
    assert_true(trust.trusted);
    assert_true(size_of(profile) > size_of(other));
}

TEST(classes_and_facts_must_be_there)
{
    assert_code(servet_profile_take(profile, other, 7, "memory", NULL), SERVET_EARGUMENT);
    assert_code(servet_profile_take(profile, other, 0, "memories", NULL), SERVET_EARGUMENT);
}
