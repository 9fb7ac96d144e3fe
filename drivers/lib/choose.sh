# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Derives settings from options and chooses those that are not given.

# Servet's program $1: the one that belongs to this driver, else the one on PATH.
find_program() {
  for file in "$home/$1" "$home/../$1" "$home/../build/$1"; do
    if [ -f "$file" ] && [ -x "$file" ]; then
      say "$file"
      return
    fi
  done
  command -v "$1"
}

# Folders of installed profiles of clusters, and of their modulefiles.
choose_place() {
  if [ "${opt_prefix+given}" ]; then
    opt_prefix=$(absolute "$opt_prefix")
    place=$opt_prefix/share/servet
  elif [ -n "$data" ]; then
    place=$(CDPATH='' cd -P -- "$data" && pwd)
  else
    place=${XDG_DATA_HOME:-${HOME-}/.local/share}/servet
  fi
  modules=${place%/*}/modulefiles/servet
}

absolute() {
  case $1 in
  /*) say "$1" ;;
  *) say "$PWD/$1" ;;
  esac
}

options_of_site() {
  if [ "${opt_config+given}" ]; then
    [ -r "$opt_config" ] || usage_error "--config: cannot read '$opt_config'"
  elif [ -n "$data" ] && [ -r "$data/site.conf" ]; then
    opt_config=$data/site.conf
  else
    return 0
  fi
  options_of_file "$opt_config"
}

options_of_surroundings() {
  options_of_environment
  options_of_site
}

# --- one setting after the other ------------------------------------------------------------------

# Succeeds if scheduler $1 is available and matches --scheduler.
may_be() (
  load_scheduler "$1"
  # shellcheck disable=SC2046 # names
  is_one_of "$opt_scheduler" auto $(scheduler_aliases) && scheduler_found
)

# The scheduler of --scheduler need not be available: --dry-run may print a script for another machine.
choose_scheduler() {
  for name in $schedulers; do
    if may_be "$name"; then
      opt_scheduler=$name
      break
    fi
  done
  load_scheduler "$opt_scheduler"
}

choose_name() {
  [ "${opt_name+given}" ] || default_option name "$(scheduler_cluster)" "the scheduler's name"
}

choose_output() {
  opt_output=${opt_output-servet-$opt_name}
  case $opt_output in
  /*) ;;
  *) opt_output=$PWD/$opt_output ;;
  esac
  job=$opt_output/job
  must_share="the folder $opt_output must be on a file system that all nodes share; pass --output"
}

# Only servet-mpi can run on several nodes. --dry-run may print a script for a machine that has it.
choose_program() {
  if program=$(find_program servet-mpi); then
    return 0
  elif ! program=$(find_program servet); then
    [ "$opt_dry_run" ] || die "neither servet-mpi nor servet was found here or on PATH: install Servet"
    program=servet-mpi
  fi
}

choose_merger() {
  if ! merger=$(find_program servet); then
    [ "$opt_dry_run$only_install" ] || die "servet was not found here or on PATH: install Servet"
    merger=servet
  fi
}

# Succeeds if one node measures itself, without MPI.
is_single() {
  case $program in
  */servet | servet) return 0 ;;
  *) return 1 ;;
  esac
}

choose_nodes() {
  if [ -n "$only_install" ]; then
    return
  elif is_single; then
    [ "${opt_nodes-1}" = 1 ] || note "${alone:-servet-mpi is not installed here}: measuring one node only"
    opt_nodes=1
  elif [ -z "${opt_nodes-}" ]; then
    opt_nodes=$(scheduler_nodes_here)
    [ -n "$opt_nodes" ] || usage_error "--nodes needs the number of nodes"
  fi
}

choose_launcher() {
  if is_single; then
    load_launcher none
  elif [ "$opt_launcher" = auto ]; then
    find_launcher || without_launcher
  else
    load_launcher "$opt_launcher"
    launcher_found || without_launcher
  fi
}

# The first launcher that is available, or else the first in the list.
find_launcher() {
  for opt_launcher in $launchers; do
    load_launcher "$opt_launcher"
    if launcher_serves && launcher_found; then
      return 0
    fi
  done
  opt_launcher=${launchers%% *}
  load_launcher "$opt_launcher"
  return 1
}

# --dry-run may print a script for a machine that has a launcher.
without_launcher() {
  set -- "$opt_launcher of an MPI library is not on PATH, and servet-mpi needs it: load the module of the" \
    "library that it was built with"
  if [ "$opt_dry_run" ]; then
    note "$*"
  elif [ -z "$only_install" ]; then
    die "$*"
  fi
}

# A machine without a launcher can still measure its own node.
choose_alone() {
  if scheduler_is_batch || is_single || (find_launcher); then
    return
  fi
  alone="no launcher of an MPI library is on PATH"
  program=$(find_program servet) || die "$alone, and servet was not found"
}

choose_budget() {
  limit=$(seconds_of "$opt_time")
  budget=${opt_budget-}
  if [ -z "$budget" ] && scheduler_is_batch; then
    budget=$((limit - limit / 10))
  fi
}

choose_where() {
  opt_scheduler=${opt_scheduler-auto}
  choose_scheduler
  PATH=$(scheduler_path)
  choose_name
  choose_output
}

choose_settings() {
  alone=''
  check_poll
  [ -z "$opt_resume$only_install$opt_status" ] || recall_settings
  options_of_surroundings
  opt_launcher=${opt_launcher-auto}
  opt_tasks_per_node=${opt_tasks_per_node-all}
  opt_message_size=${opt_message_size-32M}
  opt_time=${opt_time-30}
  opt_exclusive=${opt_exclusive-yes}
  choose_where
  choose_place
  [ -z "$opt_status" ] || return 0
  choose_program
  choose_merger
  choose_alone
  choose_nodes
  choose_launcher
  choose_budget
}

# --- an earlier run -------------------------------------------------------------------------------

# Takes the settings of the earlier call, unless an option changes them.
recall_settings() {
  opt_output=$(
    options_of_surroundings
    choose_where
    printf '%s.' "$opt_output"
  )
  opt_output=${opt_output%.}
  [ -d "$opt_output" ] || die "$opt_output has no measurement (use --output to name its folder)"
  recalled=$opt_output/job/settings
  if [ -f "$recalled" ]; then
    text=$(cat -- "$recalled" 2>&1) || die "cannot read $recalled: $(of_tool "${recalled%/*}" "$text")"
    eval "$text"
  fi
}

# --- runs -----------------------------------------------------------------------------------------

# Names of the runs, one for each class of nodes, number of nodes and size.
all_runs() {
  [ "${opt_classes-}" ] || runs_of ''
  for class in $(say "${opt_classes-}" | tr ',' '\n' | sed 's/=.*//'); do
    runs_of ".$class"
  done
}

# Names of the runs of one class, which end with its name.
runs_of() {
  for nodes in $(words "$opt_nodes"); do
    if is_single; then
      say "n$nodes$1"
      continue
    fi
    for size in $(words "$opt_message_size"); do
      say "n$nodes-$size$1"
    done
  done
}

words() {
  printf '%s\n' "$1" | tr ',' ' '
}

choose_run() {
  run=$1
  class=${run#"${run%%.*}"}
  class=${class#.}
  nodes=${run%%[-.]*}
  nodes=${nodes#n}
  size=${run%%.*}
  size=${size#n"$nodes"}
  size=${size#-}
  same=''
}

# Features that nodes of run $run must have, separated by $1.
features() {
  feature=''
  [ -z "${class-}" ] || feature=$(say "$opt_classes" | tr ',' '\n' | sed -n "s/^$class=//p")
  if [ "${opt_constraint-}" ] && [ "$feature" ]; then
    say "$(one_operand "$opt_constraint")$1$(one_operand "$feature")"
  else
    say "${opt_constraint-}$feature"
  fi
}

# Slurm reads a&b|c from left to right: without parentheses, a node with c alone would match.
one_operand() {
  case $1 in
  *[[\(]*) say "$1" ;;
  *\|*) say "($1)" ;;
  *) say "$1" ;;
  esac
}

# A run that continues on its first nodes keeps all results; on other nodes it measures these nodes and the network.
choose_same_nodes() {
  { [ "$opt_resume" ] && [ -z "$opt_any_nodes" ] && has_begun; } || return 0
  usable=$(scheduler_nodes | tr '\n' ' ')
  [ -n "$usable" ] || return 0
  # shellcheck disable=SC2013 # words
  for node in $(cat -- "$job/$run.nodes"); do
    case " $usable " in
    *" $node "*) same="$same $node" ;;
    *" ${node%%.*} "*) same="$same ${node%%.*}" ;;
    *)
      note "$run began on $node, which is not usable now: continuing on other nodes"
      same=''
      return
      ;;
    esac
  done
}

has_begun() {
  set -- "$opt_output/runs/$run"/unfinished-*
  [ -d "$1" ] && [ -s "$job/$run.nodes" ] && [ "$(($(wc -l <"$job/$run.nodes")))" -eq "$nodes" ]
}
