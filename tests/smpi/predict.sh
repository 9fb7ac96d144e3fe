#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Placements by `servet map`, with a profile that servet-mpi measured on a simulated platform: predicted and simulated times of
# programs. Usage: predict.sh SOURCE_ROOT SERVET_SMPI SERVET TRAFFIC STENCIL TRANSPOSE NAS PLATFORM...
# Comments of the output have a row for each run.
set -eu
. "$1/tests/tap.sh"
[ $# -gt 1 ] || { echo "1..0 # SKIP no SimGrid: smpicc is missing" && exit; }
command -v jq >/dev/null || { echo "1..0 # SKIP jq is missing" && exit; }
here=$1/tests/smpi
# shellcheck source=tests/smpi/simulator.sh
. "$here/simulator.sh"
servet_smpi=$2
servet=$3
traffic=$4
stencil=$5
transpose=$6
nas=$7
shift 7

# The program, the pattern of its messages, their bytes or the class, and its command: examples with 64 cells or rows send
# 32 KiB.
programs() {
  cat <<END
stencil    stencil-2d 32768   $stencil 64 2
transpose  all-to-all 32768   $transpose 64 2
halo       stencil-2d 1024    $traffic $folder/matrix
halo       stencil-2d 1048576 $traffic $folder/matrix
ring       ring       32768   $traffic $folder/matrix
ring       ring       1048576 $traffic $folder/matrix
mirror     transpose  32768   $traffic $folder/matrix
mirror     transpose  1048576 $traffic $folder/matrix
all-to-all all-to-all 1024    $traffic $folder/matrix
all-to-all all-to-all 262144  $traffic $folder/matrix
is         nas        A       $nas is A
cg         nas        A       $nas cg A
mg         nas        A       $nas mg A
ft         nas        A       $nas ft A
END
}

# The messages of program $1, by the pattern $2 or as it writes them itself, of $3 bytes or a class, between $4 ranks.
messages() {
  if [ "$2" = nas ]; then
    simulate "$folder/platform.xml" "$folder/hosts" "$nas" "$1" "$3" "$folder/written" && cat "$folder/written"
  else
    matrix "$2" "$3" "$4"
  fi
}

# The messages of pattern $1, of $2 bytes, between $3 ranks on the squarest grid.
matrix() {
  awk -v pattern="$1" -v bytes="$2" -v n="$3" '
    function send(from, to) { print from, to, bytes }
    BEGIN {
      for (columns = int(sqrt(n)); n % columns; columns--) {}
      rows = n / columns
      for (i = 0; i < n; i++) {
        row = int(i / columns)
        column = i % columns
        print i, i, 0
        if (pattern == "ring") send(i, (i + 1) % n)
        for (k = 1; k < n && pattern == "all-to-all"; k++) send(i, (i + k) % n)
        if (pattern == "transpose" && row * columns + column != column * rows + row) send(i, column * rows + row)
        if (pattern != "stencil-2d") continue
        if (row > 0) send(i, i - columns)
        if (row < rows - 1) send(i, i + columns)
        if (column > 0) send(i, i - 1)
        if (column < columns - 1) send(i, i + 1)
      }
    }'
}

# The profile says of each node what this machine has, and lists it, too.
describe() {
  jq --argjson ranks "$(sort "$folder/hosts" | uniq -c | awk '{ print $1; exit }')" '
    .classes[0] |= (.nodes -= [.machine.hostname] | .machine |= (.pu_count = $ranks | .core_count = $ranks |
      .cores = (if $ranks > 1 then "0-\($ranks - 1)" else "0" end) | .logical_order = .cores))' "$1"
}

# Hosts of the ranks in order $1, one a line.
place() {
  if [ "$1" = random ]; then
    awk 'BEGIN { srand(1) } { print rand(), $0 }' "$folder/hosts" | sort -n | cut -d ' ' -f 2
  else
    "$servet" map -n "$ranks" --matrix "$folder/matrix" --order "$1" "$folder/profile.json" | cut -d ' ' -f 2
  fi
}

# Rows ORDER PREDICTED SIMULATED of a command; seconds, "-" where nothing is predicted.
times_of() {
  "$servet" map -n "$ranks" --matrix "$folder/matrix" --explain --json "$folder/profile.json" |
    jq -r '.placements[] | "\(.order) \(.seconds)"' >"$folder/predicted"
  for order in servet block cyclic random; do
    place "$order" >"$folder/placed"
    predicted=$(sed -n "s/^$order //p" "$folder/predicted")
    simulated=$(simulate "$folder/platform.xml" "$folder/placed" "$@" | sed -n 's/^\(.*: \)*\([0-9.]*\) s a step.*/\2/p')
    echo "$order ${predicted:--} $simulated"
  done
}

# Pairs of placements whose times differ by more than a tenth, in the other order than predicted.
wrong_orders() {
  awk '$2 != "-" { order[++n] = $1; predicted[n] = $2; simulated[n] = $3 }
    END {
      for (i = 1; i <= n; i++)
        for (j = 1; j <= n; j++)
          if (simulated[i] > 1.1 * simulated[j] && predicted[i] <= predicted[j])
            print order[i] " takes longer than " order[j]
    }'
}

# Other placements in which the program takes less, by more than 2 %.
better_than_servet() {
  awk '$1 == "servet" { own = $3 } 1.02 * $3 < own { print $1 }'
}

for platform; do
  sh "$here/platforms.sh" "$platform" "$folder/platform.xml" "$folder/hosts"
  ranks=$(grep -c . "$folder/hosts")
  export privatize=no
  run simulate "$folder/platform.xml" "$folder/hosts" "$servet_smpi" measure --quiet \
    --only layers,curves,scalability,distance,access,aggregation,collectives -o "$folder/$platform"
  unset privatize
  same "$platform: servet-mpi measures it" "$status" 0
  describe "$folder/$platform/profile.json" >"$folder/profile.json"
  programs >"$folder/programs"
  while read -r name pattern bytes command; do
    messages "$name" "$pattern" "$bytes" "$ranks" >"$folder/matrix" </dev/null
    # shellcheck disable=SC2086 # words
    times_of $command >"$folder/times" </dev/null
    what="$platform: $name, $bytes"
    clean "$what: placements differ as predicted" "$(wrong_orders <"$folder/times")"
    # Placements of an all-to-all differ in the order of messages alone, which nothing predicts.
    [ "$pattern" = all-to-all ] ||
      clean "$what: Servet's placement is as fast as any" "$(better_than_servet <"$folder/times")"
    awk -v what="$platform | $name | $bytes" '{
      ratio = $2 == "-" ? "-" : sprintf("%.2f", $2 / $3)
      printf "# | %s | %s | %s | %.1f | %s |\n", what, $1, $2 == "-" ? "-" : sprintf("%.1f", 1e6 * $2), 1e6 * $3, ratio
    }' "$folder/times"
  done <"$folder/programs"
done
done_testing
