#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# qsub, qstat, qdel, qrls, pbsnodes, pbs_tmrsh and mpiexec of OpenPBS as a real one was seen to do, as far as they
# are used: every other option, and every request that the real ones refuse, is refused with their words and exit
# statuses. Called by these names. With FAKE_PBS=torque they are those of Torque. Jobs lie in $FAKE/jobs, what a host
# has for itself in $FAKE/hosts/HOST, and files in $FAKE change the weather:
#   down      the server does not answer
#   hold      jobs do not start; its line is their state: a letter, then the comment
#   history   the server remembers ended jobs (job_history_enable)
#   lost      this host is down
#   stubborn  qrls is refused
set -u
jobs=$FAKE/jobs
[ -d "$jobs" ] || mkdir -p "$jobs"
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

# Nodes h1 and h2 are of model fat, the others of model thin.
# Chunks N:ncpus=C:mpiprocs=P with + between, and no other resource but host and model.
check_select() {
  nodes=0
  hosts=''
  for chunk in $(echo "$1" | tr '+' ' '); do
    check_number select "${chunk%%:*}"
    nodes=$((nodes + ${chunk%%:*}))
    for resource in $(echo "${chunk#*:}" | tr ':' ' '); do
      case $resource in
      ncpus=* | mpiprocs=*) check_number select "${resource#*=}" ;;
      host=?*) hosts="$hosts ${resource#host=}" ;;
      model=fat) hosts="$hosts $(seq -f 'h%g' "${chunk%%:*}")" ;;
      model=thin) hosts="$hosts $(seq -f 'h%g' 3 "$((${chunk%%:*} + 2))")" ;;
      *) fail 187 "qsub: Unknown resource: ${resource%%=*}" ;;
      esac
    done
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

# The first of two requests for one resource counts.
take_resource() {
  case " $taken " in
  *" ${1%%=*} "*) return 0 ;;
  esac
  taken="$taken ${1%%=*}"
  case $torque:$1 in
  :select=?*) check_select "${1#*=}" ;;
  :place=scatter | :place=scatter:excl | :place=scatter:exclhost) place=${1#place=} ;;
  yes:nodes=?*) check_nodes "${1#*=}" ;;
  *:walltime=[0-9][0-9]:[0-5][0-9]:[0-5][0-9]) ;;
  *:walltime=*) wrong_value walltime ;;
  *) fail 187 "qsub: Unknown resource Resource_List.${1%%=*}" ;;
  esac
}

# Words of -W; those of the script count only where the command line has none.
take_attributes() {
  for attribute in $(echo "$1" | tr ',' ' '); do
    case $attribute in
    depend=afterany:?*) after=${attribute#depend=afterany:} ;;
    umask=[0-7][0-7][0-7]) umask=${attribute#umask=} ;;
    *) fail 154 "qsub: Error (15002) submitting job" ;;
    esac
  done
}

# Letter and value of an option.
take_option() {
  case $1$2 in
  -f) [ -z "$torque" ] || fail 2 "qsub: -f is for fault tolerant jobs on Torque" ;;
  -h) held=yes ;;
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
  -W?*) take_attributes "$2" ;;
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
    -f | -h) take_option "$1" '' && shift ;;
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
  nodes=1 name='' output='' after='' hosts='' held='' umask=077 place=free taken=''
  options=''
  while [ $# -gt 1 ]; do
    options="$options $1"
    shift
  done
  script=$1
  [ -r "$script" ] || fail 1 "qsub: script file:: No such file or directory"
  ! grep -q "$(printf '\r')" "$script" || fail 1 "qsub: script contains cr, lf"
  take_directives
  case $options in
  *' -W '*) umask=077 ;;
  esac
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
  echo "$umask" >"$jobs/$id/umask"
  echo "$place" >"$jobs/$id/place"
  [ -z "$hosts" ] || echo "$hosts" >"$jobs/$id/hosts"
  [ -z "$held" ] || : >"$jobs/$id/held"
  echo 'Q Not Running: Insufficient amount of resource: ncpus' >"$jobs/$id/state"
  [ "$nodes" -le 4 ] || echo 'Q Can Never Run: Not enough total nodes available' >"$jobs/$id/state"
  [ "$nodes" -gt 4 ] || setsid sh "$FAKE_HOME/run.sh" pbs "$id" >/dev/null 2>&1 </dev/null &
  echo "$id.h0"
}

# --- qstat, qdel, pbsnodes ------------------------------------------------------------------------

qstat_() {
  history=''
  case $torque:$* in
  ":-f -w ${3-}" | *":-f ${2-}") ;;
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
    # Slurm's qstat indents by tabs.
    printf 'Job Id: %s\n\tjob_state = C\n\texit_status = %s\n' "$1" "$rest"
    exit
  elif [ "$letter" = F ] && [ -z "$history" ]; then
    [ -e "$FAKE/history" ] || fail 153 "qstat: Unknown Job Id $1"
    fail 35 "qstat: $1 Job has finished, use -x or -H to obtain historical job information"
  fi
  echo "Job Id: $1"
  echo "    Job_Name = servet"
  echo "    job_state = $letter"
  if [ "$letter" = F ]; then
    [ -z "$rest" ] || echo "    Exit_status = ${rest%% *}"
  else
    echo "    comment = $rest"
  fi
  echo
}

qrls_() {
  [ ! -e "$FAKE/stubborn" ] || fail 159 "qrls: Unauthorized Request $1"
  [ -d "$jobs/${1%%.*}" ] || fail 153 "qrls: Unknown Job Id $1"
  rm -f "$jobs/${1%%.*}/held"
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
  { read -r lost <"$FAKE/lost"; } 2>/dev/null || lost=''
  { read -r odd odd_state <"$FAKE/odd"; } 2>/dev/null || odd=''
  for node in h1:free:8 h2:job-busy:8 h3:free:4 h4:free:4 h5:down:64; do
    cpus=${node##*:}
    state=${node#*:}
    state=${state%:*}
    [ "$lost" != "${node%%:*}" ] || state=down
    [ "$odd" != "${node%%:*}" ] || state=$odd_state
    echo "${node%%:*}"
    echo "     state = $state"
    case $node in
    h[12]:*) model=fat ;;
    *) model=thin ;;
    esac
    if [ "$torque" ]; then
      echo "     np = $cpus"
      echo "     properties = ib,$model"
    else
      echo "     pcpus = 128"
      echo "     resources_available.host = ${node%%:*}"
      echo "     resources_available.ncpus = $cpus"
      echo "     resources_available.model = $model"
      echo "     resources_assigned.ncpus = 0"
    fi
    echo
  done
}

# --- in a job -------------------------------------------------------------------------------------

# Runs its words, without a shell, on a host of the job, which has a TMPDIR of its own. What they print goes to
# the job's output and nowhere else, and what they leave behind is killed when they end.
pbs_tmrsh_() {
  host=$1
  number=${PBS_JOBID%%.*}
  shift
  grep -qx "$host" "$PBS_NODEFILE" || fail 255 "pbs_tmrsh: host \"$host\" is not a node in job <$PBS_JOBID>"
  mkdir -p "$FAKE/hosts/$host/tmp" "$jobs/$number"
  (cd "$HOME" && exec env -i HOME="$HOME" PATH=/bin:/usr/bin FAKE="$FAKE" FAKE_HOME="$FAKE_HOME" \
    PBS_JOBID="$PBS_JOBID" TMPDIR="$FAKE/hosts/$host/tmp" setsid "$@") >>"$jobs/$number/printed" 2>&1 </dev/null &
  task=$!
  trap 'kill -s KILL -- "-$task"' TERM
  status=0
  wait "$task" || status=$?
  kill -s KILL -- "-$task" 2>/dev/null
  exit "$status"
}

# One that starts no MPI program.
mpiexec_() {
  fail 2 "mpiexec: unknown option $1"
}

"${me}_" "$@"
