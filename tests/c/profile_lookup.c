/* SPDX-License-Identifier: BSD-3-Clause */
/* The place of a profile, who may write there, and the class of a node. */
#include "test.h"
#include "profile_sample.h"
#include "servet/identity.h"

#include "profile/file/owner.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "profile_text.h"

static char ordered[TEST_PATH_MAX], user[TEST_PATH_MAX], home[TEST_PATH_MAX];

static void make_file(const char *path)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fclose(stream);
}

TEST_FIXTURE(setup)
{
    char path[TEST_PATH_MAX];
    if (make_folder(state) != 0)
        return -1;
    snprintf(ordered, sizeof ordered, "%s/ordered.json", folder);
    snprintf(user, sizeof user, "%s/servet/profile.json", folder);
    snprintf(home, sizeof home, "%s/.local/share/servet/profile.json", folder);
    const char *const below[] = {"servet", ".local", ".local/share", ".local/share/servet"};
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, below[i]);
        if (mkdir(path, 0700) != 0)
            return -1;
    }
    unsetenv("SERVET_PROFILE");
    setenv("XDG_DATA_HOME", folder, 1);
    setenv("HOME", folder, 1);
    return 0;
}

static void finds(const char *expected)
{
    char path[TEST_PATH_MAX] = "";
    assert_ok(servet_profile_find(path, sizeof path, NULL));
    assert_string_equal(path, expected);
}

/* False where a profile is installed: then nothing is ever missing. */
static bool finds_nothing(servet_error *error)
{
    char path[TEST_PATH_MAX] = "";
    *error = (servet_error)SERVET_ERROR_INIT;
    int code = servet_profile_find(path, sizeof path, error);
    if (code == SERVET_OK)
        assert_true(strstr(path, "/servet/profile.json") && strncmp(path, folder, strlen(folder)));
    else
        assert_code(code, SERVET_ENOTFOUND);
    return code != SERVET_OK;
}

TEST_EACH(setup, remove_folder)

TEST(the_order)
{
    make_file(home);
    make_file(user);
    setenv("SERVET_PROFILE", ordered, 1);
    finds(ordered); /* even though it does not exist: nothing else is tried */
    setenv("SERVET_PROFILE", "", 1);
    finds(user);
    unlink(user);
    servet_error error;
    finds_nothing(&error);
    unsetenv("XDG_DATA_HOME");
    finds(home);
}

TEST(a_relative_data_home_counts_as_unset)
{
    make_file(home);
    make_file(user);
    assert_int_equal(chdir(folder), 0);
    setenv("XDG_DATA_HOME", ".", 1);
    finds(home);
    assert_int_equal(chdir("/"), 0);
}

TEST(the_error_names_the_places_that_were_searched)
{
    servet_error error;
    if (finds_nothing(&error))
        assert_non_null(strstr(error.text, user));
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    if (finds_nothing(&error))
        assert_non_null(strstr(error.text, "~/.local/share/servet/profile.json"));
}

TEST(a_path_that_does_not_fit)
{
    char path[8] = "before";
    setenv("SERVET_PROFILE", ordered, 1);
    assert_code(servet_profile_find(path, sizeof path, NULL), SERVET_ERANGE);
    assert_string_equal(path, "before");
}

/* A path that is given is an order, whoever may write there. */
TEST(open_follows)
{
    servet_profile *made, *read;
    char of_folder[TEST_PATH_MAX];
    assert_ok(sample_profile(&made, NULL));
    assert_ok(servet_profile_write(made, user, NULL));
    snprintf(of_folder, sizeof of_folder, "%s/servet", folder);
    for (int i = 0; i < 2; i++) {
        assert_ok(servet_profile_open(&read, NULL, NULL));
        assert_string_equal(servet_profile_path(read), user);
        servet_profile_close(read);
        setenv("SERVET_PROFILE", of_folder, 1);
    }
    chmod(user, 0666);
    assert_code(servet_profile_open(&read, NULL, NULL), SERVET_EIO);
    assert_ok(servet_profile_open(&read, user, NULL));
    servet_profile_close(read);
    servet_profile_close(made);
}

/* --- strangers -------------------------------------------------------------------------------- */

/* The profile is there, and is refused with a text that holds `reason`. */
static void refuses(const char *file, const char *reason)
{
    char path[TEST_PATH_MAX] = "before";
    servet_error error = SERVET_ERROR_INIT;
    assert_code(servet_profile_find(path, sizeof path, &error), SERVET_EIO);
    assert_string_equal(path, "before");
    assert_string_equal(error.file, file);
    if (!strstr(error.text, reason))
        fail_msg("'%s' is not in: %s", reason, error.text);
}

TEST(a_file_that_everybody_may_write)
{
    make_file(user);
    chmod(user, 0646);
    refuses(user, "is writable by everybody");
    refuses(user, "/servet/profile.json");
    chmod(user, 0664); /* a group is chosen by its members' administrator */
    finds(user);
}

TEST(a_folder_that_everybody_may_write)
{
    char reason[2 * TEST_PATH_MAX], below[TEST_PATH_MAX];
    snprintf(reason, sizeof reason, "%s is writable by everybody", folder);
    snprintf(below, sizeof below, "%s/servet", folder);
    make_file(user);
    chmod(folder, 0707); /* two above the file */
    refuses(user, reason);
    chmod(folder, 01777); /* sticky, as /tmp: what is ours stays ours */
    finds(user);
    setenv("SERVET_PROFILE", below, 1); /* a folder stands for its profile.json */
    finds(below);
    chmod(below, 0777);
    refuses(user, "is writable by everybody");
    chmod(below, 0700);
    chmod(user, 0666);
    refuses(user, "is writable by everybody");
}

TEST(links_are_followed)
{
    char reason[2 * TEST_PATH_MAX], open_folder[TEST_PATH_MAX];
    make_file(home);
    assert_int_equal(symlink(home, user), 0);
    finds(user);
    snprintf(open_folder, sizeof open_folder, "%s/.local/share/servet", folder);
    snprintf(reason, sizeof reason, "%s is writable by everybody", open_folder);
    chmod(open_folder, 0777); /* where the link leads to */
    refuses(user, reason);
    chmod(open_folder, 0700);
    snprintf(open_folder, sizeof open_folder, "%s/servet", folder);
    snprintf(reason, sizeof reason, "%s is writable by everybody", open_folder);
    chmod(open_folder, 0777); /* where it lies */
    refuses(user, reason);
}

TEST(relative_paths)
{
    assert_int_equal(chdir(folder), 0);
    make_file("ordered.json");
    setenv("SERVET_PROFILE", "ordered.json", 1);
    finds("ordered.json");
    chmod(folder, 0777);
    refuses("ordered.json", "is writable by everybody");
    assert_int_equal(chdir("/"), 0);
}

TEST(a_file_of_somebody_else)
{
    enum { SOMEBODY = 54321 };
    if (geteuid() != 0)
        test_skip("only root gives files away");
    make_file(user);
    assert_int_equal(chown(user, SOMEBODY, 0), 0);
    refuses(user, "belongs to user 54321");
    assert_int_equal(seteuid(SOMEBODY), 0); /* his own; whether root's folder lets him in or not */
    char path[TEST_PATH_MAX];
    int code = servet_profile_find(path, sizeof path, NULL);
    assert_int_equal(seteuid(0), 0);
    assert_int_not_equal(code, SERVET_EIO);
}

/* Root's file, which the owner of the folder may have chosen among all of root's. */
TEST(a_folder_of_somebody_else)
{
    enum { SOMEBODY = 54321 };
    char below[TEST_PATH_MAX];
    if (geteuid() != 0)
        test_skip("only root gives folders away");
    make_file(user);
    snprintf(below, sizeof below, "%s/servet", folder);
    assert_int_equal(chown(below, SOMEBODY, 0), 0);
    refuses(user, "/servet belongs to user 54321");
    servet_profile *read = NULL;
    servet_error error = SERVET_ERROR_INIT;
    assert_code(servet_profile_open(&read, NULL, &error), SERVET_EIO);
    assert_string_equal(error.file, user);
    assert_int_equal(chown(below, 0, 0), 0);
    assert_int_equal(chown(folder, SOMEBODY, 0), 0);
    refuses(user, "SERVET_PROFILE=PATH uses it all the same");
    setenv("SERVET_PROFILE", user, 1);
    finds(user);
    assert_int_equal(chown(user, SOMEBODY, 0), 0);
    refuses(user, "it belongs to user 54321");
    assert_int_equal(chown(user, 0, 0), 0);
    chmod(folder, 0777);
    refuses(user, "is writable by everybody");
}

TEST(the_file_that_is_open_is_checked)
{
    servet_error error = SERVET_ERROR_INIT;
    make_file(user);
    int opened = open(user, O_RDONLY);
    assert_ok(srv_owner_check(opened, user, NULL));
    assert_int_equal(unlink(user), 0);
    make_file(user);
    make_file(ordered); /* so that the number of the old one is not given again */
    assert_code(srv_owner_check(opened, user, &error), SERVET_EIO);
    assert_string_equal(error.text, "it was replaced while it was opened");
    close(opened);
}

/* --- programs of another user ----------------------------------------------------------------- */

enum { NOBODY = 65534, NOT_SET_UID = 77 };

/* The program's answer when it is called with a folder: does the environment lead it there? */
static int leads_there(const char *there)
{
    char path[TEST_PATH_MAX] = "";
    servet_error error = SERVET_ERROR_INIT;
    if (!getauxval(AT_SECURE))
        return NOT_SET_UID;
    (void)servet_profile_find(path, sizeof path, &error);
    return strstr(path, there) || strstr(error.file, there) || strstr(error.text, there);
}

__attribute__((constructor)) static void answer_when_called(void)
{
    test_answer = leads_there;
}

static void copy_this_program(const char *to)
{
    char block[4096];
    FILE *in = fopen("/proc/self/exe", "r"), *out = fopen(to, "w");
    assert_non_null(in);
    assert_non_null(out);
    for (size_t n; (n = fread(block, 1, sizeof block, in)) > 0;)
        assert_int_equal(fwrite(block, 1, n, out), n);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

static int status_of(const char *program)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execl(program, program, "profile_lookup", folder, (char *)NULL);
        _exit(NOT_SET_UID);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(a_set_uid_program_takes_nothing_from_the_environment)
{
    char program[TEST_PATH_MAX];
    snprintf(program, sizeof program, "%s/set-uid", folder);
    if (geteuid() != 0)
        test_skip("only root gives files away");
    make_file(ordered);
    make_file(user);
    chmod(folder, 0755);
    copy_this_program(program);
    assert_int_equal(chown(program, NOBODY, 0), 0);
    assert_int_equal(chmod(program, 04755), 0);
    setenv("SERVET_PROFILE", ordered, 1);
    int status = status_of(program);
    if (status == NOT_SET_UID)
        test_skip("this file system runs no set-uid programs");
    assert_int_equal(status, 0);
    unsetenv("SERVET_PROFILE");
    assert_int_equal(status_of(program), 0);
    unsetenv("XDG_DATA_HOME");
    assert_int_equal(status_of(program), 0);
}

/* --- the class of this node ------------------------------------------------------------------- */

TEST(class_by_host_name)
{
    servet_profile *profile;
    servet_machine machine;
    int index = -1;
    assert_ok(servet_profile_create(&profile, NULL));
    const char *const hosts[] = {"alpha", "beta.cluster.org", "gamma.cluster.org"};
    for (int i = 0; i < 3; i++) {
        machine = sample_machine(hosts[i]);
        assert_int_equal(servet_profile_add_class(profile, hosts[i], &machine, &index, NULL), 0);
    }
    static const struct {
        const char *host;
        int index; /* -1: in none */
    } cases[] = {{"alpha", 0},
                 {"alpha.cluster.org", 0},
                 {"beta", 1},
                 {"gamma.cluster.org", 2},
                 {"gamma.other.org", -1},
                 {"alp", -1},
                 {"alphabet", -1},
                 {"cluster.org", -1},
                 {"", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        index = -1;
        int code = servet_profile_class_of(profile, cases[i].host, &index);
        assert_int_equal(code, cases[i].index < 0 ? SERVET_ENOTFOUND : SERVET_OK);
        assert_int_equal(index, cases[i].index);
    }
    servet_profile_close(profile);
}

/* --- several profiles ------------------------------------------------------------------------- */

/* A profile of one node below the user's place: "NAME/profile.json", or "profile.json". */
static void store(const char *name, const char *host, const char *fingerprint)
{
    servet_profile *profile;
    char path[TEST_PATH_MAX];
    int index;
    servet_machine machine = sample_machine(host);
    snprintf(machine.fingerprint, sizeof machine.fingerprint, "%s", fingerprint);
    assert_ok(servet_profile_create(&profile, NULL));
    assert_ok(servet_profile_add_class(profile, "default", &machine, &index, NULL));
    snprintf(path, sizeof path, "%s/servet/%s", folder, name);
    char *slash = strrchr(path, '/');
    *slash = '\0';
    (void)mkdir(path, 0700);
    *slash = '/';
    assert_ok(servet_profile_write(profile, path, NULL));
    servet_profile_close(profile);
}

static void finds_in_place(const char *name)
{
    char path[TEST_PATH_MAX];
    snprintf(path, sizeof path, "%s/servet/%s", folder, name);
    finds(path);
}

static void is_place(const char *name)
{
    char place[TEST_PATH_MAX] = "", expected[TEST_PATH_MAX];
    snprintf(expected, sizeof expected, "%s/servet%s", folder, name);
    assert_ok(servet_profile_place(place, sizeof place, NULL));
    assert_string_equal(place, expected);
}

TEST(the_profile_of_this_node_is_found_among_several)
{
    char mine[SERVET_TEXT_MAX], host[SERVET_NAME_MAX] = "";
    assert_ok(servet_node_fingerprint(mine, sizeof mine));
    assert_int_equal(gethostname(host, sizeof host - 1), 0);
    store("a/profile.json", "no-such-node", "arch=none cpu=none");
    finds_in_place("a/profile.json"); /* which then says whose it is */
    store("profile.json", "no-such-node", "arch=none cpu=none");
    finds_in_place("profile.json");
    store("m/profile.json", "nor-this-one", mine);
    finds_in_place("m/profile.json");
    is_place("/m");
    store("z/profile.json", host, mine); /* listed is better than alike */
    finds_in_place("z/profile.json");
    is_place("/z");
    store("profile.json", host, mine);
    finds_in_place("profile.json");
    is_place("");
}

/* The first one of a home keeps the plain name, one of another type gets a folder. */
TEST(a_measurement_never_replaces_another_machines)
{
    char place[TEST_PATH_MAX], small[16] = "before";
    is_place("");
    store("profile.json", "no-such-node", "arch=none cpu=none");
    assert_ok(servet_profile_place(place, sizeof place, NULL));
    char *name = strrchr(place, '/') + 1;
    assert_true(strlen(name) > 8 && strcmp(name, "servet") != 0);
    assert_code(servet_profile_place(small, sizeof small, NULL), SERVET_ERANGE);
    /* The folder is another machine's already: all but its memory is as here. */
    char more[SERVET_TEXT_MAX], next[TEST_PATH_MAX], file[TEST_PATH_MAX];
    assert_ok(servet_node_fingerprint(more, sizeof more));
    char *memory = strstr(more, " memory=");
    assert_non_null(memory);
    strcpy(memory, " memory=1");
    snprintf(file, sizeof file, "%.64s/profile.json", name);
    store(file, "no-such-node", more);
    assert_ok(servet_profile_place(next, sizeof next, NULL));
    assert_string_not_equal(next, place);
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    assert_code(servet_profile_place(place, sizeof place, NULL), SERVET_ENOTFOUND);
}

/* A broken profile is not passed over: whoever opens it says what is wrong. */
TEST(a_broken_one_is_found)
{
    make_file(user);
    store("z/profile.json", "no-such-node", "arch=none cpu=none");
    finds(user);
    is_place("");
}

/* While a profile is recorded, an answer is of the class that lists this host, or else of the
 * first. */
TEST(here_is_the_class_that_lists_this_host)
{
    servet_profile *made, *read;
    char host[SERVET_NAME_MAX] = "", name[SERVET_NAME_MAX];
    int index;
    assert_int_equal(gethostname(host, sizeof host - 1), 0);
    servet_machine other = sample_machine("no-such-host"), here = sample_machine(host);
    assert_ok(servet_profile_create(&made, NULL));
    assert_ok(servet_profile_add_class(made, "other", &other, &index, NULL));
    profile_prints(made, NULL, "class.name", "other"); /* the only one */
    other = sample_machine("nor-this-one");
    assert_ok(servet_profile_add_class(made, "another", &other, &index, NULL));
    profile_prints(made, NULL, "class.name", "other"); /* the first */
    assert_ok(servet_profile_add_class(made, "ours", &here, &index, NULL));
    profile_prints(made, NULL, "class.name", "ours");
    assert_ok(servet_profile_write(made, user, NULL));
    assert_ok(servet_profile_open(&read, user, NULL));
    assert_code(servet_profile_get(read, NULL, "class.name", name, sizeof name, NULL),
                SERVET_EOTHER); /* the sample's processor is imaginary */
    servet_profile_close(read);
    servet_profile_close(made);
}
