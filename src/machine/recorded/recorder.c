/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/recorded/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "core/numbers.h"
#include "core/text.h"
#include "machine/recorded/lines.h"

typedef struct recorder {
    srv_machine head;
    srv_machine *inner;
    const char *folder;
    srv_lines fixed;
    srv_file part;
    bool open;      /* a part is */
    double elapsed; /* as it was read last */
} recorder;

static recorder *self(srv_machine *machine)
{
    return (recorder *)machine;
}

/* --- files ------------------------------------------------------------------------------------ */

static int begin_part(recorder *on, const char *name, servet_error *error)
{
    char title[80];
    snprintf(title, sizeof title, "probes and answers of the part: %s", name);
    int code = srv_record_begin(&on->part, on->folder, name, title, error);
    on->open = code == SERVET_OK;
    return code;
}

static int save_fixed(const recorder *on, servet_error *error)
{
    srv_file file;
    int code =
        srv_record_begin(&file, on->folder, SRV_RECORD_MACHINE,
                         "the run, and the machine as its operating system describes it", error);
    if (code != SERVET_OK)
        return code;
    for (int i = 0; i < on->fixed.count; i++)
        fprintf(file.stream, "%s\n", on->fixed.line[i].text);
    return srv_file_commit(&file, error);
}

static int end_part(recorder *on, servet_error *error)
{
    if (!on->open)
        return SERVET_OK;
    on->open = false;
    int code = srv_file_commit(&on->part, error);
    return code == SERVET_OK ? save_fixed(on, error) : code;
}

static int part(srv_machine *machine, const char *name, servet_error *error)
{
    recorder *on = self(machine);
    int code = end_part(on, error);
    return code == SERVET_OK && name ? begin_part(on, name, error) : code;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* An entry, and whether it was answered. */
typedef struct answered {
    const srv_entry *entry;
    int code;
} answered;

static void write_line(FILE *stream, const void *context)
{
    const answered *of = context;
    srv_numbers numbers = srv_numbers_begin();
    srv_recorded_probe_write(&of->entry->probe, false, stream);
    if (of->code == SERVET_OK)
        srv_answer_write(&of->entry->answer, stream);
    else
        srv_refusal_write(of->code, stream);
    srv_numbers_end(numbers);
}

/* The line of an entry; NULL without memory. */
static char *line_of(const srv_entry *entry, int code)
{
    return srv_text_written(write_line, &(answered){entry, code});
}

/* Gives the benchmark the answer as it was written. */
static int read_back(const srv_entry *entry, const char *line, servet_error *error)
{
    srv_numbers numbers = srv_numbers_begin();
    const char *answer = strstr(line, " = ");
    int code = srv_answer_read(answer ? answer : "", &entry->answer);
    srv_numbers_end(numbers);
    return code == SERVET_OK ? code : srv_fail(error, code, "cannot write the answers");
}

static int note(recorder *on, const srv_entry *entry, int status, servet_error *error)
{
    char *line = line_of(entry, status);
    if (!line)
        return srv_fail_memory(error);
    if (on->open)
        fprintf(on->part.stream, "%s\n", line);
    int code = status == SERVET_OK ? read_back(entry, line, error) : status;
    free(line);
    return code;
}

/* The probe of a line, as it is written; NULL without memory. */
static char *probe_of(const char *line)
{
    const char *end = strstr(line, " = ");
    end = end ? end : strstr(line, " ! ");
    return strndup(line, (size_t)(end - line));
}

/* Fixed answers stand in the record once; the last one counts. */
static int keep_fixed(recorder *on, char *line, servet_error *error)
{
    const char *answer;
    char *probe = probe_of(line);
    if (!probe) {
        free(line);
        return srv_fail_memory(error);
    }
    int known = srv_lines_find(&on->fixed, 0, probe, &answer);
    free(probe);
    if (known < 0)
        return srv_lines_add(&on->fixed, line, error);
    free(on->fixed.line[known].text);
    on->fixed.line[known].text = line;
    return SERVET_OK;
}

static int note_fixed(recorder *on, const srv_entry *entry, int status, servet_error *error)
{
    char *line = line_of(entry, status);
    int code = line ? keep_fixed(on, line, error) : srv_fail_memory(error);
    return code == SERVET_OK ? status : code;
}

/* The same, read back. */
static int note_timed(recorder *on, const srv_entry *entry, int status, servet_error *error)
{
    char *line = line_of(entry, status);
    if (!line)
        return srv_fail_memory(error);
    int code = status == SERVET_OK ? read_back(entry, line, error) : status;
    int kept = keep_fixed(on, line, error);
    return kept == SERVET_OK ? code : kept;
}

/* --- probes ----------------------------------------------------------------------------------- */

static int describe(srv_machine *machine, servet_machine *description, servet_error *error)
{
    recorder *on = self(machine);
    int code = on->inner->ops->describe(on->inner, description, error);
    srv_entry entry = srv_entry_describe(description);
    return note_fixed(on, &entry, code, error);
}

static int core_types(srv_machine *machine, srv_core_type list[SRV_CORE_TYPES_MAX], int *count,
                      servet_error *error)
{
    recorder *on = self(machine);
    int code = on->inner->ops->core_types(on->inner, list, count, error);
    srv_entry entry = srv_entry_core_types(list, count);
    return note_fixed(on, &entry, code, error);
}

static int reported(srv_machine *machine, int core, srv_reported *found, servet_error *error)
{
    recorder *on = self(machine);
    int code = on->inner->ops->reported(on->inner, core, found, error);
    srv_entry entry = srv_entry_reported(&core, found);
    return note_fixed(on, &entry, code, error);
}

static int clock_facts(srv_machine *machine, srv_clock_facts *facts, servet_error *error)
{
    recorder *on = self(machine);
    int code = on->inner->ops->clock(on->inner, facts, error);
    srv_entry entry = srv_entry_clock(facts);
    return note_timed(on, &entry, code, error);
}

static int nodes(srv_machine *machine, srv_numa numas[SRV_NUMA_MAX], int *count,
                 servet_error *error)
{
    recorder *on = self(machine);
    int code = on->inner->ops->nodes(on->inner, numas, count, error);
    srv_entry entry = srv_entry_nodes(numas, count);
    return note_fixed(on, &entry, code, error);
}

static int objects(srv_machine *machine, srv_sets *sets, servet_error *error)
{
    recorder *on = self(machine);
    int code = on->inner->ops->objects(on->inner, sets, error);
    srv_entry entry = srv_entry_objects(sets);
    return note_fixed(on, &entry, code, error);
}

/* It may change from part to part; where a part is not on record, the last answer serves. */
static int memory(srv_machine *machine, double *bytes, servet_error *error)
{
    recorder *on = self(machine);
    int code = on->inner->ops->memory(on->inner, bytes, error);
    srv_entry entry = srv_entry_memory(bytes);
    int noted = note_fixed(on, &entry, code, error);
    return noted == SERVET_OK ? note(on, &entry, code, error) : noted;
}

static int noise(srv_machine *machine, int core, double seconds, srv_noise *seen,
                 servet_error *error)
{
    recorder *on = self(machine);
    srv_glance glance = {core, seconds};
    int code = on->inner->ops->noise(on->inner, core, seconds, seen, error);
    srv_entry entry = srv_entry_noise(&glance, seen);
    return note(on, &entry, code, error);
}

static int absence(srv_machine *machine, srv_absence *seen, servet_error *error)
{
    recorder *on = self(machine);
    int code = srv_machine_absence(on->inner, seen, error);
    srv_entry entry = srv_entry_absence(seen);
    return note(on, &entry, code, error);
}

static int traverse(srv_machine *machine, const srv_traversal *traversals, int count,
                    srv_timing *timings, servet_error *error)
{
    recorder *on = self(machine);
    int code = on->inner->ops->traverse(on->inner, traversals, count, timings, error);
    srv_entry entry = srv_entry_traverse(traversals, count, timings);
    return note(on, &entry, code, error);
}

static int stream(srv_machine *machine, const srv_stream *streams, int count, srv_spread *rates,
                  servet_error *error)
{
    recorder *on = self(machine);
    int code = on->inner->ops->stream(on->inner, streams, count, rates, error);
    srv_entry entry = srv_entry_stream(streams, count, rates);
    return note(on, &entry, code, error);
}

static int transfer_lines(srv_machine *machine, const srv_line_transfer *transfers, int count,
                          srv_timing *timings, servet_error *error)
{
    recorder *on = self(machine);
    int code = on->inner->ops->transfer_lines(on->inner, transfers, count, timings, error);
    srv_entry entry = srv_entry_line_transfer(transfers, count, timings);
    return note(on, &entry, code, error);
}

static int false_sharing(srv_machine *machine, const srv_false_sharing *between, srv_timing *timing,
                         servet_error *error)
{
    recorder *on = self(machine);
    int code = on->inner->ops->false_sharing(on->inner, between, timing, error);
    srv_entry entry = srv_entry_false_sharing(between, timing);
    return note(on, &entry, code, error);
}

static int evict(srv_machine *machine, const srv_eviction *eviction, float *ns, servet_error *error)
{
    recorder *on = self(machine);
    int code = on->inner->ops->evict(on->inner, eviction, ns, error);
    srv_evicted_by probe = srv_eviction_hashed(eviction);
    srv_entry entry = srv_entry_evict(&probe, ns);
    return note(on, &entry, code, error);
}

/* A clock that stands still between two looks, as a simulated one does, is noted once. */
static double elapsed(srv_machine *machine)
{
    recorder *on = self(machine);
    char text[32];
    srv_numbers numbers = srv_numbers_begin();
    snprintf(text, sizeof text, "%.9g", on->inner->ops->elapsed(on->inner));
    double now = strtod(text, NULL);
    srv_numbers_end(numbers);
    if (on->open && now > on->elapsed)
        fprintf(on->part.stream, "at %s\n", text);
    on->elapsed = now;
    return now;
}

/* --- the machine ------------------------------------------------------------------------------ */

static void destroy(srv_machine *machine)
{
    recorder *on = self(machine);
    if (on->open)
        srv_file_abandon(&on->part);
    srv_lines_finish(&on->fixed);
    free(on);
}

static int begin(recorder *on, const srv_recorded_run *run, bool resume, servet_error *error)
{
    char path[SRV_RECORD_PATH_MAX];
    srv_recorded_run kept = *run;
    srv_entry entry = srv_entry_run(&kept);
    int code = srv_record_path(on->folder, SRV_RECORD_MACHINE, path, error);
    if (code == SERVET_OK && resume) {
        servet_error missing = SERVET_ERROR_INIT;
        code = srv_lines_read(&on->fixed, path, &missing);
        code = code == SERVET_ENOTFOUND ? SERVET_OK : code;
        if (code != SERVET_OK)
            return srv_fail_at(error, code, path, 0, "%s", missing.text);
    }
    if (code == SERVET_OK)
        code = note_fixed(on, &entry, SERVET_OK, error);
    return code == SERVET_OK ? begin_part(on, SRV_RECORD_BEGIN, error) : code;
}

int srv_recorder_create(srv_machine **machine, srv_machine *inner, const char *folder,
                        const srv_recorded_run *run, bool resume, servet_error *error)
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
    recorder *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->head.ops = &ops;
    on->inner = inner;
    on->folder = folder;
    on->elapsed = -1;
    int code = begin(on, run, resume, error);
    if (code == SERVET_OK)
        *machine = &on->head;
    else
        destroy(&on->head);
    return code;
}
