/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A random walk of lies: changes stored profiles, placements, recordings, curves, matrices and
 * traffic at random and calls every command that reads them. Each call must end within ten seconds
 * of a processor with a documented status, print nothing that a terminal obeys, and no number that
 * is none. Usage: walk SERVET SERVET_MPI SOURCE_ROOT [SEED [SECONDS]], SERVET_MPI may be "". What
 * fails stays in a folder that is named.
 */
#define _GNU_SOURCE /* nftw() */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Limits of processor time, as the machine may be busy; and of all time, for calls that wait. */
enum {
    SECONDS_LIMIT = 10,
    WAIT_LIMIT = 60,
    STATUS_MOST = 2,
    WORDS_MAX = 16,
    CHANGES_MAX = 4,
    FAILURES_MOST = 20,
    PATH_MAX_ = 1024
};

/* --- what is changed, and who reads it -------------------------------------------------------- */

/* "%" stands for the changed file, "@" for the one as it was, "^" for the folder with it. */
static const struct reader {
    const char *files; /* in the source tree */
    const char *calls[14];
} readers[] = {
    {"tests/data/profiles/*.json",
     {"get --all %", "get --all --json %", "show %", "report -o - %", "plot topology %",
      "plot latency --format gnuplot %", "plot memory --format svg %", "advise %",
      "map --processes 4 %", "diff % @", "diff @ %", "merge % @", "check %", NULL}},
    {"tests/data/curves/*.csv",
     {"analyze cache %", "analyze cache --json --explain %", "analyze cache --method servet2010 %",
      "analyze cache --pages % @", NULL}},
    {"tests/data/machines/zen4-guest/m1/distance.csv",
     {"analyze layers %", "analyze layers --json %"}},
    {"tests/data/fuzz/matrix/*.csv", {"analyze layers %", "analyze layers --json %"}},
    {"tests/data/fuzz/traffic/*.txt",
     {"map --processes 4 --matrix % tests/data/profiles/together.json"}},
    {"tests/data/machines/zen4-guest/m1/answers-[!r]*.txt", {"analyze ^", "analyze --json ^"}},
    {"tests/data/machines/ring-of-hosts/m1/answers-*.txt", {"analyze ^", "gather -o packed.tar ^"}},
    {"tests/data/fuzz/placement/*.json", {"!where %", "!where --json %"}},
};

/* The first ones are quick. */
enum { READERS = sizeof readers / sizeof *readers, QUICK_READERS = 5 };

static const char *servet, *servet_mpi, *source;
static char folder[PATH_MAX_];
static uint64_t state;
static long calls, accepted, failures;

static unsigned draw(size_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return below ? (unsigned)((state >> 33) % below) : 0;
}

/* --- texts ------------------------------------------------------------------------------------ */

typedef struct text {
    char *bytes; /* a NUL follows */
    size_t size;
} text;

static text read_text(const char *path)
{
    text made = {NULL, 0};
    FILE *file = fopen(path, "r");
    if (!file)
        return made;
    size_t room = 1 << 16;
    made.bytes = malloc(room + 1);
    for (size_t n;
         made.bytes && (n = fread(made.bytes + made.size, 1, room - made.size, file)) > 0;) {
        made.size += n;
        if (made.size == room)
            made.bytes = realloc(made.bytes, (room *= 2) + 1);
    }
    fclose(file);
    if (made.bytes)
        made.bytes[made.size] = '\0';
    return made;
}

static void write_text(const char *path, const text *of)
{
    FILE *file = fopen(path, "w");
    if (!file || fwrite(of->bytes, 1, of->size, file) != of->size || fclose(file) != 0) {
        perror(path);
        exit(99);
    }
}

/* Puts `by` in the place of `size` bytes at `at`. */
static void replace(text *of, size_t at, size_t size, const char *by, size_t by_size)
{
    char *made = malloc(of->size - size + by_size + 1);
    memcpy(made, of->bytes, at);
    memcpy(made + at, by, by_size);
    memcpy(made + at + by_size, of->bytes + at + size, of->size - at - size + 1);
    free(of->bytes);
    of->bytes = made;
    of->size += by_size - size;
}

/* The text between `before` and the next quote, if it is there, becomes `by`. */
static void put_between(text *of, const char *before, const char *by)
{
    char *begin = strstr(of->bytes, before),
         *end = begin ? strchr(begin + strlen(before), '"') : NULL;
    if (end)
        replace(of, (size_t)(begin - of->bytes) + strlen(before),
                (size_t)(end - begin) - strlen(before), by, strlen(by));
}

/* Most commands answer for this node. */
static void name_this_node(text *of)
{
    struct utsname name;
    if (uname(&name) != 0)
        return;
    put_between(of, "\"nodes\": [\"", name.nodename);
    put_between(of, "\"host\": \"", name.nodename);
    put_between(of, "\"fingerprint\": \"", "");
}

/* --- changes ---------------------------------------------------------------------------------- */

static bool is_number(int c)
{
    return isdigit(c) || c == '.' || c == '-' || c == '+' || c == 'e';
}

/* The first character at or behind a random one that begins a number, or is `quote`; size: none. */
static size_t find(const text *of, int quote)
{
    size_t at = draw(of->size);
    for (size_t i = 0; i < of->size; i++, at = (at + 1) % of->size)
        if (quote ? of->bytes[at] == quote
                  : isdigit((unsigned char)of->bytes[at]) &&
                        (at == 0 || !is_number((unsigned char)of->bytes[at - 1])))
            return at;
    return of->size;
}

static size_t length_of_number(const text *of, size_t at)
{
    size_t n = 0;
    while (at + n < of->size && is_number((unsigned char)of->bytes[at + n]))
        n++;
    return n;
}

static void change_number(text *of)
{
    static const char *const lies[] = {"0", "-1", "1", "1.5", "1e308", "1e-300", "2147483647",
                                       "-2147483648", "1e15", "4294967296", "null", "1e999",
                                       "\"x\"", "1048577", "16385", "0.999999", "1e-15",
                                       "9007199254740993", "64", "4096", "[]",
                                       /* of these JSON has none, and its texts may hold them */
                                       "nan", "inf", "-inf"};
    size_t count = sizeof lies / sizeof *lies - (*of->bytes == '{' ? 3 : 0);
    size_t at = find(of, 0), n = length_of_number(of, at);
    const char *lie = lies[draw(count)];
    if (n > 0)
        replace(of, at, n, lie, strlen(lie));
}

/* A number of the file in the place of another one: a lie that may be true. */
static void swap_number(text *of)
{
    size_t from = find(of, 0), at = find(of, 0);
    size_t n = length_of_number(of, from), m = length_of_number(of, at);
    char copy[64];
    if (n == 0 || m == 0 || n >= sizeof copy)
        return;
    memcpy(copy, of->bytes + from, n);
    replace(of, at, m, copy, n);
}

/* Value and interval together, so that the lie is well formed. */
static void scale_value(text *of)
{
    static const double factors[] = {0.001, 0.125, 0.5, 2, 8, 1000, 1e9, 1e-9};
    double factor = factors[draw(sizeof factors / sizeof *factors)];
    char *begin = strstr(of->bytes + draw(of->size), "\"value\":");
    if (!begin)
        return;
    size_t at = (size_t)(begin - of->bytes);
    for (int i = 0; i < 3; i++) {
        char scaled[40];
        while (at < of->size && !isdigit((unsigned char)of->bytes[at]))
            at++;
        snprintf(scaled, sizeof scaled, "%.9g", factor * strtod(of->bytes + at, NULL));
        replace(of, at, length_of_number(of, at), scaled, strlen(scaled));
        at += strlen(scaled);
    }
}

static void add_hostile(text *of)
{
    static const char *const hostile[] = {
        "\x1b[2J", "\\u001b[2J",   "\n",      "\\n",          "\xc2\x9b",
        "\\u009b", "\xe2\x80\xae", "\\u202e", "\x7f",         "\xff",
        "\r",      "%s%n",         "; rm",    "0-2000000000", ","};
    const char *add = hostile[draw(sizeof hostile / sizeof *hostile)];
    size_t at = find(of, '"');
    replace(of, at < of->size ? at + 1 : draw(of->size), 0, add, strlen(add));
}

static void remove_span(text *of)
{
    size_t at = draw(of->size), n = draw(1 + draw(64));
    replace(of, at, n < of->size - at ? n : of->size - at, "", 0);
}

static void repeat_line(text *of)
{
    size_t at = find(of, '\n'), begin = at < of->size ? at + 1 : 0, n = 0;
    while (begin + n < of->size && of->bytes[begin + n] != '\n')
        n++;
    char *copy = strndup(of->bytes + begin, n + 1);
    replace(of, begin, 0, copy, strlen(copy));
    free(copy);
}

static void cut(text *of)
{
    if (draw(8) == 0) {
        of->size = draw(of->size);
        of->bytes[of->size] = '\0';
    }
}

static void change(text *of)
{
    static void (*const ways[])(text *) = {scale_value,   scale_value,   scale_value, change_number,
                                           change_number, change_number, swap_number, swap_number,
                                           add_hostile,   remove_span,   repeat_line, cut};
    for (unsigned left = draw(3) ? 1 : 1 + draw(CHANGES_MAX); left > 0 && of->size > 0; left--)
        ways[draw(sizeof ways / sizeof *ways)](of);
}

/* --- a call ----------------------------------------------------------------------------------- */

/* In a process group of its own, which ends if it takes too long. */
static pid_t start(const char *const words[])
{
    pid_t child = fork();
    if (child != 0)
        return child;
    int null = open("/dev/null", O_RDONLY), out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    setpgid(0, 0);
    const struct rlimit limit = {SECONDS_LIMIT, SECONDS_LIMIT};
    setrlimit(RLIMIT_CPU, &limit);
    alarm(2 * WAIT_LIMIT);
    dup2(null, 0);
    dup2(out, 1);
    dup2(err, 2);
    execv(words[0], (char *const *)(uintptr_t)words);
    _exit(99);
}

/* The status of a child, that of a signal plus 128; 124 where it took too long. */
static int finish(pid_t child)
{
    const struct timespec nap = {0, 2000000};
    time_t until = time(NULL) + WAIT_LIMIT;
    int status;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (time(NULL) > until) {
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            return 124;
        }
        nanosleep(&nap, NULL);
    }
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
        return 124;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* --- what it printed -------------------------------------------------------------------------- */

static const char *find_control(const text *of)
{
    static const char *const turning[] = {"\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xaa",
                                          "\xe2\x80\xab", "\xe2\x80\xac", "\xe2\x80\xad",
                                          "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa7"};
    for (size_t i = 0; i < of->size; i++) {
        unsigned char c = (unsigned char)of->bytes[i];
        if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f)
            return "a control character";
        if (c == 0xc2 && (unsigned char)of->bytes[i + 1] < 0xa0)
            return "a control character of C1";
    }
    for (size_t i = 0; i < sizeof turning / sizeof *turning; i++)
        if (strstr(of->bytes, turning[i]))
            return "a character that turns the direction of text";
    return NULL;
}

static bool is_word(const char *at, const text *of, const char *word)
{
    size_t n = strlen(word);
    return strncmp(at, word, n) == 0 && !isalnum((unsigned char)at[n]) && at[n] != '_' &&
           at[n] != '\'' && (at == of->bytes || !isalnum((unsigned char)at[-1]));
}

/* "nan" or "inf" as a word; a message quotes its input in '', and lists what may be written. */
static const char *find_no_number(const text *of, bool is_message)
{
    for (const char *at = of->bytes; *at && !is_message; at++)
        if (is_word(at, of, "nan") || is_word(at, of, "inf"))
            return strstr(of->bytes, "empty or nan") ? NULL : "a number that is none";
    return NULL;
}

static const char *find_fault(int status)
{
    static char said[64];
    text out = read_text("out"), err = read_text("err");
    const char *found = NULL;
    if (status < 0 || status > STATUS_MOST) {
        snprintf(said, sizeof said, status == 124 ? "no end in %d s" : "status %d",
                 status == 124 ? SECONDS_LIMIT : status);
        found = said;
    }
    found = found ? found : find_control(&out);
    found = found ? found : find_control(&err);
    found = found ? found : find_no_number(&out, false);
    found = found ? found : find_no_number(&err, true);
    if (!found && status != 0 && err.size == 0 && out.size == 0)
        found = "a failure without a word";
    free(out.bytes);
    free(err.bytes);
    return found;
}

/* --- the walk --------------------------------------------------------------------------------- */

static int remove_any(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status;
    (void)type;
    (void)at;
    return remove(path);
}

static void keep(const char *call, const char *file, const char *why)
{
    failures++;
    char command[3 * PATH_MAX_];
    snprintf(command, sizeof command, "mkdir -p kept && cp -r '%s' kept/%ld", file, calls);
    if (system(command) != 0)
        perror("kept");
    printf("# %s: %s (%s/kept/%ld)\n", call, why, folder, calls);
    fflush(stdout);
}

/* The words of a call, with the names of the files in it. */
static void make_words(char *call, const char *changed, const char *as_was,
                       const char *words[WORDS_MAX])
{
    int n = 0;
    bool mpi = *call == '!';
    words[n++] = mpi ? servet_mpi : servet;
    for (char *word = strtok(call + mpi, " "); word && n + 1 < WORDS_MAX; word = strtok(NULL, " "))
        words[n++] = *word == '%' ? changed : *word == '@' ? as_was : *word == '^' ? "copy" : word;
    words[n] = NULL;
}

static void try_call(const char *name, const char *changed, const char *as_was)
{
    char call[256], own[PATH_MAX_];
    const char *words[WORDS_MAX];
    snprintf(call, sizeof call, "%s", name);
    make_words(call, changed, as_was, words);
    for (int i = 1; words[i]; i++)
        if (strncmp(words[i], "tests/", 6) == 0) {
            snprintf(own, sizeof own, "%s/%s", source, words[i]);
            words[i] = own;
        }
    calls++;
    int status = finish(start(words));
    const char *why = find_fault(status);
    accepted += status == 0;
    if (why)
        keep(name, strchr(name, '^') ? "copy" : changed, why);
    (void)nftw("packed", remove_any, 16, FTW_DEPTH | FTW_PHYS);
}

/* A copy of the folder that the file lies in, with the changed file. */
static void copy_folder(const char *path, const text *changed)
{
    char command[3 * PATH_MAX_], in_copy[PATH_MAX_];
    const char *name = strrchr(path, '/') + 1;
    snprintf(command, sizeof command,
             "rm -rf copy && cp -r '%.*s' copy && chmod -R u+w copy && "
             "find copy -name '*.xz' -exec xz -d {} +",
             (int)(name - path), path);
    if (system(command) != 0)
        exit(99);
    snprintf(in_copy, sizeof in_copy, "copy/%s", name);
    write_text(in_copy, changed);
}

static void step(const struct reader *of, const char *path)
{
    text changed = read_text(path);
    int count = 0;
    if (!changed.bytes || changed.size == 0)
        return;
    while (count < 14 && of->calls[count])
        count++;
    name_this_node(&changed);
    change(&changed);
    const char *call = of->calls[draw((size_t)count)];
    write_text("changed", &changed);
    if (strchr(call, '^'))
        copy_folder(path, &changed);
    if (*call != '!' || *servet_mpi)
        try_call(call, "changed", path);
    free(changed.bytes);
}

static void walk(time_t until)
{
    glob_t found[READERS];
    for (int i = 0; i < READERS; i++) {
        char pattern[PATH_MAX_];
        snprintf(pattern, sizeof pattern, "%s/%s", source, readers[i].files);
        if (glob(pattern, 0, NULL, &found[i]) != 0)
            exit(99);
    }
    while (time(NULL) < until && failures < FAILURES_MOST) {
        /* Profiles have most readers; a recording takes a second. */
        unsigned at = draw(16) == 0 ? draw(READERS) : draw(2) ? 0 : draw(QUICK_READERS);
        step(&readers[at], found[at].gl_pathv[draw(found[at].gl_pathc)]);
    }
    for (int i = 0; i < READERS; i++)
        globfree(&found[i]);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: walk SERVET SERVET_MPI SOURCE_ROOT [SEED [SECONDS]]\n", stderr);
        return 2;
    }
    servet = realpath(argv[1], NULL);
    servet_mpi = *argv[2] ? realpath(argv[2], NULL) : argv[2];
    source = realpath(argv[3], NULL);
    if (!servet || !servet_mpi || !source) {
        perror("walk");
        return 2;
    }
    unsigned long seed = argc > 4 ? strtoul(argv[4], NULL, 10) : 1;
    long seconds = argc > 5 ? strtol(argv[5], NULL, 10) : 5;
    state = seed * 2654435761u + 1;
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/walk-XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 99;
    setenv("HOME", folder, 1);
    setenv("XDG_DATA_HOME", folder, 1);
    unsetenv("SERVET_PROFILE");
    walk(time(NULL) + seconds);
    bool passed = failures == 0 && accepted > 0;
    puts("1..1");
    printf("%s 1 - %ld calls from seed %lu end well, %ld of them with an answer\n",
           passed ? "ok" : "not ok", calls, seed, accepted);
    if (!failures && chdir("/") == 0)
        (void)nftw(folder, remove_any, 16, FTW_DEPTH | FTW_PHYS);
    return !passed;
}
