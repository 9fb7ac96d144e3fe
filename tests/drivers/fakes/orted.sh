#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Open MPI's daemon on another host: orted.sh AGENT MPIRUN HOST [--daemonize]. It looks for the agent where it was
# said to lie, on its own host, says that it is up, and stays as long as process MPIRUN.
agent=$1 mpirun=$2 host=$3
[ -x "$agent" ] || exit 1
case $agent in
"$FAKE/hosts/"*)
  case $agent in
  "$TMPDIR"/*) ;;
  *) exit 1 ;;
  esac
  ;;
esac
stay() {
  while kill -0 "$mpirun" 2>/dev/null; do
    sleep 0.1
  done
}
if [ "${4-}" = --daemonize ]; then
  stay &
  echo $! >"$FAKE/orted.$host"
else
  echo $$ >"$FAKE/orted.$host"
  stay
fi
