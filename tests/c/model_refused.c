/* SPDX-License-Identifier: BSD-3-Clause */
/* Refused model files: the message and the line. */
#include "test.h"

#include "model_file.h"
#include "sample_model.h"

/* --- what is refused -------------------------------------------------------------------------- */

typedef struct edit {
    const char *from, *to;    /* `from` is there once */
    const char *where, *what; /* the member, and a part of what is said of it */
} edit;

static int line_of(const char *text, const char *part)
{
    int line = 1;
    const char *end = strstr(text, part);
    assert_non_null(end);
    for (; text < end; text++)
        line += *text == '\n';
    return line;
}

static void replace(const char *base, const char *from, const char *to, char *text, size_t size)
{
    const char *at = strstr(base, from);
    if (!at || strstr(at + 1, from))
        fail_msg("'%s' is not there once", from);
    snprintf(text, size, "%.*s%s%s", (int)(at - base), base, to, at + strlen(from));
}

/* The file with one edit is refused, and the error leads to the line given. */
static void refused_at(const char *base, const edit *change, int line, int expected)
{
    char text[8192];
    servet_error error;
    size_t length = strlen(change->where);
    replace(base, change->from, change->to, text, sizeof text);
    model_file_store(text, strlen(text));
    int code = model_file_try(&error);
    if (code != expected || strncmp(error.text, change->where, length) != 0 ||
        strncmp(error.text + length, ": ", 2) != 0 || !strstr(error.text, change->what))
        fail_msg("%s -> %s: %d, '%s'", change->from, change->to, code, error.text);
    if (error.line != line)
        fail_msg("%s -> %s: line %d, not %d", change->from, change->to, error.line, line);
}

#define REFUSES(base, edits)                                                                       \
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)                                      \
    refused_at(base, &edits[i], line_of(base, edits[i].from), SERVET_EFORMAT)

TEST_EACH(model_file_begin, model_file_end)

TEST(unknown_words)
{
    static const edit edits[] = {
        {"\"turnover_ms\"", "\"turn_ms\"", "caches[2].turn_ms",
         "unknown member; known: level, bytes, ways"},
        {"\"cpu\"", "\"cpus\"", "cpus", "unknown member; known: model, name, about"},
        {"\"jitter\"", "\"jiter\"", "noise.jiter", "unknown member; known: jitter"},
        {"\"adaptive\"", "\"fifo\"", "caches[2].replacement",
         "unknown word 'fifo'; known: lru, tree-plru, random, adaptive"},
        {"\"victim\"", "\"none\"", "caches[2].inclusion",
         "known: inclusive, non-inclusive, exclusive, victim"},
        {"\"huge\"", "\"big\"", "pages.placement", "known: random, coloured, huge"},
        {"\"stream\"", "\"clever\"", "prefetchers[1].kind", "known: next-line, stride, stream"},
        {"\"tree\"", "\"ring\"", "network.kind", "known: crossbar, torus, tree, dragonfly"},
    };
    REFUSES(model_full, edits);
}

TEST(wrong_types_and_ranges)
{
    static const edit edits[] = {
        {"\"model\": 1", "\"model\": 0", "model", "not positive"},
        {"\"model\": 1", "\"model\": \"1\"", "model", "a string where an integer"},
        {"\"24M\"", "\"24X\"", "caches[2].bytes", "'24X' is no size such as \"32K\""},
        {"\"24M\"", "\"\"", "caches[2].bytes", "is no size"},
        {"\"24M\"", "-24", "caches[2].bytes", "-24 bytes, not within 8 to 4294967296"},
        {"\"24M\"", "25165824.5", "caches[2].bytes", "25165824.5 is no whole number of bytes"},
        {"\"24M\"", "true", "caches[2].bytes", "true where a number"},
        {"\"ways\": 10", "\"ways\": 10.5", "caches[1].ways", "a number where an integer"},
        {"\"hidden\": true", "\"hidden\": 1", "caches[2].hidden", "an integer where true or false"},
        {"\"latency_ns\": 90", "\"latency_ns\": null", "memory.latency_ns", "null where a number"},
        {"\"jitter\": 0.03", "\"jitter\": 1.5", "noise.jitter", "1.5, not within 0 to 1"},
        {"\"outlier_share\": 0.01", "\"outlier_share\": -0.01", "noise.outlier_share", "negative"},
        {"\"outlier_factor\": 4", "\"outlier_factor\": 0.5", "noise.outlier_factor",
         "0.5, not within 1 to 1000"},
        {"\"64G\"", "\"65T\"", "memory.bytes", "71468255805440 bytes, not within 1048576 to"},
        {"{\"bytes\": \"16K\"", "{\"bytes\": 1", "pages.bytes", "1 bytes, not within 512 to"},
        {"[4, 2]", "[4, 2, 1, 1, 1, 1, 1]", "network.dimensions", "at most 6"},
        {"[4, 2]", "4", "network.dimensions", "an integer where an array"},
        {"[2, 1.5]", "[2, \"x\"]", "network.oversubscription[1]", "a string where a number"},
    };
    REFUSES(model_full, edits);
}

/* A missing member is reported at the beginning of its object. */
TEST(missing_members)
{
    static const edit root[] = {
        {"  \"model\": 1,\n", "\n", "model", "missing"},
        {"  \"cores\": 8,\n", "\n", "cores",
         "missing: either cores and clock_ghz, or kinds, is required"},
        {"  \"clock_ghz\": 2.5,\n", "\n", "clock_ghz",
         "missing: either cores and clock_ghz, or kinds, is required"},
    };
    static const edit memory = {"    \"latency_ns\": 90,\n", "\n", "memory.latency_ns", "missing"};
    for (size_t i = 0; i < sizeof root / sizeof *root; i++)
        refused_at(model_full, &root[i], 1, SERVET_EFORMAT);
    refused_at(model_full, &memory, line_of(model_full, "\"memory\""), SERVET_EFORMAT);
}

TEST(a_newer_version)
{
    static const edit newer = {"\"model\": 1,", "\"model\": 2, \"cores\": \"new meaning\",",
                               "model", "for a newer Servet (model 2, this one reads up to 1)"};
    char text[8192];
    replace(model_full, "  \"cores\": 8,\n", "", text, sizeof text);
    refused_at(text, &newer, 2, SERVET_EVERSION);
}

TEST(counts_that_disagree)
{
    static const edit edits[] = {
        {"\"packages\": 2", "\"packages\": 3", "packages",
         "3 packages; their number must divide that of the cores, 8"},
        {"\"numa_nodes\": 4", "\"numa_nodes\": 5", "numa_nodes",
         "5 NUMA nodes; their number must divide that of the cores, 8"},
        {"\"cores\": 8", "\"cores\": 4000", "cores", "more than 4096 PUs"},
        {"\"cores\": 8", "\"cores\": 2147483647", "cores", "not within 1 to 4096"},
        {"\"nodes\": 8", "\"nodes\": 1000000", "nodes", "1000000, not within 1 to 262144"},
        {"12-15", "12-14", "os_numbering", "15 numbers for 16 PUs"},
        {"12-15", "12-16", "os_numbering", "16 is out of range: there are 16 PUs, counted from 0"},
        {"12-15", "12-14,12", "os_numbering", "12 is given twice"},
        {"12-15", "12-", "os_numbering", "expected a list of numbers and ranges at '12-'"},
        {"0,8,", "0;8,", "os_numbering", "expected a list of numbers and ranges at '0;8"},
    };
    REFUSES(model_full, edits);
    static const edit kinds = {"\"kinds\"", "\"numa_nodes\": 3, \"kinds\"", "numa_nodes",
                               "3 NUMA nodes; their number must divide that of the PUs, 8"};
    refused_at(model_hybrid, &kinds, 3, SERVET_EFORMAT);
    static const edit cut = {"\"cores\": 12", "\"cores\": 12, \"packages\": 3, \"numa_nodes\": 2",
                             "numa_nodes",
                             "2 NUMA nodes and 3 packages: one number must divide the other"};
    refused_at(model_least, &cut, 3, SERVET_EFORMAT);
}

TEST(kinds_that_contradict)
{
    static const edit edits[] = {
        {"\"kinds\"", "\"cores\": 5, \"kinds\"", "cores",
         "5 cores, but the core types have 6 in total"},
        {"\"kinds\"", "\"smt\": 2, \"kinds\"", "smt", "for the whole node and for core types"},
        {"\"kinds\"", "\"clock_ghz\": 2, \"kinds\"", "clock_ghz",
         "given both for the whole node and for core types"},
        {"\"name\": \"small\"", "\"name\": \"big\"", "kinds[1].name",
         "two core types have the name 'big'"},
        {"\"name\": \"small\"", "\"name\": \"\"", "kinds[1].name",
         "missing: a core type must have a name"},
        {"\"kind\": \"small\"", "\"kind\": \"tiny\"", "caches[1].kind", "unknown core type 'tiny'"},
        {"\"kind\": \"small\", ", "", "caches[1].level", "level 1 is given twice"},
        {"\"shared_by\": 8", "\"shared_by\": 8, \"kind\": \"big\"", "caches[2].shared_by",
         "groups of 8 PUs; their size must divide the number of PUs, 4"},
        {"\"shared_by\": 8", "\"shared_by\": 1", "caches[2].shared_by",
         "groups of 1 PUs split a core of 2 PUs; use a multiple"},
    };
    static const edit many = {"\"cores\": 4", "\"cores\": 4096", "kinds", "more than 4096 PUs"};
    static const edit none = {"    {\"level\": 1, \"kind\": \"small\", \"bytes\": \"32K\", "
                              "\"ways\": 8, \"latency_cycles\": 3},\n",
                              "\n", "caches", "PU 4 has no cache of level 1"};
    REFUSES(model_hybrid, edits);
    refused_at(model_hybrid, &many, line_of(model_hybrid, "\"kinds\""), SERVET_EFORMAT);
    refused_at(model_hybrid, &none, line_of(model_hybrid, "\"caches\""), SERVET_EFORMAT);
}

TEST(caches_that_contradict)
{
    static const edit edits[] = {
        {"\"line_bytes\": 128, \"latency_cycles\": 14.5",
         "\"line_bytes\": 96, \"latency_cycles\": 14.5", "caches[1].line_bytes",
         "96 is not a power of two"},
        {"\"ways\": 10", "\"ways\": 12", "caches[1].bytes",
         "1310720 bytes are not a multiple of 12 ways x 128 bytes x 1 slices"},
        {"\"1.25M\"", "\"30K\"", "caches[1].bytes",
         "30720 bytes, less than the 49152 of level 1 above"},
        {"\"1.25M\"", "\"60K\"", "caches[1].bytes",
         "61440 bytes cannot include the 98304 of level 1 above"},
        {"\"level\": 3, \"bytes\": \"24M\", \"ways\": 12, \"line_bytes\": 128",
         "\"level\": 3, \"bytes\": \"24M\", \"ways\": 12", "caches[2].line_bytes",
         "lines of 64 bytes are shorter than those of 128 of level 2 above"},
        {"\"latency_cycles\": 60, \"shared_by\": 8", "\"latency_cycles\": 60, \"shared_by\": 6",
         "caches[2].shared_by", "groups of 6 PUs; their size must divide the number of PUs, 16"},
        {"\"latency_cycles\": 60, \"shared_by\": 8", "\"latency_cycles\": 60, \"shared_by\": 2",
         "caches[2].shared_by", "groups of 2 PUs split the groups of 4 of level 2; use a multiple"},
        {"\"latency_cycles\": 5}", "\"latency_cycles\": 5, \"shared_by\": 1}",
         "caches[0].shared_by", "groups of 1 PUs split a core of 2 PUs; use a multiple"},
        {"\"level\": 3", "\"level\": 2", "caches[2].level", "level 2 is given twice"},
        {"\"level\": 3", "\"level\": 4", "caches[2].level", "PU 0 has level 4, but no level 3"},
        {"\"level\": 3", "\"level\": 9", "caches[2].level", "9, not within 1 to 8"},
        {"\"24M\"", "\"256G\"", "caches[2].bytes",
         "274877906944 bytes, not within 8 to 4294967296"},
        {"\"line_bytes\": 128, \"latency_cycles\": 14.5",
         "\"line_bytes\": 1, \"latency_cycles\": 14.5", "caches[1].line_bytes",
         "1 bytes, not within 8 to 4096"},
        {"\"latency_cycles\": 60, \"shared_by\": 8", "\"latency_cycles\": 60, \"shared_by\": 16",
         "caches[2].shared_by", "groups of 16 PUs reach across packages of 8 PUs"},
    };
    static const edit slices = {"\"slices\": 8", "\"slices\": 7", "caches[2].bytes", "x 7 slices"};
    static const edit ways = {"\"1.25M\", \"ways\": 10", "\"1M\", \"ways\": 128", "caches[1].ways",
                              "128 ways, but tree-plru has at most 64"};
    static const edit memory = {"\"64G\"", "\"16M\"", "caches[2].bytes",
                                "25165824 bytes, more than the 16777216 of memory"};
    static const edit lines = {"\"bytes\": 32768, \"ways\": 8",
                               "\"bytes\": \"1G\", \"ways\": 8, \"line_bytes\": 8",
                               "caches[0].bytes", "more than 67108864 lines of 8 bytes"};
    static const edit page = {"\"ways\": 8", "\"ways\": 2, \"line_bytes\": 4096",
                              "caches[0].line_bytes", "4096 bytes, more than the 512 of a page"};
    static const edit overlap = {
        "\"latency_cycles\": 4}",
        "\"latency_cycles\": 4},"
        "{\"level\": 2, \"bytes\": \"1M\", \"ways\": 8, \"latency_cycles\": 9, \"shared_by\": 4},"
        "{\"level\": 3, \"bytes\": \"2M\", \"ways\": 8, \"latency_cycles\": 20, \"shared_by\": 6}",
        "caches[2].shared_by", "groups of 6 PUs split the groups of 4 of level 2; use a multiple"};
    REFUSES(model_full, edits);
    refused_at(model_full, &slices, line_of(model_full, "\"24M\""), SERVET_EFORMAT);
    refused_at(model_least, &overlap, 6, SERVET_EFORMAT);
    refused_at(model_full, &ways, line_of(model_full, "\"1.25M\""), SERVET_EFORMAT);
    refused_at(model_full, &memory, line_of(model_full, "\"24M\""), SERVET_EFORMAT);
    refused_at(model_least, &lines, 6, SERVET_EFORMAT);
    char small_pages[8192];
    replace(model_least, "\"memory\"", "\"pages\": {\"bytes\": 512}, \"memory\"", small_pages,
            sizeof small_pages);
    refused_at(small_pages, &page, 6, SERVET_EFORMAT);
}

/* Clusters of a processor with one L3 for all of them, and a package of its own for each. */
TEST(a_cache_may_serve_several_numa_nodes_but_one_package)
{
    char clusters[8192], packages[8192];
    servet_error error;
    replace(model_least, "\"latency_cycles\": 4}",
            "\"latency_cycles\": 4}, {\"level\": 2, \"bytes\": \"1M\", \"ways\": 8,"
            " \"latency_cycles\": 9, \"shared_by\": 12}], \"numa_nodes\": 4, \"tlbs\": [",
            clusters, sizeof clusters);
    model_file_read(clusters);
    replace(clusters, "\"numa_nodes\"", "\"packages\"", packages, sizeof packages);
    model_file_store(packages, strlen(packages));
    assert_int_equal(model_file_try(&error), SERVET_EFORMAT);
    assert_string_equal(error.text,
                        "caches[1].shared_by: groups of 12 PUs reach across packages of "
                        "3 PUs");
}

/* AMD's Durons had 64 KiB below 128 KiB: what is exclusive adds up. */
TEST(an_exclusive_cache_may_be_smaller)
{
    char text[8192];
    replace(model_least, "\"latency_cycles\": 4}",
            "\"latency_cycles\": 4}, {\"level\": 2, \"bytes\": \"16K\", \"ways\": 8,"
            " \"latency_cycles\": 9, \"inclusion\": \"exclusive\"}",
            text, sizeof text);
    model_file_read(text);
}

TEST(what_serves_the_caches_contradicts)
{
    static const edit edits[] = {
        {"\"ways\": 6", "\"ways\": 7", "tlbs[1].entries",
         "7 ways; their number must divide the 1536 entries"},
        {"\"entries\": 1536", "\"entries\": 60", "tlbs[1].entries",
         "60 entries; must be more than the 64 of the level above"},
        {"\"level\": 2, \"reach_bytes\"", "\"level\": 4, \"reach_bytes\"", "prefetchers[1].level",
         "there is no cache of level 4"},
        {", \"reach_bytes\": \"2K\"", "", "prefetchers[1].reach_bytes",
         "missing: required except for next-line"},
        {"\"entries\": 64,", "\"entries\": 1025,", "tlbs[0].entries",
         "1025 entries; a fully associative TLB has at most 1024"},
        {"{\"bytes\": \"16K\"", "{\"bytes\": \"15K\"", "pages.bytes",
         "15360 is not a power of two"},
        {"\"huge_bytes\": \"2M\"", "\"huge_bytes\": \"3M\"", "pages.huge_bytes",
         "not a power of two above"},
        {"\"huge_bytes\": \"2M\"", "\"huge_bytes\": \"16K\"", "pages.huge_bytes",
         "not a power of two above the 16384 of a page"},
        {", \"huge_bytes\": \"2M\"", "", "pages.placement", "placement huge requires huge_bytes"},
        {"\"shared_by\": 8, \"bytes_per_second\"", "\"shared_by\": 3, \"bytes_per_second\"",
         "memory.domains[0].shared_by",
         "groups of 3 PUs; their size must divide the 16 PUs of a node"},
        {"{\"name\": \"node\",", "{\"name\": \"node\", \"shared_by\": 8,",
         "memory.domains[1].shared_by", "groups of 8 PUs after groups of 8"},
        {"95, \"within\": 8", "95, \"within\": 4", "memory.remote[0].within",
         "groups of 4 PUs after groups of 4"},
        {"150, \"within\": 16", "150, \"within\": 32", "memory.remote[1].within",
         "groups of 32 PUs; their size must divide the 16 PUs of a node"},
        {"},\n      {\"latency_ns\": 150, \"within\": 16, \"core_bytes_per_second\": 7.5e9,\n"
         "       \"link_bytes_per_second\": 22e9}\n",
         "}\n", "memory.remote[0].within",
         "the last groups have 8 PUs; they must have all 16 PUs of a node"},
    };
    static const edit overlap = {"1e9}",
                                 "1e9, \"domains\": [{\"shared_by\": 4, \"bytes_per_second\": 2e9},"
                                 " {\"shared_by\": 6, \"bytes_per_second\": 2e9}]}",
                                 "memory.domains[1].shared_by",
                                 "groups of 6 PUs split the previous groups of 4; use a multiple"};
    static const edit memory = {"\"64G\"", "\"1M\"", "pages.huge_bytes",
                                "2097152 bytes, more than the 1048576 of memory"};
    static const edit one = {"\"numa_nodes\": 4", "\"numa_nodes\": 1", "memory.remote",
                             "remote memory requires several NUMA nodes"};
    refused_at(model_full, &memory, line_of(model_full, "\"pages\""), SERVET_EFORMAT);
    refused_at(model_full, &one, line_of(model_full, "\"remote\""), SERVET_EFORMAT);
    REFUSES(model_full, edits);
    refused_at(model_least, &overlap, 8, SERVET_EFORMAT);
}

TEST(communication_that_contradicts)
{
    static const edit edits[] = {
        {"\"within\": 4", "\"within\": 3", "line_transfer[1].within",
         "their size must divide the 16 PUs"},
        {"\"within\": 4", "\"within\": 2", "line_transfer[1].within",
         "groups of 2 PUs after groups of 2; order groups by size, smallest first"},
        {"\"within\": 16, \"ns\"", "\"within\": 8, \"ns\"", "line_transfer[2].within",
         "the last groups have 8 PUs; they must have all 16 PUs of a node"},
        {"{\"within\": 8, ", "{\"within\": 3, ", "messages[0].within",
         "their size must divide the 16"},
        {"{\"within\": 8, ", "{", "messages[0].within",
         "the layer between nodes must be the last one"},
        {"\"within\": 16, \"shared", "\"within\": 8, \"shared", "messages[1].within",
         "groups of 8 PUs after groups of 8"},
        {"    {\"protocols\"", "    {\"within\": 16, \"protocols\"", "messages[2].within",
         "the last layer must be that between nodes"},
        {"{\"latency_us\": 0.5", "{\"from_bytes\": 1, \"latency_us\": 0.5",
         "messages[0].protocols[0].from_bytes", "1; the first protocol must start at 0 bytes"},
        {"\"from_bytes\": \"16K\"", "\"from_bytes\": 0", "messages[0].protocols[1].from_bytes",
         "0; must be more than the 0 of the previous protocol"},
        {"[4, 2]", "[3, 2]", "network.dimensions",
         "switches above 6 nodes each; this number must divide the 8 nodes"},
        {"[2, 1.5]", "[2]", "network.oversubscription", "1 values for 2 levels of switches"},
    };
    REFUSES(model_full, edits);
}

#define PROTOCOL "\"protocols\": [{\"latency_us\": 1, \"bytes_per_second\": 1e9}]"
#define LINKS    "\"link_bytes_per_second\": 1e9"

TEST(siblings_that_contradict)
{
    static const edit edits[] = {
        {"\"jitter\"", "\"sibling\": {\"busy\": 1}, \"jitter\"", "noise.sibling.busy",
         "1, not within 0 to 0.99"},
        {"\"jitter\"", "\"sibling\": {\"burst_ms\": 1}, \"jitter\"", "noise.sibling.busy",
         "missing"},
        {"\"jitter\"", "\"sibling\": {\"busy\": 0.1, \"level\": 1}, \"jitter\"",
         "noise.sibling.level", "unknown member; known: busy, burst_ms, levels"},
        {"\"jitter\"", "\"sibling\": {\"busy\": 0.1}, \"jitter\"", "noise.sibling.levels",
         "2, but 2 PUs share a cache of level 1"},
    };
    REFUSES(model_full, edits);
}

TEST(clusters_that_contradict)
{
    /* Each stands before "memory" in the smallest model. */
    static const edit edits[] = {
        {"\"line_transfer\": [{\"within\": 4, \"ns\": 1}, {\"within\": 6, \"ns\": 2}],", "",
         "line_transfer[1].within",
         "groups of 6 PUs split the previous groups of 4; use a multiple"},
        {"\"messages\": [{" PROTOCOL "}],", "", "messages[0].within",
         "a layer between nodes requires several nodes"},
        {"\"messages\": [{\"within\": 6, " PROTOCOL "}],", "", "messages[0].within",
         "the last groups have 6 PUs; they must have all 12 PUs"},
        {"\"messages\": [{\"within\": 12, \"protocols\": []}],", "", "messages[0].protocols",
         "there must be at least one protocol"},
        {"\"nodes\": 2, \"messages\": [{\"within\": 6, " PROTOCOL "}, {" PROTOCOL "}],", "",
         "messages[1].within", "the last groups have 6 PUs; they must have all 12 PUs"},
        {"\"network\": {\"kind\": \"torus\", \"dimensions\": [1], " LINKS "},", "", "network",
         "a network requires several nodes"},
        {"\"network\": {\"kind\": \"crossbar\", \"nic_bytes_per_second\": 1e9},", "", "network",
         "a network requires several nodes"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"crossbar\", \"dimensions\": [8]},", "",
         "network.kind", "a crossbar has no dimensions"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"torus\", \"dimensions\": [3, 2], " LINKS "},", "",
         "network.dimensions", "a torus of 6 nodes; the number of nodes is 8"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"torus\", \"dimensions\":"
         " [262144, 262144, 262144, 262144, 262144, 262144], " LINKS "},",
         "", "network.dimensions", "nodes; the number of nodes is 8"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"torus\", \"dimensions\": [4, 2],"
         " \"oversubscription\": [2], " LINKS "},",
         "", "network.oversubscription", "only switches of a tree"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"torus\", " LINKS "},", "", "network.dimensions",
         "missing: required for a torus, a tree or a dragonfly"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"dragonfly\", \"dimensions\": [4, 2], " LINKS "},",
         "", "network.dimensions", "2 numbers; a dragonfly has three"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"dragonfly\", \"dimensions\": [2, 2, 3], " LINKS
         "},",
         "", "network.dimensions", "a dragonfly of 12 nodes; the number of nodes is 8"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"crossbar\", \"slow_nodes\": [{\"node\": 8}]},",
         "", "network.slow_nodes[0].node", "8; the number of nodes is 8"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"crossbar\", \"slow_links\":"
         " [{\"node\": 1, \"byte_factor\": 2}]},",
         "", "network.slow_links[0].link", "0; links of a node have numbers below 0"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"tree\", \"dimensions\": [4, 2], " LINKS
         ", \"slow_links\": [{\"node\": 9, \"byte_factor\": 2}]},",
         "", "network.slow_links[0].node", "9; the number of nodes is 8"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"torus\", \"dimensions\": [4, 2], " LINKS
         ", \"slow_links\": [{\"node\": 1, \"link\": 2, \"byte_factor\": 2}]},",
         "", "network.slow_links[0].link", "2; links of a node have numbers below 2"},
        {"\"nodes\": 8, \"network\": {\"kind\": \"tree\", \"dimensions\": [4]},", "",
         "network.link_bytes_per_second", "missing: required for a torus, a tree or a dragonfly"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        char with_memory[1024];
        snprintf(with_memory, sizeof with_memory, "%s \"memory\"", edits[i].from);
        const edit inserted = {"\"memory\"", with_memory, edits[i].where, edits[i].what};
        refused_at(model_least, &inserted, 8, SERVET_EFORMAT);
    }
}

/* The table of the largest cache must not be made where there is none, nor be too small. */
TEST(the_largest_cache_is_walked_and_a_larger_one_refused)
{
    static const edit larger = {"\"4G\", \"ways\": 16", "\"4200M\", \"ways\": 16",
                                "caches[1].bytes", "4404019200 bytes, not within 8 to 4294967296"};
    char text[8192], largest[8192];
    replace(model_least, "\"latency_cycles\": 4}",
            "\"latency_cycles\": 4}, {\"level\": 2, \"bytes\": \"4G\", \"ways\": 16,"
            " \"latency_cycles\": 40, \"shared_by\": 12}",
            text, sizeof text);
    replace(text, "1073741824", "\"64T\"", largest, sizeof largest);
    srv_timing timing;
    const srv_traversal far = {.core = 0,
                               .bytes = 1 << 20,
                               .line_bytes = 64,
                               .chains = 1,
                               .seconds = 1e-3,
                               .seed = 1,
                               .pages = SERVET_PAGES_BASE};
    model_file_store(largest, strlen(largest));
    srv_machine *machine = shipped_machine(model_path);
    assert_ok(machine->ops->traverse(machine, &far, 1, &timing, NULL));
    /* 1 MiB fits into the 4 GiB at 40 cycles of 2.5 GHz, wherever its pages lie. */
    assert_float_equal(timing.spread.median, 16, 0.5);
    refused_at(largest, &larger, 6, SERVET_EFORMAT);
}
