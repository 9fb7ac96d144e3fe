/* SPDX-License-Identifier: BSD-3-Clause */
/* The known profile: classes, kinds and caches; known_node.c and known_network.c add the rest. */
#include "known.h"

#include <string.h>
#include "../../tests/record.h"

static servet_cache level(int number, double bytes, double ns)
{
    return (servet_cache){
        .level = number,
        .kind = SERVET_CACHE_CAPACITY,
        .bytes = known_around(bytes, SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT),
        .ways = known_around(8, SERVET_UNIT_NONE, SERVET_METHOD_CONFLICT),
        .sets = known_around(bytes / 512, SERVET_UNIT_NONE, SERVET_METHOD_CONFLICT),
        .reachable_bytes = known_around(1.03125 * bytes, SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT),
        .reported_bytes = known_around(bytes, SERVET_UNIT_BYTE, SERVET_METHOD_OS),
        .verdict = SERVET_VERDICT_AGREES,
        .latency = known_around(1e-9 * ns, SERVET_UNIT_SECOND, SERVET_METHOD_TIMED),
        .latency_cycles = known_around(2 * ns, SERVET_UNIT_CYCLE, SERVET_METHOD_TIMED),
        .line = known_around(64, SERVET_UNIT_BYTE, SERVET_METHOD_OS),
        .confidence = 0.875,
    };
}

/* A cache that other machines' work shares: its reachable size differs from the report of the
 * operating system. */
static servet_cache turnover_level(int number, double bytes, double ns)
{
    servet_cache cache = level(number, bytes, ns);
    cache.kind = SERVET_CACHE_TURNOVER;
    cache.bytes.method = SERVET_METHOD_TURNOVER;
    cache.bytes.trusted = false;
    cache.ways = cache.sets = servet_value_unknown(SERVET_UNIT_NONE);
    cache.reported_bytes = servet_value_unknown(SERVET_UNIT_BYTE);
    cache.verdict = SERVET_VERDICT_NOT_VISIBLE;
    return cache;
}

static int add_thin(servet_profile *profile, servet_error *error)
{
    const servet_cache big[] = {level(1, 49152, 1.5), level(2, 2097152, 4.5),
                                turnover_level(3, 8388608, 37.5)};
    const char *const pairs[] = {"0,2", "1,3"};
    const servet_sharing sharing = {.confidence = 0.75, .verdict = SERVET_VERDICT_DIFFERS};
    const servet_cache little[] = {level(1, 32768, 2.5)};
    const servet_value memory = known_around(100e-9, SERVET_UNIT_SECOND, SERVET_METHOD_TIMED);
    const servet_value unknown = servet_value_unknown(SERVET_UNIT_SECOND);
    servet_machine machine;
    memset(&machine, 0, sizeof machine);
    known_fill_machine(&machine);
    FILL(machine.cores, "0-7");
    /* answers here, too */
    (void)servet_node_fingerprint(machine.fingerprint, sizeof machine.fingerprint);

    int thin, kind, code;
    code = servet_profile_add_class(profile, "thin", &machine, &thin, error);
    if (!code)
        code = servet_profile_add_kind(profile, thin, "big", "0-3", &kind, error);
    if (!code)
        code = record_caches(profile, thin, kind, big, 3, &memory, error);
    if (!code)
        code = record_cache_groups(profile, thin, kind, 2, pairs, 2, &sharing, error);
    if (!code)
        code = known_add_node(profile, thin, kind, error);
    if (!code)
        code = servet_profile_add_kind(profile, thin, "little", "4-7", &kind, error);
    if (!code)
        code = record_caches(profile, thin, kind, little, 1, &unknown, error);
    return code;
}

static int add_fat(servet_profile *profile, servet_error *error)
{
    servet_machine machine;
    memset(&machine, 0, sizeof machine);
    known_fill_machine(&machine);
    FILL(machine.hostname, "node18");
    FILL(machine.cpu, "Another CPU of the tests");
    FILL(machine.cores, "0-15");

    int fat, kind;
    int code = servet_profile_add_class(profile, "fat", &machine, &fat, error);
    return code ? code : servet_profile_add_kind(profile, fat, "all", "0-15", &kind, error);
}

int known_write_profile(const char *path)
{
    servet_profile *profile = NULL;
    servet_error error = SERVET_ERROR_INIT;
    servet_run run;
    memset(&run, 0, sizeof run);
    known_fill_run(&run);

    int code = servet_profile_create(&profile, &error);
    if (!code)
        code = servet_profile_set_run(profile, &run, &error);
    if (!code)
        code = add_thin(profile, &error);
    if (!code)
        code = add_fat(profile, &error);
    if (!code)
        code = known_add_network(profile, &error);
    if (!code)
        code = servet_profile_write(profile, path, &error);
    servet_profile_close(profile);
    if (code)
        fprintf(stderr, "known profile: %s\n", error.text);
    return code;
}
