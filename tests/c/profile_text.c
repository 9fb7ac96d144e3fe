/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"
#include "profile_text.h"

#include <unistd.h>

#include "servet/keys.h"
#include "servet/record.h"

char *profile_text(const servet_profile *of)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_ok(servet_profile_dump(of, stream, NULL));
    fclose(stream);
    return text;
}

servet_profile *profile_reopened(const servet_profile *of)
{
    char path[TEST_PATH_MAX];
    servet_profile *opened = NULL;
    test_temporary_file(path, ".json", "");
    assert_ok(servet_profile_write(of, path, NULL));
    assert_ok(servet_profile_open(&opened, path, NULL));
    unlink(path);
    return opened;
}

void profile_prints(const servet_profile *of, const servet_at *at, const char *key,
                    const char *expected)
{
    char text[SERVET_TEXT_MAX] = "";
    int code = servet_profile_get(of, at, key, text, sizeof text, NULL);
    if (code != (expected ? SERVET_OK : SERVET_EUNMEASURED) || (expected && strcmp(text, expected)))
        fail_msg("%s: '%s' (%s), not '%s'", key, text, servet_error_name(code),
                 expected ? expected : "not measured");
}

profile_member profile_member_at(const char *path)
{
    profile_member at = {&srv_profile_shape, &srv_profile_shape, NULL, path};
    while (*path) {
        size_t length = 0;
        at.above = at.holder;
        at.holder = at.row ? at.row->shape : at.holder;
        at.name = path;
        for (at.row = at.holder->fields; at.row->name; at.row++) {
            length = strlen(at.row->name);
            if (strncmp(at.row->name, path, length) == 0 && strchr(".[", path[length]))
                break;
        }
        if (!at.row->name)
            return (profile_member){at.above, at.holder, NULL, path};
        path += length;
        while (*path == '[')
            path = strchr(path, ']') + 1;
        path += *path == '.';
    }
    return at;
}

bool profile_may_lack(const char *path)
{
    profile_member at = profile_member_at(path);
    bool may = true;
    for (const srv_field *row = at.holder->fields; row->name; row++)
        if (at.row ? row == at.row : strncmp(row->name, at.name, strlen(at.name)) == 0)
            may = may && (row->optional || (srv_nullable(row->type) && !row->needed));
    return may;
}
