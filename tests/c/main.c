/* SPDX-License-Identifier: BSD-3-Clause */
/** Runs the tests of a file that has no main() of its own. */
#include "test.h"

int main(void)
{
    return test_run_added();
}
