#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stands in for what commands of the documents call and what would measure for minutes, install, submit jobs or run
# tests: checks its arguments, and does what takes no time. Its name says which program it stands in for.
# DOCUMENTS: the folder of documents.sh. REAL: that of the installed programs. SOURCE, BUILD: the trees.
set -eu
name=${0##*/}

refuse() {
  echo "$name: $*" >&2
  exit 2
}

# --- Servet ---------------------------------------------------------------------------------------

# The complaint must be about the option that is wrong on purpose, and about no other.
parse() {
  complaint=$("$REAL/$name" "$@" --wrong-on-purpose 2>&1) || :
  case $complaint in
  *--wrong-on-purpose*) ;;
  *) refuse "$complaint" ;;
  esac
}

# The measurement of a small model stands for this machine and for all models.
measure() {
  parse "$@"
  case " $* " in
  *' --machines '*) exec "$REAL/servet" "$@" ;;
  esac
  while [ $# -gt 1 ]; do
    case $1 in
    --machine) "$REAL/servet" measure --machines | grep -q "^ *$2 " || refuse "no model $2" ;;
    -o) cp -r "$DOCUMENTS/measured" "$2" ;;
    esac
    shift
  done
}

# These refuse the profile of other machines, or have an answer, with status 1.
answer() {
  "$REAL/servet" "$@" || [ $? -eq 1 ]
}

stand_in_for_servet() {
  case "$* " in
  'measure '*) measure "$@" ;;
  'export '*' --compare '*) parse "$@" ;; # the site's file
  'export --format slurm-topology '*) SERVET_PROFILE=$SOURCE/tests/data/profiles/star.json answer "$@" ;;
  'check '* | 'diff '* | 'export '*) answer "$@" ;;
  'map '*'--node-class '*) parse "$@" ;;
  'map -n 32 '* | 'map -n 8 '*) SERVET_PROFILE=$SOURCE/tests/data/profiles/star.json exec "$REAL/servet" "$@" ;;
  *) exec "$REAL/servet" "$@" ;;
  esac
}

stand_in_for_servet_mpi() {
  case $1 in
  measure) parse "$@" ;;
  *) /bin/sh "$SOURCE/tests/mpi/launch.sh" 1 "$REAL/servet-mpi" "$@" || [ $? -eq 1 ] ;; # not where it should run
  esac
}

# There is no earlier job to resume.
stand_in_for_servet_job() {
  PATH=$DOCUMENTS/fakes:/usr/bin:/bin "$REAL/servet-job" "$@" --dry-run || {
    code=$?
    case " $* " in
    *' --resume '*) [ $code -eq 1 ] ;;
    *) exit $code ;;
    esac
  }
}

# --- other programs -------------------------------------------------------------------------------

# The program that would be started, once.
stand_in_for_mpirun() {
  while [ $# -gt 0 ]; do
    case $1 in
    -n | -np | -x | --rankfile | --hostfile | --host | --map-by | --bind-to) shift 2 ;;
    --mca) shift 3 ;;
    -*) shift ;;
    *) break ;;
    esac
  done
  "$@"
}

# An option of Meson itself or of the project.
is_option() {
  case $1 in
  buildtype | werror | optimization | b_* | libdir | prefix) ;;
  *) grep -q "^option('$1'" "$SOURCE/meson_options.txt" ;;
  esac
}

# Prints the text of `meson introspect`, without a start of Meson for each command.
known_tests() {
  cat "$BUILD/meson-info/intro-tests.json" "$BUILD/meson-info/intro-benchmarks.json"
}

# Names of tests and suites of the default build; others have more.
check_tests() {
  [ "$1 $2" = '-C build' ] || return 0
  shift 2
  known=$(known_tests)
  while [ $# -gt 0 ]; do
    case $1 in
    -t | --setup | --num-processes) shift ;;
    --suite | --no-suite)
      printf '%s\n' "$known" | grep -q "\"[a-z]*:$2\"" || refuse "no suite $2"
      shift
      ;;
    -*) ;;
    *) printf '%s\n' "$known" | grep -q "\"name\": \"$1\"" || refuse "no test $1" ;;
    esac
    shift
  done
}

stand_in_for_meson() {
  word=$1
  shift
  [ "$word" != test ] || check_tests "$@"
  for option; do
    case $option in
    -D*)
      option=${option#-D}
      is_option "${option%%=*}" || refuse "no option $option"
      ;;
    esac
  done
}

# It compiles the installed source of the module with integers of 4 bytes, and runs the program. The modules of another
# compiler are refused. The optimization takes longer than all else.
stand_in_for_flang() {
  words=$*
  for word; do
    shift
    case $word in
    -O2) continue ;;
    -I*) [ ! -e "${word#-I}/servet.mod" ] || refuse "${word#-I} has modules that another compiler made" ;;
    esac
    set -- "$@" "$word"
  done
  "$FC" "$@"
  case $words in
  *' -o '*) SERVET_PROFILE=$SOURCE/tests/data/profiles/star.json "./${words##* -o }" ;;
  esac
}

# A script of the source tree, whose arguments are its own; what it prints may be the name of a file.
stand_in_for_sh() {
  [ -f "$SOURCE/$1" ] || refuse "no script $1"
  echo printed
}

case $name in
servet) stand_in_for_servet "$@" ;;
servet-mpi) stand_in_for_servet_mpi "$@" ;;
servet-job) stand_in_for_servet_job "$@" ;;
mpirun) stand_in_for_mpirun "$@" ;;
sinfo) echo 'node[1-4]' ;;
meson) stand_in_for_meson "$@" ;;
sh) stand_in_for_sh "$@" ;;
bats)
  for file; do :; done
  stand_in_for_sh "$file"
  ;;
pkg-config) PKG_CONFIG_PATH=$INSTALLED exec /usr/bin/env PATH="$PATH_BEFORE" pkg-config "$@" ;;
flang-new-19) stand_in_for_flang "$@" ;;
*) ;; # ninja, apt-get, install, or a program of the build
esac
