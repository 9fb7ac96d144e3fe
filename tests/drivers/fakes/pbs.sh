#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# qsub, qstat, qdel and pbsnodes of OpenPBS as its manuals describe them, as far as they are used: every
# other option, and every request that the real ones refuse, is refused with their words and exit statuses.
# Called by these names. With FAKE_PBS=torque they are those of Torque. Jobs lie in $FAKE/jobs, and files in $FAKE
# change the weather:
#   down      the server does not answer
#   hold      jobs do not start; its line is their state: a letter, then the comment
#   history   the server remembers ended jobs (job_history_enable)
set -u
jobs=$FAKE/jobs
mkdir -p "$jobs"
me=${0##*/}
torque=''
[ "${FAKE_PBS-}" != torque ] || torque=yes

fail() {
  status=$1
  shift
  printf '%s\n' "$*" >&2
  exit "$status"
}

need_server() {
  [ ! -e "$FAKE/down" ] || fail "$1" "Connection refused
$me: cannot connect to server h0 (errno=15010)"
}

if [ "$*" = --version ]; then
  if [ "$torque" ]; then
    printf 'Version: 6.0.0.1\nCommit: 21cc\n'
  else
    echo 'pbs_version = 23.06.06'
  fi
  exit
fi
echo "$me $*" >>"$FAKE/log"

# --- qsub -----------------------------------------------------------------------------------------

wrong_value() {
  fail 166 "qsub: Illegal attribute or resource value Resource_List.$1"
}

check_number() {
  case $2 in
  '' | 0* | *[!0-9]*) wrong_value "$1" ;;
  esac
}

# N:ncpus=C:mpiprocs=P and no other resource but host.
check_select() {
  nodes=${1%%:*}
  check_number select "$nodes"
  for resource in $(echo "$1" | tr ':' ' '); do
    case $resource in
    ncpus=* | mpiprocs=*) check_number select "${resource#*=}" ;;
    "$nodes" | host=?*) ;;
    *) fail 187 "qsub: Unknown resource: ${resource%%=*}" ;;
    esac
  done
}

check_nodes() {
  nodes=${1%%:*}
  check_number nodes "$nodes"
  case $1 in
  *:ppn=[1-9]*) ;;
  *) wrong_value nodes ;;
  esac
}

take_resource() {
  case $torque:$1 in
  :select=?*) check_select "${1#*=}" ;;
  :place=scatter:excl | :place=scatter:exclhost) ;;
  yes:nodes=?*) check_nodes "${1#*=}" ;;
  *:walltime=[0-9][0-9]:[0-5][0-9]:[0-5][0-9]) ;;
  *:walltime=*) wrong_value walltime ;;
  *) fail 187 "qsub: Unknown resource Resource_List.${1%%=*}" ;;
  esac
}

# Letter and value of an option.
take_option() {
  case $1$2 in
  -f) [ -z "$torque" ] || fail 2 "qsub: -f is for fault tolerant jobs on Torque" ;;
  -rn | -joe | -o?* | -A?* | -P?*) [ "$1" != -o ] || output=$2 ;;
  -N[A-Za-z]*)
    case $2 in
    *[!A-Za-z0-9_+.-]* | ????????????????*) fail 2 "qsub: illegal -N value" ;;
    esac
    name=$2
    ;;
  -qbench) ;;
  -q?*) fail 170 "qsub: Unknown queue" ;;
  -l?*) take_resource "$2" ;;
  -Wdepend=afterany:?*) after=${2#depend=afterany:} ;;
  *) fail 2 "qsub: illegal $1 value
usage: qsub [-a date_time] ..." ;;
  esac
}

# A line of options; a comment at its end is an error.
take_line() {
  line=$1
  set -f
  # shellcheck disable=SC2086 # words
  set -- $line
  set +f
  while [ $# -gt 0 ]; do
    case $1 in
    -f) take_option -f '' && shift ;;
    -[a-zA-Z])
      [ $# -gt 1 ] || fail 1 "qsub: directive error: $line"
      take_option "$1" "$2"
      shift 2
      ;;
    *) fail 1 "qsub: directive error: $line" ;;
    esac
  done
}

take_directives() {
  while IFS= read -r line; do
    case $line in
    '#PBS '*) take_line "${line#'#PBS '}" ;;
    '' | '#'*) ;;
    *) return ;;
    esac
  done <"$script"
}

qsub_() {
  need_server 162
  nodes=1 name='' output='' after=''
  options=''
  while [ $# -gt 1 ]; do
    options="$options $1"
    shift
  done
  script=$1
  [ -r "$script" ] || fail 1 "qsub: script file:: No such file or directory"
  ! grep -q "$(printf '\r')" "$script" || fail 1 "qsub: script contains cr, lf"
  take_directives
  take_line "$options"
  [ -n "$name" ] || fail 2 "qsub: illegal -N value"
  id=1
  while ! mkdir "$jobs/$id" 2>/dev/null; do
    id=$((id + 1))
  done
  cp "$script" "$jobs/$id/script"
  echo "$nodes" >"$jobs/$id/nodes"
  echo "${after%%.*}" >"$jobs/$id/after"
  printf '%s/%s\n' "$PWD" "$output" >"$jobs/$id/output"
  echo 'Q Not Running: Insufficient amount of resource: ncpus' >"$jobs/$id/state"
  [ "$nodes" -le 4 ] || echo 'Q Can Never Run: Not enough total nodes available' >"$jobs/$id/state"
  [ "$nodes" -gt 4 ] || setsid sh "$FAKE_HOME/run.sh" pbs "$id" >/dev/null 2>&1 </dev/null &
  echo "$id.h0"
}

# --- qstat, qdel, pbsnodes ------------------------------------------------------------------------

qstat_() {
  history=''
  case $torque:$* in
  ":-f -w ${3-}" | "yes:-f ${2-}") ;;
  ":-x -f -w ${4-}") history=yes ;;
  *) fail 2 "qstat: invalid option -- '${1#-}'" ;;
  esac
  while [ $# -gt 1 ]; do
    shift
  done
  need_server 255
  if [ "$history" ] && [ ! -e "$FAKE/history" ]; then
    echo "qstat: PBS is not configured to maintain job history $1" >&2
    exit 0
  fi
  number=${1%%.*}
  [ -d "$jobs/$number" ] || fail 153 "qstat: Unknown Job Id $1"
  read -r letter rest <"$jobs/$number/state"
  if [ "$torque" ] && [ "$letter" = F ]; then
    printf 'Job Id: %s\n    job_state = C\n    exit_status = %s\n' "$1" "$rest"
    exit
  elif [ "$letter" = F ] && [ -z "$history" ]; then
    [ -e "$FAKE/history" ] || fail 153 "qstat: Unknown Job Id $1"
    fail 35 "qstat: $1 Job has finished, use -x or -H to obtain historical job information"
  fi
  echo "Job Id: $1"
  echo "    Job_Name = servet"
  echo "    job_state = $letter"
  if [ "$letter" = F ]; then
    [ -z "$rest" ] || echo "    Exit_status = $rest"
  else
    echo "    comment = $rest"
  fi
  echo
}

qdel_() {
  number=${1%%.*}
  [ -d "$jobs/$number" ] || fail 153 "qdel: Unknown Job Id $1"
  echo 'F 271' >"$FAKE/kill.$number"
}

# Four sound nodes of 8, 8, 4 and 4 CPUs and one that is down.
pbsnodes_() {
  [ "$*" = -a ] || fail 2 "usage: pbsnodes -a"
  need_server 1
  for node in h1:free:8 h2:job-busy:8 h3:free:4 h4:free:4 h5:down:64; do
    cpus=${node##*:}
    state=${node#*:}
    echo "${node%%:*}"
    echo "     state = ${state%:*}"
    if [ "$torque" ]; then
      echo "     np = $cpus"
    else
      echo "     pcpus = 128"
      echo "     resources_available.ncpus = $cpus"
      echo "     resources_assigned.ncpus = 0"
    fi
    echo
  done
}

"${me}_" "$@"
