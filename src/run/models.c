/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/model.h"
#include "sim/shipped.h"
#include "servet/measure.h"

typedef struct caller {
    int (*each)(void *context, const char *name, const char *about);
    void *context;
} caller;

static int introduce(void *context, const char *name)
{
    const caller *to = context;
    char line[SERVET_ERROR_FILE_MAX + SERVET_ERROR_TEXT_MAX];
    servet_error error = SERVET_ERROR_INIT;
    srv_model *model;
    if (srv_model_read(&model, name, &error) != SERVET_OK)
        return to->each(to->context, name, servet_error_line(&error, line, sizeof line));
    int answer = to->each(to->context, name, model->about);
    srv_model_free(model);
    return answer;
}

int servet_machine_models(int (*each)(void *context, const char *name, const char *about),
                          void *context)
{
    caller to = {each, context};
    return srv_model_each(introduce, &to);
}
