/* SPDX-License-Identifier: BSD-3-Clause */
/* The raw series of memory: a file for each kind of probe. */
#include "facts/memory/stage_parts.h"
#include "run/raw_file.h"

static void print_alone(const srv_memory *on, FILE *stream)
{
    fputs("kernel,bandwidth,low,high\n", stream);
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++)
        if (on->kernels[i].n > 0)
            fprintf(stream, "%s,%.6g,%.6g,%.6g\n", servet_kernel_name((servet_kernel)i),
                    on->kernels[i].median, on->kernels[i].low, on->kernels[i].high);
}

static void print_pairs(const srv_memory *on, FILE *stream)
{
    fprintf(stream, "# slow pairs of %d cores, by %zu probes; nothing known of %zu pairs\n",
            on->count, on->found.probes, on->found.unmeasured);
    fputs("core,other,share,bandwidth,low,high\n", stream);
    for (size_t i = 0; i < on->found.count; i++) {
        const srv_contention *pair = &on->found.pair[i];
        fprintf(stream, "%d,%d,%.4g,%.6g,%.6g,%.6g\n", on->cores[pair->a], on->cores[pair->b],
                pair->share, pair->rate, pair->low, pair->high);
    }
}

static void print_scaling(const srv_memory *on, FILE *stream)
{
    fputs("level,cores,bandwidth,low,high\n", stream);
    for (int i = 0; i <= on->level_count; i++)
        for (int k = 0; k < on->curve[i].count; k++) {
            const srv_scaling *point = &on->curve[i].point[k];
            fprintf(stream, "%d,%d,%.6g,%.6g,%.6g\n", i, point->cores, point->each, point->low,
                    point->high);
        }
}

static void print_remotes(const srv_memory *on, FILE *stream)
{
    fputs("from,to,bandwidth,latency\n", stream);
    for (int i = 0; i < on->numa_count * on->numa_count && on->remotes; i++)
        if (on->remotes[i].bandwidth.n > 0)
            fprintf(stream, "%d,%d,%.6g,%.5g\n", on->numa[i / on->numa_count].number,
                    on->numa[i % on->numa_count].number, on->remotes[i].bandwidth.median,
                    on->remotes[i].latency.median);
}

static int save(const srv_memory *on, const char *name,
                void (*print)(const srv_memory *on, FILE *stream), servet_error *error)
{
    srv_raw_file file;
    if (srv_raw_begin(&file, on->stage->options->raw_dir, name, error))
        print(on, file.stream);
    return srv_raw_end(&file, error);
}

int srv_memory_save(const srv_memory *on, servet_error *error)
{
    static const struct series {
        const char *name;
        void (*print)(const srv_memory *on, FILE *stream);
    } series[] = {
        {"memory-alone.csv", print_alone},
        {"memory-pairs.csv", print_pairs},
        {"memory-scaling.csv", print_scaling},
        {"memory-numa.csv", print_remotes},
    };
    int code = SERVET_OK;
    for (size_t i = 0; i < sizeof series / sizeof *series && code == SERVET_OK; i++)
        code = save(on, series[i].name, series[i].print, error);
    return code;
}
