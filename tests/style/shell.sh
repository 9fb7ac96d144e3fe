#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ShellCheck of all shell code. Usage: shell.sh SOURCE_ROOT
set -eu
cd "$1"
. tests/tap.sh
# shellcheck source=drivers/lib/cores.sh
. drivers/lib/cores.sh

shell_files() {
  find .ci drivers fortran tests share \( -name '*.sh' -o -name '*.bash' -o -path '.ci/*' -o -path 'drivers/*' \) \
    ! -name meson.build -type f | sort
}

# findings OPTION... <FILES: what ShellCheck finds in them, or why it cannot; several files a call, a call a core. One
# that it cannot check counts as a finding.
findings() {
  xargs -P "$(cores)" -n 10 shellcheck -f gcc "$@" 2>&1 || :
}

clean "shell scripts" "$(shell_files | findings -x)"
# In bats files `run` and `load` hide what the finer checks look for, and a cd that fails ends the test.
clean "bats files" "$(find tests -name '*.bats' | sort | findings -S warning -e SC2164)"
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
