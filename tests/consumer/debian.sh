#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Debian packages build, and lintian has nothing against them.
# usage: debian.sh SOURCE_ROOT
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
for tool in dpkg-buildpackage dh lintian; do
  if ! command -v "$tool" >/dev/null; then
    skip 'Debian packages' "there is no $tool"
    done_testing
  fi
done
if ! missing=$(cd "$1" && dpkg-checkbuilddeps packaging/debian/control 2>&1); then
  skip 'Debian packages' "$missing"
  done_testing
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/servet.XXXXXX")
trap 'rm -rf "$folder"' EXIT
unset CC FC CFLAGS LDFLAGS DESTDIR
ok 'packages are built' sh "$1/packaging/debian.sh" "$folder"
for package in servet servet-mpi libservet0 libservet-measure0 libservet-mpi0 libservet-fortran0.1 \
  libservet-mpi-fortran0.1 libservet-dev servet-doc; do
  ok "package $package" sh -c "ls '$folder/$package'_*.deb"
done
clean 'lintian' "$(lintian --allow-root "$folder"/*.changes 2>&1)"
done_testing
