#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# drivers/quickstart on machines that exist only as a PATH: a few real tools and fake installers,
# compilers and build tools that note how they were called.
# shellcheck disable=SC2016 # bodies of programs, expanded when they run
#
# SOURCE_ROOT: the source tree.

load ../bats

setup_file() {
  prepare_tools "$BATS_FILE_TMPDIR/ready"
}

setup() {
  tree="$BATS_TEST_TMPDIR/a tree"
  bin=$BATS_TEST_TMPDIR/bin
  ready=$BATS_TEST_TMPDIR/ready
  export LOG=$BATS_TEST_TMPDIR/log LIBRARIES=$BATS_TEST_TMPDIR/libraries
  mkdir -p "$tree/drivers/lib" "$tree/tests" "$bin"
  cp -r "$BATS_FILE_TMPDIR/ready" "$ready"
  cp "$SOURCE_ROOT/drivers/quickstart" "$tree/drivers/"
  cores 2
  cp "$SOURCE_ROOT/tests/summary.awk" "$tree/tests/"
  touch "$LOG"
  local tools
  mapfile -t tools < <(type -P sh env awk cat chmod cp cut dirname grep ls mkdir rm sed seq sort touch tr wc)
  ln -s "${tools[@]}" "$bin"
  fake id 'echo 0'
  printf 'hwloc\njansson\ncmocka\n' >"$LIBRARIES"
  results '{"name": "a", "stdout": "1..1\nok 1 - x\n", "result": "OK", "returncode": 0}'
  note_lines
}

# fake NAME BODY [FOLDER]: a program that notes its call and then does BODY.
fake() {
  local file=${3-$bin}/$1
  printf '#!/bin/sh\nprintf "%%s\\n" "${0##*/} $*" >>"$LOG"\n%s\n' "$2" >"$file"
  chmod +x "$file"
}

# All that quickstart needs, in folder $1, which is not on PATH yet.
prepare_tools() {
  local tool ready=$1
  mkdir "$ready"
  for tool in cc gfortran bats scdoc clang-format shellcheck gnuplot chromium lstopo-no-graphics jq xz make cmake c++ valgrind busybox mpicc mpicc.mpich mpiexec.hydra smpicc ps ip \
    tc slurmctld slurmd munged sbatch qsub; do
    fake "$tool" '' "$ready"
  done
  fake_mpirun 'mpirun (Open MPI) 4.1.4' "$ready"
  fake pkg-config 'grep -qx "$2" "$LIBRARIES"' "$ready"
  fake ninja '[ "$1" = -C ] && cd "$2" || exit 1
printf "#!/bin/sh\necho servet \$*\n" >servet && chmod +x servet
! command -v scdoc >/dev/null || { mkdir -p share && touch share/servet.1; }
! command -v mpicc >/dev/null || { sed s/servet/servet-mpi/ servet >servet-mpi && chmod +x servet-mpi; }' "$ready"
  fake meson 'case $1 in
--version) echo 1.0.1 ;;
setup)
  while [ $# -gt 2 ]; do shift; done
  mkdir -p "$1/meson-private" "$1/meson-logs"
  touch "$1/build.ninja" "$1/meson-private/coredata.dat" ;;
test)
  case "$*" in *nightly*) log=testlog-nightly ;; *) log=testlog ;; esac
  cat "$LOG.results" >"$3/meson-logs/$log.json" ;;
esac' "$ready"
}

# cores N: this process may use N cores.
cores() {
  printf 'pus() { seq %s; }\ncores() { echo %s; }\n' "$1" "$1" >"$tree/drivers/lib/cores.sh"
}

# fake_mpirun NAME [FOLDER]: an mpirun that starts one process and prints NAME as its version.
fake_mpirun() {
  fake mpirun 'if [ "$1" = --version ]; then echo "'"$1"'"; exit; fi
while [ "${1#*/}" = "$1" ]; do shift; done
"$@"' "${2-$bin}"
}

# The results of the fake `meson test`.
results() {
  printf '%s\n' "$1" >"$LOG.results"
}

set_up() {
  cp "$ready"/* "$bin/"
}

# A package manager NAME that provides everything when told to install.
fake_manager() {
  fake "$1" "case \"\$*\" in *install*) cp '$ready'/* '$bin/' ;; esac"
}

quickstart() {
  run env -i PATH="$bin" HOME="$BATS_TEST_TMPDIR/home" LOG="$LOG" LIBRARIES="$LIBRARIES" \
    ${sh-sh} "$tree/drivers/quickstart" "$@" </dev/null
}

logged() {
  grep -e "$1" "$LOG"
}

not_logged() {
  if logged "$1"; then
    return 1
  fi
}

@test "a fresh Debian machine gets package lists and packages, builds Servet and is measured" {
  fake_manager apt-get
  quickstart
  [ "$status" -eq 0 ]
  [[ $output == *"servet-mpi measure"* ]]
  logged '^apt-get update$'
  local line package
  line=$(logged '^apt-get install' | tr '\n' ' ')
  for package in gcc libc6-dev meson ninja-build pkg-config libhwloc-dev libjansson-dev libopenmpi-dev openmpi-bin scdoc; do
    [[ " $line " == *" $package "* ]]
  done
  [[ $output == *"man $tree/build/share/servet.1"* ]]
  [[ $line != *cmocka* && $line == *" -y "* ]]
  logged '^ninja -C [^ ]*/a tree/build programs$'
}

@test "quickstart test also installs the tools of the tests" {
  fake_manager apt-get
  quickstart test
  [ "$status" -eq 0 ]
  local line package
  line=$(logged '^apt-get install')
  for package in gfortran libcmocka-dev bats scdoc clang-format shellcheck gnuplot-nox hwloc-nox libopenmpi-dev libmpich-dev libscotch-dev slurm-client slurm-wlm-torque; do
    [[ " $line " == *" $package "* ]]
  done
  [[ $line != *libsimgrid-dev* ]]
}

@test "quickstart test --all also installs a simulator of networks" {
  fake_manager apt-get
  quickstart test --all
  [ "$status" -eq 0 ]
  [[ $(logged '^apt-get install') == *" libsimgrid-dev"* ]]
}

@test "with an MPI library one process on each core measures the node and the messages" {
  set_up
  quickstart
  [ "$status" -eq 0 ]
  [[ $output == *"servet-mpi measure"* && $output != *"servet measure"* ]]
  logged '^mpirun -n 2 .*--bind-to none .*/build/servet-mpi measure$'
}

@test "MPICH's mpirun gets no options of Open MPI" {
  set_up
  fake_mpirun 'HYDRA build details:'
  quickstart
  [ "$status" -eq 0 ]
  logged '^mpirun -n 2 [^ ]*/a tree/build/servet-mpi measure$'
}

@test "a machine of one core is measured without MPI" {
  set_up
  cores 1
  quickstart
  [ "$status" -eq 0 ]
  [[ $output == *"servet measure"* ]]
  not_logged '^mpirun'
}

@test "without an MPI library the machine is measured, and it is said what is not" {
  set_up
  rm "$bin/mpicc" "$bin/mpirun"
  fake id 'echo 1000'
  fake apt-get ''
  quickstart
  [ "$status" -eq 0 ]
  [[ $output == *"as root: apt-get install "*"libopenmpi-dev"*"messages are not measured: no MPI library"*"servet measure"* ]]
}

@test "where there is no scdoc to install, the rest is installed, and it is said that there are no pages" {
  set_up
  rm "$bin/meson" "$bin/scdoc" "$ready/scdoc"
  fake apt-get 'case "$*" in
*install*scdoc*) exit 100 ;;
*install*) cp "'"$ready"'"/* "'"$bin"'/" ;;
esac'
  quickstart
  [ "$status" -eq 0 ]
  [[ $output == *"servet-mpi measure"*"no manual pages, because scdoc is missing"* ]]
}

@test "manual pages alone are no reason to install anything, and are built once there is scdoc" {
  set_up
  rm "$bin/scdoc"
  fake_manager apt-get
  quickstart
  [ "$status" -eq 0 ]
  not_logged '^apt-get'
  set_up
  quickstart
  [[ $output == *"man $tree/build/share/servet.1"* ]]
}

@test "an MPI library that was installed later is used" {
  set_up
  rm "$bin/mpicc"
  quickstart
  [[ $output == *"servet measure"* ]]
  set_up
  quickstart
  [ "$status" -eq 0 ]
  [[ $output == *"servet-mpi measure"* ]]
}

@test "an mpirun that fails does not keep the machine from being measured" {
  set_up
  fake mpirun 'exit 1'
  quickstart
  [ "$status" -eq 0 ]
  [[ $output == *"messages are not measured: "*mpirun" failed"*"servet measure"* ]]
}

@test "only missing packages are installed" {
  set_up
  rm "$bin/meson"
  fake_manager apt-get
  quickstart
  [ "$status" -eq 0 ]
  [[ $(logged '^apt-get install') == *"apt-get install -y "*" meson" ]]
  [[ $(logged '^apt-get install') != *libhwloc-dev* ]]
}

@test "a second call needs no installer, sudo or network and keeps the build" {
  set_up
  fake_manager apt-get
  fake sudo ''
  quickstart
  [ "$status" -eq 0 ]
  quickstart
  [ "$status" -eq 0 ]
  not_logged '^apt-get'
  not_logged '^sudo'
  [ "$(logged '^meson setup' | wc -l)" -eq 1 ]
}

@test "dnf and zypper get their own names of packages" {
  fake_manager dnf
  quickstart
  [ "$status" -eq 0 ]
  [[ $(logged '^dnf install -y') == *" hwloc-devel "* ]]
  rm "$bin/dnf" "$bin/pkg-config" "$bin/cc"
  fake_manager zypper
  quickstart
  [ "$status" -eq 0 ]
  [[ $(logged '^zypper --non-interactive install') == *" libjansson-devel "* ]]
}

@test "without root sudo is used, and without a terminal it does not prompt" {
  fake_manager apt-get
  fake id 'echo 1000'
  fake sudo '[ "$1" = -n ] || exit 1; shift; "$@"'
  quickstart
  [ "$status" -eq 0 ]
  logged '^sudo -n env DEBIAN_FRONTEND=noninteractive apt-get install'
}

@test "without root and sudo the command to run is printed" {
  fake_manager apt-get
  fake id 'echo 1000'
  quickstart
  [ "$status" -eq 1 ]
  [[ $output == *"as root: apt-get install "*"libhwloc-dev"* ]]
  not_logged '^apt-get'
}

@test "if sudo refuses, the command to run is printed" {
  fake_manager apt-get
  fake id 'echo 1000'
  fake sudo 'exit 1'
  quickstart
  [ "$status" -eq 1 ]
  [[ $output == *"as root: apt-get install "* ]]
  not_logged '^apt-get'
}

@test "without a known package manager the missing packages are listed" {
  set_up
  rm "$bin/ninja"
  printf 'jansson\n' >"$LIBRARIES"
  quickstart
  [ "$status" -eq 1 ]
  [[ $output == *"hwloc (library)"* && $output == *"ninja (command)"* ]]
  [[ $output != *jansson* && $output != *meson* ]]
  not_logged '^meson'
}

@test "a failing installer is reported, and nothing is built" {
  fake apt-get '[ "$1" = update ]'
  quickstart
  [ "$status" -eq 1 ]
  [[ $output == *"apt-get could not install"* ]]
}

@test "an installer that installs nothing is reported" {
  fake apt-get ''
  quickstart
  [ "$status" -eq 1 ]
  [[ $output == *"still missing"* && $output == *"library hwloc"* ]]
}

@test "package lists that cannot be updated do not stop an installation that works" {
  fake_manager apt-get
  sed -i '2a [ "$1" != update ] || exit 100' "$bin/apt-get"
  quickstart
  [ "$status" -eq 0 ]
}

@test "a Meson that is too old is reported" {
  set_up
  fake meson 'echo 0.61.2'
  quickstart
  [ "$status" -eq 1 ]
  [[ $output == *"meson 0.61.2 is too old"* ]]
}

@test "test: the summary adds up both builds" {
  set_up
  quickstart test
  [ "$status" -eq 0 ]
  [ "${lines[-1]}" = "2 passed, 0 failed" ]
  logged 'meson setup .*-Dwerror=true .*build '
  logged 'meson test .*build .*--num-processes 5'
  logged 'meson setup .*-Dwerror=true .*-Db_sanitize=address,undefined .*build-sanitize-cc '
}

@test "test: the sanitized build uses the other compiler, if it has sanitizers" {
  set_up
  fake clang ''
  quickstart test
  logged 'meson setup .*-Db_sanitize=address,undefined .*build-sanitize-clang '
  fake cc 'echo clang version 14'
  fake gcc 'case "$*" in *-fsanitize*) exit 1 ;; esac'
  quickstart test
  logged 'meson setup .*-Db_sanitize=address,undefined .*build-sanitize-cc '
  fake gcc ''
  quickstart test
  logged 'meson setup .*-Db_sanitize=address,undefined .*build-sanitize-gcc '
}

@test "test --all: nightly tests run too, and more tests with sanitizers" {
  set_up
  quickstart test
  not_logged 'meson test .*--setup nightly'
  logged 'meson test .*build-sanitize-cc .*--no-suite nightly'
  logged '^ninja -C [^ ]*/a tree/build-sanitize-cc c-tests$'
  quickstart test --all
  [ "$status" -eq 0 ]
  [ "${lines[-1]}" = "2 passed, 0 failed" ]
  logged 'meson test .*build .*--setup nightly'
  logged 'meson test .*build-sanitize-cc .*--suite cli .*--setup nightly'
  logged '^ninja -C [^ ]*/a tree/build-sanitize-cc$'
}

@test "test: a failed case is a failure, a skipped one keeps its reason" {
  set_up
  results '{"name": "t", "stdout": "1..3\nok 1 x\nnot ok 2 y\nok 3 z # skip no MPI\n", "result": "FAIL", "returncode": 1}'
  quickstart test
  [ "$status" -ne 0 ]
  [[ $output == *"skipped: t: ok 3 z # skip no MPI"* && $output == *"failed: t: not ok 2 y"* ]]
  [ "${lines[-1]}" = "2 passed, 2 failed, 2 skipped" ]
}

@test "test: a failing build is a failure, whatever an earlier run left" {
  set_up
  quickstart test
  [ "$status" -eq 0 ]
  fake ninja 'exit 1'
  quickstart test
  [ "$status" -ne 0 ]
  [ "${lines[-1]}" = "0 passed, 2 failed" ]
}

@test "after a failing build nothing is measured" {
  set_up
  fake ninja 'exit 1'
  quickstart
  [ "$status" -ne 0 ]
  [[ $output != *"measure"* ]]
}

@test "unknown words are usage errors, --help is not" {
  local words
  for words in oops --oops --all "test test" "measure test" "measure --all" "test --all --all"; do
    quickstart $words
    [ "$status" -eq 2 ]
    [[ $output == "servet: quickstart: "* ]]
  done
  quickstart --help
  [ "$status" -eq 0 ]
  [[ $output == usage:* ]]
  [ ! -s "$LOG" ]
}

@test "other shells: dash" {
  command -v dash || skip "no dash here"
  sh=$(command -v dash)
  fake_manager apt-get
  quickstart test
  [ "$status" -eq 0 ]
  [ "${lines[-1]}" = "2 passed, 0 failed" ]
}

@test "other shells: busybox" {
  command -v busybox || skip "no busybox here"
  sh="$(command -v busybox) sh"
  fake_manager apt-get
  quickstart test
  [ "$status" -eq 0 ]
  [ "${lines[-1]}" = "2 passed, 0 failed" ]
}
