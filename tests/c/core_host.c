/* SPDX-License-Identifier: BSD-3-Clause */
/* Identification of a node from files of kernels of several architectures. */
#include "test.h"

#include "core/host.h"
#include "folder.h"

static void has(const char *word, const char *expected)
{
    char text[SRV_FINGERPRINT_MAX], value[SRV_FINGERPRINT_MAX];
    srv_host_fingerprint(folder, text);
    assert_true(srv_fingerprint_word(text, word, value, sizeof value));
    assert_string_equal(value, expected);
}

static void lacks(const char *word)
{
    char text[SRV_FINGERPRINT_MAX], value[SRV_FINGERPRINT_MAX];
    srv_host_fingerprint(folder, text);
    assert_false(srv_fingerprint_word(text, word, value, sizeof value));
}

TEST_EACH(make_folder, remove_folder)

TEST(an_x86_server)
{
    put_file("proc/cpuinfo",
             "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\n"
             "model name\t: Example @ 2 GHz\nstepping\t: 8\nmicrocode\t: 0x1\n\n"
             "processor\t: 1\nvendor_id\t: Other\n");
    put_file("sys/devices/system/cpu/online", "0-95\n");
    put_file("sys/devices/system/node/online", "0-1\n");
    put_file("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0,48\n");
    put_file("sys/devices/system/cpu/cpu0/topology/core_siblings_list", "0-23,48-71\n");
    put_file("sys/devices/system/cpu/cpu0/cache/index0/level", "1\n");
    put_file("sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n");
    put_file("sys/devices/system/cpu/cpu0/cache/index0/size", "48K\n");
    put_file("sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list", "0,48\n");
    put_file("sys/devices/system/cpu/cpu0/cache/index1/level", "1\n");
    put_file("sys/devices/system/cpu/cpu0/cache/index1/type", "Instruction\n");
    put_file("sys/devices/system/cpu/cpu0/cache/index1/size", "32K\n");
    put_file("sys/devices/system/cpu/cpu0/cache/index2/level", "3\n");
    put_file("sys/devices/system/cpu/cpu0/cache/index2/type", "Unified\n");
    put_file("sys/devices/system/cpu/cpu0/cache/index2/size", "107520K\n");
    put_file("sys/devices/system/cpu/cpu0/cache/index2/shared_cpu_list", "0-23,48-71\n");
    has("cpu", "GenuineIntel/6/143/8");
    has("model", "Example_@_2_GHz");
    has("pus", "96");
    has("threads", "2");
    has("package", "48");
    has("numa", "2");
    has("L1", "48K");
    has("L1_sharers", "2");
    has("L3", "107520K");
    has("L3_sharers", "48");
}

TEST(an_arm_server)
{
    put_file("proc/cpuinfo",
             "processor\t: 0\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\n"
             "CPU architecture: 8\nCPU variant\t: 0x1\nCPU part\t: 0xd40\nCPU revision\t: 1\n\n");
    has("cpu", "0x41/0x1/0xd40/1");
    lacks("model");
    lacks("L1");
}

/* Older kernels pad the name; hypervisors may give any. */
TEST(a_name_is_one_word)
{
    put_file("proc/cpuinfo", "vendor_id\t: GenuineIntel\nmodel\t\t: 44\n"
                             "model name\t: Intel(R) Xeon(R) CPU           E5620  @ 2.40GHz  \n");
    has("model", "Intel(R)_Xeon(R)_CPU_E5620_@_2.40GHz");
    put_file("proc/cpuinfo", "vendor_id\t: Example\nmodel name\t: a\tb\x1b[m\xff\n");
    has("model", "a_b_[m_");
    put_file("proc/cpuinfo", "vendor_id\t: Example\nmodel name\t: \n");
    lacks("model");
}

TEST(a_power_server)
{
    put_file("proc/cpuinfo",
             "processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t\t: 3000MHz\n"
             "revision\t: 2.2 (pvr 004e 1202)\n\n");
    has("cpu", "POWER9,_altivec_supported/2.2_(pvr_004e_1202)");
}

/* If the first core is offline, the next one is read. */
TEST(the_first_core_that_is_on)
{
    put_file("sys/devices/system/cpu/online", "2-3\n");
    put_file("sys/devices/system/cpu/cpu2/topology/thread_siblings_list", "2-3\n");
    has("pus", "2");
    has("threads", "2");
}

TEST(without_files_only_system_calls_answer)
{
    lacks("cpu");
    lacks("pus");
    lacks("numa");
    char text[SRV_FINGERPRINT_MAX], value[32];
    srv_host_fingerprint(folder, text);
    assert_true(srv_fingerprint_word(text, "page", value, sizeof value));
    assert_true(srv_fingerprint_word(text, "arch", value, sizeof value));
}

/* Words that do not fit are left out whole. */
TEST(a_long_text_ends_with_a_whole_word)
{
    char line[600] = "vendor_id : ";
    memset(line + strlen(line), 'x', 200);
    strcat(line, "\nmodel : ");
    memset(line + strlen(line), 'y', 100);
    strcat(line, "\nstepping : 1\n");
    put_file("proc/cpuinfo", line);
    char text[SRV_FINGERPRINT_MAX];
    srv_host_fingerprint(folder, text);
    assert_null(strstr(text, "yy"));
    assert_non_null(strstr(text, "xxx/1"));
}
