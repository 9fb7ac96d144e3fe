/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/memory.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A file with one number; `missing` if there is none ("max" is none). */
static double read_number(const char *folder, const char *name, double missing)
{
    char path[PATH_MAX];
    double value;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return missing;
    FILE *stream = fopen(path, "r");
    if (!stream)
        return missing;
    int found = fscanf(stream, "%lf", &value);
    fclose(stream);
    return found == 1 ? value : missing;
}

/* A named figure of a file of "name value" lines; 0 where it is missing. */
static double read_field(const char *folder, const char *name, const char *field)
{
    char path[PATH_MAX], line[256], word[128];
    double value, answer = 0;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return 0;
    FILE *stream = fopen(path, "r");
    if (!stream)
        return 0;
    while (fgets(line, sizeof line, stream))
        if (sscanf(line, "%127s %lf", word, &value) == 2 && strcmp(word, field) == 0)
            answer = value;
    fclose(stream);
    return answer;
}

/* The two generations of cgroups: paths and names of their files. */
static const struct generation {
    const char *controller; /* field of /proc/self/cgroup that names it */
    const char *mount;      /* below the cgroup root */
    const char *limit, *usage;
    const char *reclaimable; /* field of memory.stat: file pages that the kernel drops on demand */
} generations[] = {
    {":memory:", "/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file"},
    {"::", "", "memory.max", "memory.current", "inactive_file"},
    {"::", "/unified", "memory.max", "memory.current", "inactive_file"},
};

/* Memory that a cgroup and its ancestors leave: a limit anywhere above binds as well. */
static double left_by_group(const struct generation *generation, const char *cgroups,
                            const char *group)
{
    char folder[PATH_MAX];
    double left = DBL_MAX;
    if (snprintf(folder, sizeof folder, "%s%s%s", cgroups, generation->mount, group) >=
        (int)sizeof folder)
        return left;
    size_t root = strlen(cgroups) + strlen(generation->mount);
    for (;;) {
        double limit = read_number(folder, generation->limit, DBL_MAX);
        double used = read_number(folder, generation->usage, 0) -
                      read_field(folder, "memory.stat", generation->reclaimable);
        left = fmin(left, limit - fmax(0, used));
        char *slash = strrchr(folder, '/');
        if (!slash || slash < folder + root)
            return left;
        *slash = '\0';
    }
}

static double left_by_cgroups(const char *proc, const char *cgroups)
{
    char line[PATH_MAX];
    double left = DBL_MAX;
    snprintf(line, sizeof line, "%s/self/cgroup", proc);
    FILE *stream = fopen(line, "r");
    if (!stream)
        return left;
    while (fgets(line, sizeof line, stream)) {
        line[strcspn(line, "\n")] = '\0';
        for (size_t i = 0; i < sizeof generations / sizeof *generations; i++) {
            const char *found = strstr(line, generations[i].controller);
            if (found)
                left = fmin(left, left_by_group(&generations[i], cgroups,
                                                found + strlen(generations[i].controller)));
        }
    }
    fclose(stream);
    return left;
}

static double available_to_system(const char *proc)
{
    char line[PATH_MAX];
    double kilobytes, bytes = DBL_MAX;
    snprintf(line, sizeof line, "%s/meminfo", proc);
    FILE *stream = fopen(line, "r");
    if (!stream)
        return bytes;
    while (fgets(line, sizeof line, stream))
        if (sscanf(line, "MemAvailable: %lf kB", &kilobytes) == 1)
            bytes = kilobytes * 1024;
    fclose(stream);
    return bytes;
}

/* Mapped memory counts, including libraries and the stack. */
static double left_by_address_space(const char *proc)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return DBL_MAX;
    double mapped = read_number(proc, "self/statm", 0) * (double)sysconf(_SC_PAGESIZE);
    return (double)limit.rlim_cur - mapped;
}

double srv_memory_available_in(const char *proc, const char *cgroups)
{
    double bytes = fmin(available_to_system(proc), left_by_cgroups(proc, cgroups));
    return fmax(0, fmin(bytes, left_by_address_space(proc)));
}

double srv_memory_available(void)
{
    return srv_memory_available_in("/proc", "/sys/fs/cgroup");
}
