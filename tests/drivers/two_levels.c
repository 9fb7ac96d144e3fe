/* SPDX-License-Identifier: BSD-3-Clause */
/* two_levels FILE: writes a profile of machines of this type with caches of 32 KiB and 2 MiB. */
#include <stdio.h>
#include <servet/servet.h>

static servet_cache cache(int level, double bytes)
{
    return (servet_cache){
        .level = level,
        .bytes = {bytes, bytes, bytes, 9, SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT, true},
        .reachable_bytes = servet_value_unknown(SERVET_UNIT_BYTE),
        .reported_bytes = servet_value_unknown(SERVET_UNIT_BYTE),
        .verdict = SERVET_VERDICT_NOT_VISIBLE,
        .latency = servet_value_unknown(SERVET_UNIT_SECOND),
        .latency_cycles = servet_value_unknown(SERVET_UNIT_CYCLE),
        .line = servet_value_unknown(SERVET_UNIT_BYTE),
        .confidence = 1,
    };
}

int main(int argc, char **argv)
{
    servet_machine machine = {.hostname = "node",
                              .cores = "0",
                              .pu_count = 1,
                              .core_count = 1,
                              .package_count = 1,
                              .numa_count = 1,
                              .memory_bytes = 1073741824,
                              .page_bytes = 4096};
    const servet_cache caches[] = {cache(1, 32768), cache(2, 2097152)};
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile = NULL;
    int class, kind;
    (void)servet_node_fingerprint(machine.fingerprint, sizeof machine.fingerprint);
    if (argc == 2 && !servet_profile_create(&profile, &error) &&
        !servet_profile_add_class(profile, "node", &machine, &class, &error) &&
        !servet_profile_add_kind(profile, class, "core", "0", &kind, &error) &&
        !servet_profile_set(profile, class, "kinds.1.caches", caches, sizeof *caches, 2, &error))
        servet_profile_write(profile, argv[1], &error);
    servet_profile_close(profile);
    if (error.code)
        fprintf(stderr, "%s\n", error.text);
    return error.code || argc != 2;
}
