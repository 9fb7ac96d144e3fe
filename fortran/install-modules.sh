#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs the compiled Fortran modules, which Meson leaves in the library's private folder.
# usage: install-modules.sh BUILT_DIR INSTALL_DIR (the latter absolute, or relative to the prefix)
set -eu
case $2 in
  /*) folder=${DESTDIR:-}$2 ;;
  *) folder=$MESON_INSTALL_DESTDIR_PREFIX/$2 ;;
esac
mkdir -p "$folder"
for module in "$1"/*.mod; do
  cp -p "$module" "$folder"
  chmod 644 "$folder/${module##*/}"
  if [ -z "${MESON_INSTALL_QUIET:-}" ]; then echo "Installing $module to $folder"; fi
done
