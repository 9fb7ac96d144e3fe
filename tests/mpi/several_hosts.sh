#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Several hosts on one: Open MPI takes what has names of its own for nodes, with shared memory inside
# and TCP between. Usage: several_hosts.sh PROGRAM HOST:RANKS...
# The program is given the list again, to compare it with what it finds.
set -eu
program=$1
shift
case $("${MPIEXEC:-mpiexec}" --version 2>/dev/null) in
*"Open MPI"* | *OpenRTE*) ;;
*) echo "1..0 # SKIP only Open MPI can be told so" && exit 0 ;;
esac
unshare --uts true 2>/dev/null || { echo "1..0 # SKIP host names are root's" && exit 0; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/agent" <<'AGENT'
#!/bin/sh
host=$1
shift
exec unshare --uts sh -c 'hostname "$0"; exec sh -c "$1"' "$host" "$*"
AGENT
chmod +x "$folder/agent"

hosts='' ranks=0
for host; do
  hosts=$hosts${hosts:+,}$host
  ranks=$((ranks + ${host#*:}))
done
export OMPI_MCA_plm_rsh_agent="$folder/agent" OMPI_MCA_btl=tcp,vader,self
# shellcheck disable=SC2016 # expanded by the inner shell
unshare --uts sh -c 'hostname "${1%%:*}"; shift; exec "$@"' sh "$1" \
  sh "${0%/*}/launch.sh" "$ranks" --host "$hosts" "$program" "$@"
