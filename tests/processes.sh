# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Processes that tests wait for, or look for.

# wait_until SECONDS COMMAND...: until the command succeeds; fails if it never does.
wait_until() {
  tries=$(($1 * 5))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$tries" -gt 0 ] || return 1
    tries=$((tries - 1))
    sleep 0.2
  done
}

# rank_below PROCESS RANK [NAME]: the processes of that rank below the launcher's, by what it told them, that
# run a program of that name.
rank_below() {
  for child in $(pgrep -P "$1"); do
    if tr '\0' '\n' <"/proc/$child/environ" 2>/dev/null | grep -qE "^(OMPI_COMM_WORLD|PMI)_RANK=$2\$" &&
      { [ $# -lt 3 ] || [ "$(cat "/proc/$child/comm")" = "$(printf '%.15s' "$3")" ]; }; then
      printf '%s\n' "$child"
    else
      rank_below "$child" "$2" ${3+"$3"}
    fi
  done
}
