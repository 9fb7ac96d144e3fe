/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/host.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/ranges.h"
#include "core/utf8.h"

enum { LINE_LENGTH = 512, PATH_LENGTH = 256, CACHES_MAX = 10 };

void srv_host_name(char name[SRV_HOST_NAME_MAX])
{
    memset(name, 0, SRV_HOST_NAME_MAX); /* POSIX: no host name is longer than 255 bytes */
    if (gethostname(name, SRV_HOST_NAME_MAX - 1) != 0)
        *name = '\0';
    srv_utf8_clean(name); /* the name is printed, and compared with other cleaned names */
}

/* Replaces blanks, which separate words, and characters that are not ASCII. A sequence of them
 * becomes one character, because older kernels pad the name of a processor. */
static void replace_blanks(char *text)
{
    char *to = text;
    for (const char *at = text; *at; at++) {
        bool stays = *at > ' ' && *at <= '~';
        if (stays || to == text || to[-1] != '_')
            *to++ = (char)(stays ? *at : '_');
    }
    *to = '\0';
}

/* Appends a word, or a part of one, if it fits. Replaces characters that a fingerprint cannot
 * contain.
 */
__attribute__((format(printf, 2, 3))) static void append(char text[SRV_FINGERPRINT_MAX],
                                                         const char *format, ...)
{
    size_t length = strlen(text), room = SRV_FINGERPRINT_MAX - length;
    va_list values;
    va_start(values, format);
    int written = vsnprintf(text + length, room, format, values);
    va_end(values);
    if (written < 0 || (size_t)written >= room) {
        text[length] = '\0';
        return;
    }
    replace_blanks(text + length + (*format == ' '));
}

/* --- processor -------------------------------------------------------------------------------- */

/* Names in /proc/cpuinfo that identify a processor on x86, ARM, POWER and RISC-V. */
static const char *const identity_keys[] = {
    "vendor_id",   "cpu family", "model",        "stepping", "CPU implementer",
    "CPU variant", "CPU part",   "CPU revision", "cpu",      "revision",
    "mvendorid",   "marchid",    "mimpid",       "uarch",
};

/* The product name: processors with equal numbers may have different clocks and caches. */
static const char MODEL_KEY[] = "model name";

static bool is_identity(const char *key)
{
    for (size_t i = 0; i < sizeof identity_keys / sizeof *identity_keys; i++)
        if (strcmp(identity_keys[i], key) == 0)
            return true;
    return false;
}

/* Divides "KEY : VALUE" into key and value, without the blanks around them. Returns the value, or
 * "".
 */
static const char *divide(char *line)
{
    char *colon = line + strcspn(line, ":"), *end = colon, *value = colon + (*colon == ':');
    while (end > line && isspace((unsigned char)end[-1]))
        end--;
    value += strspn(value, " \t");
    for (char *last = value + strlen(value); last > value && isspace((unsigned char)last[-1]);)
        *--last = '\0';
    *end = '\0';
    return value;
}

/* Reads the paragraph of the first PU. */
static void add_processor(const char *root, char text[SRV_FINGERPRINT_MAX])
{
    char path[PATH_LENGTH], line[LINE_LENGTH], model[LINE_LENGTH] = "";
    bool first = true;
    snprintf(path, sizeof path, "%s/proc/cpuinfo", root);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file) && *line != '\n') {
        const char *value = divide(line);
        if (strcmp(line, MODEL_KEY) == 0)
            snprintf(model, sizeof model, "%s", value);
        if (!*value || !is_identity(line))
            continue;
        append(text, first ? " cpu=%s" : "/%s", value);
        first = false;
    }
    if (file)
        fclose(file);
    if (*model)
        append(text, " model=%s", model);
}

/* --- topology --------------------------------------------------------------------------------- */

/* Reads the only line of a file of the kernel; "" if there is none. */
static bool read_line(const char *folder, const char *name, char line[LINE_LENGTH])
{
    char path[2 * PATH_LENGTH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    bool read = file && fgets(line, LINE_LENGTH, file);
    line[read ? strcspn(line, "\n") : 0] = '\0';
    if (file)
        fclose(file);
    return read;
}

/* Adds the number of items of a set that the kernel lists in a file, if there is one. */
static void add_count(const char *name, const char *folder, const char *file,
                      char text[SRV_FINGERPRINT_MAX])
{
    char set[LINE_LENGTH];
    if (read_line(folder, file, set) && srv_ranges_valid(set))
        append(text, " %s=%d", name, srv_ranges_count(set));
}

static void add_caches(const char *pu, char text[SRV_FINGERPRINT_MAX])
{
    char folder[PATH_LENGTH], level[LINE_LENGTH], type[LINE_LENGTH], size[LINE_LENGTH], name[32];
    for (int i = 0; i < CACHES_MAX; i++) {
        snprintf(folder, sizeof folder, "%.200s/cache/index%d", pu, i);
        if (!read_line(folder, "level", level) || !read_line(folder, "type", type) ||
            !read_line(folder, "size", size) || strcmp(type, "Instruction") == 0)
            continue;
        append(text, " L%s=%s", level, size);
        snprintf(name, sizeof name, "L%.8s_sharers", level);
        add_count(name, folder, "shared_cpu_list", text);
    }
}

/* Reads the first PU that is online. */
static void add_topology(const char *root, char text[SRV_FINGERPRINT_MAX])
{
    char devices[PATH_LENGTH], pu[PATH_LENGTH], online[LINE_LENGTH];
    snprintf(devices, sizeof devices, "%.200s/sys/devices/system", root);
    add_count("pus", devices, "cpu/online", text);
    snprintf(pu, sizeof pu, "%.220s/cpu/cpu%d", devices,
             read_line(devices, "cpu/online", online) ? atoi(online) : 0);
    add_count("threads", pu, "topology/thread_siblings_list", text);
    add_count("package", pu, "topology/core_siblings_list", text);
    add_count("numa", devices, "node/online", text);
    add_caches(pu, text);
}

/* Adds the kernel's answers to system calls. */
static void add_system(char text[SRV_FINGERPRINT_MAX])
{
    double page = (double)sysconf(_SC_PAGESIZE), pages = (double)sysconf(_SC_PHYS_PAGES);
    append(text, " page=%.0f", page);
    append(text, " memory=%.0f", pages * page);
}

void srv_host_fingerprint(const char *root, char text[SRV_FINGERPRINT_MAX])
{
    struct utsname system;
    *text = '\0';
    if (uname(&system) == 0)
        append(text, "arch=%s", system.machine);
    add_processor(root, text);
    add_topology(root, text);
    add_system(text);
}

/* --- comparing -------------------------------------------------------------------------------- */

bool srv_fingerprint_word(const char *text, const char *name, char *value, size_t size)
{
    size_t length = strlen(name);
    *value = '\0';
    for (text += strspn(text, " "); *text; text += strcspn(text, " "), text += strspn(text, " ")) {
        if (strncmp(text, name, length) != 0 || text[length] != '=')
            continue;
        snprintf(value, size, "%.*s", (int)(strcspn(text, " ") - length - 1), text + length + 1);
        return true;
    }
    return false;
}

/* Firmware and hypervisors use a part of the memory, whose size varies. */
static const double MEMORY_TOLERANCE = 0.05;

static bool same_value(const char *name, const char *a, const char *b)
{
    double bytes_a = strtod(a, NULL), bytes_b = strtod(b, NULL);
    if (strcmp(name, "memory") != 0)
        return strcmp(a, b) == 0;
    return fabs(bytes_a - bytes_b) <= MEMORY_TOLERANCE * fmax(bytes_a, bytes_b);
}

/* Finds the first word of `a` that is different in `b`, or missing there. */
static bool lacks(const char *a, const char *b, char *name, size_t size)
{
    char value[SRV_FINGERPRINT_MAX], other[SRV_FINGERPRINT_MAX];
    for (a += strspn(a, " "); *a; a += strcspn(a, " "), a += strspn(a, " ")) {
        snprintf(name, size, "%.*s", (int)strcspn(a, "= "), a);
        srv_fingerprint_word(a, name, value, sizeof value);
        srv_fingerprint_word(b, name, other, sizeof other);
        if (!same_value(name, value, other))
            return true;
    }
    *name = '\0';
    return false;
}

bool srv_fingerprint_differs(const char *a, const char *b, char *name, size_t size)
{
    return lacks(a, b, name, size) || lacks(b, a, name, size);
}
