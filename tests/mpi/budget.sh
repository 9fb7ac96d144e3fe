# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Measurements that a budget keeps short, on a machine of any speed. Sourced after tap.sh.
# shellcheck disable=SC2154 # run sets these

# within SECONDS COMMAND...: the command, which calls `run`, with that budget; with a larger one if it says that this was
# too short here.
within() {
  budget=$1
  shift
  "$@" --budget "$budget"
  while [ "$status" -ne 0 ] && printf '%s\n' "$err" | grep -qE '^servet: (the|.*: the) budget of .* was (too short|used up)'; do
    budget=$((2 * budget))
    "$@" --budget "$budget"
  done
}
