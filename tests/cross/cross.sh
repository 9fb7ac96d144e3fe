#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Servet on another processor: built by Debian's cross compiler, run by qemu-user.
#
#     cross.sh PROCESSOR FOLDER SERVET [TEST]...
#
# PROCESSOR is Debian's word: arm64, s390x, riscv64, ppc64el, i386. FOLDER gets the libraries of that processor
# (`sysroot`, of packages that are unpacked, not installed) and the build; what is there already is used again. SERVET is the
# program of this processor, with which profiles and placements are exchanged. TESTs are the C tests to run; without, those
# of suite `fast`. Needs root for nothing: packages gcc-TRIPLET and qemu-user must be there, and Debian's mirror within reach.
# Environment: JOBS (compilers and tests at a time), MIRROR, SUITE (Debian's release; that of this system).
set -eu
export LC_ALL=C
processor=$1 folder=$2 servet=$3
shift 3
source=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source=tests/tap.sh
. "$source/tests/tap.sh"

# Debian's word, the compiler's triplet, the libraries', qemu's word, Meson's family and byte order.
processors() {
  cat <<'END'
arm64   aarch64-linux-gnu     aarch64-linux-gnu     aarch64 aarch64 little
s390x   s390x-linux-gnu       s390x-linux-gnu       s390x   s390x   big
riscv64 riscv64-linux-gnu     riscv64-linux-gnu     riscv64 riscv64 little
ppc64el powerpc64le-linux-gnu powerpc64le-linux-gnu ppc64le ppc64   little
i386    i686-linux-gnu        i386-linux-gnu        i386    x86     little
END
}

leave_out() {
  echo "1..0 # SKIP $*"
  exit 0
}

find_tools() {
  # shellcheck disable=SC2046 # the words of the row
  set -- $(processors | grep "^$processor ")
  [ $# -gt 0 ] || { echo "cross.sh: no processor $processor in the table" >&2; exit 2; }
  triplet=$2 libraries=$3 emulator=qemu-$4 family=$5 order=$6
  for tool in "$triplet-gcc" "$emulator" meson ninja apt-get dpkg-deb; do
    command -v "$tool" >/dev/null || leave_out "no $tool here"
  done
}

# --- the libraries ----------------------------------------------------------------------------------------------------

# riscv64 is in no release before trixie.
suite_of_debian() {
  # shellcheck source=/dev/null
  here=$(. /etc/os-release && [ "$ID" = debian ] && echo "${VERSION_CODENAME:-}") || here=bookworm
  [ "$processor" != riscv64 ] || [ "$here" != bookworm ] || here=trixie
  echo "${SUITE:-$here}"
}

# A configuration that knows nothing of this system's packages, and leaves them as they are.
configure_apt() {
  mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/parts"
  : >"$apt/status"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${MIRROR:-http://deb.debian.org/debian} $(suite_of_debian) main" >"$apt/sources.list"
  cat >"$apt/apt.conf" <<END
APT::Architecture "$processor";
APT::Architectures { "$processor"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "2";
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::Cache "$apt";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "$apt/parts";
Dir::Etc::preferencesparts "$apt/parts";
END
}

fetch() {
  APT_CONFIG=$apt/apt.conf apt-get update &&
    APT_CONFIG=$apt/apt.conf apt-get install -y --download-only libc6-dev libjansson-dev libhwloc-dev libcmocka-dev
}

unpack() {
  for package in "$apt"/archives/*.deb; do
    case ${package##*/} in
      lib*_"$processor".deb | linux-libc-dev*) dpkg-deb -x "$package" "$sysroot.part" || return ;;
    esac
  done
  merge_usr
  bend_links
  mv "$sysroot.part" "$sysroot"
}

# Since trixie no package has /lib, where programs look for their loader: links lead to /usr.
merge_usr() {
  for lib in lib lib64; do
    [ ! -d "$sysroot.part/usr/$lib" ] || [ -e "$sysroot.part/$lib" ] || ln -s "usr/$lib" "$sysroot.part/$lib"
  done
}

# Links to absolute paths, as that of ppc64el's loader, would lead into this system.
bend_links() {
  find "$sysroot.part" -type l | while read -r link; do
    target=$(readlink "$link")
    case $target in
      /*) ln -sfn "$sysroot$target" "$link" ;;
    esac
  done
}

make_sysroot() {
  [ ! -d "$sysroot" ] || return 0
  apt=$folder/apt
  rm -rf "$apt" "$sysroot.part"
  configure_apt
  fetch >"$folder/apt.txt" 2>&1 || leave_out "no packages for $processor: $(tail -n 1 "$folder/apt.txt")"
  unpack
  rm -rf "$apt"
}

# --- the build --------------------------------------------------------------------------------------------------------

# The compiler's own C library may be older than what the libraries of $sysroot need: -L comes first.
write_cross_file() {
  cat >"$folder/cross.ini" <<END
[binaries]
c = ['$triplet-gcc', '--sysroot=$sysroot', '-L$sysroot/usr/lib/$libraries']
ar = '$triplet-ar'
strip = '$triplet-strip'
nm = '$triplet-nm'
pkgconfig = 'pkg-config' # its name before and after Meson 1.3
pkg-config = 'pkg-config'
exe_wrapper = ['$emulator', '-L', '$sysroot']
[properties]
sys_root = '$sysroot'
needs_exe_wrapper = true
pkg_config_libdir = '$sysroot/usr/lib/$libraries/pkgconfig:$sysroot/usr/share/pkgconfig'
[host_machine]
system = 'linux'
cpu_family = '$family'
cpu = '$family'
endian = '$order'
END
}

# shellcheck disable=SC2317 # called by ok
setup() {
  [ -e "$folder/build/build.ninja" ] || {
    rm -rf "$folder/build"
    meson setup "$folder/build" "$source" --cross-file "$folder/cross.ini" -Dtests=true -Dwerror=true -Ddebug=false \
      -Dmpi=disabled -Dfortran=disabled -Dscotch=disabled -Ddocs=disabled
  }
}

# shellcheck disable=SC2317 # called by ok
build() {
  ninja -j "${JOBS:-2}" -C "$folder/build" servet c-tests
}

# --- the tests --------------------------------------------------------------------------------------------------------

fast_tests() {
  meson test -C "$folder/build" --list --suite fast 2>/dev/null | sed -n 's/^servet:c+.* \/ //p'
}

there() {
  "$emulator" -L "$sysroot" "$folder/build/servet" "$@"
}

# All by one Meson, which takes longer to start than most of them to run.
run_tests() {
  # shellcheck disable=SC2086 # a word a test
  meson test -C "$folder/build" --no-rebuild --print-errorlogs -t 10 --num-processes "${JOBS:-2}" $tests \
    >"$folder/tests.txt" 2>&1 || true
  for name in $tests; do
    ok "$name" passed "$name"
  done
}

# shellcheck disable=SC2317 # called by ok
passed() {
  grep -q "/ $1  *OK " "$folder/tests.txt" && return
  sed -n "/ $1  *[A-Z]/,/^ *[0-9]*\/[0-9]* /p" "$folder/tests.txt"
  return 1
}

# --- profiles and placements of one, read by the other ------------------------------------------------------------------

here() {
  "$servet" "$@"
}

same_of_both() {
  same "$*: as here" "$(there "$@" 2>&1)" "$(here "$@" 2>&1)"
}

# The caches of tests/cli/tiny.json: the level that is trusted has 32 KiB. Exact digits may differ, as libm's do.
exchange() {
  tiny="$source/tests/cli/tiny.json" profiles=$source/tests/data/profiles
  rm -rf "$folder/here" "$folder/there"
  for side in here there; do
    ok "measured $side" "$side" measure --machine "$tiny" --only cache --seed 7 -q -o "$folder/$side"
  done
  for side in here there; do
    same "what was measured there, read $side" "$($side get caches.2.bytes "$folder/there/profile.json")" 32768
  done
  same_of_both get caches.2.bytes "$folder/here/profile.json"
  for profile in "$profiles"/*.json "$folder"/here/profile.json "$folder"/there/profile.json; do
    same_of_both show "$profile"
  done
  same_of_both map -n 8 "$profiles/cluster.json"
  same_of_both map -n 4 --format json "$profiles/cluster.json"
  same_of_both diff "$folder/here/profile.json" "$folder/there/profile.json"
}

main() {
  find_tools
  mkdir -p "$folder"
  folder=$(CDPATH='' cd -- "$folder" && pwd)
  sysroot=$folder/sysroot
  export SERVET_MODELS="$source/share/models" HOME="$folder" XDG_DATA_HOME="$folder/data"
  unset SERVET_PROFILE
  make_sysroot
  write_cross_file
  ok "a build for $processor is set up" setup
  tests=${*:-$(fast_tests)}
  ok "it is built" build
  [ "$failed" -eq 0 ] || done_testing
  exchange
  run_tests
  done_testing
}

main "$@"
