/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints all advice for this process, with its reasons, and shows how to get
 * the numbers that a program needs.
 *
 *   cc advice_c.c $(pkg-config --cflags --libs servet) -o advice_c
 *   ./advice_c [PROFILE]
 *
 * A fact that was not measured costs no more than its own advice.
 */
#include <stdio.h>
#include <stdlib.h>

#include <servet/servet.h>

/* Everything that `servet advise` says. */
static int print_advice(const servet_profile *profile)
{
    int count, code = servet_advise(profile, NULL, SERVET_ADVICE_FOR_PROCESS, NULL, 0, &count);
    servet_advice *advice = code == SERVET_OK ? calloc((size_t)count + 1, sizeof *advice) : NULL;
    int size = count;
    if (advice)
        code = servet_advise(profile, NULL, SERVET_ADVICE_FOR_PROCESS, advice, size, &count);
    for (int i = 0; advice && code == SERVET_OK && i < count && i < size; i++)
        printf("%s: %s\n    because: %s%s%s\n", servet_advice_topic_name(advice[i].topic),
               advice[i].text, advice[i].why,
               advice[i].trusted ? "" : "\n    not trusted: ", advice[i].doubt);
    free(advice);
    return code;
}

/* Three blocks, of the two factors and the product of matrices, in each cache level. */
static void print_blocks(const servet_profile *profile)
{
    servet_block block;
    int levels = 0;
    (void)servet_cache_count(profile, NULL, &levels);
    for (int level = 1; level <= levels; level++)
        if (servet_cache_block(profile, NULL, level, 3, sizeof(double), 0, &block) == SERVET_OK)
            printf("level %d: %lld x %lld doubles of each of three matrices%s\n", level, block.side,
                   block.side,
                   block.emptied   ? "; others use this level, too: better not rely on it"
                   : block.assumed ? "; if its sharing is the worst there is"
                                   : "");
}

/* How many threads a loop that streams through memory has use for, and where they run. */
static void print_threads(const servet_profile *profile)
{
    enum { THREADS_MAX = 4096 };
    static int cores[THREADS_MAX];
    int threads;
    if (servet_thread_room(profile, NULL, SERVET_POLICY_MEMORY, NULL, 0, &threads, NULL, NULL) !=
            SERVET_OK ||
        threads > THREADS_MAX ||
        servet_thread_place(profile, NULL, SERVET_POLICY_MEMORY, NULL, 0, cores, threads, NULL,
                            NULL) != SERVET_OK)
        return;
    printf("threads:");
    for (int i = 0; i < threads; i++)
        printf(" %d", cores[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    servet_profile *profile = NULL;
    servet_error error = SERVET_ERROR_INIT;
    if (servet_profile_open(&profile, argc > 1 ? argv[1] : NULL, &error) != SERVET_OK) {
        char line[SERVET_ERROR_FILE_MAX + SERVET_ERROR_TEXT_MAX];
        fprintf(stderr, "advice_c: %s\n", servet_error_line(&error, line, sizeof line));
        return EXIT_FAILURE;
    }
    printf("profile %s\n", servet_profile_path(profile));
    int code = print_advice(profile);
    if (code != SERVET_OK)
        printf("no advice: %s\n", servet_error_text(code));
    print_blocks(profile);
    print_threads(profile);
    servet_profile_close(profile);
    return code == SERVET_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
