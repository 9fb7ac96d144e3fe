/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "servet/error.h"

/* The linker's --wrap turns calls of X into __wrap_X and calls of __real_X into X. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t n);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t n);

static size_t countdown;
static bool failed;

void alloc_fail_at(size_t n)
{
    countdown = n;
    failed = false;
}

bool alloc_has_failed(void)
{
    return failed;
}

static bool fails_now(void)
{
    bool now = countdown > 0 && --countdown == 0;
    failed = failed || now;
    return now;
}

void *__wrap_malloc(size_t size)
{
    return fails_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails_now() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails_now() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
    return fails_now() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t n)
{
    return fails_now() ? NULL : __real_strndup(text, n);
}

size_t alloc_next(size_t n)
{
    return n < 16 ? 1 : test_step(1 + n / 16);
}

size_t alloc_fail_everywhere(int (*action)(void *context), void *context)
{
    for (size_t n = 1, last = 0;; last = n, n += alloc_next(n)) {
        alloc_fail_at(n);
        int code = action(context);
        bool lost = failed;
        alloc_fail_at(0);
        assert_int_equal(code, lost ? SERVET_EMEMORY : SERVET_OK);
        if (!lost)
            return last;
    }
}
