#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes a platform of SimGrid and its hosts, one line for each rank: platforms.sh NAME PLATFORM.xml HOSTS; without arguments
# it lists the names.
set -eu

# NAME, hosts, ranks of a host, and the rest by kind: SimGrid's own topologies with their parameters, or a tree by hand.
platforms() {
  cat <<'END'
star            16 1 cluster -
leaves          32 1 cluster FAT_TREE 2;8,4;1,2;1,2
leaves-4to1     64 1 cluster FAT_TREE 2;8,8;1,2;1,1
pods            64 1 cluster FAT_TREE 3;4,4,4;1,2,2;1,1,1
torus           64 1 cluster TORUS 4,4,4
torus-long      64 1 cluster TORUS 8,4,2
torus-odd       60 1 cluster TORUS 5,3,4
torus-fat       27 2 cluster TORUS 3,3,3
ring            16 1 cluster TORUS 16
dragonfly       72 1 cluster DRAGONFLY 3,4;4,3;3,1;2
fat-star        8  4 cluster -
fat-leaves      16 4 cluster FAT_TREE 2;4,4;1,2;1,1
clusters        32 1 tree    8 1.25GBps 10GBps 1ms
unlike          16 1 tree    16 1.25GBps 1.25GBps 1us half=312.5MBps
slow-host       16 1 tree    16 1.25GBps 1.25GBps 1us host=312.5MBps
slow-cable      32 1 tree    8 1.25GBps 5GBps 5us cable=156.25MBps
hall            128 4 cluster FAT_TREE 3;8,4,4;1,4,4;1,1,1
END
}

if [ $# -eq 0 ]; then
  platforms | cut -d ' ' -f 1
  exit
fi
# shellcheck disable=SC2046 # words
set -- "$1" "$2" "$3" $(platforms | grep "^$1 ")
name=$1 xml=$2 list=$3 hosts=$5 ranks=$6 kind=$7
shift 7

i=0
while [ "$i" -lt "$hosts" ]; do
  r=0
  while [ "$r" -lt "$ranks" ]; do
    echo "n$i"
    r=$((r + 1))
  done
  i=$((i + 1))
done >"$list"

# Each host has a cable of 10 Gbit/s; processes of one host exchange messages through its memory.
cluster() {
  echo "<cluster id='$name' prefix='n' suffix='' radical='0-$((hosts - 1))' speed='10Gf' bw='1.25GBps' lat='1us'"
  echo "  loopback_bw='5GBps' loopback_lat='250ns'"
  [ "$1" = - ] || echo "  topology='$1' topo_parameters='$2'"
  echo "/>"
}

# tree LEAF CABLE UPLINK LATENCY [SICK=BANDWIDTH]: switches of LEAF hosts each below one that joins them. LATENCY and
# bandwidth are those of an uplink. SICK has another bandwidth: the cables of the second `half` of the hosts; of one `host`, the
# sixth; an uplink (`cable`), the second.
tree() {
  sick=${5:-} && slow=${sick#*=} && sick=${sick%%=*}
  echo "<zone id='$name' routing='Floyd'>"
  i=0
  while [ "$i" -lt "$hosts" ]; do
    cable=$2
    case $sick in
    half) [ "$i" -lt $((hosts / 2)) ] || cable=$slow ;;
    host) [ "$i" -ne 5 ] || cable=$slow ;;
    esac
    echo "<host id='n$i' speed='10Gf'/>"
    echo "<link id='c$i' bandwidth='$cable' latency='1us' sharing_policy='SPLITDUPLEX'/>"
    i=$((i + 1))
  done
  i=0
  while [ "$i" -lt $((hosts / $1)) ]; do
    uplink=$3
    [ "$sick$i" != cable1 ] || uplink=$slow
    echo "<router id='s$i'/><link id='u$i' bandwidth='$uplink' latency='$4' sharing_policy='SPLITDUPLEX'/>"
    i=$((i + 1))
  done
  [ "$hosts" -eq "$1" ] || echo "<router id='top'/>"
  i=0
  while [ "$i" -lt "$hosts" ]; do
    echo "<route src='n$i' dst='s$((i / $1))'><link_ctn id='c$i' direction='UP'/></route>"
    i=$((i + 1))
  done
  i=0
  while [ "$hosts" -gt "$1" ] && [ "$i" -lt $((hosts / $1)) ]; do
    echo "<route src='s$i' dst='top'><link_ctn id='u$i' direction='UP'/></route>"
    i=$((i + 1))
  done
  echo "</zone>"
}

{
  echo "<?xml version='1.0'?>"
  echo "<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>"
  echo "<platform version='4.1'>"
  "$kind" "$@"
  echo "</platform>"
} >"$xml"
