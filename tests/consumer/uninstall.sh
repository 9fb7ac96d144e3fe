#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs into a folder and uninstalls. That removes what was installed last, even by another test: it runs alone.
# usage: uninstall.sh MESON BUILD
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
meson=$1 build=$2

folder=$(mktemp -d "${TMPDIR:-/tmp}/servet.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM PIPE
ok 'meson install' "$meson" install -C "$build" --no-rebuild --quiet --destdir "$folder"
ok 'the program is installed' [ -n "$(find "$folder" -name servet -type f)" ]
ok 'uninstall' ninja -C "$build" uninstall
clean 'uninstall leaves nothing' "$(find "$folder" -mindepth 1)"
done_testing
