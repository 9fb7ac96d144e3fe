#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Static analysis of all C code that is installed or an example, or of the files named (src/core/error.c ...): no finding
# but those of exceptions.txt. Usage: analysis.sh gcc|clang-tidy|cppcheck SOURCE_ROOT BUILD_ROOT [FILE]...
set -eu
tool=$1 root=$2 build=$3
shift 3
here=$root/tests/tools/analysis
. "$root/tests/tap.sh"

# Prints the findings of the tool on file $file with the compiler's options "$@", one a line: FILE:LINE: TEXT [CHECK].
# Leaks are left to LeakSanitizer (tests with a failed allocation run under it), values without initialization to the
# other two and to valgrind: gcc 12 loses values stored behind a pointer, or in a loop.
analyze_gcc() {
  gcc "$@" -O2 -fanalyzer -fanalyzer-verbosity=0 -fdiagnostics-color=never -fno-diagnostics-show-caret \
    -Wno-analyzer-malloc-leak -Wno-analyzer-use-of-uninitialized-value -S -o /dev/null "$file" 2>&1
}

analyze_clang_tidy() {
  clang-tidy --quiet --config-file="$root/.clang-tidy" "$file" -- "$@" 2>/dev/null
}

# Several variables may begin with one value.
analyze_cppcheck() {
  cppcheck --quiet --enable=warning,portability,performance --suppress=missingIncludeSystem \
    --suppress=duplicateAssignExpression \
    --template='{file}:{line}: {message} [{id}]' "$@" "$file" 2>&1
}

# Takes the words of a command that choose what is compiled; the last one is the file. Analyzers must know the return
# values of functions that note an error, so that an error is no success; _GNU_SOURCE, which some files define as
# nothing, is for the headers that this knowledge includes before them.
analyze() {
  eval "set -- $1"
  for word; do
    shift
    case $tool:$word in
    *:-I* | *:-D*) set -- "$@" "$word" ;;
    cppcheck:-std=*) set -- "$@" "-$word" ;;
    cppcheck:*) ;;
    *:-std=* | *:-fopenmp | *:-pthread) set -- "$@" "$word" ;;
    esac
  done
  file=$word
  case $tool:$file in
  *:*/src/core/error.c | *:*/examples/*) ;;
  cppcheck:*) set -- "$@" -D_GNU_SOURCE= "-I$root/src" "--include=$here/returns.h" ;;
  *) set -- "$@" -D_GNU_SOURCE= "-I$root/src" -include "$here/returns.h" ;;
  esac
  case $tool in
  gcc) analyze_gcc "$@" ;;
  clang-tidy) analyze_clang_tidy "$@" ;;
  cppcheck) analyze_cppcheck "$@" ;;
  esac || echo "$file: the tool failed"
}

# The compiler's command for each file, or for those of names "$@", from the folder of the build.
commands() {
  sed -n 's/^ *"command": "\(.*\)",$/\1/p' compile_commands.json | sed 's/\\\(["\\]\)/\1/g' |
    awk -v names="$*" '
      BEGIN { some = split(names, part, " "); for (i in part) wanted[part[i]] }
      { file = $NF; sub(/^(\.\.\/)+/, "", file) }
      $NF ~ /\/(src|examples)\/.*\.c$/ && $NF !~ /\/tests\// && (!some || file in wanted) && !seen[file]++'
}

# Findings as "FILE: CHECK: TEXT", with those that are known to be wrong marked.
findings() {
  grep -E ': .*\[[-A-Za-z0-9._,=]+\]$|the tool failed' | grep -v ': note: ' |
    sed 's,^\(\.\./\)*,,; s,^.*/\(src\|examples\)/,\1/,' | sort -u
}

# Selects the findings without a row in exceptions.txt: TOOL FILE CHECK REASON.
unexpected() {
  awk -v tool="$tool" -v used="$seen" '
    FNR == NR { if ($1 == tool) known[$2 " " $3]; next }
    {
      file = $0
      sub(/:.*/, "", file)
      check = $NF
      gsub(/[][]/, "", check)
      sub(/^CWE.*/, "", check)
      sub(/^-W/, "", check)
      if (file " " check in known) print file, check >>used
      else print
    }' "$here/exceptions.txt" -
}

command -v "$tool" >/dev/null || {
  echo "1..0 # SKIP needs $tool"
  exit 0
}
cd "$build"
seen=$(mktemp)
trap 'rm -f "$seen"' EXIT
holds "$tool finds the planted error" "$(analyze "-std=c11 '-I$root/include' '$here/planted.c'" | findings)" '*planted.c:*'
all=$(commands "$@")
while read -r command; do
  clean "$(echo "${command##* }" | sed 's,^\(\.\./\)*,,')" "$(analyze "$command" | findings | unexpected)"
done <<END
$all
END
[ $# -eq 0 ] || done_testing
clean 'each exception is needed' "$(
  awk -v tool="$tool" '$1 == tool { print $2, $3 }' "$here/exceptions.txt" | while read -r row; do
    grep -qxF "$row" "$seen" || echo "$row"
  done
)"
done_testing
