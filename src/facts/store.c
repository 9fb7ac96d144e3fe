/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/store.h"

#include <stdarg.h>
#include <stdio.h>

int srv_store(servet_profile *profile, int node_class, const void *facts, size_t size, int count,
              servet_error *error, const char *path, ...)
{
    char text[SERVET_TEXT_MAX];
    va_list numbers;
    va_start(numbers, path);
    vsnprintf(text, sizeof text, path, numbers);
    va_end(numbers);
    return servet_profile_set(profile, node_class, text, facts, size, count, error);
}

int srv_doubt_facts(servet_profile *profile, int node_class, const char *reason,
                    servet_error *error, const char *paths, ...)
{
    char text[SERVET_TEXT_MAX];
    va_list numbers;
    va_start(numbers, paths);
    vsnprintf(text, sizeof text, paths, numbers);
    va_end(numbers);
    return servet_profile_distrust(profile, node_class, text, reason, error);
}
