/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries a cache of the profile $SERVET_PROFILE, as any program does; with -DGROWN=1 as one that
 * knows what grown.sh adds. */
#include <stdio.h>
#include <string.h>

#include <servet/servet.h>

int main(void)
{
    servet_profile *profile;
    const servet_at at = {.node_class = "thin", .core = 0};
    struct {
        servet_cache cache;
        char behind[64];
    } given;
    memset(&given, 'x', sizeof given);
    if (servet_profile_open(&profile, NULL, NULL) ||
        servet_cache_get(profile, &at, 2, &given.cache))
        return 1;
    printf("level %d: %g B\n", given.cache.level, given.cache.bytes.value);
    for (size_t i = 0; i < sizeof given.behind; i++)
        if (given.behind[i] != 'x')
            puts("behind the struct was written");
#if GROWN
    printf("grown: %g by %d\n", given.cache.grown, servet_grown());
#else
    printf("reserved: %s\n", given.cache.reserved[0] ? "in use" : "zero");
#endif
    servet_profile_close(profile);
    return 0;
}
