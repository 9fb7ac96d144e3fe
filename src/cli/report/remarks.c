/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports parts of the profile that are doubtful, or that were not measured completely, with the
 * reason. */
#include "cli/report/parts.h"

#include <stdio.h>
#include <string.h>

#include "cli/report/text.h"
#include "servet/network.h"

static const char OUT_OF_TIME[] = "the time limit was used up";

void report_doubts(document *to, const servet_profile *profile, const servet_at *at, bool of_job)
{
    servet_part part;
    for (int i = 0; servet_profile_part(profile, at, i, &part) == SERVET_OK; i++)
        if (part.of_job == of_job && *part.doubt)
            document_doubt(to, part.doubt, "%s", part.name);
}

/* --- what was not measured -------------------------------------------------------------------- */

typedef enum choice { NO, YES, EITHER } choice;

/* A selection of parts. */
typedef struct selection {
    const servet_profile *profile;
    const servet_at *at;
    const char *cut; /* benchmarks that the time limit cut */
    bool of_job, known;
    choice of_cut, of_pairs;
} selection;

static bool fits(choice of, bool is)
{
    return of == EITHER || (of == YES) == is;
}

static bool is_selected(const selection *of, const servet_part *part)
{
    return part->of_job == of->of_job && part->known == of->known &&
           fits(of->of_cut, report_is_listed(of->cut, part->benchmark)) &&
           fits(of->of_pairs, part->of_pairs);
}

/* Appends the next part behind the last one: "sharing of L1/L2, message sizes of layer 1/2". */
static void append_part(document *to, const servet_part *last, const servet_part *part)
{
    const char *number = strrchr(part->of, ' ');
    if (*part->fact && *part->of && last->fact == part->fact)
        document_append(to, "/%s", number ? number + 1 : part->of);
    else
        document_append(to, "%s%s", last->fact ? ", " : " ", part->name);
}

/* Adds a text and the selected parts; nothing if there are none. */
static void list(document *to, const selection *of, const char *text, const char *reason)
{
    servet_part last = {.fact = NULL}, part;
    for (int i = 0; servet_profile_part(of->profile, of->at, i, &part) == SERVET_OK; i++) {
        if (!is_selected(of, &part))
            continue;
        if (!last.fact)
            (of->of_job ? document_line : document_note)(to, "%s%s%s:", text, reason ? ", " : "",
                                                         reason ? reason : "");
        append_part(to, &last, &part);
        last = part;
    }
}

static bool has_one_core(const servet_profile *profile, const servet_at *at)
{
    servet_machine machine;
    return servet_profile_machine(profile, at, &machine) == SERVET_OK && machine.pu_count == 1;
}

static bool is_of_job(const servet_profile *profile)
{
    servet_network network;
    return servet_network_get(profile, &network) == SERVET_OK;
}

void report_missing(document *to, const servet_profile *profile, const servet_at *at,
                    const char *reason)
{
    static const char nothing[] = "Not measured";
    servet_run run = {.seed = 0};
    (void)servet_profile_run(profile, &run);
    selection of = {.profile = profile, .at = at, .cut = run.cut, .of_pairs = EITHER};
    if (has_one_core(profile, at)) {
        of.of_cut = EITHER;
        of.of_pairs = YES;
        list(to, &of, nothing, "only one core may be used");
        of.of_pairs = NO;
    }
    of.of_cut = YES;
    list(to, &of, nothing, reason);
    of.of_cut = NO;
    list(to, &of, nothing, *run.cut ? NULL : reason);
    of.of_cut = YES;
    of.known = true;
    if (!is_of_job(profile)) /* in a job, benchmarks of messages and of nodes have common names */
        list(to, &of, "Perhaps from fewer measurements than planned", NULL);
}

/* --- communication ---------------------------------------------------------------------------- */

/* A complete curve of message sizes ends at this size, or if the next size may take more than a
 * second. */
static const double LARGEST = 32.0 * (1 << 20), LONG_SECONDS = 0.25;

/* Finds the largest size of a layer's curve; false: there is none. */
static bool find_last(const servet_profile *profile, int layer, servet_message *last)
{
    int count = 0;
    return servet_profile_count(profile, NULL, "network.layers.points", (int[]){layer}, &count) ==
               SERVET_OK &&
           SERVET_ITEM(profile, "network.layers.points", last, layer, count) == SERVET_OK;
}

static void add_end_of_curve(document *to, const servet_profile *profile, int layer, bool is_cut)
{
    char bytes[HUMAN_MAX];
    servet_message last;
    if (!find_last(profile, layer, &last) || last.bytes >= LARGEST ||
        !(is_cut || last.time.value >= LONG_SECONDS))
        return;
    human_bytes(last.bytes, bytes);
    document_line(to, "not measured, %s: messages above %s of layer %d",
                  is_cut ? OUT_OF_TIME : "each may take more than a second", bytes, layer);
}

void report_missing_network(document *to, const servet_profile *profile, int layers)
{
    servet_run run = {.seed = 0};
    (void)servet_profile_run(profile, &run);
    const servet_at any = {servet_profile_class_name(profile, 0), SERVET_ANY_CORE};
    const selection of = {.profile = profile,
                          .at = &any,
                          .cut = run.cut,
                          .of_job = true,
                          .of_cut = YES,
                          .of_pairs = EITHER};
    list(to, &of, "not measured", OUT_OF_TIME);
    for (int layer = 1; layer <= layers; layer++)
        add_end_of_curve(to, profile, layer, report_is_listed(run.cut, "curves"));
}
