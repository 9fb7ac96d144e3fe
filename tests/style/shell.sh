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

# findings OPTION... <FILES: what ShellCheck finds in them, or why it cannot; a call each, and one a core at once. One
# that it cannot check counts as a finding.
findings() {
  xargs -P "$(cores)" -n 1 shellcheck -f gcc "$@" 2>&1 || :
}

# unexplained <FINDINGS of files that are read alone: those that other files do not explain, as they assign what one does
# not, or use what it assigns. It accepts any file, not only those that are read together. servet-job assigns opt_* by names.
unexplained() {
  # shellcheck disable=SC2016,SC2046 # fields of awk; files
  awk '
    FILENAME != "-" {
      count = split($0, words, /[^A-Za-z0-9_$={]+/)
      for (i = 1; i <= count; i++) {
        if (words[i] ~ /^[a-z]/) assigned[substr(words[i], 1, index(words[i] "=", "=") - 1)] += words[i] ~ /=/
        else if (sub(/^.*\$\{?/, "", words[i])) used[words[i]] = 1
      }
      next
    }
    /\[SC2154\]$/ && (assigned[$3] || $3 ~ /^opt_/) { next }
    /\[SC2034\]$/ && $3 in used { next }
    { print }' $(shell_files) -
}

# To follow what files read takes four times as long; of tests there are four times as many lines.
if [ -n "${SERVET_THOROUGH-}" ]; then
  clean "shell scripts, each with those that it reads" "$(shell_files | findings -x | unexplained)"
  # In bats files `run` and `load` hide what the finer checks look for, and a cd that fails ends the test.
  clean "bats files" "$(find tests -name '*.bats' | sort | findings -S warning -e SC2164)"
else
  clean "shell scripts" "$(shell_files | sed '/^tests/d' | findings -e SC1091 | unexplained)"
fi
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
