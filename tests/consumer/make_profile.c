/* SPDX-License-Identifier: BSD-3-Clause */
/* make_profile PATH: writes the known profile. make_profile --bare PATH: one of a node of which
   nothing was measured. */
#include "known.h"

#include <string.h>

static int write_bare(const char *path)
{
    servet_profile *profile = NULL;
    servet_machine machine;
    int node_class, kind;
    memset(&machine, 0, sizeof machine);
    known_fill_machine(&machine);
    /* answers here */
    (void)servet_node_fingerprint(machine.fingerprint, sizeof machine.fingerprint);

    int code = servet_profile_create(&profile, NULL);
    if (!code)
        code = servet_profile_add_class(profile, "bare", &machine, &node_class, NULL);
    if (!code)
        code = servet_profile_add_kind(profile, node_class, "all", "0-3", &kind, NULL);
    if (!code)
        code = servet_profile_write(profile, path, NULL);
    servet_profile_close(profile);
    return code;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--bare") == 0)
        return write_bare(argv[2]) != SERVET_OK;
    return argc != 2 || known_write_profile(argv[1]) != SERVET_OK;
}
