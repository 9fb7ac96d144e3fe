/* SPDX-License-Identifier: BSD-3-Clause */
/* This node, and the models that stand for others. */
#include "core/error.h"
#include "facts/speed.h"
#include "run/measure.h"
#include "sim/model.h"
#include "sim/simulated.h"

static int describe(const char *model, servet_machine *description, servet_error *error)
{
    srv_machine *machine;
    int code = srv_open_machine(&machine, model, error);
    if (code != SERVET_OK)
        return code;
    code = machine->ops->describe(machine, description, error);
    srv_machine_destroy(machine);
    return code;
}

int servet_machine_here(servet_machine *description, servet_error *error)
{
    return describe(NULL, description, error);
}

int servet_machine_of_model(const char *model, servet_machine *description, servet_error *error)
{
    return describe(model, description, error);
}

int servet_check_speed(const servet_profile *profile, const char *node_class, const char *model,
                       double seconds, servet_speed *speed, servet_error *error)
{
    srv_machine *machine;
    if (!(seconds > 0))
        return srv_fail(error, SERVET_EARGUMENT, "a check needs time");
    int code = srv_open_machine(&machine, model, error);
    if (code != SERVET_OK)
        return code;
    code = srv_speed_check(machine, profile, node_class, seconds, speed, error);
    srv_machine_destroy(machine);
    return code;
}

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
