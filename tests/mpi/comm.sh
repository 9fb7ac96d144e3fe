#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program about communicators on hosts of one machine, ranks dealt out host by host in turn.
# Usage: comm.sh PROGRAM HOST:RANKS...
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMPI_MCA_rmaps_base_mapping_policy=node
program=$1
shift
cat >"$folder/program" <<END
#!/bin/sh
exec "$program" "$folder/profile.json" "\$@"
END
chmod +x "$folder/program"
sh "${0%/*}/several_hosts.sh" "$folder/program" "$@"
