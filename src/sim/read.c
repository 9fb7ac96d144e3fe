/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* secure_getenv() */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <stdbool.h>
#include <unistd.h>

#include "core/json/document.h"
#include "core/text.h"
#include "sim/format.h"
#include "sim/model.h"

/* "/path/to/node.json" is "node", unless the file has a name of its own. */
static void name_after_file(srv_model *model, const char *path)
{
    const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path;
    const char *dot = strrchr(stem, '.');
    int length = dot && dot != stem ? (int)(dot - stem) : (int)strlen(stem);
    snprintf(model->name, sizeof model->name, "%.*s", length, stem);
}

static int decode(srv_model_file *file, const srv_document *document, const char *path,
                  srv_json_path *where)
{
    int code = srv_document_version(document, "model", SRV_MODEL_VERSION, where);
    if (code == SERVET_OK)
        code = srv_decode(&srv_model_file_shape, document->root, file, where);
    if (code == SERVET_OK)
        code = srv_check(&srv_model_file_shape, file, where);
    if (code == SERVET_OK && !*file->model.name)
        name_after_file(&file->model, path);
    if (code == SERVET_OK)
        code = srv_model_complete(file, where);
    return code == SERVET_OK ? srv_model_check(&file->model, where) : code;
}

static int read_file(srv_model_file *file, const char *path, servet_error *error)
{
    srv_document document;
    int code = srv_document_read(&document, path, SRV_FILE_BYTES_MAX, NULL, error);
    srv_json_path where = srv_json_path_in(path, document.text, error);
    if (code == SERVET_OK)
        code = decode(file, &document, path, &where);
    srv_document_free(&document);
    return code;
}

/* Moves the model out of `file`, which keeps the rest. */
static int take_model(srv_model **model, srv_model_file *file, servet_error *error)
{
    srv_model *taken = malloc(sizeof *taken);
    if (!taken)
        return srv_fail_memory(error);
    *taken = file->model;
    file->model.os_index = NULL;
    *model = taken;
    return SERVET_OK;
}

int srv_model_read(srv_model **model, const char *path, servet_error *error)
{
    char found[SERVET_ERROR_FILE_MAX];
    int code = srv_model_find(path, found, sizeof found, error);
    if (code != SERVET_OK)
        return code;
    srv_model_file *file = calloc(1, sizeof *file);
    if (!file)
        return srv_fail_memory(error);
    code = read_file(file, found, error);
    if (code == SERVET_OK)
        code = take_model(model, file, error);
    srv_shape_free(&srv_model_file_shape, file);
    free(file->model.os_index);
    free(file);
    return code;
}

void srv_model_free(srv_model *model)
{
    if (!model)
        return;
    free(model->os_index);
    free(model);
}

/* --- models by name --------------------------------------------------------------------------- */

static const char suffix[] = ".json";

/* Length of a file name without its suffix; 0 if it has another. */
static size_t stem_length(const char *name)
{
    size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0 ? length - end : 0;
}

/* --- folders ---------------------------------------------------------------------------------- */

enum { FOLDERS_MAX = 4, PATH_SIZE = SERVET_ERROR_FILE_MAX };

typedef struct folders {
    int count;
    char path[FOLDERS_MAX][PATH_SIZE];
} folders;

/* Paths too long for any file in them to be opened are left out. */
static void add(folders *list, const char *parent, const char *child)
{
    int length = snprintf(list->path[list->count], PATH_SIZE, "%s%s", parent, child);
    list->count += length > 0 && length < PATH_SIZE;
}

/* The build tree has models beside the program; the other path serves an installation that was
 * moved. */
static void add_around_program(folders *list)
{
    static const char installed[] = SERVET_BIN_TO_DATADIR "/models";
    char program[PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    if (length <= 0 || length == PATH_SIZE)
        return;
    program[length] = '\0';
    strrchr(program, '/')[1] = '\0';
    add(list, program, "share/models");
    if (*installed != '/') /* a datadir of its own, whatever the prefix */
        add(list, program, installed);
}

static folders find_folders(void)
{
    folders list = {.count = 0};
    const char *ordered = secure_getenv("SERVET_MODELS");
    if (ordered && *ordered)
        add(&list, ordered, "");
    add_around_program(&list);
    add(&list, SERVET_DATADIR, "/models");
    return list;
}

/* Writes the path of the first folder's file of that name; false if there is none. */
static bool find_file(const folders *list, const char *name, int length, char *path, size_t size)
{
    for (int i = 0; i < list->count; i++) {
        int used = snprintf(path, size, "%s/%.*s%s", list->path[i], length, name, suffix);
        if (used >= 0 && (size_t)used < size && access(path, F_OK) == 0)
            return true;
    }
    return false;
}

/* --- all models ------------------------------------------------------------------------------- */

static int is_model(const struct dirent *entry)
{
    return stem_length(entry->d_name) > 0;
}

/* True if the file's name selects it: no earlier folder has a file of the same name. */
static bool is_first(const folders *list, int at, const char *file)
{
    char path[2 * PATH_SIZE];
    size_t folder = strlen(list->path[at]);
    return find_file(list, file, (int)stem_length(file), path, sizeof path) &&
           strncmp(path, list->path[at], folder) == 0 && strcmp(path + folder + 1, file) == 0;
}

static int each_in(const folders *list, int at, srv_model_visitor *visit, void *context)
{
    struct dirent **entries;
    int code = SERVET_OK, count = scandir(list->path[at], &entries, is_model, alphasort);
    for (int i = 0; i < count; i++) {
        char *file = entries[i]->d_name;
        if (code == SERVET_OK && is_first(list, at, file)) {
            file[stem_length(file)] = '\0';
            code = visit(context, file);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return code;
}

int srv_model_each(srv_model_visitor *visit, void *context)
{
    folders list = find_folders();
    int code = SERVET_OK;
    for (int i = 0; i < list.count && code == SERVET_OK; i++)
        code = each_in(&list, i, visit, context);
    return code;
}

/* --- one model -------------------------------------------------------------------------------- */

static int count_one(void *count, const char *name)
{
    (void)name;
    ++*(int *)count;
    return SERVET_OK;
}

static int nothing_found(const char *name, servet_error *error)
{
    int count = 0;
    srv_model_each(count_one, &count);
    if (count)
        return srv_fail(error, SERVET_ENOTFOUND,
                        "no model '%.48s'; 'servet measure --machines' lists the models", name);
    return srv_fail(
        error, SERVET_ENOTFOUND,
        "no model '%.48s', nor any other: neither in $SERVET_MODELS, nor in share/models "
        "or %s/models beside the program, nor in %s/models",
        name, SERVET_BIN_TO_DATADIR, SERVET_DATADIR);
}

int srv_model_find(const char *name, char *path, size_t size, servet_error *error)
{
    if (strlen(name) >= size)
        return srv_fail(error, SERVET_ENOTFOUND, "the path of the model is too long: %.64s...",
                        name);
    if (strchr(name, '/') || stem_length(name)) {
        strcpy(path, name);
        return SERVET_OK;
    }
    folders list = find_folders();
    bool found = find_file(&list, name, (int)strlen(name), path, size);
    return found ? SERVET_OK : nothing_found(name, error);
}
