# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Counts cores, for quickstart and for job scripts, which contain this file without these lines.

# The PUs that this process may use.
pus() {
  for range in $(sed -n 's/^Cpus_allowed_list://p' /proc/self/status | tr ',' ' '); do
    pu=${range%-*}
    while [ "$pu" -le "${range#*-}" ]; do
      echo "$pu"
      pu=$((pu + 1))
    done
  done
}

# Prints a line for each of these PUs that is the same for all PUs of a core.
cores() {
  pus | while read -r pu; do
    cat "/sys/devices/system/cpu/cpu$pu/topology/thread_siblings_list" 2>/dev/null || echo "$pu"
  done | sort -u | wc -l
}
