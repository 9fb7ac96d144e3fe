/* SPDX-License-Identifier: BSD-3-Clause */
/** Runs the tests of the file that the command line names. */
#include "test.h"

#include <unistd.h>

int main(int argc, char **argv)
{
    /* Without the leak check at exit: it traces the program, and a set-uid program cannot be
     * traced. */
    if (argc > 2 && test_answer)
        _exit(test_answer(argv[2]));
    return test_run_file(argc > 1 ? argv[1] : NULL);
}
