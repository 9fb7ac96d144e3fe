/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorded_run.h"

void unpack_run(const char *run, char path[TEST_PATH_MAX])
{
    char command[4 * TEST_PATH_MAX];
    assert_true(snprintf(path, TEST_PATH_MAX, "%s/run", folder) < TEST_PATH_MAX);
    int length = snprintf(command, sizeof command,
                          "rm -rf '%s' && cp -r '%s/tests/data/machines/%s' '%s' && "
                          "find '%s' -name '*.xz' -exec xz -d {} +",
                          path, getenv("SOURCE_ROOT"), run, path, path);
    assert_true(length < (int)sizeof command);
    if (system(command) != 0)
        fail_msg("%s was not unpacked", run);
}
