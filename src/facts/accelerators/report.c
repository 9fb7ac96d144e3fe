/* SPDX-License-Identifier: BSD-3-Clause */
/* Accelerators in the report. */
#include "cli/report/parts.h"

#include <stdio.h>
#include <string.h>

#include "cli/report/text.h"

static int get(const servet_profile *profile, const servet_at *at, int number,
               servet_accelerator *device)
{
    return servet_profile_item(profile, at, "accelerators.devices", &number, device,
                               sizeof *device);
}

/* --- places ----------------------------------------------------------------------------------- */

static const char *text_or_unknown(const char *text)
{
    return *text ? text : report_unknown;
}

static void add_place(report_table *table, int number, const servet_accelerator *device)
{
    char index[16], node[16], near[REPORT_SETS_MAX];
    snprintf(index, sizeof index, "%d", number - 1);
    snprintf(node, sizeof node, "%d", device->node);
    report_set_text(text_or_unknown(device->cores), near, sizeof near);
    report_table_row(table, (const char *[]){index, device->name, device->bus, near,
                                             device->uniform
                                                 ? "no node is nearer"
                                                 : report_verdict(device->verdict, device->trusted),
                                             device->node >= 0 ? node : report_unknown,
                                             text_or_unknown(device->cards)});
}

static void add_places(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_accelerator device;
    report_table *table = document_table(to, NULL, "rllllrl", "device", "name", "PCI", "near PUs",
                                         "beside the OS", "OS says node", "network cards");
    for (int i = 1; get(profile, at, i, &device) == SERVET_OK; i++)
        add_place(table, i, &device);
}

/* --- copies ----------------------------------------------------------------------------------- */

static void add_link(report_table *table, int number, const servet_accelerator_link *link)
{
    char index[16], node[16], text[6][HUMAN_MAX] = {"", "", "", "", "", ""};
    snprintf(index, sizeof index, "%d", number - 1);
    snprintf(node, sizeof node, "%d", link->node);
    report_rate(&link->to_device, text[0]);
    report_rate(&link->to_host, text[1]);
    if (servet_value_known(&link->to_device_together))
        report_rate(&link->to_device_together, text[2]);
    if (servet_value_known(&link->to_host_together))
        report_rate(&link->to_host_together, text[3]);
    report_time(&link->to_device_latency, HUMAN_US, text[4]);
    report_time(&link->to_host_latency, HUMAN_US, text[5]);
    report_table_row(
        table, (const char *[]){index, node, text[0], text[1], text[2], text[3], text[4], text[5]});
}

static void add_links(report_table *table, const servet_profile *profile, const servet_at *at,
                      int number)
{
    servet_accelerator_link link;
    for (int i = 1; servet_profile_item(profile, at, "accelerators.devices.links",
                                        (const int[]){number, i}, &link, sizeof link) == SERVET_OK;
         i++)
        add_link(table, number, &link);
}

static void add_all_links(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_accelerator device;
    report_table *table =
        document_table(to, "Copies of accelerators by NUMA node, GB/s; of 64 bytes, us", "rrrrrrrr",
                       "device", "node", "to device", "to host", "all to devices", "all to host",
                       "64 B to device", "64 B to host");
    for (int i = 1; get(profile, at, i, &device) == SERVET_OK; i++)
        add_links(table, profile, at, i);
}

/* --- caches ----------------------------------------------------------------------------------- */

static void add_caches(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_accelerator device;
    servet_accelerator_cache cache;
    char index[16], text[3][HUMAN_MAX];
    report_table *table = document_table(to, "Caches of accelerators, by MT4G", "rlrrr", "device",
                                         "cache", "size", "line", "latency, cycles");
    for (int i = 1; get(profile, at, i, &device) == SERVET_OK; i++)
        for (int k = 1; servet_profile_item(profile, at, "accelerators.devices.caches",
                                            (const int[]){i, k}, &cache, sizeof cache) == SERVET_OK;
             k++) {
            snprintf(index, sizeof index, "%d", i - 1);
            report_bytes(&cache.bytes, text[0]);
            report_bytes(&cache.line, text[1]);
            report_number(&cache.latency, text[2]);
            report_table_row(table, (const char *[]){index, servet_device_cache_name(cache.cache),
                                                     text[0], text[1], text[2]});
        }
}

/* --- several devices -------------------------------------------------------------------------- */

/* Sets that a key prints in lines become one line. */
static void join_lines(char *text)
{
    for (char *line = text; (line = strchr(line, '\n'));)
        *line = ' ';
}

static void add_levels(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_accelerator_level level;
    char key[SERVET_NAME_MAX], groups[REPORT_SETS_MAX], rate[HUMAN_MAX];
    report_table *table = NULL;
    for (int i = 1; servet_profile_item(profile, at, "accelerators.levels", &i, &level,
                                        sizeof level) == SERVET_OK;
         i++) {
        if (!table)
            table = document_table(to, "Devices that slow each other down when they copy at once",
                                   "llr", "direction", "devices", "GB/s of each");
        snprintf(key, sizeof key, "accelerators.levels.%d.groups", i);
        if (servet_profile_get(profile, at, key, groups, sizeof groups, NULL) != SERVET_OK)
            snprintf(groups, sizeof groups, "%s", report_unknown);
        join_lines(groups);
        report_rate(&level.bandwidth, rate);
        report_table_row(table,
                         (const char *[]){servet_direction_name(level.direction), groups, rate});
    }
}

static void add_pairs(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_accelerator_pair pair;
    char from[16], target[16], rate[HUMAN_MAX], time[HUMAN_MAX];
    report_table *table = NULL;
    for (int i = 1; servet_profile_item(profile, at, "accelerators.pairs", &i, &pair,
                                        sizeof pair) == SERVET_OK;
         i++) {
        if (!table)
            table = document_table(to, "Copies between accelerators", "rrlrr", "from", "to",
                                   "reach each other", "GB/s", "64 B, us");
        snprintf(from, sizeof from, "%d", pair.from);
        snprintf(target, sizeof target, "%d", pair.to);
        report_rate(&pair.bandwidth, rate);
        report_time(&pair.latency, HUMAN_US, time);
        report_table_row(table,
                         (const char *[]){from, target, pair.direct ? "yes" : "no", rate, time});
    }
}

/* --- the whole -------------------------------------------------------------------------------- */

void report_accelerators(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_accelerator device;
    if (get(profile, at, 1, &device) != SERVET_OK)
        return;
    document_heading(to, "Accelerators");
    add_places(to, profile, at);
    add_all_links(to, profile, at);
    add_caches(to, profile, at);
    add_levels(to, profile, at);
    add_pairs(to, profile, at);
}
