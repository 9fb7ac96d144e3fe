/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/watch.h"

#include "run/cores.h"

int srv_watch_begin(srv_watch *watch, srv_machine *machine, const char *cores, double budget,
                    servet_error *error)
{
    *watch = (srv_watch){.machine = machine,
                         .look_seconds = srv_look_seconds(budget, SERVET_BENCHMARK_COUNT + 1),
                         .run = srv_seen_nothing,
                         .now = srv_seen_nothing};
    int code = srv_quietest_core(machine, cores, &watch->core, error);
    return code == SERVET_OK ? srv_watch_look(watch, error) : code;
}

void srv_watch_next(srv_watch *watch)
{
    watch->now = srv_seen_nothing;
    srv_see(&watch->now, &watch->last);
}

int srv_watch_look(srv_watch *watch, servet_error *error)
{
    int code = watch->machine->ops->noise(watch->machine, watch->core, watch->look_seconds,
                                          &watch->last, error);
    if (code != SERVET_OK)
        return code;
    srv_see(&watch->run, &watch->last);
    srv_see(&watch->now, &watch->last);
    return SERVET_OK;
}

bool srv_watch_trusts(const srv_watch *watch)
{
    return srv_seen_trusted(&watch->now);
}

void srv_watch_record(const srv_watch *watch, servet_run *run)
{
    srv_seen_record(&watch->run, run);
}
