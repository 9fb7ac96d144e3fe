/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/export.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands/commands.h"
#include "cli/message.h"
#include "core/error.h"

typedef struct export_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *output, *topology, *nodes, *compare, *node_class, *cluster;
    int format;
} export_arguments;

/* --- files ------------------------------------------------------------------------------------ */

/* A file to write. */
typedef struct export_file {
    const servet_profile *profile;
    const servet_export_request *request;
} export_file;

static int make_file(FILE *to, const void *context, servet_error *error)
{
    const export_file *file = context;
    return servet_export_write(file->profile, file->request, to, error);
}

/* Prints why there is no such file, and removes a file of an earlier export, which would be out of
 * date. */
static void leave_out(const char *path, const servet_error *reason)
{
    servet_error line = *reason;
    snprintf(line.file, sizeof line.file, "%s", path);
    (void)cli_error(&line);
    (void)unlink(path);
}

/* Writes all files for which there are facts; fails if there are none. */
static int write_folder(const servet_profile *profile, servet_export_request request,
                        const char *folder, servet_error *error)
{
    char path[SERVET_ERROR_FILE_MAX];
    const char *name;
    int code = SERVET_OK, written = 0;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return srv_fail_at(error, SERVET_EIO, folder, 0, "cannot make the folder: %s",
                           strerror(errno));
    for (; code == SERVET_OK && (name = servet_export_file(request.format, request.file)) != NULL;
         request.file++) {
        *error = (servet_error)SERVET_ERROR_INIT;
        int n = snprintf(path, sizeof path, "%s/%s", folder, name);
        code = (size_t)n < sizeof path
                   ? cli_write(path, make_file, &(export_file){profile, &request}, error)
                   : srv_fail_at(error, SERVET_EIO, folder, 0, "the path is too long");
        written += code == SERVET_OK;
        if (code == SERVET_EUNMEASURED || code == SERVET_EUNSUPPORTED) {
            leave_out(path, error);
            code = SERVET_OK;
        }
    }
    if (code != SERVET_OK || written)
        return code;
    *error = (servet_error)SERVET_ERROR_INIT;
    return srv_fail_at(error, SERVET_EUNMEASURED, folder, 0, "nothing could be exported");
}

/* --- the command ------------------------------------------------------------------------------ */

/* Compares. As in diff(1), a failure and a difference have different exit statuses. */
static int compare(const servet_profile *profile, const servet_export_request *request,
                   const char *path, servet_error *error)
{
    int differences;
    int code = servet_export_compare(profile, request, path, stdout, &differences, error);
    if (code != SERVET_OK) {
        (void)cli_error(error);
        return CLI_USAGE;
    }
    if (cli_finish_output() != CLI_OK)
        return CLI_USAGE;
    return differences ? CLI_FAILED : CLI_OK;
}

static int export_as(const servet_profile *profile, const export_arguments *arguments,
                     const servet_export_request *request)
{
    servet_error error = SERVET_ERROR_INIT;
    if (arguments->compare)
        return compare(profile, request, arguments->compare, &error);
    int code =
        arguments->output && servet_export_file(request->format, 1)
            ? write_folder(profile, *request, arguments->output, &error)
            : cli_write(arguments->output, make_file, &(export_file){profile, request}, &error);
    return code == SERVET_OK ? cli_finish_output() : cli_error(&error);
}

static int run(const void *parsed)
{
    const export_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile;
    int format = arguments->format;
    const servet_export_request request = {.format = (servet_export_format)format,
                                           .node_class = arguments->node_class,
                                           .topology = arguments->topology,
                                           .nodes = arguments->nodes,
                                           .cluster = arguments->cluster};
    if (arguments->compare && arguments->output)
        return cli_usage_error("--compare and --output exclude each other");
    if ((arguments->nodes || arguments->compare) && format != SERVET_EXPORT_SLURM_TOPOLOGY)
        return cli_usage_error("--nodes and --compare need --format %s",
                               servet_export_name(SERVET_EXPORT_SLURM_TOPOLOGY));
    if (arguments->cluster && format != SERVET_EXPORT_CLUSTERCOCKPIT)
        return cli_usage_error("--cluster needs --format %s",
                               servet_export_name(SERVET_EXPORT_CLUSTERCOCKPIT));
    if (servet_profile_open(&profile, arguments->operands[0], &error) != SERVET_OK) {
        int failed = cli_error(&error);
        return arguments->compare ? CLI_USAGE : failed;
    }
    int status = export_as(profile, arguments, &request);
    servet_profile_close(profile);
    return status;
}

static const cli_option options[] = {
    {"format", 0, CLI_WORD, offsetof(export_arguments, format), "FORMAT", "output format",
     .word = servet_export_name},
    {"output", 'o', CLI_FILE, offsetof(export_arguments, output), "PATH",
     "output file; folder of a format of several files (default: print the first one)"},
    {"topology", 0, CLI_TEXT, offsetof(export_arguments, topology), "TOPOLOGY",
     "hwloc XML file or synthetic 'pack:2 core:4 pu:2' (default: this node)"},
    {"nodes", 0, CLI_TEXT, offsetof(export_arguments, nodes), "LIST",
     "more nodes of the cluster, for slurm-topology: node[01-64],login1"},
    {"cluster", 0, CLI_TEXT, offsetof(export_arguments, cluster), "NAME",
     "name of the cluster, for clustercockpit: ClusterName of slurm.conf, for example"},
    {"compare", 0, CLI_TEXT, offsetof(export_arguments, compare), "FILE",
     "print which nodes the site's topology.conf or topology.yaml has elsewhere"},
    CLI_OPTION_CLASS(export_arguments),
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

static const export_arguments defaults = {.format = SERVET_EXPORT_HWLOC_XML};

const cli_command command_export = {
    .name = "export",
    .summary = "write a profile for other tools",
    .operands = "[PROFILE]",
    .operands_max = 1,
    .options = options,
    .size = sizeof(export_arguments),
    .defaults = &defaults,
    .run = run,
};
