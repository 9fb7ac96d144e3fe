/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints variables whose value is one fact in another unit. */
#include "cli/env/env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A variable. */
typedef struct row row;
struct row {
    const char *target, *name;
    const char *architecture; /* architecture on which the program reads it; NULL: any */
    const char *key;          /* the fact */
    double divisor;           /* unit of the variable in units of the fact */
    const char *unit;         /* text behind the number */
    /* returns whether the fact is useful here; if not, `doubt` says why, and `*lacks` whether
     * another fact is not known. NULL: always */
    bool (*applies)(const row *which, const env_source *from, char doubt[SERVET_TEXT_MAX],
                    bool *lacks);
    const char *sentence; /* meaning of the variable */
    bool unproven;
};

/* OpenBLAS reads the size from the processor: the variable is needed only if that is wrong. */
static bool is_misreported(const row *which, const env_source *from, char doubt[SERVET_TEXT_MAX],
                           bool *lacks)
{
    char verdict[SERVET_TEXT_MAX];
    (void)which;
    *lacks = !env_fact(from, "caches.2.verdict", verdict, doubt);
    if (*lacks)
        return false;
    bool wrong = strcmp(verdict, servet_verdict_name(SERVET_VERDICT_DIFFERS)) == 0 ||
                 strcmp(verdict, servet_verdict_name(SERVET_VERDICT_NOT_VISIBLE)) == 0;
    if (!wrong)
        snprintf(doubt, SERVET_TEXT_MAX, "caches.2.verdict is '%.32s': the system is not wrong",
                 verdict);
    return wrong;
}

/* Returns true if all three numbers are known: otherwise the program would combine them with a
 * number of another machine. */
static bool is_whole_cache(const row *which, const env_source *from, char doubt[SERVET_TEXT_MAX],
                           bool *lacks)
{
    static const char *const members[] = {"ways", "sets", "line"};
    char key[SERVET_NAME_MAX], text[SERVET_TEXT_MAX];
    int length = (int)(strrchr(which->key, '.') - which->key);
    *lacks = false;
    for (size_t i = 0; i < sizeof members / sizeof *members && !*lacks; i++) {
        snprintf(key, sizeof key, "%.*s.%s", length, which->key, members[i]);
        *lacks = !env_fact(from, key, text, doubt);
    }
    return !*lacks;
}

#define SVE_CACHE(level)                                                                           \
    SVE("W", level, "ways", "ways"), SVE("N", level, "sets", "sets"),                              \
        SVE("C", level, "line", "bytes of a line")
#define SVE(letter, level, fact, sentence)                                                         \
    {                                                                                              \
        "blis", "BLIS_SVE_" letter "_L" level, "aarch64", "caches." level "." fact, 1, "",         \
            is_whole_cache, sentence " of the L" level, false                                      \
    }

static const row rows[] = {
    {"openblas", "OPENBLAS_L2_SIZE", "x86_64", "caches.2.bytes", 1024, "", is_misreported,
     "size of the L2, KiB", false},
    SVE_CACHE("1"),
    SVE_CACHE("2"),
    SVE_CACHE("3"),
    /* A copy reads and writes each byte, and memory.single counts both. */
    {"ucx", "UCX_BCOPY_BW", NULL, "memory.single", 2 << 20, "MBps", NULL,
     "bytes that one core copies in a second, MiB", true},
};

static bool reads_it(const row *which, const env_source *from, char doubt[SERVET_TEXT_MAX])
{
    char here[SERVET_TEXT_MAX];
    if (!which->architecture)
        return true;
    if (servet_profile_get(from->profile, &from->at, "machine.architecture", here, sizeof here,
                           NULL) == SERVET_OK &&
        strcmp(here, which->architecture) == 0)
        return true;
    snprintf(doubt, SERVET_TEXT_MAX, "it has an effect on %s only", which->architecture);
    return false;
}

static void print_row(const row *which, const env_source *from)
{
    char text[SERVET_TEXT_MAX], doubt[SERVET_TEXT_MAX];
    bool is_read = reads_it(which, from, doubt);
    bool lacks = is_read && !env_fact(from, which->key, text, doubt);
    if (!is_read || lacks || (which->applies && !which->applies(which, from, doubt, &lacks))) {
        env_leave_out(from, which->name, lacks, doubt);
        return;
    }
    env_explain(from, "%s: %s: %s is %s", which->name, which->sentence, which->key, text);
    if (which->unproven)
        env_mark_unproven(which->name);
    env_print(from, "%s=%.0f%s\n", which->name, strtod(text, NULL) / which->divisor, which->unit);
}

int env_print_numbers(const env_source *from, const char *target, servet_error *error)
{
    (void)error;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].target, target) == 0)
            print_row(&rows[i], from);
    return SERVET_OK;
}
