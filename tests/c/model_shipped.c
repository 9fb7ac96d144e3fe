/* SPDX-License-Identifier: BSD-3-Clause */
/* The shipped models: all can be read, and those of the papers' machines agree with the papers. */
#include "test.h"

#include <dirent.h>

#include "sample_model.h"

/* Names come from the files, and each says what it is. */
TEST(all_shipped_models_are_read)
{
    int count = 0;
    DIR *opened = opendir(getenv("SERVET_MODELS"));
    assert_non_null(opened);
    for (struct dirent *entry; (entry = readdir(opened));) {
        size_t length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 5, ".json") != 0)
            continue;
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)length - 5, entry->d_name);
        srv_model *model = shipped_model(name);
        assert_string_equal(model->name, name);
        assert_true(*model->about && *model->machine.cpu && *model->machine.architecture);
        count++;
    }
    closedir(opened);
    assert_true(count >= 16);
}

/* The OS numbers the sockets and their pairs of cores in turn. */
TEST(numbers_of_the_os_are_listed_in_logical_order)
{
    srv_model *model = shipped_model("dunnington");
    assert_string_equal(model->machine.logical_order,
                        "0,12,1,13,2,14,3,15,4,16,5,17,6,18,7,19,8,20,9,21,10,22,11,23");
}

/* Is true if OS numbers a and b share an instance of the cache in row `i`. */
static bool share(const srv_model *model, int i, int a, int b)
{
    const srv_model_cache *cache = &model->cache[i];
    int group[2] = {-1, -2}, wanted[2] = {a, b};
    for (int pu = cache->first_pu; pu < cache->first_pu + cache->pu_count; pu++)
        for (int k = 0; k < 2; k++)
            if (model->os_index[pu] == wanted[k])
                group[k] = (pu - cache->first_pu) / cache->pus_per_instance;
    return group[0] == group[1];
}

/* The papers' statements about their machines: sizes, and the PUs that share with PU 0. */
TEST(the_machines_of_the_papers)
{
    static const struct {
        const char *file;
        int pus, level;
        double kib;
        const char *sharing; /* OS numbers that share it with PU 0, by a letter each from 'a' = 0 */
    } facts[] = {
        {"dempsey", 2, 1, 16, "a"},
        {"dempsey", 2, 2, 2048, "a"},
        {"athlon3200", 1, 1, 64, "a"},
        {"athlon3200", 1, 2, 512, "a"},
        {"dunnington", 24, 1, 32, "a"},
        {"dunnington", 24, 2, 3072, "am"},
        {"dunnington", 24, 3, 12288, "abcmno"},
        {"finis-terrae", 16, 1, 16, "a"},
        {"finis-terrae", 16, 2, 256, "a"},
        {"finis-terrae", 16, 3, 9216, "a"},
        {"hector", 32, 1, 16, "a"},
        {"hector", 32, 2, 2048, "abcd"},
        {"hector", 32, 3, 8192, "abcdefgh"},
        {"harpertown", 8, 2, 6144, "ac"},
        {"kentsfield", 4, 2, 4096, "ab"},
        {"niagara-t1", 32, 2, 3072, "abcdefghijklmnopqrstuvwxyz{|}~\x7f\x80"},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        srv_model *model = shipped_model(facts[i].file);
        int row = facts[i].level - 1;
        assert_int_equal(model->pu_count, facts[i].pus);
        assert_int_equal(model->cache[row].level, facts[i].level);
        assert_true(model->cache[row].bytes == facts[i].kib * 1024);
        for (int pu = 0; pu < model->pu_count; pu++) {
            bool expected = strchr(facts[i].sharing, 'a' + pu) != NULL;
            if (share(model, row, 0, pu) != expected)
                fail_msg("%s: level %d of PU %d", facts[i].file, facts[i].level, pu);
        }
    }
}

TEST(harpertown_shares_as_p_ray_found)
{
    srv_model *model = shipped_model("harpertown");
    static const int pairs[][2] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}};
    for (int i = 0; i < 4; i++)
        assert_true(share(model, 1, pairs[i][0], pairs[i][1]));
}
