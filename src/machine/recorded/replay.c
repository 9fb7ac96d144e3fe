/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/recorded/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/numbers.h"
#include "core/units.h"
#include "machine/recorded/answers.h"
#include "machine/recorded/recorder.h"

typedef struct replay {
    srv_machine head;
    char folder[SRV_RECORD_PATH_MAX];
    srv_lines fixed, part;
    int next;       /* line of the part after the last one that was given */
    double elapsed; /* as it was read last */
} replay;

static replay *self(srv_machine *machine)
{
    return (replay *)machine;
}

/* --- finding answers -------------------------------------------------------------------------- */

static int look_up(replay *on, const srv_entry *entry, servet_error *error)
{
    const char *answer;
    int line = srv_answers_find(&on->part, on->next, &entry->probe, &answer);
    if (line == SRV_ANSWERS_NO_MEMORY)
        return srv_fail_memory(error);
    if (line == SRV_ANSWERS_NONE)
        return srv_answers_fixed(&on->fixed, entry, error);
    on->part.line[line].given = true;
    on->next = line + 1;
    return srv_answers_give(&on->part, line, entry, answer, error);
}

/* --- probes ----------------------------------------------------------------------------------- */

static int describe(srv_machine *machine, servet_machine *description, servet_error *error)
{
    *description = (servet_machine){0};
    srv_entry entry = srv_entry_describe(description);
    return srv_answers_fixed(&self(machine)->fixed, &entry, error);
}

static int core_types(srv_machine *machine, srv_core_type list[SRV_CORE_TYPES_MAX], int *count,
                      servet_error *error)
{
    srv_entry entry = srv_entry_core_types(list, count);
    return srv_answers_fixed(&self(machine)->fixed, &entry, error);
}

static int reported(srv_machine *machine, int core, srv_reported *found, servet_error *error)
{
    srv_entry entry = srv_entry_reported(&core, found);
    return srv_answers_fixed(&self(machine)->fixed, &entry, error);
}

static int clock_facts(srv_machine *machine, srv_clock_facts *facts, servet_error *error)
{
    srv_entry entry = srv_entry_clock(facts);
    return srv_answers_fixed(&self(machine)->fixed, &entry, error);
}

static int nodes(srv_machine *machine, srv_numa numas[SRV_NUMA_MAX], int *count,
                 servet_error *error)
{
    srv_entry entry = srv_entry_nodes(numas, count);
    return srv_answers_fixed(&self(machine)->fixed, &entry, error);
}

static int objects(srv_machine *machine, srv_sets *sets, servet_error *error)
{
    return srv_answers_objects(&self(machine)->fixed, sets, error);
}

static int memory(srv_machine *machine, double *bytes, servet_error *error)
{
    srv_entry entry = srv_entry_memory(bytes);
    return look_up(self(machine), &entry, error);
}

/* True if there is an answer: without one, nothing is known. */
static int look_up_if(replay *on, const srv_entry *entry, bool *found, servet_error *error)
{
    servet_error missing = SERVET_ERROR_INIT;
    int code = look_up(on, entry, &missing);
    *found = code == SERVET_OK;
    return *found || code == SERVET_EUNMEASURED
               ? SERVET_OK
               : srv_fail_at(error, code, missing.file, missing.line, "%s", missing.text);
}

static int noise(srv_machine *machine, int core, double seconds, srv_noise *seen,
                 servet_error *error)
{
    bool found;
    srv_glance glance = {core, seconds};
    srv_entry entry = srv_entry_noise(&glance, seen);
    int code = look_up_if(self(machine), &entry, &found, error);
    if (!found)
        *seen = (srv_noise){NAN, NAN, NAN, NAN};
    return code;
}

static int absence(srv_machine *machine, srv_absence *seen, servet_error *error)
{
    bool found;
    srv_entry entry = srv_entry_absence(seen);
    int code = look_up_if(self(machine), &entry, &found, error);
    if (!found)
        *seen = (srv_absence){NAN, 0, NAN, 0};
    return code;
}

static int traverse(srv_machine *machine, const srv_traversal *traversals, int count,
                    srv_timing *timings, servet_error *error)
{
    srv_entry entry = srv_entry_traverse(traversals, count, timings);
    return look_up(self(machine), &entry, error);
}

static int stream(srv_machine *machine, const srv_stream *streams, int count, srv_spread *rates,
                  servet_error *error)
{
    srv_entry entry = srv_entry_stream(streams, count, rates);
    return look_up(self(machine), &entry, error);
}

static int transfer_lines(srv_machine *machine, const srv_line_transfer *transfers, int count,
                          srv_timing *timings, servet_error *error)
{
    srv_entry entry = srv_entry_line_transfer(transfers, count, timings);
    return look_up(self(machine), &entry, error);
}

static int false_sharing(srv_machine *machine, const srv_false_sharing *between, srv_timing *timing,
                         servet_error *error)
{
    srv_entry entry = srv_entry_false_sharing(between, timing);
    return look_up(self(machine), &entry, error);
}

static int evict(srv_machine *machine, const srv_eviction *eviction, float *ns, servet_error *error)
{
    srv_evicted_by probe = srv_eviction_hashed(eviction);
    srv_entry entry = srv_entry_evict(&probe, ns);
    return look_up(self(machine), &entry, error);
}

/* The clock as it was read between the same probes; it does not run backwards if the probes differ.
 */
static double elapsed(srv_machine *machine)
{
    replay *on = self(machine);
    double now;
    srv_numbers numbers = srv_numbers_begin();
    if (on->next < on->part.count && sscanf(on->part.line[on->next].text, "at %lf", &now) == 1 &&
        srv_is_bounded(now)) {
        on->elapsed = fmax(on->elapsed, now);
        on->next++;
    }
    srv_numbers_end(numbers);
    return on->elapsed;
}

/* --- the machine ------------------------------------------------------------------------------ */

/* A part without a record, as of a measurement that was ended, has no answers. */
static int part(srv_machine *machine, const char *name, servet_error *error)
{
    replay *on = self(machine);
    char path[SRV_RECORD_PATH_MAX];
    servet_error missing = SERVET_ERROR_INIT;
    srv_lines_finish(&on->part);
    on->next = 0;
    int code = name ? srv_record_path(on->folder, name, path, error) : SERVET_ENOTFOUND;
    if (code == SERVET_OK)
        code = srv_lines_read(&on->part, path, &missing);
    return code == SERVET_OK || code == SERVET_ENOTFOUND
               ? SERVET_OK
               : srv_fail_at(error, code, missing.file, missing.line, "%s", missing.text);
}

static void destroy(srv_machine *machine)
{
    replay *on = self(machine);
    srv_lines_finish(&on->fixed);
    srv_lines_finish(&on->part);
    free(on);
}

static int begin(replay *on, const char *folder, srv_recorded_run *run, servet_error *error)
{
    char path[SRV_RECORD_PATH_MAX];
    srv_entry entry = srv_entry_run(run);
    snprintf(on->folder, sizeof on->folder, "%s", folder);
    int code = srv_record_path(folder, SRV_RECORD_MACHINE, path, error);
    if (code == SERVET_OK)
        code = srv_lines_read(&on->fixed, path, error);
    if (code == SERVET_OK)
        code = srv_answers_fixed(&on->fixed, &entry, error);
    return code == SERVET_OK ? part(&on->head, SRV_RECORD_BEGIN, error) : code;
}

int srv_replay_create(srv_machine **machine, const char *folder, srv_recorded_run *run,
                      servet_error *error)
{
    static const srv_machine_ops ops = {
        .describe = describe,
        .core_types = core_types,
        .reported = reported,
        .clock = clock_facts,
        .memory = memory,
        .noise = noise,
        .absence = absence,
        .traverse = traverse,
        .stream = stream,
        .transfer_lines = transfer_lines,
        .false_sharing = false_sharing,
        .evict = evict,
        .nodes = nodes,
        .objects = objects,
        .elapsed = elapsed,
        .part = part,
        .destroy = destroy,
    };
    replay *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->head.ops = &ops;
    int code = begin(on, folder, run, error);
    if (code == SERVET_OK)
        *machine = &on->head;
    else
        destroy(&on->head);
    return code;
}
