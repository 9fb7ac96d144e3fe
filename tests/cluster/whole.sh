# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# The whole way on a cluster, whatever its batch system: Servet is installed, measures the cluster in jobs and installs
# the result, and a Fortran program of MPI is built with it, placed by `servet map`, and started in a job. The reader
# has `servet_job`, `on_login`, $folder and $build, and says in $user_owns who does it.
# shellcheck disable=SC2154,SC2034 # of and for the readers

# Why there can be none of it, in one line.
whole_lacks() {
  for tool in meson pkg-config gfortran mpifort; do
    command -v "$tool" >/dev/null 2>&1 || { echo "there is no program '$tool'" && return; }
  done
  [ -f "$build/fortran/libservet_fortran.so" ] || find "$build" -name 'libservet_fortran.*' | grep -q . ||
    echo "built without Fortran"
}

# Under $prefix, for the user to write to.
whole_install() {
  meson install -C "$build" --no-rebuild --destdir "$folder/root" >/dev/null
  servet_job=$(find "$folder/root" -path '*/bin/servet-job')
  prefix=${servet_job%/bin/servet-job}
  chown -R "$user_owns" "$folder/root"
  ok "Servet is installed" test -x "$prefix/bin/servet-mpi"
}

# The commands of README.md, with the compiler of MPI.
whole_program() {
  pc=$(find "$folder/root" -name servet-fortran.pc)
  export PKG_CONFIG_SYSROOT_DIR="$folder/root" PKG_CONFIG_PATH="${pc%/*}"
  libraries=${pc%/pkgconfig/*}
  # shellcheck disable=SC2046 # words
  ok "a Fortran program is built with it" \
    mpifort -o placed "$cluster_tools/placed.f90" $(pkg-config --cflags --libs servet-fortran)
}

# The lines of a user's job script after those for the batch system: $1 prints the job's nodes, one a line, and $2 gives
# them to mpirun. A process goes to each node, rank 0 to the last, which no launcher would do by itself.
whole_job() {
  cat <<END
cd "$PWD" || exit 1
exec >said 2>&1
export PATH="$prefix/bin:/usr/bin:/bin" LD_LIBRARY_PATH="$libraries" SERVET_PROFILE="$prefix/share/servet/whole/profile.json"
$1 | sort >hosts
$2
nodes=\$(sort -r hosts | paste -s -d , -)
servet map -n 2 --nodes "\$nodes" --order cyclic >placement
command=\$(servet map -n 2 --nodes "\$nodes" --order cyclic --format openmpi-rankfile -o ranks 2>&1)
\${command% PROGRAM} -x LD_LIBRARY_PATH -x SERVET_PROFILE "$PWD/placed" >placed.out
\${command% PROGRAM} "$prefix/bin/servet-mpi" where placement >where.out
echo "status \$?" >>where.out
END
}

# measures and installs: whole_measure
whole_measure() {
  run servet_job --nodes 2,4 --tasks-per-node 1 --message-size 256K --only layers,distance --budget 20 --time 3 \
    --name whole --wait --install --force
  same "one command measures two and four nodes" "$status" 0
  [ "$status" -eq 0 ] || printf '%s\n' "$err" | sed 's/^/# /'
  holds "one command installs the result" "$out" "*installed: $prefix/*share/servet/whole/profile.json*"
}

# The job has ended: what the program has found.
whole_check() {
  # A launcher's child may be faster than its parent: plm:rsh says so, and goes on.
  clean "the job prints no errors" "$(grep -v 'plm:rsh: Warning: setpgid' said)"
  hosts=$(sort -r hosts | paste -s -d ' ' -)
  same "rank 0 is placed on the last host" "$(sed -n 's/^\([01]\) *\([^ ]*\) .*/\2/p' placement | paste -s -d ' ' -)" "$hosts"
  ratio=$("$prefix/bin/servet" get network.distance_ratio.2 "$prefix/share/servet/whole/profile.json" |
    awk '{ print int($1 * 1000000 + 0.5) }')
  same "the Fortran program runs where it was placed, and reads the profile" "$(sort placed.out)" \
    "$(sed -n "s/^\\([01]\\) *\\([^ ]*\\) *\\([0-9,-]*\\) *\$/\\1 \\2 \\3 $ratio/p" placement)"
  holds "servet-mpi where agrees" "$(cat where.out)" "*2 of 2 ranks run as placed*status 0"
  echo "# $(($(date +%s) - began)) s"
}
