#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tarball of the sources builds and passes tests in an empty folder, without git.
# usage: dist.sh MESON SOURCE_ROOT
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
meson=$1 source=$2
if ! git -C "$source" rev-parse HEAD >/dev/null 2>&1; then
  skip 'tarball' 'the sources are no clone of git'
  done_testing
fi
folder=$(mktemp -d "${TMPDIR:-/tmp}/servet.XXXXXX")
trap 'rm -rf "$folder"' EXIT

git clone --quiet "$source" "$folder/clone"
"$meson" setup "$folder/clone/build" "$folder/clone" >/dev/null
ok 'a tarball is made' "$meson" dist -C "$folder/clone/build" --no-tests --formats gztar
mkdir "$folder/bin" "$folder/empty"
gzip -dc "$folder"/clone/build/meson-dist/servet-*.tar.gz | tar -x -C "$folder/empty"
rm -rf "$folder/clone"

# A program git that fails shows that none is needed.
printf '#!/bin/sh\necho "git $*" >>"%s/called"\nexit 1\n' "$folder" >"$folder/bin/git"
chmod +x "$folder/bin/git"
PATH=$folder/bin:$PATH
cd "$folder"/empty/servet-* || exit 1
ok 'it is configured' "$meson" setup build -Dtests=true
ok 'it is built' ninja -C build
ok 'it passes tests of styles and symbols' "$meson" test -C build --no-rebuild --suite style --suite abi
clean 'calls of git' "$(cat "$folder/called" 2>/dev/null)"
done_testing
