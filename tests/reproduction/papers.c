/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machines of the papers: what the papers say of their caches, and what both methods say of the
 * models. The expected facts stand here; the models only say what the machines were made of.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "findings.h"
#include "machine/model/simulated.h"
#include "pool.h"
#include "report.h"

#define KIB(n) ((n)*1024.)
#define MIB(n) ((n)*1048576.)

/* One statement of a paper: a size, or the cores that share a cache as sets of OS numbers. */
typedef struct paper_fact {
    int level;
    double bytes;       /* 0: not said */
    const char *groups; /* NULL: not said */
} paper_fact;

enum { FACTS_MAX = 3 };

typedef struct paper_machine {
    const char *model, *name, *paper;
    paper_fact facts[FACTS_MAX];
} paper_machine;

#define SIZE    "size"
#define SHARING "cores that share it"

#define PRIVATE             "private"
#define DUNNINGTON_PAIRS    "0,12 1,13 2,14 3,15 4,16 5,17 6,18 7,19 8,20 9,21 10,22 11,23"
#define DUNNINGTON_PACKAGES "0-2,12-14 3-5,15-17 6-8,18-20 9-11,21-23"

static const paper_machine machines[] = {
    {"dempsey", "Dempsey (Xeon 5060)", "IPDPS'10", {{1, KIB(16), NULL}, {2, MIB(2), NULL}}},
    {"athlon3200", "Athlon 3200", "IPDPS'10", {{1, KIB(64), NULL}, {2, KIB(512), NULL}}},
    {"dunnington",
     "Dunnington (4 x Xeon E7450)",
     "IPDPS'10",
     {{1, KIB(32), PRIVATE}, {2, MIB(3), DUNNINGTON_PAIRS}, {3, MIB(12), DUNNINGTON_PACKAGES}}},
    {"finis-terrae",
     "Finis Terrae (8 x Itanium2)",
     "IPDPS'10",
     {{1, KIB(16), PRIVATE}, {2, KIB(256), PRIVATE}, {3, MIB(9), PRIVATE}}},
    {"hector",
     "HECToR (2 x Interlagos)",
     "Servet 3.0",
     {{1, KIB(16), PRIVATE},
      {2, MIB(2), "0-3 4-7 8-11 12-15 16-19 20-23 24-27 28-31"},
      {3, MIB(8), "0-7 8-15 16-23 24-31"}}},
    {"harpertown", "Harpertown (8 cores)", "P-Ray", {{2, MIB(6), "0,2 1,3 4,6 5,7"}}},
    {"kentsfield", "Kentsfield (4 cores)", "P-Ray", {{2, MIB(4), "0-1 2-3"}}},
    {"niagara-t1", "Niagara T1 (32 threads)", "P-Ray", {{2, MIB(3), "0-31"}}},
};
enum { MACHINES = sizeof machines / sizeof *machines };

/* Where a method differs from the paper, and why: the papers' method for good, the default one
 * until it is better. Everything else must hold. */
typedef struct known_difference {
    const char *model;
    int level;
    const char *fact;
    finding_method method;
    const char *reason;
} known_difference;

static const known_difference differences[] = {
    {"dempsey", 2, SIZE, METHOD_DEFAULT,
     "the step of the 64-entry TLB at 256 KiB is taken for a cache"},
    {"dunnington", 3, SIZE, METHOD_2010,
     "the bias of P(X > K), which reads large caches 6 to 12 % low (the paper printed 12 MiB)"},
    {"finis-terrae", 3, SIZE, METHOD_2010, "the same bias"},
    {"finis-terrae", 2, SIZE, METHOD_DEFAULT,
     "pages of 16 KiB leave this cache two colours: a few random placements decide the knee"},
    {"finis-terrae", 3, SIZE, METHOD_DEFAULT, "the fit reads 4 % low"},
    {"hector", 3, SIZE, METHOD_2010,
     "the L3 is filled by what the L2 evicts: a core sees both, up to 10 MiB together"},
    {"harpertown", 2, SIZE, METHOD_DEFAULT,
     "the fit reads 9 % low, too far for 6 MiB to be called the simpler size"},
    {"niagara-t1", 2, SIZE, METHOD_2010,
     "64 entries of 8 KiB translate 512 KiB: the paper's method takes the step of a TLB for a "
     "cache"},
    {"niagara-t1", 2, SHARING, METHOD_2010, "so what it asks about is not the cache"},
    {"niagara-t1", 2, SIZE, METHOD_DEFAULT, "the same step of the TLB"},
};
enum { DIFFERENCES = sizeof differences / sizeof *differences };

/* --- asking -------------------------------------------------------------------------------------
 */

static void measure(void *context, int index)
{
    findings(*found)[METHOD_COUNT] = context;
    const paper_machine *asked = &machines[index / METHOD_COUNT];
    finding_method method = (finding_method)(index % METHOD_COUNT);
    findings *answer = &found[index / METHOD_COUNT][method];
    srv_machine *machine;
    answer->code = srv_simulated_create(&machine, asked->model, NULL);
    if (answer->code != SERVET_OK)
        return;
    *answer = findings_of(machine, method, 0);
    srv_machine_destroy(machine);
}

/* --- judging and saying -------------------------------------------------------------------------
 */

typedef struct table_row {
    const paper_machine *machine;
    int level;
    const char *fact; /* "size", "cores that share it" */
    const char *expected;
    const char *said[METHOD_COUNT]; /* "": not asked */
} table_row;

static const char *reason_of(const table_row *row, finding_method method)
{
    for (int i = 0; i < DIFFERENCES; i++)
        if (strcmp(differences[i].model, row->machine->model) == 0 &&
            differences[i].level == row->level && differences[i].method == method &&
            strcmp(differences[i].fact, row->fact) == 0)
            return differences[i].reason;
    return NULL;
}

static void judge(test_report *out, const table_row *row, finding_method method)
{
    static const char *const names[METHOD_COUNT] = {"servet2010", "default"};
    const char *said = row->said[method], *machine = row->machine->name;
    bool holds = strcmp(said, row->expected) == 0;
    if (!reason_of(row, method))
        report_claim(out, holds, "%s, L%d, %s by %s: %s (%s)", machine, row->level, row->fact,
                     names[method], row->expected, said);
    else if (method == METHOD_2010)
        report_claim(out, !holds, "%s, L%d, %s by %s: not %s, as known (%s)", machine, row->level,
                     row->fact, names[method], row->expected, said);
    else
        report_goal(out, holds, "%s, L%d, %s by %s: %s (%s)", machine, row->level, row->fact,
                    names[method], row->expected, said);
}

static void write_row(test_report *out, const table_row *row)
{
    fprintf(out->section, "| %s | L%d | %s | %s | %s | %s |\n", row->machine->name, row->level,
            row->fact, row->expected, row->said[METHOD_2010], row->said[METHOD_DEFAULT]);
    for (finding_method method = 0; method < METHOD_COUNT; method++)
        if (*row->said[method])
            judge(out, row, method);
}

static void write_sizes(test_report *out, const paper_machine *machine, const paper_fact *fact,
                        const findings found[METHOD_COUNT])
{
    char expected[32], said[METHOD_COUNT][32];
    for (finding_method method = 0; method < METHOD_COUNT; method++)
        if (fact->level <= found[method].count)
            size_text(found[method].bytes[fact->level - 1], said[method], sizeof said[method]);
        else
            snprintf(said[method], sizeof said[method], "none");
    size_text(fact->bytes, expected, sizeof expected);
    write_row(out, &(table_row){machine, fact->level, SIZE, expected, .said = {said[0], said[1]}});
}

static void write_sharing(test_report *out, const paper_machine *machine, const paper_fact *fact,
                          const findings found[METHOD_COUNT])
{
    const findings *walked = &found[METHOD_2010];
    const char *said = fact->level <= walked->count ? walked->groups[fact->level - 1] : "none";
    write_row(out, &(table_row){machine, fact->level, SHARING, fact->groups, .said = {said, ""}});
}

/* What one would read off the curve without the probabilistic algorithm (IPDPS'10, III.A). */
static void write_gradient(test_report *out, const paper_machine *machine, const findings *walked)
{
    char said[32];
    size_text(walked->steepest, said, sizeof said);
    write_row(out, &(table_row){machine, 2, "size by the gradient alone", "1 MiB", {said, ""}});
}

static void write_levels(FILE *out, const paper_machine *machine,
                         const findings found[METHOD_COUNT])
{
    char text[32];
    fprintf(out, "| %s |  | all levels |  |", machine->name);
    for (finding_method method = 0; method < METHOD_COUNT; method++) {
        for (int i = 0; i < found[method].count; i++)
            fprintf(out, "%s%s", i > 0 ? ", " : " ",
                    size_text(found[method].bytes[i], text, sizeof text));
        fputs(" |", out);
    }
    fputs("\n", out);
}

static void write_machine(test_report *out, const paper_machine *machine,
                          const findings found[METHOD_COUNT])
{
    for (int i = 0; i < FACTS_MAX && machine->facts[i].level; i++) {
        write_sizes(out, machine, &machine->facts[i], found);
        if (machine->facts[i].groups)
            write_sharing(out, machine, &machine->facts[i], found);
    }
    if (strcmp(machine->model, "dempsey") == 0)
        write_gradient(out, machine, &found[METHOD_2010]);
    write_levels(out->section, machine, found);
}

static void write_differences(FILE *out)
{
    fputs("\nWhere a method differs:\n\n", out);
    for (int i = 0; i < DIFFERENCES; i++)
        fprintf(out, "- %s, L%d, %s by %s: %s\n", differences[i].model, differences[i].level,
                differences[i].fact,
                differences[i].method == METHOD_2010 ? "servet2010" : "default",
                differences[i].reason);
}

int main(int argc, char **argv)
{
    static findings found[MACHINES][METHOD_COUNT];
    test_report out;
    report_begin(&out, argc, argv);
    pool_run(MACHINES * METHOD_COUNT, measure, found);
    fputs("## The machines of the papers\n"
          "\n"
          "Cores are numbered as the operating system does. An empty cell: not asked of this "
          "method.\n"
          "\n"
          "| machine | level | fact | paper | servet2010 | default |\n"
          "| --- | --- | --- | --- | --- | --- |\n",
          out.section);
    for (int i = 0; i < MACHINES; i++)
        write_machine(&out, &machines[i], found[i]);
    write_differences(out.section);
    return report_end(&out);
}
