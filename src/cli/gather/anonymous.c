/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/gather/anonymous.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory_stream.h"

/* The only word of a profile that has a slash but is not a path. */
static const char RATE[] = "B/s";

/* --- names ------------------------------------------------------------------------------------ */

static bool is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return *end == '\0';
}

/* Counts the names of a kind. */
static int count_kind(const cli_names *names, const char *kind)
{
    size_t length = strlen(kind);
    int count = 0;
    for (int i = 0; i < names->count; i++)
        count += strncmp(names->list[i].word, kind, length) == 0;
    return count;
}

static const struct cli_name *find(const cli_names *names, const char *word, size_t length)
{
    size_t label = strcspn(word, ".");
    label = label < length ? label : length;
    for (int i = 0; i < names->count; i++) {
        const char *name = names->list[i].name;
        bool whole = strlen(name) == length && strncmp(name, word, length) == 0;
        bool short_name = strcspn(name, ".") == label && strncmp(name, word, label) == 0;
        if (whole || (short_name && !isdigit((unsigned char)*word)))
            return &names->list[i];
    }
    return NULL;
}

bool cli_names_add(cli_names *names, const char *kind, const char *name)
{
    if (strlen(name) < 2 || is_number(name) || find(names, name, strlen(name)))
        return true;
    struct cli_name *larger = realloc(names->list, (size_t)(names->count + 1) * sizeof *larger);
    if (!larger)
        return false;
    names->list = larger;
    larger[names->count].name = strdup(name);
    if (!larger[names->count].name)
        return false;
    snprintf(larger[names->count].word, sizeof larger->word, "%s%d", kind,
             count_kind(names, kind) + 1);
    names->count++;
    return true;
}

void cli_names_finish(cli_names *names)
{
    for (int i = 0; i < names->count; i++)
        free(names->list[i].name);
    free(names->list);
    *names = (cli_names){NULL, 0, 0, 0};
}

/* --- texts ------------------------------------------------------------------------------------ */

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("._~/+-", c));
}

/* Returns the length of an escape: in records of probes, a blank is "%20". */
static size_t length_of_escape(const char *text)
{
    return text[0] == '%' && isxdigit((unsigned char)text[1]) && isxdigit((unsigned char)text[2])
               ? 3
               : 1;
}

/* Returns true for a processor in a fingerprint: vendor and numbers, such as
 * "GenuineIntel/6/207/2". */
static bool is_processor(const cli_names *names, const char *word, size_t length)
{
    size_t vendor = strcspn(word, "/");
    for (size_t i = vendor; i < length; i++)
        if (word[i] == '/' && !isdigit((unsigned char)word[i + 1]))
            return false;
    return vendor > 0 && !find(names, word, vendor);
}

/* Returns true for the model of a processor with graphics, "AMD Ryzen 7 7840U w/ Radeon 780M
 * Graphics": for the word "w/" of the name, or for the whole name in a fingerprint. */
static bool is_model(const char *word, size_t length)
{
    const char *slash = memchr(word, '/', length);
    bool with = slash > word && slash[-1] == 'w' && (slash == word + 1 || slash[-2] == '_');
    return with && (slash == word + length - 1 || slash[1] == '_') &&
           !memchr(slash + 1, '/', (size_t)(word + length - slash - 1));
}

static bool is_path(const cli_names *names, const char *word, size_t length)
{
    bool rate = length == strlen(RATE) && strncmp(word, RATE, length) == 0;
    return memchr(word, '/', length) && !rate && !is_processor(names, word, length) &&
           !is_model(word, length);
}

/* Returns the word that replaces this one; NULL: the word may stay. */
static const char *stand_in(cli_names *names, const char *word, size_t length)
{
    if (word[length] == '"' && word[length + 1] == ':')
        return NULL;
    if (strspn(word, "0123456789") >= length) /* a number is not a name; records have millions */
        return NULL;
    if (is_path(names, word, length)) {
        names->paths++;
        return "PATH";
    }
    const struct cli_name *found = find(names, word, length);
    names->replaced += found != NULL;
    return found ? found->word : NULL;
}

static void copy_all(cli_names *names, const char *text, FILE *to)
{
    while (*text) {
        size_t length = 0;
        while (in_word(text[length]))
            length++;
        const char *instead = length > 0 ? stand_in(names, text, length) : NULL;
        if (length == 0)
            length = length_of_escape(text);
        fprintf(to, "%.*s", instead ? (int)strlen(instead) : (int)length, instead ? instead : text);
        text += length;
    }
}

char *cli_anonymous(cli_names *names, const char *text)
{
    char *copy;
    srv_memory_stream memory;
    if (!srv_memory_stream_open(&memory))
        return NULL;
    copy_all(names, text, memory.stream);
    (void)srv_memory_stream_close(&memory, &copy, NULL);
    return copy;
}

/* --- names of files --------------------------------------------------------------------------- */

/* Returns the length of a name, with or without its domain, that begins at `at` and ends before a
 * character that is neither a letter nor a digit; 0: there is none. */
static size_t name_at(const cli_names *names, const char *at, const struct cli_name **found)
{
    for (int i = 0; i < names->count; i++) {
        const char *name = names->list[i].name;
        const size_t lengths[] = {strlen(name), strcspn(name, ".")};
        for (int k = 0; k < 2; k++)
            if (lengths[k] > 1 && strncmp(at, name, lengths[k]) == 0 &&
                !isalnum((unsigned char)at[lengths[k]])) {
                *found = &names->list[i];
                return lengths[k];
            }
    }
    return 0;
}

static void copy_file(cli_names *names, const char *file, FILE *to)
{
    const char *end = strrchr(file, '.'), *at = strchr(file, '-');
    const struct cli_name *found;
    if (!at || !end || end < at)
        at = end = file + strlen(file);
    fwrite(file, 1, (size_t)(at - file), to);
    while (at < end) {
        size_t length = isalnum((unsigned char)at[-1]) ? 0 : name_at(names, at, &found);
        names->replaced += length > 0;
        fprintf(to, "%.*s", length > 0 ? (int)strlen(found->word) : 1,
                length > 0 ? found->word : at);
        at += length > 0 ? length : 1;
    }
    fputs(end, to);
}

char *cli_anonymous_file(cli_names *names, const char *file)
{
    char *copy;
    srv_memory_stream memory;
    if (!srv_memory_stream_open(&memory))
        return NULL;
    copy_file(names, file, memory.stream);
    (void)srv_memory_stream_close(&memory, &copy, NULL);
    return copy;
}
