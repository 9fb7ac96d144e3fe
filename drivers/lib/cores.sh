# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# How many cores there are, for quickstart and, without these lines, for job scripts.

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

# Their cores: PUs of one core have the same siblings.
cores() {
  pus | while read -r pu; do
    cat "/sys/devices/system/cpu/cpu$pu/topology/thread_siblings_list" 2>/dev/null || echo "$pu"
  done | sort -u | wc -l
}
