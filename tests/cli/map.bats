#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet map: what it prints and refuses. The nodes h1 h2 h3 of the profile have the cores 0-5, and
# nothing is known of them that speaks for or against a core.

load common

setup() {
  private_home
  cluster=$SOURCE_ROOT/tests/data/profiles/cluster.json
}

# prints EXPECTED WORD...
prints() {
  local expected=$1
  shift
  servet map "$@" --nodes h3,h1 "$cluster"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  [ "$output" = "$expected" ]
}

@test "a line for each rank" {
  prints $'0 h3 0\n1 h3 1' -n 2
  prints $'0 h3 0\n1 h3 1' --processes=2 --class memory --format text
  prints $'0 h3 0,1,2,3\n1 h1 0,1,2,3' -n 2 --threads-per-process 4
}

@test "every format" {
  prints $'# mpirun -n 1 --mca rmaps_rank_file_physical 1 --use-hwthread-cpus --rankfile FILE PROGRAM\nrank 0=h3 slot=0' \
    -n 1 --format openmpi-rankfile
  prints $'# mpirun -n 1 --use-hwthread-cpus --map-by rankfile:file=FILE PROGRAM\nrank 0=h3 slot=0' \
    -n 1 --format openmpi5-rankfile
  prints $'# SLURM_HOSTFILE=FILE srun --ntasks=2 --distribution=arbitrary --cpu-bind=map_cpu:0,1 PROGRAM\nh3\nh3' \
    -n 2 --format slurm
  prints $'# mpiexec -n 2 -f FILE -bind-to user:0,1 PROGRAM\nh3:2' -n 2 --format mpich
  prints $'h3\nh3\nh3\nh3\nh3\nh3\nh1' -n 7 --format pbs
  prints '{0},{1}' -n 2 --format omp-places
  prints $'{"threads": 1, "processes": [\n  {"rank": 0, "host": "h3", "cores": [0]}\n]}' -n 1 --format json
}

@test "so many of the first nodes" {
  servet map -n 6 --nodes 1 --format pbs "$cluster"
  [ "$output" = $'h1\nh1\nh1\nh1\nh1\nh1' ]
  servet map -n 7 --nodes 1 "$cluster"
  fails 1 "*7 processes of 1 thread do not fit: there are cores for 6 on the 1 node"
}

@test "mistakes" {
  servet map "$cluster"
  fails 2 "*map needs -n N*"
  servet map -n 1 --class fast "$cluster"
  fails 2 "*'fast' is neither memory nor communication"
  servet map -n 1 --format card "$cluster"
  fails 2 "*there is no format 'card'*"
  servet map -n 1 --threads-per-process 0 "$cluster"
  fails 2 "*--threads-per-process: at least 1"
  servet map -n 1 --nodes nobody "$cluster"
  fails 1 "*no node class lists nobody"
  servet map -n 7 --nodes h1,h2 --format omp-places "$cluster"
  fails 1 "*on one node, and these on several"
  servet map -n 1 "$cluster" "$cluster"
  fails 2 "*unexpected*"
}
