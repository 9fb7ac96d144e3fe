#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet-job's command line and the scripts it writes, on a machine without any batch system.
# shellcheck disable=SC2016 # text of scripts
#
# SOURCE_ROOT: the source tree.

load batch

setup() {
  make_machine
  # shellcheck disable=SC2154 # set in batch.bash
  program="'$tree/drivers/../servet-mpi'"
}

# golden PART...: files of golden/, one after the other, with what differs from test to test filled in.
golden() {
  local part text
  for part; do
    case $part in
    '|'*) text=${part#|}$'\n' ;;
    *) text=$(cat "$SOURCE_ROOT/tests/drivers/golden/$part" && echo .) && text=${text%.} ;;
    esac
    text=${text//@PATH@/"$bin"}
    text=${text//@OUTPUT@/"${folder-$root/work/servet-neptune}"}
    text=${text//@MPI@/"${mpi-mpirun}"}
    text=${text//@MERGER@/"'$tree/drivers/../servet'"}
    text=${text//@ARGS@/"${mpi_args-}"}
    text=${text//@LITTER@/"${litter-}"}
    text=${text//@HINT@/"${hint-does ${mpi-mpirun} belong to the MPI library that servet-mpi was built with?}"}
    text=${text//@SLURM@/"${slurm-}"}
    text=${text//@PROGRAM@/"$program"}
    printf '%s' "${text//@COMMAND@/"${command-}"}"
  done
}

# The script that was printed is the one expected.
is_script() {
  diff <(golden "$@") <(printf '%s\n' "$output") && sh -n <(printf '%s\n' "$output")
}

written='|# Written by servet-job 1.2.3: run'

@test "Slurm with mpirun uses all cores of two nodes" {
  command="$program measure --message-size 32M --budget 1620"
  succeeds --scheduler slurm --nodes 2 --name neptune --dry-run
  is_script '|#!/bin/sh' '|#SBATCH --job-name=servet_neptune' '|#SBATCH --nodes=2' '|#SBATCH --exclusive' \
    '|#SBATCH --time=00:30:00' '|#SBATCH --no-requeue' '|#SBATCH --output=n2-32M.out' \
    "$written n2-32M of the cluster's measurement." start '|run=n2-32M' '|nodes=2' cores into slurm mpirun begin first tail
}

@test "every option appears in the script for Slurm and srun" {
  mpi_args='--mpi=pmix ' hint='srun needs --mpi-args --mpi=pmix (or pmi2); otherwise use another --launcher'
  folder="$root/else where"
  command="$program measure --only layers,access --message-size 1G --budget 600"
  succeeds --scheduler=slurm --nodes=4 --tasks-per-node=2 --message-size=1G --time=1-2:03:04 --queue=bench \
    --account=fluid --constraint='[a*2&b|c]' --extra '--mem=0 --reservation="a b"' --only=layers,access \
    --budget=600 --launcher=srun --mpi-args=--mpi=pmix --name='Finis Terrae 3' --output="$folder" --dry-run
  is_script '|#!/bin/sh' '|#SBATCH --job-name=servet_Finis_Te' '|#SBATCH --nodes=4' '|#SBATCH --exclusive' \
    '|#SBATCH --time=26:03:04' '|#SBATCH --no-requeue' '|#SBATCH --output=n4-1G.out' \
    '|#SBATCH --ntasks-per-node=2' '|#SBATCH --partition=bench' '|#SBATCH --account=fluid' \
    '|#SBATCH --constraint=[a*2&b|c]' '|#SBATCH --mem=0 --reservation="a b"' \
    "$written n4-1G of the cluster's measurement." start '|run=n4-1G' '|nodes=4' '|tasks=2' into slurm srun begin first tail
}

@test "PBS with mpirun starts a given number of processes" {
  litter=' "$private"'
  command="$program measure --message-size 32M --budget 54"
  succeeds --scheduler pbs --nodes 4 --tasks-per-node 2 --time 1 --partition bench --account fluid \
    --constraint host=n2 --extra '-m n' --name neptune --dry-run
  is_script '|#!/bin/sh' '|#PBS -N servet_neptune' '|#PBS -m n' '|#PBS -l select=4:ncpus=2:mpiprocs=2:host=n2' \
    '|#PBS -l place=scatter:excl' '|#PBS -l walltime=00:01:00' '|#PBS -r n' '|#PBS -W umask=022' '|#PBS -j oe' \
    '|#PBS -o n4-32M.out' '|#PBS -q bench' '|#PBS -A fluid' "$written n4-32M of the cluster's measurement." \
    start '|run=n4-32M' '|nodes=4' '|tasks=2' into pbs mpirun-hosts begin first tail
}

@test "PBS reserves whole nodes of unknown size" {
  succeeds --scheduler pbs --nodes 2 --name neptune --dry-run
  [[ $output == *$'\n#PBS -l select=2:ncpus=1:mpiprocs=1\n#PBS -l place=scatter:exclhost\n'* ]]
}

@test "Torque starts processes with mpiexec" {
  fake mpirun "$bin" mpiexec
  litter=' "$private"'
  mpi=mpiexec mpi_args="--mca a 'it'\\''s' "
  slurm='[ -n "${SLURM_JOB_ID-}" ] || '
  command="$program measure --message-size 32M --budget 1620"
  succeeds --scheduler torque --nodes 4 --tasks-per-node 2 --launcher mpiexec --mpi-args "--mca a it's" \
    --constraint fast --name neptune --dry-run
  is_script '|#!/bin/sh' '|#PBS -N servet_neptune' '|#PBS -l nodes=4:ppn=2:fast' '|#PBS -l walltime=00:30:00' \
    '|#PBS -r n' '|#PBS -j oe' '|#PBS -o n4-32M.out' "$written n4-32M of the cluster's measurement." \
    start '|run=n4-32M' '|nodes=4' '|tasks=2' into torque mpirun-hosts begin first tail
}

@test "a measurement of this machine uses mpirun" {
  command="$program measure --message-size 32M \$alone"
  succeeds --name neptune --tasks-per-node 3 --dry-run
  is_script '|#!/bin/sh' "$written n1-32M of the cluster's measurement." start '|run=n1-32M' '|nodes=1' '|tasks=3' \
    '|alone=' '|[ "$tasks" -gt 1 ] || alone=--only=node' into local mpirun begin first tail
}

@test "one process alone measures its node" {
  succeeds --nodes 1 --tasks-per-node 1 --wait
  logged '^servet-mpi measure --message-size 32M --only=node '
  succeeds --nodes 1 --tasks-per-node 2 --wait
  logged '^servet-mpi measure --message-size 32M -o '
}

@test "this machine without MPI measures itself" {
  command="'$tree/drivers/../servet' measure"
  rm "$bin/mpirun"
  succeeds --name neptune --dry-run
  is_script '|#!/bin/sh' "$written n1 of the cluster's measurement." start '|run=n1' into local none begin tail
  succeeds --name neptune --nodes 4 --dry-run
  said '*no launcher of an MPI library is on PATH: measuring one node only*'
  fake mpirun "$bin" mpirun
  rm "$tree/servet-mpi"
  succeeds --name neptune --dry-run
  is_script '|#!/bin/sh' "$written n1 of the cluster's measurement." start '|run=n1' into local none begin tail
  succeeds --name neptune --wait
  succeeds --name neptune --resume
  said '*nothing is left to measure*'
  succeeds --name neptune --only line,cache --dry-run
  fails 2 "*--only accepts cache, sharing, line*, not 'layers' *" --name neptune --only cache,layers
}

@test "without servet-mpi one node is requested of a batch system" {
  rm "$tree/servet-mpi"
  succeeds --scheduler slurm --nodes 4 --name neptune --dry-run
  said '*servet-mpi is not installed here*'
  [[ $output == *$'\n#SBATCH --nodes=1\n'* ]]
}

@test "without a launcher nothing is submitted to a batch system, and the message says what is missing" {
  rm "$bin/mpirun"
  with_slurm
  fails 1 '*mpirun of an MPI library is not on PATH, and servet-mpi needs it: load the module*' --nodes 2
  fails 1 '*srun of an MPI library is not on PATH*' --nodes 2 --launcher srun
  succeeds --nodes 2 --dry-run
  said '*mpirun of an MPI library is not on PATH*'
  [[ $output == *$'\n#SBATCH --nodes=2\n'* ]]
  [ "$(grep -c ^sbatch "$FAKE/log")" -eq 0 ]
}

@test "--dry-run with several numbers of nodes and sizes prints a script for each and writes nothing" {
  succeeds --scheduler slurm --nodes 2,4 --message-size 32M,1G --name neptune --dry-run
  [ "$(grep '^run=' <<<"$output" | paste -sd ' ')" = "run=n2-32M run=n2-1G run=n4-32M run=n4-1G" ]
  [ "$(grep '^#SBATCH --nodes=' <<<"$output" | paste -sd ' ')" = \
    "#SBATCH --nodes=2 #SBATCH --nodes=2 #SBATCH --nodes=4 #SBATCH --nodes=4" ]
  [ -z "$(ls -A "$root/work")" ]
  [ -z "$(ls -A "$HOME")" ]
}

@test "the first available launcher is used, srun last and under Slurm only" {
  fake mpirun "$bin" mpiexec srun
  succeeds --scheduler slurm --nodes 2 --dry-run
  [[ $output == *"exec mpirun "* ]]
  rm "$bin/mpirun"
  succeeds --scheduler slurm --nodes 2 --dry-run
  [[ $output == *"exec mpiexec "* ]]
  rm "$bin/mpiexec"
  succeeds --scheduler slurm --nodes 2 --dry-run
  [[ $output == *"exec srun "* ]]
  succeeds --scheduler pbs --nodes 2 --dry-run
  [[ $output != *"exec srun"* ]]
}

@test "times in the format of Slurm are accepted for every scheduler" {
  local given expected
  while read -r given expected; do
    succeeds --scheduler slurm --nodes 2 --time "$given" --dry-run
    [[ $output == *$'\n'"#SBATCH --time=$expected"$'\n'* ]]
    succeeds --scheduler pbs --nodes 2 --time "$given" --dry-run
    [[ $output == *$'\n'"#PBS -l walltime=$expected"$'\n'* ]]
  done <<'END'
90 01:30:00
1:30 00:01:30
100:00:00 100:00:00
2-1 49:00:00
2-1:30 49:30:00
0-0:0:07 00:00:07
365-0 8760:00:00
END
}

@test "a wrong value is refused with one line that says what is accepted" {
  while IFS='|' read -r option value accepted; do
    fails 2 "*: $option must be *$accepted*, not '$value' *" --nodes 2 "$option=$value"
    [ -z "$output" ]
  done <<'END'
--scheduler|lsf|auto, slurm, pbs, torque or local
--scheduler||auto, slurm, pbs
--nodes|0|1 to 999999
--nodes|-2|1 to 999999
--nodes|two|1 to 999999
--nodes|2,|several, separated by commas
--nodes|2,,4|several, separated by commas
--nodes|2 4|several, separated by commas
--nodes|1000000|1 to 999999
--nodes||1 to 999999
--tasks-per-node|none|1 to 999999, or all
--tasks-per-node|1.5|or all
--message-size|32m|suffixes K M G
--message-size|32MB|suffixes K M G
--message-size|M|suffixes K M G
--message-size|0|suffixes K M G
--message-size|1,x|suffixes K M G
--time|1h|minutes, MM:SS, H:MM:SS
--time|0|minutes
--time|1:2:3:4|minutes
--time|-5|minutes
--time|365-0:0:01|minutes
--budget|soon|seconds
--budget|-1|seconds
--budget|1.2.3|seconds
--partition|a b|letters, digits
--account|$(id)|letters, digits
--account|"x"|letters, digits
--constraint|a#b|letters, digits
--only|layers curves|separated by commas
--launcher|aprun|auto, mpirun, mpiexec or srun
--exclusive|maybe|yes or no
--name||a folder name
--name|a/b|a folder name
--name|..|a folder name
--name|models|for its own files
--prefix||a path
--output||a path
END
  [ -z "$(ls -A "$root/work")" ]
}

@test "values of several lines are refused" {
  local option
  for option in --extra --mpi-args --partition --constraint --only --nodes --time --name; do
    servet_job --scheduler slurm --nodes 2 "$option" $'1\nrm' --dry-run
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    said "*$option must be *, not '1*rm' *"
  done
}

@test "wrong usage exits 2" {
  fails 2 "*--nodes needs the number of nodes*" --scheduler slurm --dry-run
  fails 2 "*unknown option '--node'*" --node 2
  fails 2 "*'4' is not an option*" 4
  fails 2 "*--wait takes no value*" --wait=yes
  fails 2 "*--nodes needs a value*" --nodes
  fails 2 "*no batch system was found here*" --nodes 2
  fails 2 "*--config: cannot read '/none'*" --config /none --nodes 1
  succeeds --help
  [[ $output == "usage: servet-job "*--partition,\ --queue\ NAME* ]]
  succeeds -h
  succeeds --version
  [ "$output" = "servet-job 1.2.3" ]
}

@test "help and man page describe the same options" {
  succeeds --help
  diff <(grep -oE '(^  |, )--[a-z-]+' <<<"$output" | grep -oE -- '--[a-z-]+' | sort) \
    <(sed '/^# ENVIRONMENT/,$d' "$SOURCE_ROOT/share/man/servet-job.1.scd" | grep -E '^\*--' |
      grep -oE -- '--[a-z-]+' | sort -u)
}

@test "the command line overrides variables, which override the site's file" {
  printf '# site\n\nnodes = 3\n  partition=bench  \nmpi-args = --mca a "b"\naccount = a' >"$root/site.conf"
  export SERVET_NODES=4 SERVET_MESSAGE_SIZE=1M SERVET_CONFIG=''
  succeeds --scheduler slurm --config "$root/site.conf" --message-size 2M --dry-run
  [[ $output == *"run=n4-2M"* && $output == *"#SBATCH --partition=bench"*"#SBATCH --account=a"* ]]
  [[ $output == *"--mca a '\"b\"' \"\$@\""* ]]
  SERVET_PARTITION='x y' fails 2 "*SERVET_PARTITION must be one word*, not 'x y' *" --scheduler slurm --dry-run
  local line
  for line in 'knots = 3' 'nodes' 'wait = yes' '= 3'; do
    printf 'account = a\n%s\n' "$line" >"$root/site.conf"
    fails 2 "*site.conf:2: expected OPTION = VALUE *, not '$line' *" --config "$root/site.conf" --dry-run
  done
  printf 'time = soon\n' >"$root/site.conf"
  fails 2 "*site.conf:1: time must be a time*, not 'soon' *" --config "$root/site.conf" --dry-run
}

# A name that a shell interprets would make a file.
@test "names and paths may contain special characters" {
  local name='it'\''s "a" $(touch evil) `touch evil` \ *;touch evil' path
  path=$name$'\n#SBATCH --evil\n;touch evil'
  mkdir "$root/work/$path"
  cd "$root/work/$path"
  succeeds --name "$name" --output "out $path" --prefix "$root/pre $path" --tasks-per-node 2 --only layers \
    --nodes 1 --wait --install
  [ -f "out $path/profile.json" ]
  [ -f "$root/pre $path/share/servet/$name/profile.json" ]
  [ -f "$root/pre $path/share/servet/profile.json" ]
  [ -f "$root/pre $path/share/modulefiles/servet/$name.lua" ]
  [ -z "$(find "$root" -name evil)" ]
  succeeds --resume --output "out $path" --install
  said '*nothing is left to measure*'
}

@test "other shells write the same scripts" {
  local system shell expected
  for system in slurm pbs torque local; do
    succeeds --scheduler $system --nodes 1 --name "it's \$me" --dry-run
    expected=$output
    for shell in dash 'busybox sh'; do
      command -v "${shell%% *}" >/dev/null || skip "no ${shell%% *} here"
      sh="$(command -v "${shell%% *}")${shell#"${shell%% *}"}" succeeds --scheduler $system --nodes 1 \
        --name "it's \$me" --dry-run
      [ "$output" = "$expected" ]
    done
  done
}

@test "--classes writes a job for each class and refuses malformed lists" {
  local classes
  for classes in fat =bigmem fat= 'fat=a,fat=b' 'fat=a,,thin=b' 7=a 'a.b=c' default=a other-1=a -=a 'fat=a b' 'fat=$(id)' \
    'fat="a"'; do
    fails 2 "*--classes must be *" --scheduler slurm --nodes 1 --classes "$classes" --dry-run
  done
  succeeds --scheduler torque --nodes 1 --classes fat=bigmem,thin-2=small --constraint ib --dry-run
  [[ $output == *'#PBS -l nodes=1:ppn=1:ib:bigmem'*'merge --class fat -o'*'#PBS -l nodes=1:ppn=1:ib:small'*'merge --class thin-2 -o'* ]]
  SERVET_CLASSES=fat=bigmem fails 2 '*--classes needs a batch system *' --scheduler local --nodes 1
}

@test "ShellCheck accepts the scripts" {
  command -v shellcheck >/dev/null || skip "no shellcheck here"
  local system launcher
  while read -r system launcher; do
    succeeds --scheduler "$system" --nodes 1 --launcher "$launcher" --name "it's me" --install --dry-run
    shellcheck - <<<"$output"
  done <<'END'
slurm srun
pbs mpirun
torque mpiexec
local mpirun
END
}

@test "the completion offers options and their values" {
  [ "$(completions --exclusive '' | paste -sd ' ')" = 'yes no' ]
  [ "$(completions --any)" = --any-nodes ]
  [ "$(completions --config '' | head -n 1)" = "$(compgen -f | head -n 1)" ]
  [ "$(completions --nodes '')" = '' ]
  [ "$(completions --ex | paste -sd ' ')" = '--extra --exclusive' ]
}
