/* SPDX-License-Identifier: BSD-3-Clause */
/** Runs the tests of the file that the command line names. */
#include "test.h"

int main(int argc, char **argv)
{
    if (argc > 2)
        test_argument = argv[2];
    return test_run_file(argc > 1 ? argv[1] : NULL);
}
