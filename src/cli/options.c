/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "servet/profile.h"

enum { RANGE_MAX = 64 };

/* --- words ------------------------------------------------------------------------------------ */

bool cli_has_word(const char *(*word)(unsigned number), unsigned number)
{
    return strcmp(word(number), "?") != 0;
}

int cli_find_word(const char *text, size_t length, const char *(*word)(unsigned number))
{
    for (unsigned i = 0; cli_has_word(word, i); i++)
        if (strlen(word(i)) == length && strncmp(word(i), text, length) == 0)
            return (int)i;
    return -1;
}

const char *cli_next_word(const char **list, size_t *length)
{
    const char *word = *list;
    *length = strcspn(word, ",");
    *list = word + *length + (word[*length] == ',');
    return *word ? word : NULL;
}

/* Lists the words whose bits are set, with `between` before each but the first and the last one. */
static void list_words(const cli_option *option, unsigned bits, const char *between,
                       const char *last, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (unsigned i = 0; cli_has_word(option->word, i) && used < size; i++) {
        bool is_last = !cli_has_word(option->word, i + 1);
        if (bits >> i & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%s",
                                     used == 0 ? ""
                                     : is_last ? last
                                               : between,
                                     option->word(i));
    }
}

/* --- values ----------------------------------------------------------------------------------- */

static bool is_within(const cli_option *option, double value)
{
    return value >= option->least && value <= option->most;
}

static bool parse_number(const cli_option *option, const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && is_within(option, *value);
}

static bool parse_whole(const cli_option *option, const char *text, long long *value)
{
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return end != text && !*end && errno == 0 && is_within(option, (double)*value);
}

static bool parse_bytes(const cli_option *option, const char *text, double *value)
{
    static const char suffixes[] = "KMGT";
    char *end;
    *value = strtod(text, &end);
    if (end == text)
        return false;
    const char *suffix = *end ? strchr(suffixes, *end >= 'a' ? *end - 'a' + 'A' : *end) : NULL;
    if (suffix) {
        *value = ldexp(*value, 10 * (int)(suffix - suffixes + 1));
        end++;
    }
    if (!suffix && *value != floor(*value))
        return false;
    *value = floor(*value); /* "1.3G" is not a whole number of bytes */
    return !*end && is_within(option, *value);
}

static bool add_text(const char *text, const char *texts[CLI_TEXTS_MAX])
{
    int count = 0;
    while (count < CLI_TEXTS_MAX && texts[count])
        count++;
    if (count == CLI_TEXTS_MAX || !*text)
        return false;
    texts[count] = text;
    return true;
}

static bool parse_word(const cli_option *option, const char *text, int *number)
{
    *number = cli_find_word(text, strlen(text), option->word);
    return *number >= 0;
}

/* The last list counts, as with all options. */
static bool parse_words(const cli_option *option, const char *text, unsigned *bits)
{
    size_t length;
    *bits = 0;
    for (const char *word; (word = cli_next_word(&text, &length));) {
        int number = cli_find_word(word, length, option->word);
        if (number < 0)
            return false;
        *bits |= 1u << number;
    }
    return *bits != 0;
}

static bool store(const cli_option *option, const char *text, char *arguments)
{
    void *field = arguments + option->offset;
    switch (option->type) {
    case CLI_FLAG:
        *(bool *)field = true;
        return true;
    case CLI_TEXT:
        *(const char **)field = text;
        return *text != '\0';
    case CLI_FILE:
        *(const char **)field = strcmp(text, "-") == 0 ? NULL : text;
        return *text != '\0';
    case CLI_FOLDER:
        *(const char **)field = text;
        return *text != '\0' && strcmp(text, "-") != 0;
    case CLI_TEXTS:
        return add_text(text, field);
    case CLI_BYTES:
        return parse_bytes(option, text, field);
    case CLI_NUMBER:
        return parse_number(option, text, field);
    case CLI_WHOLE:
        return parse_whole(option, text, field);
    case CLI_WORD:
        return parse_word(option, text, field);
    case CLI_WORDS:
        return parse_words(option, text, field);
    }
    return false;
}

/* Prints a number with the fewest digits that give the same number again. */
static void print_number(double value, char *text, size_t size)
{
    snprintf(text, size, "%.15g", value);
    if (strtod(text, NULL) != value)
        snprintf(text, size, "%.17g", value);
}

/* Prints the value of an option so that it is read as the same value again; "" if it has none. */
static void value_of(const cli_option *option, const void *arguments, char *text, size_t size)
{
    const void *field = (const char *)arguments + option->offset;
    *text = '\0';
    if (option->type == CLI_BYTES || option->type == CLI_NUMBER)
        print_number(*(const double *)field, text, size);
    else if (option->type == CLI_WHOLE)
        snprintf(text, size, "%lld", *(const long long *)field);
    else if (option->type == CLI_TEXT && *(const char *const *)field)
        snprintf(text, size, "%s", *(const char *const *)field);
    else if (option->type == CLI_WORD && *(const int *)field >= 0)
        snprintf(text, size, "%s", option->word((unsigned)*(const int *)field));
    else if (option->type == CLI_WORDS)
        list_words(option, *(const unsigned *)field, ",", ",", text, size);
}

bool cli_is_given(const cli_option *option, const void *arguments, const void *defaults)
{
    static const size_t sizes[] = {
        [CLI_FLAG] = sizeof(bool),     [CLI_TEXT] = sizeof(char *),
        [CLI_FILE] = sizeof(char *),   [CLI_FOLDER] = sizeof(char *),
        [CLI_TEXTS] = sizeof(char *),  [CLI_BYTES] = sizeof(double),
        [CLI_NUMBER] = sizeof(double), [CLI_WHOLE] = sizeof(long long),
        [CLI_WORD] = sizeof(int),      [CLI_WORDS] = sizeof(unsigned),
    };
    return memcmp((const char *)arguments + option->offset, (const char *)defaults + option->offset,
                  sizes[option->type]) != 0;
}

void cli_given(const cli_option *options, const void *arguments, const void *defaults,
               size_t except, char *text, size_t size)
{
    char value[SERVET_TEXT_MAX], usual[SERVET_TEXT_MAX];
    size_t n = 0;
    *text = '\0';
    for (const cli_option *option = options; option->name && n < size; option++) {
        value_of(option, arguments, value, sizeof value);
        value_of(option, defaults, usual, sizeof usual);
        if (strcmp(value, usual) != 0 && option->offset != except)
            n += (size_t)snprintf(text + n, size - n, "%s--%s %s", n ? " " : "", option->name,
                                  value);
    }
}

/* Writes the numbers that the option takes: "1 to 64"; "" if it takes none. */
static void print_range(const cli_option *option, char text[RANGE_MAX])
{
    *text = '\0';
    if (option->type == CLI_BYTES)
        snprintf(text, RANGE_MAX, "%.0f B to %.0f TiB", option->least, ldexp(option->most, -40));
    else if (option->type == CLI_NUMBER || option->type == CLI_WHOLE)
        snprintf(text, RANGE_MAX, "%.0f to %.0f", option->least, option->most);
}

void cli_option_help(const cli_option *option, const void *defaults, char text[CLI_HELP_MAX])
{
    char range[RANGE_MAX], words[CLI_HELP_MAX / 2] = "", usual[SERVET_NAME_MAX] = "";
    print_range(option, range);
    if (option->type == CLI_WORDS)
        strcpy(usual, "all");
    else if (option->type == CLI_WORD && defaults)
        value_of(option, defaults, usual, sizeof usual);
    if (option->word)
        list_words(option, ~0u, ", ", option->type == CLI_WORD ? " or " : ", ", words,
                   sizeof words);
    snprintf(text, CLI_HELP_MAX, "%s%s%s%s%s%s%s%s%s", option->help, *words ? ": " : "", words,
             *usual ? " (default: " : "", usual, *usual ? ")" : "", *range ? " [" : "", range,
             *range ? "]" : "");
}

static const char *accepted(const cli_option *option, char text[CLI_HELP_MAX])
{
    static const char *const texts[] = {
        [CLI_FLAG] = "nothing",
        [CLI_TEXT] = "a text",
        [CLI_FILE] = "a file",
        [CLI_FOLDER] = "a name (./- for one that is called -)",
        [CLI_TEXTS] = "a text (at most four times)",
        [CLI_BYTES] = "whole bytes such as 32M (suffixes K M G T, binary), ",
        [CLI_NUMBER] = "a number from ",
        [CLI_WHOLE] = "a whole number from ",
        [CLI_WORD] = "",
        [CLI_WORDS] = "a list with commas of ",
    };
    char some[CLI_HELP_MAX / 2];
    print_range(option, some);
    if (option->word)
        list_words(option, ~0u, ", ", " or ", some, sizeof some);
    snprintf(text, CLI_HELP_MAX, "%s%s", texts[option->type], some);
    return text;
}

const cli_option *cli_find_option(const cli_command *command, const char *word, const char **value)
{
    *value = NULL;
    for (const cli_option *option = command->options; option && option->name; option++) {
        if (word[1] != '-') {
            if (option->letter && word[1] == option->letter && !word[2])
                return option;
            continue;
        }
        size_t length = strlen(option->name);
        if (strncmp(word + 2, option->name, length) != 0)
            continue;
        if (word[2 + length] == '=')
            *value = word + 2 + length + 1;
        if (*value || !word[2 + length])
            return option;
    }
    return NULL;
}

int cli_take_option(const char *program, const cli_command *command, char **argv, int *i,
                    char *arguments)
{
    const char *value, *word = argv[*i];
    char wanted[CLI_HELP_MAX];
    const cli_option *option = cli_find_option(command, word, &value);
    if (!option)
        return cli_usage_error("%s: unknown option %s (see %s %s --help)", command->name, word,
                               program, command->name);
    if (option->type == CLI_FLAG && value)
        return cli_usage_error("--%s takes no value", option->name);
    if (option->type != CLI_FLAG && !value)
        value = argv[++*i];
    if (option->type != CLI_FLAG && !value)
        return cli_usage_error("--%s needs %s", option->name, accepted(option, wanted));
    if (!store(option, value, arguments))
        return cli_usage_error("--%s must be %s, not '%s'", option->name, accepted(option, wanted),
                               value);
    return CLI_OK;
}
