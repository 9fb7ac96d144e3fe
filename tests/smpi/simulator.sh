# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# How the tests in this folder run programs in SimGrid, and the folder that they work in.

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM PIPE

# SimGrid's defaults, which a comparison with real clusters gave: they make the protocols of small and large messages.
latency='65472:11.6436;15424:3.48845;9376:2.59299;5776:2.18796;3484:1.88101;1426:1.61075;732:1.9503;257:1.95341;0:2.01467'
bandwidth='65472:0.940694;15424:0.697866;9376:0.58729;5776:1.08739;3484:0.77493;1426:0.608902;732:0.341987;257:0.338112;0:0.812084'

# simulate PLATFORM.xml HOSTS PROGRAM [ARGUMENT]...: a rank on the host of each line. Computing takes no time. Answers to
# messages take no part of a link's bandwidth, since SimGrid shares that unevenly, and the window of TCP limits none.
# $privatize=no spares the ranks a copy of the program each.
simulate() {
  xml=$1 list=$2
  shift 2
  smpirun -np "$(grep -c . "$list")" -platform "$xml" -hostfile "$list" --log=root.thres:warning \
    --cfg=smpi/simulate-computation:no --cfg=smpi/host-speed:10Gf --cfg=network/crosstraffic:0 \
    --cfg=network/TCP-gamma:1e12 "--cfg=smpi/privatization:${privatize:-dlopen}" "--cfg=smpi/lat-factor:$latency" \
    "--cfg=smpi/bw-factor:$bandwidth" "$@"
}
