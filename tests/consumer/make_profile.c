/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the known profile: make_profile PATH */
#include "known.h"

int main(int argc, char **argv)
{
    return argc != 2 || known_write_profile(argv[1]) != SERVET_OK;
}
