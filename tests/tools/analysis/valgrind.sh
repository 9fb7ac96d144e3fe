#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Commands under valgrind: no read of what was not written, no access beside what was allocated, no leak. Usage:
# valgrind.sh SOURCE_ROOT BUILD_ROOT
set -eu
root=$1 build=$2
. "$root/tests/tap.sh"
command -v valgrind >/dev/null || {
  echo '1..0 # SKIP needs valgrind'
  exit 0
}
case $("$build/servet" --version 2>&1 && nm "$build/servet") in
*__asan* | *__tsan* | *__ubsan*)
  echo '1..0 # SKIP valgrind and sanitizers exclude each other'
  exit 0
  ;;
esac
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
cd "$box"
cp "$root"/tests/data/profiles/*.json "$root/tests/cli/tiny.json" .
export HOME="$box/home" SERVET_MODELS="$root/share/models" LC_ALL=C

checked() {
  ok "servet $*" valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,possible \
    --errors-for-leak-kinds=definite,possible "$build/servet" "$@"
}

# The same where the command itself fails: other checks see that it does.
refused() {
  run valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,possible \
    --errors-for-leak-kinds=definite,possible "$build/servet" "$@"
  same "servet $* (refused)" "$status" 1
}

checked show node.json
checked get --class default caches.count together.json
checked merge -o merged.json cluster.json job.json
checked map -n 4 --format json cluster.json
checked plot --format svg -o picture.svg topology node.json
checked report -o page.html node.json
checked diff together.json together.json
checked measure --machine tiny.json --only distance -q -o dir
checked analyze --json dir
checked gather -o packed dir
checked export --class default --topology 'numa:2 core:4 pu:1' together.json
refused show missing.json
refused export --class default --topology 'core:1 pu:1' together.json
refused map -n 100000 cluster.json
done_testing
