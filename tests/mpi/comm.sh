#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program about communicators on hosts of one machine, ranks placed host by host in turn. WRITER
# writes the profile of the hosts that it finds. Usage: comm.sh WRITER PROGRAM HOST:RANKS...
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
writer=$1
program=$2
shift 2
"$writer" "$folder/profile.json" "$@"
export SERVET_PROFILE="$folder/profile.json" OMPI_MCA_rmaps_base_mapping_policy=node
sh "${0%/*}/several_hosts.sh" "$program" "$@"
