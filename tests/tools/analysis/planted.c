/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of which each analyzer must find one, so that a tool that finds nothing is not taken for
 * clean code. The file is not compiled otherwise. */
#include <stdlib.h>

int planted(int n);

int planted(int n)
{
    int *one = NULL;
    if (n > 3)
        *one = n;
    return n == 0 ? 5 / n : n;
}
