#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Servet as a subproject of another one, whose programs are linked with its libraries.
# usage: subproject.sh MESON SOURCE_ROOT MAKE_PROFILE
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
meson=$1 source=$2 make_profile=$3
folder=$(mktemp -d "${TMPDIR:-/tmp}/servet.XXXXXX")
trap 'rm -rf "$folder"' EXIT
unset PKG_CONFIG_PATH

cp -r "$source/tests/consumer/outer" "$folder/outer"
cp "$source"/tests/consumer/project/*.[cf]* "$folder/outer"
mkdir "$folder/outer/subprojects"
ln -s "$source" "$folder/outer/subprojects/servet"
"$make_profile" "$folder/profile.json"
export SERVET_PROFILE="$folder/profile.json"

ok 'set up' "$meson" setup "$folder/build" "$folder/outer" --force-fallback-for servet
ok 'built' ninja -C "$folder/build"
run "$folder/build/consumer_c"
holds 'the program in C runs' "$out$err" 'Servet *: 3 levels, *'
run "$folder/build/measures" "$source/tests/cli/tiny.json"
holds 'the measuring program runs' "$out$err" '2 levels'
if [ -e "$folder/build/consumer_f" ]; then
  run "$folder/build/consumer_f"
  holds 'the program in Fortran runs' "$out$err" 'Servet *: 3 levels, *'
else
  skip 'the program in Fortran runs' 'there is no Fortran'
fi
done_testing
