#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ShellCheck of all shell code. Usage: shell.sh SOURCE_ROOT
set -eu
cd "$1"
. tests/tap.sh

shell_files() {
  find .ci drivers fortran tests share \( -name '*.sh' -o -name '*.bash' -o -path '.ci/*' -o -path 'drivers/*' \) \
    ! -name meson.build -type f | sort
}

for script in $(shell_files); do
  clean "$script" "$(shellcheck -x "$script" 2>&1 || :)"
done
# In bats files `run` and `load` hide what the finer checks look for, and a cd that fails ends the test.
for script in $(find tests -name '*.bats' | sort); do
  clean "$script" "$(shellcheck -S warning -e SC2164 "$script" 2>&1 || :)"
done
clean share/completions/servet "$(shellcheck -s bash share/completions/servet 2>&1 || :)"

# servet-job reads all of its files into one shell, of schedulers and launchers one each. Text of scripts is not its own.
own_files() {
  find drivers/servet-job drivers/lib -type f ! -name 'scheduler-*' ! -name 'launcher-*'
}

functions() {
  # shellcheck disable=SC2016 # fields of awk
  own_files | xargs awk '/<<.?END/ { text = 1 } $1 == "END" { text = 0 } !text && /^[a-z_]+\(\) / { print $1 }'
}
clean "no function of servet-job replaces another of its name" "$(functions | sort | uniq -d)"
done_testing
