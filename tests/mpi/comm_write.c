/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the profile that programs about communicators find: comm_write PATH HOST:RANKS... */
#include <string.h>

#include "comm_profile.h"
#include "servet/record.h"

int main(int argc, char **argv)
{
    const char *names[COMM_HOSTS];
    if (argc != 2 + COMM_HOSTS)
        return 2;
    for (int i = 0; i < COMM_HOSTS; i++)
        names[i] = strtok(argv[2 + i], ":");
    servet_profile *profile = comm_three_hosts(names);
    int code = profile ? servet_profile_write(profile, argv[1], NULL) : SERVET_EARGUMENT;
    servet_profile_close(profile);
    return code != SERVET_OK;
}
