/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The frame of every Servet program: a table of subcommands, each with a table of options. Parsing
 * fills a plain struct; running takes it. Help comes from the same tables.
 */
#ifndef SRV_CLI_CLI_H
#define SRV_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include "servet/error.h"

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_OPERANDS_MAX = 64, CLI_TEXTS_MAX = 4 };

/** What an option's argument is parsed into: the field at `offset` of the command's struct. */
typedef enum cli_type {
    CLI_FLAG,   /**< bool */
    CLI_TEXT,   /**< const char * */
    CLI_TEXTS,  /**< const char *[CLI_TEXTS_MAX], the rest NULL: may be given that often */
    CLI_BYTES,  /**< double; suffixes K M G T, binary */
    CLI_NUMBER, /**< double, finite and not negative */
    CLI_WHOLE,  /**< long long, not negative */
} cli_type;

typedef struct cli_option {
    const char *name; /**< long name, without dashes */
    char letter;      /**< short name, or 0 */
    cli_type type;
    size_t offset;        /**< of the field in the command's struct */
    const char *argument; /**< name of the argument in help; NULL for flags */
    const char *help;     /**< one line */
} cli_option;

/** One subcommand. `run` gets the filled struct and returns an exit status; `run_on` stands in its
 *  place where the command is about something besides, and gets that, too. */
typedef struct cli_command {
    const char *name;
    const char *summary;  /**< one line */
    const char *operands; /**< "[PROFILE]", "" for none */
    int operands_min, operands_max;
    const cli_option *options; /**< ends with a NULL name; may be NULL */
    size_t size;               /**< of the struct */
    size_t operands_offset;    /**< of its field `const char *operands[CLI_OPERANDS_MAX]` */
    const void *defaults;      /**< a struct to start from, or NULL for all zero */
    int (*run)(const void *arguments);
    int (*run_on)(const void *arguments, const void *context);
    /** prints by cli_candidate() what may stand for an operand or the argument of an option that is
     * called `name` in the help ("KEY"); true: no files, either. NULL: files only */
    bool (*complete)(const char *name);
} cli_command;

/** Parses the command line against the table and runs it; returns the exit status. */
int cli_main(const char *program, const cli_command *const *commands, int argc, char **argv);

/** The same with the context of commands that have `run_on`. */
int cli_main_on(const char *program, const cli_command *const *commands, const void *context,
                int argc, char **argv);

/** Prints a word that completes the command line, with its description (NULL: none). */
void cli_candidate(const char *word, const char *description);

/** Answers `PROGRAM --complete WORD...`, by which shells complete: what the last word, which is
 * being typed, may become; a line each, WORD or WORD, tab and description, or :files or :folders.
 * Returns an exit status. */
int cli_complete(const cli_command *const *commands, int count, char **words);

/** The option that `word` ("--name", "--name=value" or "-x") means, and its value if attached; NULL
 * for none. */
const cli_option *cli_find_option(const cli_command *command, const char *word, const char **value);

/** Room for the path of an error, and what follows it in its line. */
enum { CLI_CLEAN_MAX = SERVET_ERROR_FILE_MAX + 3 };

/** A path or a word of the user into `buffer`, which is returned, with '?' for what terminals obey;
 * one that is too long is cut. */
char *cli_clean(const char *text, char buffer[CLI_CLEAN_MAX]);

/** Prints "servet: ..." on stderr as one line and returns CLI_FAILED, or CLI_USAGE for wrong usage.
 */
int cli_error(const servet_error *error);

/** Prints "servet: ..." on stderr and returns CLI_USAGE. */
int cli_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * The number, below `count`, whose name by `name_of` is the first `length` characters of `text`; -1
 * for none.
 */
int cli_find_word(const char *text, size_t length, int count, const char *(*name_of)(int number));

/** The same of all of `text`. */
int cli_find_name(const char *text, int count, const char *(*name_of)(int number));

/**
 * The next word of a list with commas between: where it begins, its `*length`, and `*list` moved
 * behind it; NULL at the end.
 */
const char *cli_next_word(const char **list, size_t *length);

/**
 * The options with values that differ from the defaults, as they would be given to get the same
 * again
 * ("--only cache --budget 5"), but for the one at offset `except`; cut to `size` bytes.
 */
void cli_given(const cli_option *options, const void *arguments, const void *defaults,
               size_t except, char *text, size_t size);

/** Flushes stdout; a full disk or a closed pipe is a failure, not a success. Returns an exit
 * status. */
int cli_finish_output(void);

#endif
