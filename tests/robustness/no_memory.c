/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded, it fails the allocation that NO_MEMORY_AT numbers, of libraries too, and says so in
 * the file NO_MEMORY_REPORT; 0: none, and their number is written there at the end. A process that
 * is started by another counts on its own. With NO_MEMORY_RANK, that rank of an MPI job counts and
 * fails alone, and only what the program's own code requests (not what libc does for it, as in
 * strdup): MPI libraries check little. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static long calls, fail_at = -1;

static void report(const char *text)
{
    const char *path = getenv("NO_MEMORY_REPORT");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    if (fd >= 0 && write(fd, text, strlen(text)) < 0)
        abort();
    if (fd >= 0)
        close(fd);
}

/* The variables by which Open MPI and MPICH name a rank. */
static bool is_rank(const char *rank)
{
    const char *open_mpi = getenv("OMPI_COMM_WORLD_RANK"), *mpich = getenv("PMI_RANK");
    return (open_mpi && strcmp(open_mpi, rank) == 0) || (mpich && strcmp(mpich, rank) == 0);
}

static bool is_of_program(const void *code)
{
    Dl_info of_code, of_entry;
    return dladdr(code, &of_code) && dladdr((const void *)getauxval(AT_ENTRY), &of_entry) &&
           of_code.dli_fbase == of_entry.dli_fbase;
}

static bool counts(const void *caller)
{
    const char *rank = environ ? getenv("NO_MEMORY_RANK") : NULL;
    return !rank || (is_rank(rank) && is_of_program(caller));
}

/* The loader allocates before there is an environment to be read. */
static bool fails_now(const void *caller)
{
    if (fail_at < 0 && environ)
        fail_at = getenv("NO_MEMORY_AT") ? atol(getenv("NO_MEMORY_AT")) : 0;
    if (!counts(caller) || __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) != fail_at)
        return false;
    report("allocation\n");
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails_now(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails_now(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails_now(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails_now(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **place, size_t alignment, size_t size)
{
    void *block = fails_now(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
    if (block)
        *place = block;
    return block ? 0 : ENOMEM;
}

__attribute__((destructor)) static void count(void)
{
    char text[32];
    snprintf(text, sizeof text, "%ld\n", calls);
    if (fail_at == 0 && (!getenv("NO_MEMORY_RANK") || is_rank(getenv("NO_MEMORY_RANK"))))
        report(text);
}
