/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machines of the papers: what the papers say of their caches and nodes, and what both methods
 * say of the models. The expected facts stand here; the models only say what the machines were made
 * of. Where a paper tells one level only (P-Ray), their number is that of the data sheet.
 */
#include "facts.h"

#define DEMPSEY      "Dempsey (Xeon 5060)"
#define ATHLON       "Athlon 3200"
#define KENTSFIELD   "Kentsfield (4 cores)"
#define FINIS_TERRAE "Finis Terrae (8 x Itanium2)"
#define DUNNINGTON   "Dunnington (4 x Xeon E7450)"
#define HECTOR       "HECToR (2 x Interlagos)"
#define HARPERTOWN   "Harpertown (8 cores)"
#define NIAGARA      "Niagara T1 (32 threads)"

#define DUNNINGTON_PAIRS    "0,12 1,13 2,14 3,15 4,16 5,17 6,18 7,19 8,20 9,21 10,22 11,23"
#define DUNNINGTON_PACKAGES "0-2,12-14 3-5,15-17 6-8,18-20 9-11,21-23"
#define HECTOR_MODULES      "0-3 4-7 8-11 12-15 16-19 20-23 24-27 28-31"

/* Dunnington: any two cores get 60 % each (IPDPS'10, Fig. 9). Finis Terrae: 2200 MB/s alone, 1650
 * in one cell, 990 on one bus. HECToR: no overhead (Servet 3.0). The others from P-Ray, figs. 4,
 * 5 and 7. */
static const known_node dunnington = {0, 0, 1, {{0.6, "0-23"}}};
static const known_node finis_terrae = {
    0, 0, 2, {{0.75, "0-7 8-15"}, {0.45, "0-3 4-7 8-11 12-15"}}};
static const known_node hector = {0, 0, 0, {{0, NULL}}};
static const known_node harpertown = {64, 3, NOT_MEASURED, {{0, NULL}}};
static const known_node kentsfield = {64, 0, NOT_MEASURED, {{0, NULL}}};
static const known_node niagara = {16, 1, NOT_MEASURED, {{0, NULL}}};

static const known_machine machines[] = {
    {"dempsey", DEMPSEY, 2, .level = {{KIB(16), PRIVATE}, {MIB(2), PRIVATE}}, .gradient = true},
    {"athlon3200", ATHLON, 2, .level = {{KIB(64), NULL}, {KIB(512), NULL}}},
    {"dunnington", DUNNINGTON, 3,
     .level = {{KIB(32), PRIVATE}, {MIB(3), DUNNINGTON_PAIRS}, {MIB(12), DUNNINGTON_PACKAGES}},
     .node = &dunnington},
    {"finis-terrae", FINIS_TERRAE, 3,
     .level = {{KIB(16), PRIVATE}, {KIB(256), PRIVATE}, {MIB(9), PRIVATE}}, .node = &finis_terrae},
    {"hector", HECTOR, 3,
     .level = {{KIB(16), PRIVATE}, {MIB(2), HECTOR_MODULES}, {MIB(8), "0-7 8-15 16-23 24-31"}},
     .node = &hector},
    {"harpertown", HARPERTOWN, 2, .level = {{0, NULL}, {MIB(6), "0,2 1,3 4,6 5,7"}},
     .node = &harpertown},
    {"kentsfield", KENTSFIELD, 2, .level = {{0, NULL}, {MIB(4), "0-1 2-3"}}, .node = &kentsfield},
    {"niagara-t1", NIAGARA, 2, .level = {{0, NULL}, {MIB(3), "0-31"}}, .node = &niagara},
};

#define TLB_512_KIB "64 entries of 8 KiB translate 512 KiB: the step of a TLB is taken for a cache"

static const known_difference differences[] = {
    {DUNNINGTON, 3, FACT_SIZE, METHOD_2010,
     "P(X > K) is biased towards low sizes, 6 to 12 % for large caches (the paper printed 12 MiB)"},
    {FINIS_TERRAE, 3, FACT_SIZE, METHOD_2010,
     "P(X > K) is biased, and three placements on pages of 16 KiB are few: the gradient falls to "
     "1.00 in mid-rise, and the rest of the rise gives a still lower size"},
    {HECTOR, 3, FACT_SIZE, METHOD_2010,
     "The L3 holds lines that the L2 evicts: a core can use both, up to 10 MiB together"},
    {NIAGARA, 0, FACT_LEVELS, METHOD_2010, TLB_512_KIB},
    {NIAGARA, 2, FACT_SIZE, METHOD_2010, TLB_512_KIB},
    {NIAGARA, 2, FACT_SHARING, METHOD_2010,
     "Sharing was tested at the reach of the TLB, not at the size of the cache"},
};

int main(int argc, char **argv)
{
    static const known_facts facts = {
        .title = "The machines of the papers",
        .text = "Cores are numbered as the operating system does. An empty cell: this method does "
                "not measure the fact.",
        .source = "paper",
        .machines = machines,
        .machine_count = sizeof machines / sizeof *machines,
        .differences = differences,
        .difference_count = sizeof differences / sizeof *differences,
    };
    return facts_main(&facts, argc, argv);
}
