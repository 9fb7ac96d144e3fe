/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/json/document.h"
#include "sim/format.h"
#include "sim/shipped.h"

/* The largest of the shipped models takes 4 KiB. */
enum { FILE_BYTES_MAX = 1 << 20 };

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
    int code = srv_document_read(&document, path, FILE_BYTES_MAX, NULL, error);
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
