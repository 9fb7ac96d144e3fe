/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the places that other ranks report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/hardware/binding.h"

/* A text that other ranks sent, from `at` to `end`, which ends with a null character. */
typedef struct received {
    const char *at, *end;
} received;

/* The next part; "" behind the last one. */
static const char *next_text(received *text)
{
    const char *part = text->at;
    if (part == text->end)
        return "";
    text->at += strlen(part) + 1;
    return part;
}

static int fail_cut(servet_error *error)
{
    return srv_fail(error, SERVET_ECOMMUNICATION, "what it says of its cores is cut short");
}

/* A thread takes two characters at least. */
static int read_threads(received *text, srv_observed_binding *binding, servet_error *error)
{
    if (binding->thread_count < 0 || binding->thread_count > (text->end - text->at) / 2)
        return fail_cut(error);
    binding->threads = calloc((size_t)binding->thread_count + 1, sizeof *binding->threads);
    if (!binding->threads)
        return srv_fail_memory(error);
    for (int i = 0; i < binding->thread_count; i++) {
        binding->threads[i].cores = next_text(text);
        binding->threads[i].core = atoi(next_text(text));
    }
    return SERVET_OK;
}

int srv_observed_binding_read(const char *text, size_t size, srv_observed_binding *binding,
                              servet_error *error)
{
    int openmp = 0;
    *binding = (srv_observed_binding){.host = ""};
    if (size == 0 || text[size - 1])
        return fail_cut(error);
    received from = {text, text + size};
    binding->host = next_text(&from);
    binding->requested = next_text(&from);
    binding->job = next_text(&from);
    binding->job_whole = next_text(&from);
    binding->cores = next_text(&from);
    binding->cores_whole = next_text(&from);
    if (sscanf(next_text(&from), "%d %d %d", &openmp, &binding->core_count,
               &binding->thread_count) != 3)
        return fail_cut(error);
    binding->openmp = openmp;
    return read_threads(&from, binding, error);
}
