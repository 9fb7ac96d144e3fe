#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Latency and bandwidth within this host against NetPIPE's, in turns. Usage:
# netpipe.sh SOURCE_ROOT PROGRAM. Others on the cores disturb both, but not alike: the best of
# several turns counts, and a busy machine is no place to compare.
set -eu
. "$1/tests/tap.sh"
launch=$1/tests/mpi/launch.sh
program=$2
turns=5
netpipe=$(command -v NPopenmpi || command -v NPmpi) || { echo "1..0 # SKIP NetPIPE is not here" && exit 0; }
if [ "$(awk '{ print ($1 > '"$(nproc)"' / 2) }' /proc/loadavg)" = 1 ]; then
  echo "1..0 # SKIP others use this machine" && exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# NetPIPE prints bytes, Mbit/s (2^20) and seconds.
for _ in $(seq $turns); do
  sh "$launch" 2 "$program" >>"$folder/ours"
  for bytes in 8 49152 1048576 2097152 4194304; do
    sh "$launch" 2 "$netpipe" -l "$bytes" -u "$bytes" -p 0 -o "$folder/np" >"$folder/log" 2>&1
    awk '{ print $1, $3 }' "$folder/np" >>"$folder/theirs"
  done
done

# best FILE BYTES: the least time of a message.
best() {
  awk -v bytes="$2" '$1 == bytes && (!least || $2 < least) { least = $2 } END { print least }' "$1"
}

for bytes in 8 49152 1048576 2097152 4194304; do
  ours=$(best "$folder/ours" $bytes)
  theirs=$(best "$folder/theirs" $bytes)
  echo "# $bytes bytes: $ours s, NetPIPE $theirs s"
  ok "messages of $bytes bytes take what NetPIPE says, within 10 %" \
    awk "BEGIN { exit !($ours <= 1.1 * $theirs && $ours >= 0.9 * $theirs) }"
done
done_testing
