/* SPDX-License-Identifier: BSD-3-Clause */
/** Structs and a profile whose every value the Fortran tests know. */
#ifndef SRV_TESTS_KNOWN_H
#define SRV_TESTS_KNOWN_H

#include <servet/servet.h>

/** Number k in every member: k + 1/2 within k + 1/4 .. k + 3/4, k samples, trusted if k is odd. */
servet_value known_value(int k, servet_unit unit, servet_method method);

/** Fill every member with a value of its own (fortran/tests/raw_layout.f90 lists them). */
void known_fill_value(servet_value *value);
void known_fill_error(servet_error *error);
void known_fill_at(servet_at *at);
void known_fill_run(servet_run *run);
void known_fill_kind(servet_kind *kind);
void known_fill_machine(servet_machine *machine);
void known_fill_cache(servet_cache *cache);

/** sizeof of the struct called `name` ("servet_cache"); 0 for another name. */
size_t known_size(const char *name);

/**
 * Writes a profile to `path`: class "thin" with the core kinds "big" (cores 0-3, three levels,
 * memory latency 100 ns) and "little" (cores 4-7, one level, memory latency unknown), and class
 * "fat" whose caches were not measured. 0 or an error code of the library.
 */
int known_write_profile(const char *path);

#endif
