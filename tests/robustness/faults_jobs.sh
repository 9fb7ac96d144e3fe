#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A measurement by ranks, one in a job of servet-job, and one that continues a job that failed, with the n-th system call of a
# kind failing, or with all processes killed right before it: the profile is the old one or a whole new one, a failure is
# told in one line of Servet's with its reason, and the next call resumes, ends with a whole result and leaves the files of
# an undisturbed run.
#
# faults_jobs.sh BUILD ranks|job|resumed KINDS [STEP]: the middle n of each kind; of a single one with SERVET_THOROUGH every
# STEP-th (each one). KINDS are some of failing.c's, with or without "kill-", or for ranks one `allocation-RANK`: the n-th
# allocation of that rank fails. What servet-job starts are the fakes of tests/drivers.
# shellcheck disable=SC2317 # functions are called by their names
set -u
root=$SOURCE_ROOT
build=$1 what=$2 kinds=$3 every=${4-1}
# shellcheck source=tests/tap.sh
. "$root/tests/tap.sh"

box=$(mktemp -d "${TMPDIR:-/tmp}/servet faults XXXXXX")
trap 'rm -rf "$box"' EXIT
trap 'exit 1' HUP INT TERM
export HOME="$box/home" XDG_DATA_HOME="$box/home/data" LC_ALL=C
unset SERVET_PROFILE
mkdir "$HOME"

# --- the measurements, each by a command "$@", and what a profile of them must have -----------------------------------

# shellcheck disable=SC2086 # no word, or --resume
measure_ranks() {
  "$@" sh "$root/tests/mpi/launch.sh" 2 "$build/servet-mpi" measure --only layers --message-size 4K $resume -q -o dir
}

is_new_of_ranks() {
  [ "$("$build/servet" get layers.count "$1" 2>/dev/null)" = 1 ]
}

# A machine with the fakes alone, and plain tools.
make_fakes() {
  export FAKE="$box/weather" FAKE_HOME="$root/tests/drivers/fakes" SERVET_POLL=0.1
  mkdir -p "$FAKE" "$box/tree/share" "$box/bin"
  cp -r "$root/drivers" "$box/tree/"
  cp -r "$root/share/modulefile" "$box/tree/share/"
  for fake in tree/servet tree/servet-mpi bin/mpirun; do
    printf '#!/bin/sh\n. "%s"\n' "$FAKE_HOME/${fake#*/}.sh" >"$box/$fake"
    chmod +x "$box/$fake"
  done
}

# shellcheck disable=SC2086 # no word, or --resume
measure_job() {
  PATH=$box/bin:$PATH "$@" sh "$box/tree/drivers/servet-job" --scheduler local --launcher mpirun --nodes 1 --force $resume \
    --wait --install --output dir --prefix pre --name x
}

is_new_of_job() {
  grep -q '32M,' "$1" && [ "$(tail -n 1 "$1")" = '"}' ]
}

measure_resumed() {
  measure_job "$@"
}

is_new_of_resumed() {
  is_new_of_job "$1" && grep -q '32M,resumed' "$1"
}

# Makes a job that failed, to be continued.
fail_job() {
  echo 3 >"$FAKE/status"
  ! measure_job >"$box/stdout" 2>&1 </dev/null && rm "$FAKE/status"
}

first=''
case $what in
ranks) profile=dir/profile.json ;;
*)
  profile=pre/share/servet/profile.json
  [ "$what" = job ] || first=--resume
  make_fakes
  ;;
esac

# --- one run ----------------------------------------------------------------------------------------------------------

# With the n-th moment of $kind disturbed; 0: none.
disturbed() {
  case $kind in
  allocation-*)
    "measure_$what" timeout -k 5 120 env NO_MEMORY_AT="$n" NO_MEMORY_RANK="${kind#allocation-}" NO_MEMORY_REPORT="$box/report" LD_PRELOAD="$PRELOAD"
    ;;
  *) "measure_$what" "$build/tests/robustness/failing" "$kind" "$n" "$box/now/" "$box/report" ;;
  esac
}

attempt() {
  rm -rf "$box/now"
  cp -a "$box/before" "$box/now"
  : >"$box/report"
  cd "$box/now" || exit 99
  resume=$first status=0
  disturbed >"$box/stdout" 2>"$box/stderr" </dev/null || status=$?
}

is_old() {
  cmp -s "$box/before/$profile" "$profile"
}

# A line of Servet's that names a reason: the only one of ranks, the last one of a job, which tells what it does before. The
# launcher, and what a job starts, have their own words besides.
is_reported() {
  [ "$what" != ranks ] || [ "$(grep -c '^servet: ' "$box/stderr")" -eq 1 ] || return 1
  grep '^servet: ' "$box/stderr" | tail -n 1 |
    grep -qE ': .*([Ii]nput/output error|[Oo]ut of memory|I/O error|is the disk full|cannot|failed|not )'
}

names() {
  (cd "$1" && find . | sort)
}

# Old logs and profiles are kept beside the new ones, and the raw answers of both runs that a profile is made of.
left_over() {
  names . | comm -13 "$box/names" - | grep -vE '\.log|\.[0-9]+$|\.[0-9]+/|/raw/answers-network-[0-9]'
}

# How often a job looks for what its processes have written depends on the time: the last calls may not come.
verdict() {
  is_old || "is_new_of_$what" "$profile" || echo "$profile is neither old nor new"
  if [ "${kind#kill-}" != "$kind" ]; then
    [ "$status" -eq "$([ "$call" ] && echo 137 || echo 0)" ] || echo "status $status"
  elif [ "$status" -eq 0 ]; then
    "is_new_of_$what" "$profile" || echo 'exit 0 without a new profile'
  else
    is_reported || echo "stderr: $(cat "$box/stderr")"
  fi
  resume=--resume
  "measure_$what" >"$box/stdout" 2>"$box/again" </dev/null || echo "the next run: $(cat "$box/again")"
  "is_new_of_$what" "$profile" || echo 'the next run has no new profile'
  left_over
}

# The calls out of $total.
each() {
  step=$every at=1 number_of=0 ends=0
  [ -n "${SERVET_THOROUGH-}" ] && [ "$kind" = "$kinds" ] || at=$((total / 2 + 1)) step=$((total + 1))
  while [ "$at" -le "$total" ]; do
    n=$at
    attempt
    number_of=$((number_of + 1))
    [ "$status" -eq 0 ] || ends=$((ends + 1))
    call=$(cat "$box/report")
    wrong=$(verdict)
    [ -z "$wrong" ] || printf '%s %d of %d (%s): %s\n' "$kind" "$at" "$total" "$call" "$wrong"
    at=$((at + step))
  done >"$box/found"
  clean "$what: $number_of of $total moments of $kind, $ends of them without success" "$(cat "$box/found")"
}

if ! "$build/tests/robustness/failing" open 0 / "$box/report" true 2>"$box/stderr"; then
  skip 'failing system calls' "$(cat "$box/stderr")"
  done_testing
fi
mkdir -p "$box/before"
cd "$box/before" || exit 99
resume=''
"measure_$what" >"$box/stdout" 2>&1 </dev/null || {
  ok 'an undisturbed run' cat "$box/stdout" false
  done_testing
}
[ -z "$first" ] || fail_job || ok 'a job that fails' cat "$box/stdout" false
n=0 kind=${kinds%% *}
attempt
names "$box/now" >"$box/names"
cp "$box/report" "$box/counts"
for kind in $kinds; do
  # A line has a kind and its number, or only the number of allocations.
  total=$(awk -v kind="${kind#kill-}" 'NF == 1 || $1 == kind { print $NF }' "$box/counts")
  if [ -n "$total" ]; then
    each
  else
    same "calls of $kind" "$(cat "$box/stderr")" 'a number'
  fi
done
done_testing
