/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/noise_monitor.h"

#include "run/cores.h"

int srv_noise_monitor_begin(srv_noise_monitor *monitor, srv_machine *machine, const char *cores,
                            double budget, servet_error *error)
{
    *monitor = (srv_noise_monitor){.machine = machine,
                                   .sample_seconds =
                                       srv_noise_sample_seconds(budget, SERVET_BENCHMARK_COUNT + 1),
                                   .run = srv_seen_nothing,
                                   .now = srv_seen_nothing};
    int code = srv_quietest_core(machine, cores, &monitor->core, error);
    return code == SERVET_OK ? srv_noise_monitor_sample(monitor, error) : code;
}

void srv_noise_monitor_next(srv_noise_monitor *monitor)
{
    monitor->now = srv_seen_nothing;
    srv_see(&monitor->now, &monitor->last);
}

int srv_noise_monitor_sample(srv_noise_monitor *monitor, servet_error *error)
{
    int code = monitor->machine->ops->noise(monitor->machine, monitor->core,
                                            monitor->sample_seconds, &monitor->last, error);
    if (code != SERVET_OK)
        return code;
    srv_see(&monitor->run, &monitor->last);
    srv_see(&monitor->now, &monitor->last);
    srv_absence absence;
    code = srv_machine_absence(monitor->machine, &absence, error);
    if (code == SERVET_OK)
        srv_see_absence(&monitor->now, &absence);
    return code;
}

void srv_noise_monitor_reason(const srv_noise_monitor *monitor, char reason[SERVET_TEXT_MAX])
{
    srv_seen_reason(&monitor->now, reason);
}

void srv_noise_monitor_shared_reason(const srv_noise_monitor *monitor, char reason[SERVET_TEXT_MAX])
{
    srv_seen_shared_reason(&monitor->now, reason);
}

void srv_noise_monitor_record(const srv_noise_monitor *monitor, servet_run *run)
{
    srv_seen_record(&monitor->run, run);
}
