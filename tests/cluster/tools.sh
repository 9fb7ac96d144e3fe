#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The virtual cluster itself: hosts are apart, clusters don't meet, nothing is left of them.
# shellcheck source=tests/cluster/common.sh
. "$1/tests/cluster/common.sh"
command=$cluster_tools/cluster.sh
export CLUSTER="tools$$"

namespaces() {
  ip netns list | grep -c "^servet-$1-" || :
}

# Remnants are removed when this test is ended from outside.
trap 'sh "$command" down; cluster_end; rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM PIPE

run sh "$command" up ring 3
same "a wrong call is a usage error" "$status $err" "2 cluster: up ring wants HOSTS RATE (see --help)"
run sh "$command" run 1 hostname
same "nothing runs on a cluster that is down" "$status $err" "1 cluster: it is not up"

ok "a cluster comes up" sh "$command" up leaves 100mbit 50mbit 2 1
run sh "$command" up ring 3 100mbit
same "a second cluster is refused" "$status $err" "1 cluster: one is up: first 'cluster.sh down'"
same "hosts have names" "$(sh "$command" run h0:1,h2:2 hostname | sort | paste -s -d ' ' -)" "h0 h2 h2"
same "hosts have files of their own in TMPDIR" \
  "$(sh "$command" run 1 sh -c 'touch $TMPDIR/$(hostname); ls $TMPDIR | grep ^h' | sort | paste -s -d ' ' -)" \
  "h0 h1 h2"
holds "cables have rates" "$(sh "$command" show)" "*leaf0 to spine: 50mbit*"

# Another one at the same time, whose process is killed. It counts its hosts itself: once it is dead, any cluster that
# begins on this machine removes them.
sh -c '. "$1/tests/cluster/common.sh"; cluster_begin; cluster_hosts 2; ls /run/netns >"$4"; echo $$; kill -s KILL $$' sh \
  "$root" "$servet_mpi" "$servet" "$folder/hosts" >"$folder/killed" 2>/dev/null || :
killed=$(cat "$folder/killed")
same "a process that will be killed has hosts" "$(grep -c "^servet-$killed-" "$folder/hosts")" 2
cluster_begin
cluster_end
same "the next cluster removes hosts of a killed one" "$(namespaces "$killed")" 0
same "the next cluster leaves others alone" "$(sh "$command" run h1:1 hostname)" h1

# shellcheck disable=SC2317 # called through ok
talk() {
  sh "$command" in h2 busybox ping -c 1 -W 1 h0
}
# shellcheck disable=SC2317 # called through ok
deaf() {
  ! talk
}
ok "hosts reach each other" wait_until 60 talk
sh "$command" cut leaf0 spine
ok "hosts do not reach each other over a cut cable" deaf
sh "$command" repair leaf0 spine
ok "hosts reach each other over a repaired cable" wait_until 60 talk

sh "$command" down
same "no namespace is left" "$(namespaces "$CLUSTER")" 0
done_testing
