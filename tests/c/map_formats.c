/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the files for each launcher with texts written by hand. */
#include "test.h"
#include "map_machine.h"

#include "servet/map.h"

static const map_machine other = {.nodes = 2, .nodes_prefix = "m", .cores = "4-7"};

static int write_map(const servet_profile *profile, const servet_map_request *request,
                     servet_map_format format, char **text, servet_error *error)
{
    size_t size;
    servet_map *map;
    FILE *stream = open_memstream(text, &size);
    assert_non_null(stream);
    assert_ok(servet_map_create(&map, profile, request, NULL));
    int code = servet_map_write(map, format, stream, error);
    assert_int_equal(fclose(stream), 0);
    servet_map_destroy(map);
    return code;
}

static void expect(const map_machine *machine, servet_map_request request, servet_map_format format,
                   const char *expected)
{
    char *text;
    servet_profile *profile = map_profile(machine, machine->nodes);
    assert_ok(write_map(profile, &request, format, &text, NULL));
    assert_string_equal(text, expected);
    free(text);
}

/* Finis Terrae, memory bound: buses in different cells first, then a second node. */
static const servet_map_request five = {.processes = 5, .code = SERVET_CODE_MEMORY};

TEST(texts_are_as_expected)
{
    expect(&map_flat, (servet_map_request){.processes = 8}, SERVET_MAP_TEXT,
           "0 n0 0\n1 n0 1\n2 n0 2\n3 n0 3\n4 n0 4\n5 n0 5\n6 n0 6\n7 n1 0\n");
    expect(&map_dunnington, (servet_map_request){.processes = 2, .threads = 2}, SERVET_MAP_TEXT,
           "0 n0 0,12\n1 n0 3,15\n");
    expect(&map_dunnington, (servet_map_request){.processes = 2, .threads = 2}, SERVET_MAP_JSON,
           "{\"threads\": 2, \"processes\": [\n"
           "  {\"rank\": 0, \"host\": \"n0\", \"cores\": [0, 12]},\n"
           "  {\"rank\": 1, \"host\": \"n0\", \"cores\": [3, 15]}\n]}\n");
}

TEST(rankfiles_are_as_expected)
{
    const servet_map_request two = {.processes = 2, .code = SERVET_CODE_COMMUNICATION};
    expect(&map_dunnington, two, SERVET_MAP_OPENMPI4,
           "# mpirun -n 2 --mca rmaps_rank_file_physical 1 --use-hwthread-cpus --rankfile FILE "
           "PROGRAM\nrank 0=n0 slot=0\nrank 1=n0 slot=12\n");
    expect(&map_dunnington, two, SERVET_MAP_OPENMPI5,
           "# mpirun -n 2 --use-hwthread-cpus --map-by rankfile:file=FILE:hwtcpus PROGRAM\n"
           "rank 0=n0 slot=0\nrank 1=n0 slot=1\n");
    const servet_map_request pairs = {.processes = 2, .threads = 2};
    expect(&map_dunnington, pairs, SERVET_MAP_OPENMPI4,
           "# mpirun -n 2 --mca rmaps_rank_file_physical 1 --use-hwthread-cpus --rankfile FILE "
           "PROGRAM\nrank 0=n0 slot=0,12\nrank 1=n0 slot=3,15\n");
    expect(&map_dunnington, pairs, SERVET_MAP_OPENMPI5,
           "# mpirun -n 2 --use-hwthread-cpus --map-by rankfile:file=FILE:hwtcpus PROGRAM\n"
           "rank 0=n0 slot=0-1\nrank 1=n0 slot=6-7\n");
}

TEST(slurm_hostfiles_are_as_expected)
{
    expect(&map_finis_terrae, five, SERVET_MAP_SLURM,
           "# SLURM_HOSTFILE=FILE srun --ntasks=5 --distribution=arbitrary "
           "--cpu-bind=map_cpu:0,8,4 PROGRAM\nn0\nn0\nn0\nn1\nn1\n");
    expect(&map_dunnington, (servet_map_request){.processes = 2, .threads = 2}, SERVET_MAP_SLURM,
           "# SLURM_HOSTFILE=FILE srun --ntasks=2 --distribution=arbitrary "
           "--cpu-bind=mask_cpu:0x1001,0x8008 PROGRAM\nn0\nn0\n");
}

TEST(mpich_hostfiles_are_as_expected)
{
    expect(&map_finis_terrae, five, SERVET_MAP_MPICH,
           "# mpiexec -n 5 -f FILE -bind-to user:0,8,4 PROGRAM\nn0:3\nn1:2\n");
    expect(&map_dunnington, (servet_map_request){.processes = 2, .threads = 2}, SERVET_MAP_MPICH,
           "# mpiexec -n 2 -f FILE -bind-to user:0+12,3+15 PROGRAM\nn0:2\n");
}

TEST(pbs_node_lists_are_as_expected)
{
    expect(&map_finis_terrae, five, SERVET_MAP_PBS, "n0\nn0\nn0\nn1\nn1\n");
}

TEST(openmp_places_are_as_expected)
{
    expect(&map_dunnington, (servet_map_request){.processes = 3, .threads = 1},
           SERVET_MAP_OMP_PLACES, "{0},{3},{6}\n");
    expect(&map_dunnington, (servet_map_request){.processes = 2, .threads = 2},
           SERVET_MAP_OMP_PLACES, "{0,12},{3,15}\n");
}

static int write_command(servet_map_format format, const char *file, char **text,
                         servet_error *error)
{
    size_t size;
    servet_map *map;
    servet_profile *profile = map_profile(&map_dunnington, 1);
    FILE *stream = open_memstream(text, &size);
    assert_non_null(stream);
    const servet_map_request pairs = {.processes = 2, .threads = 2};
    assert_ok(servet_map_create(&map, profile, &pairs, NULL));
    int code = servet_map_write_command(map, format, file, stream, error);
    assert_int_equal(fclose(stream), 0);
    servet_map_destroy(map);
    return code;
}

TEST(commands_name_the_file_as_a_shell_reads_it)
{
    static const struct {
        servet_map_format format;
        const char *file, *expected;
    } commands[] = {
        {SERVET_MAP_TEXT, "placement", ""},
        {SERVET_MAP_JSON, "placement", ""},
        {SERVET_MAP_PBS, "a/b-1.txt",
         "mpirun -n 2 --hostfile a/b-1.txt --map-by seq --bind-to none PROGRAM\n"},
        {SERVET_MAP_OMP_PLACES, "it's",
         "OMP_NUM_THREADS=4 OMP_PROC_BIND=close OMP_PLACES=\"$(cat 'it'\\''s')\" PROGRAM\n"},
        {SERVET_MAP_SLURM, "$(rm)",
         "SLURM_HOSTFILE='$(rm)' srun --ntasks=2 --distribution=arbitrary "
         "--cpu-bind=mask_cpu:0x1001,0x8008 PROGRAM\n"},
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char *text;
        assert_ok(write_command(commands[i].format, commands[i].file, &text, NULL));
        assert_string_equal(text, commands[i].expected);
        free(text);
    }
}

TEST(a_name_that_the_launcher_cannot_read_is_refused)
{
    char *text;
    servet_error error = SERVET_ERROR_INIT;
    assert_code(write_command(SERVET_MAP_OPENMPI5, "a:b", &text, &error), SERVET_EUNSUPPORTED);
    assert_string_equal(error.text, "Open MPI 5 reads no rankfile whose name has a colon: a:b");
    free(text);
}

static void refused(const servet_profile *profile, servet_map_request request,
                    servet_map_format format, int code, const char *expected)
{
    char *text;
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(write_map(profile, &request, format, &text, &error), code);
    assert_string_equal(error.text, expected);
    assert_string_equal(text, ""); /* no part of a file, which a launcher would read */
    free(text);
}

TEST(placements_that_a_format_cannot_express_are_refused)
{
    const servet_map_request two = {.processes = 8};
    servet_profile *profile = map_profile(&map_flat, 1), *from = map_profile(&other, 1);
    assert_ok(servet_profile_adopt_class(profile, from, "other", NULL));
    servet_map_request request = two;
    request.nodes = "n0,m0";
    refused(profile, request, SERVET_MAP_SLURM, SERVET_EUNSUPPORTED,
            "Slurm uses the same cores on all nodes, but processes of n0 and m0 need different "
            "cores");
    refused(profile, request, SERVET_MAP_MPICH, SERVET_EUNSUPPORTED,
            "MPICH uses the same cores on all nodes, but processes of n0 and m0 need different "
            "cores");
    refused(profile, request, SERVET_MAP_OMP_PLACES, SERVET_EUNSUPPORTED,
            "OpenMP places must be on one node, but the placement uses several");
    refused(profile, request, SERVET_MAP_FORMAT_COUNT, SERVET_EARGUMENT, "unknown format 8");
}

/* Every second core: 87 characters, of which Open MPI reads 63. */
TEST(rankfiles_that_open_mpi_cannot_read_are_refused)
{
    static const map_machine apart = {.nodes = 1,
                                      .cores = "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,"
                                               "36,38,40,42,44,46,48,50,52,54,56,58,60"};
    servet_profile *profile = map_profile(&apart, 1);
    refused(profile, (servet_map_request){.processes = 1, .threads = 31}, SERVET_MAP_OPENMPI4,
            SERVET_EUNSUPPORTED,
            "Open MPI reads 63 characters of the cores of a rank, and rank 0 has more: use fewer "
            "threads per process, or another launcher");
    refused(profile, (servet_map_request){.processes = 1}, SERVET_MAP_OPENMPI5, SERVET_EUNMEASURED,
            "Open MPI 5 takes hwloc's logical numbers, and the profile has none for core 0 of n0 "
            "(machine.logical_order): measure it again");
}

TEST(formats_have_names)
{
    assert_string_equal(servet_code_name(SERVET_CODE_MEMORY), "memory");
    assert_string_equal(servet_map_format_name(SERVET_MAP_PBS), "pbs");
}

/* A format in the list without a function would be a call to nowhere. */
TEST(every_format_writes_or_refuses)
{
    const servet_map_request two = {.processes = 2, .code = SERVET_CODE_COMMUNICATION};
    servet_profile *profile = map_profile(&map_dunnington, 1);
    for (int format = 0; format < SERVET_MAP_FORMAT_COUNT; format++) {
        servet_error error = SERVET_ERROR_INIT;
        char *text;
        int code = write_map(profile, &two, (servet_map_format)format, &text, &error);
        assert_true(code == SERVET_OK ? *text != '\0' : *error.text != '\0');
        free(text);
    }
}
