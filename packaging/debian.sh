#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds the Debian packages of this checkout or unpacked tarball: debian.sh FOLDER. They are left in FOLDER.
set -eu
source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
[ $# -eq 1 ] || { echo 'usage: debian.sh FOLDER' >&2; exit 2; }
mkdir -p "$1"
out=$(CDPATH='' cd -- "$1" && pwd -P)

version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" "$source/meson.build")
tree=$out/servet-$version
rm -rf "$tree"
mkdir "$tree"
(cd "$source" && tar -c --exclude='./build*' --exclude='./.*' .) | tar -x -C "$tree"
cp -r "$source/packaging/debian" "$tree/debian"
cd "$tree"
dpkg-buildpackage -us -uc
