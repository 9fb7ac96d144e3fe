/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole measurement of the real machine takes a second, because its working sets are small. No
 * result is compared, because the test runs on any machine. */
#include "test.h"

#include <dirent.h>
#include <unistd.h>

#include "folder.h"
#include "servet/measure.h"

static const double KIB = 1 << 10;

TEST(the_machine_is_described_without_measuring)
{
    servet_machine machine;
    char hostname[SERVET_NAME_MAX] = "";
    gethostname(hostname, sizeof hostname - 1);
    assert_ok(servet_machine_here(&machine, NULL));
    assert_string_equal(machine.hostname, hostname);
    assert_true(machine.pu_count > 0 && machine.core_count > 0);
    assert_true(machine.page_bytes == (double)sysconf(_SC_PAGESIZE));
}

TEST(options_are_checked)
{
    static const struct {
        double min_bytes, max_bytes, budget_seconds;
    } wrong[] = {{0, 0, 0}, {-1, 0, 0}, {NAN, 0, 0}, {4096, -1, 0}, {4096, 4096, 0}, {4096, 0, -1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
        servet_error error = SERVET_ERROR_INIT;
        servet_profile *profile = NULL;
        options.min_bytes = wrong[i].min_bytes;
        options.max_bytes = wrong[i].max_bytes;
        options.budget_seconds = wrong[i].budget_seconds;
        assert_code(servet_measure(&options, &profile, &error), SERVET_EARGUMENT);
        assert_null(profile);
        assert_true(error.text[0]);
    }
}

static void check_curve(const char *file)
{
    servet_curve curve = SERVET_CURVE_INIT;
    assert_ok(servet_curve_read(file, &curve, NULL));
    assert_true(curve.n >= 4);
    servet_curve_free(&curve);
}

/* The file has a comment, a header and rows. */
static void check_visits(const char *file)
{
    char line[256];
    int lines = 0;
    FILE *stream = fopen(file, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream))
        lines++;
    fclose(stream);
    assert_true(lines >= 2 + 4);
}

/* Counts the files with series of the caches; other benchmarks write other files. */
static int count_files(void)
{
    int count = 0;
    DIR *names = opendir(folder);
    assert_non_null(names);
    for (struct dirent *entry; (entry = readdir(names));)
        if (entry->d_name[0] != '.') {
            char file[512];
            bool of_caches = strncmp(entry->d_name, "cache-", 6) == 0;
            snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
            if (of_caches)
                (strstr(file, "-visits.") ? check_visits : check_curve)(file);
            count += of_caches;
        }
    closedir(names);
    return count;
}

TEST(a_small_measurement_succeeds)
{
    assert_int_equal(make_folder(NULL), 0);
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    options.max_bytes = 512 * KIB;
    options.budget_seconds = 4;
    options.raw_dir = folder;
    servet_profile *profile = NULL;
    assert_ok(servet_measure(&options, &profile, NULL));
    servet_run run;
    assert_ok(servet_profile_run(profile, &run));
    assert_true(run.duration.value > 0 && run.frequency.value > 0);
    int count;
    assert_ok(servet_cache_count(profile, NULL, &count));
    servet_profile_close(profile);
    assert_true(count_files() >= 3); /* independent loads, their visits, the chase */
    assert_int_equal(remove_folder(NULL), 0);
}

TEST(policies_have_names)
{
    assert_string_equal(servet_pages_name(SERVET_PAGES_BASE), "base");
    assert_string_equal(servet_pages_name(SERVET_PAGES_HUGE), "huge");
    assert_string_equal(servet_cache_kind_name(SERVET_CACHE_CAPACITY), "capacity");
    assert_string_equal(servet_cache_kind_name(SERVET_CACHE_TURNOVER), "turnover");
}
