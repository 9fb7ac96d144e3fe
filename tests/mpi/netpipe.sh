#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Latency and bandwidth within this host against NetPIPE's, in turns of which the best count, until both agree. Usage:
# netpipe.sh SOURCE_ROOT PROGRAM
set -eu
. "$1/tests/tap.sh"
program=$2
turns=10
sizes='8 49152 1048576 2097152 4194304'
netpipe=$(command -v NPopenmpi || command -v NPmpi) || { echo "1..0 # SKIP NetPIPE is not here" && exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Two processes that spin for each other are slowed down thousandfold by others on their cores: they go
# first, where that is allowed.
first=
chrt -f 1 true 2>/dev/null && first='chrt -f 1'

start() {
  # shellcheck disable=SC2086 # a command, or none
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "${MPIEXEC:-mpiexec}" -n 2 $first "$@"
}

# NetPIPE's third column are seconds. With one size only it does not warm up.
take_turn() {
  start "$program" >>"$folder/ours"
  for bytes in $sizes; do
    start "$netpipe" -l "$bytes" -u $((bytes + bytes / 8 + 1)) -p 0 -o "$folder/np" >"$folder/log" 2>&1
    awk '{ print $1, $3 }' "$folder/np" >>"$folder/theirs"
  done
}

# best FILE BYTES: the least time of a message.
best() {
  awk -v bytes="$2" '$1 == bytes && (!least || $2 < least) { least = $2 } END { print least }' "$1"
}

# agrees BYTES: within a tenth.
agrees() {
  ours=$(best "$folder/ours" "$1")
  theirs=$(best "$folder/theirs" "$1")
  awk "BEGIN { exit !($ours <= 1.1 * $theirs && $ours >= 0.9 * $theirs) }"
}

all_agree() {
  for bytes in $sizes; do
    agrees "$bytes" || return 1
  done
}

for _ in $(seq $turns); do
  take_turn
  ! all_agree || break
done
for bytes in $sizes; do
  ok "messages of $bytes bytes take what NetPIPE says, within 10 %" agrees "$bytes"
  echo "# $bytes bytes: $(best "$folder/ours" "$bytes") s, NetPIPE $(best "$folder/theirs" "$bytes") s"
done
done_testing
