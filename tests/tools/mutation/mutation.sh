#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes random mutants of the code and runs the tests that can see each, until one fails.
#
#     mutation.sh BUILD COUNT [SEED]        COUNT mutants, drawn by SEED
#     mutation.sh BUILD FILE...             those that FILEs list, as BUILD/mutation/results does
#
# BUILD is configured with -Dtests=true -Db_coverage=true -Dbuildtype=debug -Doptimization=1, and built. Of C code it compiles
# the mutated file and links it before the archives; of the tests of suite c it runs those that execute the mutated line,
# the quickest first and those of the same family before others. Of the drivers it runs the tests of servet-job that call the
# mutated function, in a copy of the tree, those that are about the script first. For each mutant the tests take MOST seconds
# in all: run the survivors again with more. What does not compile, or compiles to the same code, is no mutant; what does not
# end is caught. PLACES are the folders to draw from; without, all. BUILD/mutation/results gets a line each: what became of
# it, the test that failed, and the mutant as mutants.awk describes it.
set -eu
export LC_ALL=C
build=$(CDPATH='' cd -- "$1" && pwd)
shift
source=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
here=$source/tests/tools/mutation work=$build/mutation
MOST=${MOST:-60} LONGEST=${LONGEST:-900}
mkdir -p "$work/seen" "$work/commands" "$work/originals"
tab=$(printf '\t')

export CMOCKA_MESSAGE_OUTPUT=TAP SERVET_MODELS="$source/share/models"

# --- which mutants ----------------------------------------------------------------------------------------------------

# The places where mutants are drawn, their share in percent, and their files.
places() {
  cat <<'END2'
facts    40 src/facts/*/detect*.c
profile  20 src/profile/*.c src/profile/*/*.c
map      15 src/map/*.c src/map/*/*.c
stats    10 src/stats/*.c
drivers  15 drivers/servet-job drivers/lib/*.sh
END2
}

language_of() {
  case $1 in *.c) language="c" ;; *) language="sh" ;; esac
}

# list NAME...: all mutants of the files.
list() {
  for name; do
    language_of "$name"
    awk -v language="$language" -v name="$name" -f "$here/mutants.awk" "$source/$name"
  done
}

# pick COUNT SEED: of the lines, in an order that is the same everywhere. Each operator comes up as often as another.
pick() {
  awk -F '\t' -v count="$1" -v seed="$2" '
    function random(n) {
      seed = seed * 16807 % 2147483647
      return int(seed / 2147483647 * n)
    }
    BEGIN { seed = seed * 7919 + 12345 }
    { if (!($4 in size)) kind[kinds++] = $4; line[$4, size[$4]++] = $0 }
    END {
      for (tries = 0; made < count && tries < 100 * count; tries++) {
        k = kind[random(kinds)]
        at = random(size[k])
        if (!((k, at) in taken)) {
          taken[k, at] = 1
          print line[k, at]
          made++
        }
      }
    }'
}

# More than are wanted, as some do not compile.
draw() {
  places | while read -r place share files; do
    case " ${PLACES:-$place} " in *" $place "*) ;; *) continue ;; esac
    wanted=$((($1 * share + 50) / 100))
    # shellcheck disable=SC2086 # patterns of files
    (cd "$source" && list $files) | pick $((4 * wanted)) "$2" | sed "s/^/$place$tab$wanted$tab/"
  done
}

# --- which tests see it -----------------------------------------------------------------------------------------------

# limited SECONDS COMMAND...: with so much CPU time, whatever else the machine does; what waits for ever ends, too.
limited() (
  # shellcheck disable=SC3045 # dash and busybox have it
  ulimit -t "$1"
  shift
  SOURCE_ROOT=$source timeout 1800 "$@" >"$work/output" 2>&1
)

# is_known TEST: whether it was run since the tests were built.
is_known() {
  for mark in "$work/seen/$1.seconds" "$work/seen/$1.left-out"; do
    [ ! -e "$mark" ] || [ "$(find "$build/tests/c/tests" -newer "$mark")" ] || return 0
  done
  return 1
}

# Runs each test of suite c, apart from those of this hardware, once: what it executes, and its seconds of CPU time.
run_all_once() {
  link >"$work/output" 2>&1 || { cat "$work/output" >&2; exit 1; }
  for test in $(meson test -C "$build" --list --suite c 2>/dev/null | sed 's,.* / ,,'); do
    case $test in hardware_*) continue ;; esac
    ! is_known "$test" || continue
    rm -rf "${work:?}/seen/$test" "$work/seen/$test.seconds" "$work/seen/$test.left-out"
    if takes=$(
      GCOV_PREFIX=$work/seen/$test
      export GCOV_PREFIX
      limited "$LONGEST" "$build/tests/c/tests" "$test" || exit
      times >"$work/times" # in a pipe it would be those of another shell
      awk -F '[ ms]+' 'END { print int($1 * 60 + $2 + $3 * 60 + $4) }' "$work/times"
    ) && GCOV_PREFIX=/dev/null limited "$LONGEST" "$work/mutant-tests" "$test"; then
      echo "$takes" >"$work/seen/$test.seconds"
    else
      echo "mutation.sh: $test is left out: it fails or leaks without a mutant, or takes more than $LONGEST s" >&2
      rm -rf "${work:?}/seen/$test"
      touch "$work/seen/$test.left-out"
    fi
  done
}

# The tests in the order in which they are tried, with their seconds.
candidates() {
  family=$(echo "$name" | sed 's,^src/facts/,,; s,^src/,,; s,/.*,,')_
  (cd "$work/seen" && grep . -- *.seconds) | tr ':' ' ' | sed 's/\.seconds//' | awk -v family="$family" '
    { print $2 + (index($1, family) == 1 ? 0 : 3), $1, $2 }' | sort -k 1n -k 2 | cut -d ' ' -f 2-
}

# executes TEST: whether the test executes the mutated line, or something in the file if the line is no code.
executes() {
  lines=$work/seen/$1/${object##*/}.lines
  [ -e "$lines" ] || {
    counts=$work/seen/$1$build/${object%.o}
    [ -e "$counts.gcda" ] || return 1
    ln -sf "$build/${object%.o}.gcno" "$counts.gcno"
    (cd "$build" && gcov -t "$counts.gcda" 2>/dev/null) | awk -F: -v file="${name##*/}" '
      $3 == "Source" { wanted = $4 ~ file "$" }
      wanted { gsub(/[ *]/, "", $1); gsub(/ /, "", $2) }
      wanted && $1 ~ /^[0-9]+$/ { print $2, 1 }
      wanted && $1 ~ /^#/ { print $2, 0 }' >"$lines"
  }
  awk -v at="$line" '
    $1 == at { code = 1; hit = $2 }
    { some += $2 }
    END { exit !(code ? hit : some) }' "$lines"
}

# --- a mutant of C code -----------------------------------------------------------------------------------------------

# command_for TARGET: how ninja makes it.
command_for() {
  command=$work/commands/$(echo "$1" | tr / _)
  [ -e "$command" ] || ninja -C "$build" -t commands "$1" | tail -n 1 >"$command"
  cat "$command"
}

# compile SOURCE OBJECT OPTION...: SOURCE in place of the mutated file; in a function's arguments types must fit.
compile() {
  from=$1 to=$2
  shift 2
  options=$*
  eval "set -- $(command_for "$object")"
  for word; do
    shift
    case $word in
      "$object" | "$object".d) word=$to ;;
      */"$name") word=$from ;;
    esac
    set -- "$@" "$word"
  done
  # shellcheck disable=SC2086 # several
  (cd "$build" && "$@" -g0 -fno-profile-arcs -fno-test-coverage -Werror=incompatible-pointer-types -Werror=int-conversion \
    -Werror=implicit-function-declaration $options)
}

# is_same: whether the compiler makes the same of the mutant as of the file.
is_same() {
  original=$work/originals/${object##*/}
  [ -e "$original" ] || compile "$source/$name" "$original" -O2
  compile "$work/mutant.c" "$work/mutant.o" -O2
  cmp -s "$original" "$work/mutant.o"
}

# link [OBJECT]: the tests; symbols of the mutant's object come before those of the archives. What it forgets to free is an
# error, as with the sanitizers that suite c runs under, too.
link() {
  rm -f "$work/mutant-tests"
  object_first=${1-}
  eval "set -- $(command_for tests/c/tests)"
  compiler=$1
  shift 3
  (cd "$build" && "$compiler" -Wl,-S -fsanitize=leak -o "$work/mutant-tests" ${object_first:+"$object_first"} "$@")
}

# verdict: what became of the mutant, and by which test. Nothing counts here what is executed.
verdict_c() {
  object=$(cd "$build" && ls src/libservet-*.a.p/"$(echo "${name#src/}" | tr / _).o")
  compile "$work/mutant.c" "$work/mutant.o" >/dev/null 2>&1 || { echo none -; return; }
  ! is_same || { echo none "the same code"; return; }
  compile "$work/mutant.c" "$work/mutant.o"
  link "$work/mutant.o" >"$work/output" 2>&1 || { echo none "not linked"; return; }
  tried=0 left=$MOST
  candidates >"$work/candidates"
  while read -r test seconds; do
    executes "$test" || continue
    [ $((left -= seconds + 1)) -ge 0 ] || break
    tried=$((tried + 1))
    status=0
    GCOV_PREFIX=/dev/null limited $((10 + 8 * seconds)) "$work/mutant-tests" "$test" || status=$?
    case $status in
      0) ;;
      124 | 137 | 152) echo hung "$test"; return ;;
      *) echo caught "$test"; return ;;
    esac
  done <"$work/candidates"
  echo survived "$tried tests execute it"
}

# --- a mutant of a driver ---------------------------------------------------------------------------------------------

copy_tree() {
  [ -d "$work/tree" ] || {
    mkdir -p "$work/tree"
    (cd "$source" && git ls-files -z | xargs -0 tar cf - --no-recursion --) | tar xf - -C "$work/tree"
  }
}

# Runs the files of tests once, each function leaving a mark: $work/driver_tests gets a line for each test that passes, with its
# seconds, its file and number, and its name.
run_drivers_once() {
  for file in known '' install slurm pbs; do
    file=servet_job${file:+_$file}
    marks=$work/marks/$file
    [ ! -e "$marks" ] || continue
    copy_tree
    mkdir -p "$marks"
    chmod 777 "$marks" # some tests are of another user
    for script in drivers/servet-job drivers/lib/*.sh; do
      awk -v name="$script" -v marks="$marks" -f "$here/functions.awk" "$source/$script" >"$work/tree/$script"
    done
    in_tree --timing "tests/drivers/$file.bats" 2>/dev/null | awk -v OFS='\t' -v file="$file" '
      /^ok .* in [0-9]+ms$/ {
        seconds = int($NF / 1000)
        number = $2
        sub(/^ok [0-9]+ /, "")
        sub(/ in [0-9]+ms$/, "")
        print seconds, file, number, $0
      }' >>"$work/driver_tests"
    (cd "$source" && cp -- drivers/servet-job "$work/tree/drivers/" && cp -- drivers/lib/*.sh "$work/tree/drivers/lib/")
  done
}

# in_tree ARGUMENT...: bats in the copy of the tree.
in_tree() (
  cd "$work/tree" && SOURCE_ROOT=$work/tree BUILD_ROOT=$build bats --formatter tap "$@" 3>&-
)

# The file of tests that is most about a script.
tests_about() {
  case ${1##*/} in
    install.sh) echo servet_job_install ;;
    known.sh) echo servet_job_known ;;
    lock.sh | runs.sh | submit.sh | scheduler-slurm.sh) echo servet_job_slurm ;;
    mpi.sh | scheduler-pbs.sh | scheduler-torque.sh) echo servet_job_pbs ;;
    *) echo servet_job ;;
  esac
}

verdict_sh() {
  sh -n "$work/mutant.c" 2>/dev/null || { echo none -; return; }
  called=${name##*/}.$(awk -v at="$line" -v name="$name" -f "$here/functions.awk" "$source/$name")
  cp -- "$work/mutant.c" "$work/tree/$name"
  answer='' tried=0 left=$MOST
  awk -F '\t' -v about="$(tests_about "$name")" '{ print $1 + ($2 == about ? 0 : 20) "\t" $0 }' "$work/driver_tests" |
    sort -n | cut -f 2- >"$work/candidates"
  while IFS=$tab read -r seconds file number test; do
    [ -e "$work/marks/$file/$called.$number" ] || [ "$called" = "${name##*/}." ] || continue
    [ $((left -= seconds + 1)) -ge 0 ] || break
    tried=$((tried + 1))
    pattern=$(echo "$test" | sed 's/[][()|+?*.\\^$]/\\&/g')
    status=0
    in_tree -f "^$pattern\$" "tests/drivers/$file.bats" >"$work/output" 2>&1 || status=$?
    [ "$status" -eq 0 ] || { answer="caught $file: $test"; break; }
  done <"$work/candidates"
  cp -- "$source/$name" "$work/tree/$name"
  echo "${answer:-survived $tried tests call it}"
}

# --- all --------------------------------------------------------------------------------------------------------------

# Reads mutants, writes results; evaluates the requested number of each place.
evaluate() {
  last='' made=0
  while IFS=$tab read -r place wanted name line column operator text; do
    [ "$place" = "$last" ] || made=0
    last=$place
    [ "$made" -lt "$wanted" ] || continue
    TEXT=$text awk -v at="$line" 'NR == at { print ENVIRON["TEXT"]; next } { print }' "$source/$name" >"$work/mutant.c"
    language_of "$name"
    answer=$("verdict_$language" </dev/null)
    [ "${answer%% *}" = none ] || made=$((made + 1))
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "${answer%% *}" "${answer#* }" "$name" "$line" "$column" "$operator" "$text"
  done
}

summary() {
  awk -F '\t' '
    $1 == "none" { next }
    { all++; split($3, path, "/"); place = path[1] == "src" ? path[2] : path[1]; of[place]++ }
    $1 != "survived" { caught++; by[place]++ }
    $1 == "survived" { print "survived: " $3 ":" $4 ": " $7 }
    END {
      for (place in of)
        printf "%-8s %3d mutants, %3d caught\n", place, of[place], by[place]
      printf "all      %3d mutants, %3d caught, %.1f %%\n", all, caught, 100 * caught / all
      exit caught < 0.9 * all
    }' "$work/results"
}

mkdir "$work/lock" || { echo "mutation.sh: another one is at work in $work, or was killed: remove its lock" >&2; exit 1; }
trap 'rmdir "$work/lock"' EXIT
trap 'exit 1' HUP INT TERM
case $1 in
  *[!0-9]*) cat -- "$@" | awk -F '\t' -v OFS='\t' '{ print "again", 1e6, $3, $4, $5, $6, $7 }' ;;
  *) draw "$1" "${2:-1}" ;;
esac >"$work/drawn"
! grep -q "${tab}src/" "$work/drawn" || run_all_once
! grep -q "${tab}drivers/" "$work/drawn" || run_drivers_once
evaluate <"$work/drawn" | tee "$work/results.new"
mv -- "$work/results.new" "$work/results"
summary
