/* SPDX-License-Identifier: BSD-3-Clause */
/** The tables of a program: its subcommands, and the options of each. */
#ifndef SRV_CLI_COMMAND_H
#define SRV_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_OPERANDS_MAX = 64, CLI_TEXTS_MAX = 4 };

/** Types of an option's argument; the parsed value is the field at `offset` of the command's
 * struct. */
typedef enum cli_type {
    CLI_FLAG,   /**< bool */
    CLI_TEXT,   /**< const char * */
    CLI_FILE,   /**< const char *: an output file; NULL for "-", which is standard output */
    CLI_FOLDER, /**< const char *: an output folder; never "-" */
    CLI_TEXTS,  /**< const char *[CLI_TEXTS_MAX], unused ones NULL: the option may be repeated */
    CLI_BYTES,  /**< double within the limits of the option; binary suffixes K M G T */
    CLI_NUMBER, /**< double within the limits of the option */
    CLI_WHOLE,  /**< long long within the limits of the option */
    CLI_WORD,   /**< int: the number of one of the option's words; negative by default: not given */
    CLI_WORDS,  /**< unsigned: a bit for each word of a list with commas; 0 by default: all */
} cli_type;

typedef struct cli_option {
    const char *name; /**< long name, without dashes */
    char letter;      /**< short name, or 0 */
    cli_type type;
    size_t offset;        /**< offset of the field in the command's struct */
    const char *argument; /**< name of the argument in help; NULL for flags */
    const char *help;     /**< one line */
    double least, most;   /**< limits of numbers, which help and errors name */
    /** the word of a number; "?" behind the last one. Help, errors and completion name the words,
     * and help the default one */
    const char *(*word)(unsigned number);
} cli_option;

/** One subcommand. `run` gets the filled struct and returns an exit status. `run_on` replaces it if
 * the command needs a context, which it gets, too. */
typedef struct cli_command {
    const char *name;
    const char *summary;  /**< one line */
    const char *operands; /**< "[PROFILE]", "" for none */
    int operands_min, operands_max;
    const cli_option *options; /**< ends with a NULL name; may be NULL */
    /** size of the struct, whose first field is `const char *operands[CLI_OPERANDS_MAX]` */
    size_t size;
    const void *defaults; /**< a struct to start from, or NULL for all zero */
    int (*run)(const void *arguments);
    int (*run_on)(const void *arguments, const void *context);
    /** prints completions, by cli_candidate(), for an operand or argument that the help names
     * `name`
     * ("KEY"); returns true if files are no completions. NULL: only files are completions */
    bool (*complete)(const char *name);
} cli_command;

#endif
