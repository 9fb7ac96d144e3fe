#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each command with its n-th system call of a kind, or its n-th allocation, failing: it ends with the whole result, or
# with an error of one line that names the file or the reason, the files of before, and nothing besides.
#
# faults.sh BUILD [COMMAND [KIND]]: all rows of the table, or one. With SERVET_THOROUGH every n, else the middle one of
# each kind. In a build with AddressSanitizer, what leaks makes the exit status wrong; nothing is preloaded there.
set -u
root=$SOURCE_ROOT
build=$1 only=${2-} only_kind=${3-}
# shellcheck source=tests/tap.sh
. "$root/tests/tap.sh"

box=$(mktemp -d "${TMPDIR:-/tmp}/servet faults XXXXXX")
trap 'rm -rf "$box"' EXIT
trap 'exit 1' HUP INT TERM
export HOME="$box/home" XDG_DATA_HOME="$box/home/data" LC_ALL=C
export SERVET_MODELS="$root/share/models" PATH="$build:$PATH"
unset SERVET_PROFILE
tiny=$root/tests/cli/tiny.json

# NAME COMMAND, which runs in a copy of the folder that make_files() makes.
table() {
  cat <<END
show show node.json
get get distance.layers.count --class default own.json
merge merge -o out.json cluster.json job.json
map map -n 4 --format json cluster.json
map-matrix map -n 3 --matrix traffic.txt --explain job.json
export export --format slurm-topology --class default job.json
plot plot --format svg -o out.svg topology node.json
report report -o out.html node.json
analyze analyze --json dir
diff diff --tolerance 50 own.json dir/profile.json
gather gather -o packed dir
gather-tar gather -o packed.tar dir
measure measure --machine tiny.json --only distance --seed 7 --resume -q -o dir
END
  [ ! -x "$build/examples/advice" ] || echo 'fortran fortran'
  echo 'install install'
}

make_files() {
  mkdir -p "$box/before/out" "$HOME"
  cd "$box/before" || exit 99
  for file in node cluster job; do
    cp "$root/tests/data/profiles/$file.json" .
  done
  cp "$tiny" tiny.json
  printf '0 1 1000\n1 2 500\n2 0 70\n' >traffic.txt
  for file in json svg html; do
    echo old >"out.$file"
  done
  "$build/servet" measure --machine tiny.json --only distance -q -o dir >/dev/null
  cp dir/profile.json own.json
  cp -r dir/profile.json out
  mkdir -p pre/share/servet/x/raw pre/share/servet/x/job
  echo old | tee pre/share/servet/x/profile.json >pre/share/servet/x/raw/old.csv
  ln -s x/profile.json pre/share/servet/profile.json
}

# shellcheck disable=SC2086 # words
call() {
  case $1 in
  fortran) set -- "$build/examples/advice" own.json ;;
  install) set -- sh "$root/drivers/servet-job" --install --force --output out --prefix pre --name x ;;
  *) set -- "$build/servet" "$@" ;;
  esac
  run_failing "$@"
}

# With the n-th call of $kind failing; 0: none.
run_failing() {
  if [ "$kind" = allocation ]; then
    NO_MEMORY_AT=$n NO_MEMORY_REPORT=$box/report LD_PRELOAD=$PRELOAD "$@"
  else
    "$build/tests/robustness/failing" "$kind" "$n" "$box/now/" "$box/report" "$@"
  fi
}

# With $words, in a copy of the files; those who only read keep theirs, which is checked in the end.
# shellcheck disable=SC2086 # words
attempt() {
  if [ "$writes" ] || [ ! -d "$box/now" ]; then
    rm -rf "$box/now"
    mkdir "$box/now"
    cp -a "$box/before" "$box/now/files"
  fi
  : >"$box/report"
  : >"$box/changed"
  : >"$box/names.now"
  : >"$box/again"
  cd "$box/now/files" || exit 99
  status=0
  call $words >"$out_file" 2>"$box/stderr" </dev/null || status=$?
}

# gfortran does not notice that its output is lost.
choose_stdout() {
  case $name in
  fortran) out_file=$box/stdout ;;
  *) out_file=$box/now/stdout ;;
  esac
}

# A traced process cannot be examined for leaks: LeakSanitizer traces it itself.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

# Nor with what is found out of the machine that runs the test: without memory it says that this is unknown.
times='s/20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]*Z/DATE/g; /^! not of this node/d'
without_time() {
  sed -E "$times" "$@"
}

# The files of folder $1, and what was printed. What the last step of a measurement did not remove, the next removes.
content() {
  (
    cd "$1" || exit
    find . ! -path '*/stored-*' | sort
    find . -type f ! -path '*/stored-*' -print0 | sort -z | xargs -0 sed -s -e 1F -E -e "$times"
  )
  without_time "$out_file"
}

names() {
  (cd "$1" && find . | sort)
}

is_whole() {
  [ ! -s "$box/stderr" ] || return 1
  if [ "$writes" ]; then
    content "$box/now/files"
  else
    without_time "$out_file"
  fi | diff "$box/content" - >"$box/changed"
}

# One line, with the reason; cmp has none. "STOP" is of gfortran; what the shell or a tool prints about stdout, or a
# script that cannot be read, stays as it is.
is_reported() {
  {
    read -r line && { ! read -r more || [ "$more" = 'STOP 1' ]; } && ! read -r more
  } <"$box/stderr" || return 1
  case $line in
  *': '*'nput/output error'* | *': '*'I/O error'* | *': '*'is the disk full'* | *': '*'cannot be read') ;;
  *': '*'ut of memory'* | *': '*'annot allocate memory'*) ;;
  *) return 1 ;;
  esac
}

# The file $1 is that of before, or that of the whole result.
is_old_or_new() {
  below=${1#"$box/now/files/"}
  ! cmp -s "$1" "$box/before/$below" && ! cmp -s "$1" "$box/whole/$below" || return 0
  without_time "$1" >"$box/one"
  for folder in before whole; do
    same_file=$box/$folder/$below
    [ ! -f "$same_file" ] || ! without_time "$same_file" | cmp -s - "$box/one" || return 0
  done
  return 1
}

# Remnants of a failed measurement for the next one.
kept='/unfinished-\|/stored-'

# A folder installed is the old one or the new one; of the new one, the next installation makes what is missing.
is_installed_or_not() {
  there=pre/share/servet/x
  diff -rq -x profile.json.1 "$box/before/$there" "$box/now/files/$there" >"$box/changed" ||
    diff -rq -x profile.json.1 "$box/whole/$there" "$box/now/files/$there" >"$box/changed" || return 1
  names "$box/before" | sort -u - "$box/names.whole" >"$box/names.known"
  names "$box/now/files" | comm -13 "$box/names.known" - >"$box/changed"
  [ ! -s "$box/changed" ]
}

# Is true if all old files are there, and all others are old or of the whole result.
is_intact() {
  names "$box/before" >"$box/names.old"
  names "$box/whole" >"$box/names.whole"
  [ "$name" != install ] || {
    is_installed_or_not
    return
  }
  names "$box/whole" | sort -u - "$box/names.old" >"$box/names.known"
  names "$box/now/files" >"$box/names.now"
  [ -z "$(comm -23 "$box/names.old" "$box/names.now")" ] || return 1
  ! comm -13 "$box/names.known" "$box/names.now" | grep -qv "$kept" || return 1
  find "$box/now/files" -type f | grep -v "$kept" | while read -r file; do
    is_old_or_new "$file" || echo "$file"
  done >"$box/changed"
  [ ! -s "$box/changed" ]
}

# A measurement keeps what it has measured, and one that is killed leaves files; the next run ends with the whole
# result, and sweeps.
# shellcheck disable=SC2086 # words
recovers() {
  case $name$kind in
  measure* | *kill-*) ;;
  *) return 0 ;;
  esac
  n=0
  case $name in
  gather*) [ ! -e packed ] && [ ! -e packed.tar ] || return 0 ;; # complete: nothing else gets this name
  esac
  (call $words) >/dev/null 2>"$box/again" || return 1
  names "$box/now/files" | comm -13 "$box/names.known" - >"$box/names.now"
  [ ! -s "$box/names.now" ] || return 1
  case $name in
  measure) grep -q '"seed": 7' dir/profile.json ;;
  install) cmp -s out/profile.json pre/share/servet/profile.json ;;
  gather*) diff -r "$box/whole" . >/dev/null ;;
  *) is_whole ;;
  esac
}

# Whatever is there under a name that was there before, or that the result has, is the old file or the new one.
verdict_of_kill() {
  names "$box/before" >"$box/names.old"
  names "$box/whole" | sort -u - "$box/names.old" >"$box/names.known"
  [ "$status" -eq 137 ] || echo "status $status"
  (cd "$box/now/files" && find . -type f | sort) | comm -12 - "$box/names.known" | while read -r file; do
    is_old_or_new "$box/now/files/${file#./}" || echo "neither old nor new: $file"
  done
  [ "$name" != install ] || [ -f pre/share/servet/profile.json ] || echo 'no profile is installed'
  recovers || echo "the next run: $(cat "$box/again" "$box/names.now")"
}

verdict() {
  case $kind in
  kill-*)
    verdict_of_kill
    return
    ;;
  esac
  if [ "$status" -eq 0 ]; then
    is_whole || echo "exit 0 without the whole result: $(head -n 5 "$box/changed" "$box/stderr")"
    return
  fi
  [ "$status" -lt 126 ] || echo "killed: status $status"
  is_reported || echo "stderr: $(cat "$box/stderr")"
  [ -z "$writes" ] || is_intact || echo "files: $(cat "$box/changed") $(comm -13 "$box/names.known" "$box/names.now")"
  recovers || echo "the next run: $(cat "$box/again" "$box/names.now")"
}

# Libraries that do not check what they allocate: glibc dies in getpwuid(), at most twice; gfortran's ends the program where
# it begins or prints, in its own words, and the program dies once where the compiler allocates for the result of path().
of_library() {
  case "$name $kind $status" in
  'gather allocation 139' | 'gather allocation 134' | 'gather-tar allocation 139' | 'gather-tar allocation 134')
    died=$((died + 1))
    [ "$died" -le 2 ] || return 1
    ;;
  'fortran allocation 139')
    died=$((died + 1))
    [ "$died" -le 1 ] || return 1
    ;;
  'fortran allocation 1') [ "$(head -n 1 "$box/stderr")" = 'Operating system error: Cannot allocate memory' ] || return 1 ;;
  *) return 1 ;;
  esac
  lost=$((lost + 1))
}

# All n of one kind.
each() {
  case $kind in
  allocation)
    n=0
    attempt
    read -r total <"$box/report" || total=''
    ;;
  *) total=$(sed -n "s/^${kind#kill-} //p" "$box/counts") ;;
  esac
  [ -n "$total" ] || {
    same "calls of $kind" "$(cat "$box/stderr")" 'a number'
    return
  }
  step=1 at=1
  [ -n "${SERVET_THOROUGH-}" ] || at=$((total / 2 + 1)) step=$((total + 1))
  ends=0 number_of=0 lost=0 died=0
  while [ "$at" -le "$total" ]; do
    n=$at
    attempt
    what=$(cat "$box/report")
    found=$(verdict)
    number_of=$((number_of + 1))
    [ "$status" -eq 0 ] || ends=$((ends + 1))
    [ -z "$found" ] || of_library || printf '%s %s %d of %d (%s): %s\n' "$name" "$kind" "$at" "$total" "$what" "$found"
    at=$((at + step))
  done >"$box/found"
  [ "$writes" ] || diff -r "$box/before" "$box/now/files" >>"$box/found"
  clean "$name: $number_of of $total failures of $kind, $ends of them errors, $lost lost by libraries" "$(cat "$box/found")"
}

commands=$(table)
make_files
kinds='open read write fsync rename mkdir link remove close allocation'
# Those who replace files, killed right before each call that changes some.
kills='kill-open kill-write kill-fsync kill-rename kill-mkdir kill-link kill-remove kill-close'
if ! "$build/tests/robustness/failing" open 0 / "$box/report" true 2>"$box/stderr"; then
  skip 'failing system calls' "$(cat "$box/stderr")"
  kinds=allocation kills=''
fi
[ -n "${PRELOAD-}" ] || {
  skip 'failing allocations' 'nothing can be preloaded before the sanitizers'
  kinds=${kinds%allocation}
}
while read -r name words; do
  [ -z "$only" ] || [ "$only" = "$name" ] || continue
  kind=${kinds%% *} n=0
  case $name in
  merge | plot | report | gather* | measure | install) writes=yes ;;
  *) writes='' ;;
  esac
  choose_stdout
  attempt
  cp "$box/report" "$box/counts"
  rm -rf "$box/whole"
  cp -a "$box/now/files" "$box/whole"
  if [ "$writes" ]; then
    content "$box/whole"
  else
    without_time "$out_file"
  fi >"$box/content"
  case $name in
  merge | plot | report | gather* | measure | install) all="$kinds $kills" ;;
  *) all=$kinds ;;
  esac
  for kind in $all; do
    case "$name $kind" in
    'install allocation') continue ;; # of the shell and its tools
    esac
    [ -z "$only_kind" ] || [ "$only_kind" = "$kind" ] || continue
    each
  done
done <<END
$commands
END
done_testing
