/* SPDX-License-Identifier: BSD-3-Clause */
#include "folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

int remove_folder(const char *path)
{
    DIR *names = opendir(path);
    if (!names)
        return -1;
    for (struct dirent *entry; (entry = readdir(names));)
        unlinkat(dirfd(names), entry->d_name, 0); /* not "." and "..", which are no files */
    closedir(names);
    return rmdir(path);
}
