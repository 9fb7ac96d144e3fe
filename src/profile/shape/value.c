/* SPDX-License-Identifier: BSD-3-Clause */
/* Common parts of the shapes of all families: words, values, modes, doubts. */
#include "profile/shape/shape.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "core/units.h"

static_assert(sizeof(servet_unit) == sizeof(int), "SRV_WORD holds enums as int");

static const char *const method_texts[] = {SERVET_METHOD_LIST(SRV_TEXT_OF)};
static const char *const cache_kind_texts[] = {SERVET_CACHE_KIND_LIST(SRV_TEXT_OF)};
static const char *const verdict_texts[] = {SERVET_VERDICT_LIST(SRV_TEXT_OF)};
static const srv_words units = {SRV_UNIT_COUNT, srv_unit_symbols};
/* The methods in files: only answers are interpolated. */
static const srv_words methods = {SERVET_METHOD_INTERPOLATED, method_texts};
static_assert(SERVET_METHOD_INTERPOLATED == SERVET_METHOD_COUNT - 1, "all others are stored");
const srv_words srv_cache_kind_words = SRV_WORDS(cache_kind_texts),
                srv_verdict_words = SRV_WORDS(verdict_texts);

SRV_NAMES(servet_verdict_name, servet_verdict, SERVET_VERDICT_LIST)

/* --- values ----------------------------------------------------------------------------------- */

static int check_value(const void *item, srv_json_path *where)
{
    const servet_value *value = item;
    if (!(value->low <= value->value && value->value <= value->high))
        return srv_json_path_fail(where, "the value lies outside its interval low..high");
    return SERVET_OK;
}

static const srv_field value_fields[] = {
    SRV_MEMBER(servet_value, value, .type = SRV_NUMBER),
    SRV_MEMBER(servet_value, low, .type = SRV_NUMBER,
               .detail = "lower end of the 95 % interval: low <= value <= high"),
    SRV_MEMBER(servet_value, high, .type = SRV_NUMBER),
    SRV_MEMBER(servet_value, unit, .type = SRV_WORD, .words = &units, .optional = true,
               .detail = "absent: the one that this member must have"),
    SRV_MEMBER(servet_value, samples, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE,
               .most = INT_MAX),
    SRV_MEMBER(servet_value, method, .type = SRV_WORD, .words = &methods, .optional = true,
               .first_word = SERVET_METHOD_NONE + 1,
               .detail = "absent: timed; what is not known is null"),
    SRV_MEMBER(servet_value, trusted, .type = SRV_BOOL, .optional = true, .detail = "absent: true"),
    SRV_END,
};
const srv_shape srv_value_shape = {
    .name = "value", .fields = value_fields, .size = sizeof(servet_value), .check = check_value};

/* --- modes ------------------------------------------------------------------------------------ */

static int check_bimodal(const void *item, srv_json_path *where)
{
    const srv_bimodal *modes = item;
    if (!(modes->first < modes->second))
        return srv_json_path_fail(where, "of two modes the smaller value comes first");
    return SERVET_OK;
}

static const srv_field bimodal_fields[] = {
    SRV_CHARS(srv_bimodal, fact, .needed = true,
              .detail = "its key, such as distance.layers.1.latency_ns"),
    SRV_MEMBER(srv_bimodal, first, .type = SRV_NUMBER, .range = SRV_POSITIVE,
               .detail = "the smaller value, in the unit of the fact's value"),
    SRV_MEMBER(srv_bimodal, first_share, .type = SRV_NUMBER, .range = SRV_SHARE,
               .detail = "share of the repeats with this value"),
    SRV_MEMBER(srv_bimodal, second, .type = SRV_NUMBER, .range = SRV_POSITIVE,
               .detail = "the larger value"),
    SRV_MEMBER(srv_bimodal, second_share, .type = SRV_NUMBER, .range = SRV_SHARE),
    SRV_END,
};
const srv_shape srv_bimodal_shape = {
    .name = "modes", .fields = bimodal_fields, .size = sizeof(srv_bimodal), .check = check_bimodal};

/* --- doubts ----------------------------------------------------------------------------------- */

static const srv_field doubt_fields[] = {
    SRV_CHARS(srv_doubt, fact, .needed = true,
              .detail = "the member with all that is in it, such as kinds.caches.groups, or "
                        "layers.2.points of the second layer alone; count after a list is the "
                        "number of its items"),
    SRV_CHARS(srv_doubt, reason, .needed = true, .detail = "for people"),
    SRV_END,
};
const srv_shape srv_doubt_shape = {
    .name = "doubt", .fields = doubt_fields, .size = sizeof(srv_doubt)};
