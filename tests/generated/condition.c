/* SPDX-License-Identifier: BSD-3-Clause */
#include "condition.h"

#include <stdlib.h>
#include <string.h>

static const condition conditions[] = {
    {"outliers", .jitter = 0.02, .outlier_share = 0.01, .outlier_factor = 10},
    {"sibling", .jitter = 0.02, .outlier_factor = 1, .sibling_busy = 1. / 3},
};

bool condition_find(const char *word, condition *found)
{
    char *end;
    *found = (condition){word, .jitter = strtod(word, &end), .outlier_factor = 1};
    if (end > word && *end == '\0')
        return found->jitter >= 0 && found->jitter <= 1;
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (strcmp(conditions[i].word, word) == 0) {
            *found = conditions[i];
            return true;
        }
    return false;
}

json_t *condition_noise(const condition *of, int levels)
{
    json_t *noise = json_pack("{sf sf sf}", "jitter", of->jitter, "outlier_share",
                              of->outlier_share, "outlier_factor", of->outlier_factor);
    if (of->sibling_busy > 0)
        json_object_set_new(noise, "sibling",
                            json_pack("{sf si}", "busy", of->sibling_busy, "levels", levels));
    return noise;
}
