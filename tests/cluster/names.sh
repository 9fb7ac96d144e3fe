#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Hosts that all call themselves alike are refused: what is known of one would be told of another.
# shellcheck disable=SC2317 # functions are called through others
# shellcheck source=tests/cluster/common.sh
. "$1/tests/cluster/common.sh"

# refused NAME MESSAGE COMMAND...
refused() {
  what=$1 message=$2
  shift 2
  run "$@"
  ok "$what: refused" [ "$status" -ne 0 ]
  holds "$what: the reason is reported" "$err" "*servet: $message*"
  same "$what: only one rank reports it" "$(printf '%s\n' "$err" | grep -c '^servet: ')" 1
  clean "$what: nothing else is printed" "$out"
}

# Only the ranks see that name: the launcher has to find its daemons.
cat >"$folder/renamed" <<'END'
#!/bin/sh
exec unshare --uts sh -c 'echo localhost >/proc/sys/kernel/hostname; exec "$@"' sh "$@"
END
chmod +x "$folder/renamed"

cluster_begin
cluster_hosts 2
cluster_star 100mbit

on_both() {
  mpi_on h0:2,h1:1 "$@"
}

# The kernel says that both are one machine, MPI that they share no memory.
refused "hosts of one name" "several nodes have the name 'localhost': give each host a unique name, *" \
  on_both timeout 60 "$folder/renamed" "$servet_mpi" measure -q --only layers -o "$folder/alike"

# Each its own start of a kernel, as real ones.
for host in h0 h1; do
  echo "00000000-0000-4000-8000-00000000000${host#h}" >"$folder/boot_id.$host"
  in_host "$host" mount --bind "$folder/boot_id.$host" /proc/sys/kernel/random/boot_id
done
for command in "measure -q --only layers -o $folder/alike" where; do
  # shellcheck disable=SC2086 # words
  refused "machines of one name, ${command%% *}" \
    "several machines have the name 'localhost': give each host a unique name (hostnamectl set-hostname NAME)" \
    on_both timeout 60 "$folder/renamed" "$servet_mpi" $command
done
ok "nothing was measured" [ ! -e "$folder/alike" ]
measure h0:2,h1:1 --only layers
done_testing
