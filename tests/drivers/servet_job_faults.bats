#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet-job if a tool fails, or if a process has ended without notice; on this machine, without a batch system.
#
# SOURCE_ROOT: the source tree.

# shellcheck disable=SC2034,SC2154 # for and from batch.bash
load batch

setup() {
  make_machine
  export SERVET_NAME=neptune
  holder=''
}

teardown() {
  [ -z "$holder" ] || kill "$holder"
  end_jobs
}

# failing TOOL PATTERN: it fails if an argument matches.
failing() {
  rm "$bin/$1"
  cat >"$bin/$1" <<EOF
#!/bin/sh
for word; do
  case \$word in
  $2) echo "$1: cannot handle '\$word': Input/output error" >&2 && exit 1 ;;
  esac
done
exec $(command -v "$1") "\$@"
EOF
  chmod +x "$bin/$1"
}

# The number of a process that has ended and whose status its parent does not read, as $zombie. It ends once its parent has
# become a program that never does; a shell may.
make_zombie() {
  # shellcheck disable=SC2016 # expanded there
  sh -c 'sh -c '\''until grep -qx sleep "/proc/$PPID/comm"; do :; done'\'' & echo $!; exec sleep 60' >zombie 3>&- &
  holder=$!
  eventually [ -s zombie ]
  zombie=$(cat zombie)
  eventually grep -q '^State:.*zombie' "/proc/$zombie/status"
}

@test "a killed process whose status nobody reads holds no folder, and what it left is removed" {
  local here
  here=$(uname -n)
  make_zombie
  mkdir -p servet-neptune/job
  echo "$zombie@$here" | tee servet-neptune/job/at-work >"servet-neptune/job/at-work.$zombie@$here"
  touch "servet-neptune/job/lock.$here.$zombie"
  succeeds --nodes 1 --wait
  [ -z "$(find servet-neptune/job -name at-work -o -name "*$zombie*")" ]
}

@test "what a job left that was killed at its end is removed where nothing is left to measure" {
  succeeds --nodes 1 --wait
  touch servet-neptune/job/at-work "servet-neptune/job/at-work.1@$(uname -n)" servet-neptune/job/n1-32M.start
  succeeds --resume --wait
  said '*nothing is left to measure in *'
  [ -z "$(find servet-neptune/job -name 'at-work*' -o -name '*.start')" ]
}

# A script with a failed write would lack one of its pieces.
@test "a job's script is written as a whole or not at all" {
  rm "$bin/cat"
  cat >"$bin/cat" <<EOF
#!/bin/sh
[ \$# -eq 0 ] || exec $(command -v cat) "\$@"
text=\$($(command -v cat))
case \$text in
*'take_folder() {'*) exit 1 ;;
esac
printf '%s\n' "\$text"
EOF
  chmod +x "$bin/cat"
  fails 1 '*cannot write */job/new/n1-32M.sh: its text cannot be composed *' --nodes 1 --wait
  [ ! -e servet-neptune/job/n1-32M.sh ]
  ! logged measure
}

@test "what must not stay and cannot be removed is an error in one line" {
  mkdir -p servet-neptune/job/old
  failing rm '*/job/old'
  fails 1 '*: cannot remove */servet-neptune/job/old: Input/output error' --nodes 1 --wait
}

@test "what the next call removes may stay" {
  failing rm '*/job/new|*/job/new.said|*/job/lock*'
  succeeds --nodes 1 --wait
  [ "$(cat servet-neptune/job/n1-32M.state)" = 'done' ]
  [ -f servet-neptune/job/lock ]
  ln -sf "$(command -v rm)" "$bin/rm"
  succeeds --nodes 1 --wait
  [ -z "$(find servet-neptune/job -name 'new*' -o -name 'lock*')" ]
}

# The holder has just ended.
@test "a lock that can be read, but not moved, is an error" {
  mkdir -p servet-neptune/job
  sh -c : &
  wait $!
  printf '%s\n' local "$!@$(uname -n):none" "$PWD/servet-neptune" >servet-neptune/job/lock
  failing mv '*/job/lock'
  fails 1 '*: cannot create the lock */job/lock: *' --nodes 1 --wait
}

@test "a lock of a batch system that nobody knows is stale" {
  mkdir -p servet-neptune/job
  printf '%s\n' tide 17 "$PWD/servet-neptune" >servet-neptune/job/lock
  succeeds --nodes 1 --wait
}

@test "a link to the default profile that cannot be moved is removed" {
  failing mv '*/.profile.*'
  servet_job --nodes 1 --wait --install --prefix "$PWD/pre"
  [ "$status" -eq 1 ]
  said '*: cannot make */profile.json the default profile: *'
  [ -f pre/share/servet/neptune/profile.json ]
  [ -z "$(find pre -name '.profile.*')" ]
}

@test "settings that cannot be read are an error in one line" {
  succeeds --nodes 1 --wait
  failing cat '*/job/settings'
  fails 1 '*: cannot read */job/settings: Input/output error' --resume
}

@test "a job that cannot note its nodes fails" {
  failing mv 'n1-32M.nodes.new'
  servet_job --nodes 1 --wait
  [ "$status" -eq 1 ]
  said '*n1-32M (job *) failed with status 1, see *'
  ! logged measure
}
