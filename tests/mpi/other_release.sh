#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs mpi-numbering with the launchers of another release of Debian, in a chroot that debootstrap makes (as root;
# 2 GB). That is how the rankfiles of Open MPI 5, which this release lacks, are read back by it. Usage:
# other_release.sh SOURCE_ROOT RELEASE [MIRROR], for example: other_release.sh . trixie
set -eu
source=$(realpath "$1")
release=$2
mirror=${3:-$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
  sed -n -e 's/^URIs: *//p' -e 's/^deb *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\) .*/\2/p' | head -n 1)}
root=$(mktemp -d)
finish() {
  for mounted in proc dev/shm dev/pts dev; do
    ! mountpoint -q "$root/$mounted" || umount "$root/$mounted"
  done
  rm -rf --one-file-system "$root"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM PIPE

debootstrap --variant=minbase --include=ca-certificates "$release" "$root" "$mirror" >/dev/null
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/dev/shm"
cp /etc/resolv.conf "$root/etc/"
cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/" 2>/dev/null || :
cp -r "$source" "$root/servet"
rm -rf "$root"/servet/build*
chroot "$root" sh -ec '
  export DEBIAN_FRONTEND=noninteractive LC_ALL=C
  apt-get -qq update
  apt-get -qq install --no-install-recommends gcc libc6-dev meson pkg-config libjansson-dev libcmocka-dev \
    libopenmpi-dev openmpi-bin bats jq hostname procps >/dev/null
  cd /servet
  meson setup build -Dtests=true -Dfortran=disabled -Ddocs=disabled >/dev/null
  meson test -C build -v mpi-numbering'
