#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Schedulers and launchers of servet-job are those whose files are in drivers/lib: a new one is one file.
# shellcheck disable=SC2016 # text of scripts
#
# SOURCE_ROOT: the source tree.

# shellcheck disable=SC2154 # set in batch.bash
load batch

setup() {
  make_machine
}

# names KIND: of the files of that kind which users may name, and auto; sorted, in one line.
names() {
  {
    echo auto
    ls "$tree/drivers/lib" | sed -n "s/^$1-\(.*\)\.sh$/\1/p" | grep -vx none
  } | sort | paste -sd ' '
}

# helped KIND, completed KIND, explained KIND: what help, completion and man page list, so.
helped() {
  succeeds --help
  grep -e "^  --$1 " <<<"$output" | sed 's/.*NAME *//; s/ (default.*//; s/,//g; s/ or / /' | tr ' ' '\n' | sort |
    paste -sd ' '
}

completed() {
  completions "--$1" '' | sort | paste -sd ' '
}

explained() {
  sed -n "/^\*--$1\* /,/^$/p" "$SOURCE_ROOT/share/man/servet-job.1.scd" | grep -oE '\*[a-z]+\*' | tr -d '*' | sort -u |
    paste -sd ' '
}

@test "files, help, completion and man page agree on the names" {
  local kind
  for kind in scheduler launcher; do
    [ "$(helped $kind)" = "$(names $kind)" ]
    [ "$(completed $kind)" = "$(names $kind)" ]
    [ "$(explained $kind)" = "$(names $kind)" ]
  done
}

# functions KIND NAME: those of its file that others call.
functions() {
  lib=$tree/drivers/lib bash -c '. "$lib/$1-$2.sh" && declare -F' - "$1" "$2" | grep -o "$1_.*"
}

@test "every scheduler has the functions of scheduler-local.sh, every launcher those of launcher-none.sh" {
  local name
  for name in slurm pbs torque; do
    diff <(functions scheduler local) <(functions scheduler $name)
  done
  for name in mpirun mpiexec srun; do
    diff <(functions launcher none) <(functions launcher $name)
  done
  [ "$(functions scheduler local | wc -l)" -gt 15 ]
  [ "$(functions launcher none | wc -l)" -gt 5 ]
}

@test "a new scheduler needs one file" {
  {
    sed 's/^# This machine.*/# A batch system of nobody./' "$tree/drivers/lib/scheduler-local.sh"
    cat <<'END'
scheduler_rank() {
  rank=5
}

scheduler_aliases() {
  say local
}

scheduler_found() {
  have tidesub
}

scheduler_cluster() {
  say ebb
}

scheduler_directives() {
  say "#TIDE nodes=$nodes"
}

scheduler_check() {
  :
}
END
  } >"$tree/drivers/lib/scheduler-tide.sh"
  [ "$(names scheduler)" = 'auto local pbs slurm tide torque' ]
  [ "$(helped scheduler)" = "$(names scheduler)" ]
  [ "$(completed scheduler)" = "$(names scheduler)" ]
  fails 2 "*--scheduler must be auto, tide, slurm, pbs, torque or local, not 'tidy' *" --scheduler tidy
  # Found by its name, though it is not here; not by itself.
  succeeds --scheduler tide --nodes 3 --dry-run
  [[ $output == *$'\n#TIDE nodes=3\n'* && $output == *'"$output/runs/$run"'* ]]
  fails 2 '*no batch system was found here*' --nodes 3
  # Found by itself, and by its other name.
  fake mpirun "$bin" tidesub
  with_slurm
  succeeds --nodes 3 --dry-run
  [[ $output == *$'\n#TIDE nodes=3\n'* && $output == *'/servet-ebb'* ]]
  succeeds --nodes 3 --scheduler local --dry-run
  [[ $output == *$'\n#TIDE nodes=3\n'* ]]
  succeeds --nodes 3 --scheduler slurm --dry-run
  [[ $output == *$'\n#SBATCH --nodes=3\n'* ]]
}

@test "a new launcher needs one file" {
  {
    cat "$tree/drivers/lib/launcher-srun.sh"
    cat <<'END'
launcher_rank() {
  rank=5
}

launcher_serves() {
  :
}

launcher_found() {
  have skiff
}

launcher_hint() {
  say "row faster"
}

launcher_text() {
  echo 'launch() { exec skiff "$@"; }'
}
END
  } >"$tree/drivers/lib/launcher-skiff.sh"
  [ "$(names launcher)" = 'auto mpiexec mpirun skiff srun' ]
  [ "$(helped launcher)" = "$(names launcher)" ]
  [ "$(completed launcher)" = "$(names launcher)" ]
  fails 2 "*--launcher must be auto, skiff, mpirun, mpiexec or srun, not 'ship' *" --launcher ship
  fails 1 '*skiff of an MPI library is not on PATH*' --launcher skiff --nodes 1
  succeeds --nodes 1 --dry-run
  [[ $output == *'exec mpirun '* ]]
  fake mpirun "$bin" skiff
  succeeds --nodes 1 --dry-run
  [[ $output == *'launch() { exec skiff "$@"; }'* && $output == *'alone in its MPI job: row faster"'* ]]
  succeeds --nodes 1 --dry-run --launcher mpirun
  [[ $output == *'exec mpirun '* ]]
}

@test "--launcher none is refused" {
  fails 2 "*--launcher must be auto, *, not 'none' *" --launcher none
}
