#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A virtual cluster to try things on. `cluster.sh --help` says how to call it.
set -eu
cluster_tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
# shellcheck source=tests/cluster/hosts.sh
. "$cluster_tools/hosts.sh"
# shellcheck source=tests/cluster/links.sh
. "$cluster_tools/links.sh"

usage() {
  cat <<'END'
usage: cluster.sh up ring HOSTS RATE               every host passes on what is not for it
       cluster.sh up star HOSTS RATE               all at one switch
       cluster.sh up shares HOSTS RATE TIMES N     as a star, but each of N processes of a host has a cable
                                                of that rate, and their uplink TIMES the rate
       cluster.sh up leaves RATE SLOWER HOSTS...   a switch for each number of hosts, slower cables above
       cluster.sh run RANKS COMMAND...             starts RANKS ranks on each host: 2, or h0:2,h1:1,...
       cluster.sh in HOST COMMAND...               runs it there, where mpirun finds the other hosts
       cluster.sh cut A B                          what goes over the cable from now on is lost
       cluster.sh repair A B
       cluster.sh show                             the hosts, and the cables with their rates
       cluster.sh down

Hosts are h0, h1, ...; rates are tc's: 100mbit. The cluster is named by $CLUSTER, "default" if that is not set.
END
}

die() {
  printf 'cluster: %s\n' "$*" >&2
  exit 1
}

usage_error() {
  printf 'cluster: %s (see --help)\n' "$*" >&2
  exit 2
}

# at_least N WHAT WORD...: the usage error that words are missing.
at_least() {
  [ $(($# - 2)) -ge "$1" ] || usage_error "$2"
}

must_be_up() {
  [ -d "$SERVET_CLUSTER" ] || die "it is not up"
}

# --- words ----------------------------------------------------------------------------------------

up() {
  at_least 1 "up wants a shape, and what that needs" "$@"
  case $1 in
    ring | star) [ $# -eq 3 ] || usage_error "up $1 wants HOSTS RATE" ;;
    shares) [ $# -eq 5 ] || usage_error "up shares wants HOSTS RATE TIMES N" ;;
    leaves) [ $# -ge 4 ] || usage_error "up leaves wants RATE SLOWER HOSTS..." ;;
    *) usage_error "there is no shape '$1'" ;;
  esac
  reason=$(cluster_lacks)
  [ -z "$reason" ] || die "$reason"
  [ ! -d "$SERVET_CLUSTER" ] || die "one is up: first 'cluster.sh down'"
  trap 'cluster_remove "$SERVET_CLUSTER"' EXIT
  cluster_make "$name"
  lay_out "$@"
  trap - EXIT
}

lay_out() {
  shape=$1
  shift
  case $shape in
    leaves) cluster_hosts "$(sum_of "$@")" ;;
    *) cluster_hosts "$1" && shift ;;
  esac
  "cluster_$shape" "$@"
  [ "$shape" != shares ] || : >"$SERVET_CLUSTER/shares"
}

# The sum of all arguments but the first two.
sum_of() {
  shift 2
  sum=0
  for number; do
    sum=$((sum + number))
  done
  echo "$sum"
}

run() {
  must_be_up
  at_least 2 "run wants a number of ranks and a command" "$@"
  hosts=$1
  shift
  case $hosts in
    *:*) ;;
    *) hosts=$(ranks_each "$hosts") ;;
  esac
  [ ! -f "$SERVET_CLUSTER/shares" ] || set -- "$cluster_tools/own_share.sh" "$@"
  mpi_on "$hosts" "$@"
}

in_() {
  must_be_up
  at_least 2 "in wants a host and a command" "$@"
  cluster_mpi
  in_host "$@"
}

show() {
  must_be_up
  for host in $(cluster_list); do
    echo "$host $(address_of "$host")"
  done
  for file in "$SERVET_CLUSTER"/rate.*; do
    [ ! -f "$file" ] || echo "${file##*/rate.} $(cat "$file")" | sed 's/\./ to /; s/ \([^ ]*\)$/: \1/'
  done
}

cut_or_repair() {
  must_be_up
  [ $# -eq 3 ] || usage_error "$1 wants both ends of a cable"
  [ -f "$SERVET_CLUSTER/rate.$2.$3" ] || die "there is no cable from $2 to $3 ('cluster.sh show' lists them)"
  "$1_link" "$2" "$3"
}

name=${CLUSTER:-default}
export SERVET_CLUSTER="$cluster_folders/$name"
[ $# -gt 0 ] || usage_error "a word is missing"
word=$1
shift
case $word in
  -h | --help) usage ;;
  up | run | show) "$word" "$@" ;;
  in) in_ "$@" ;;
  cut | repair) cut_or_repair "$word" "$@" ;;
  down) cluster_end ;;
  *) usage_error "there is no word '$word'" ;;
esac
