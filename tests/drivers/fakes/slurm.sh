#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sbatch, squeue, sacct, scontrol and scancel as their manuals describe them, as far as they are used:
# every other option, and every request that the real ones refuse, is refused with their words. Called by
# these names; jobs lie in $FAKE/jobs, and files in $FAKE change the weather:
#   down        slurmctld does not answer
#   hold        jobs do not start, for the reason in it
#   forget      squeue knows ended jobs no more (MinJobAge has passed)
#   accounting  sacct works
#   lost        this host is down
#   shout       sbatch prints it on stderr
set -u
jobs=$FAKE/jobs
[ -d "$jobs" ] || mkdir -p "$jobs"
me=${0##*/}

error() {
  echo "$me: error: $*" >&2
  exit 1
}

unrecognized() {
  echo "$me: unrecognized option '$1'" >&2
  echo "Try \"$me --help\" for more information" >&2
  exit 1
}

need_controller() {
  [ ! -e "$FAKE/down" ] || {
    echo "$1: Unable to contact slurm controller (connect failure)" >&2
    exit 1
  }
}

# --- sbatch ---------------------------------------------------------------------------------------

check_time() {
  case $1 in
  [0-9]*:[0-5][0-9]:[0-5][0-9]) ;;
  *) error "Invalid --time specification" ;;
  esac
}

is_number() {
  case $1 in
  '' | *[!0-9]*) error "invalid number \"$1\"" ;;
  esac
}

# One option, of the command line or of the script.
take_option() {
  value=${1#*=}
  case $1 in
  --hold) held=yes ;;
  --nodelist=?*) hosts=$(echo "$value" | tr ',' ' ') ;;
  --parsable | --exclusive | --no-requeue | --mem=0) ;;
  --job-name=?* | --constraint=?* | --account=?*) ;;
  --nodes=?*) is_number "$value" && nodes=$value ;;
  --ntasks-per-node=?*) is_number "$value" ;;
  --time=?*) check_time "$value" ;;
  --output=?*) output=$value ;;
  --partition=bench | --partition=debug) ;;
  --partition=?*)
    echo "sbatch: error: invalid partition specified: $value" >&2
    error "Batch job submission failed: Invalid partition name specified"
    ;;
  --dependency=afterany:?*)
    after=${value#afterany:}
    is_number "$after"
    [ -d "$jobs/$after" ] || error "Batch job submission failed: Job dependency problem"
    ;;
  *) unrecognized "$1" ;;
  esac
}

# Until the first line that is neither blank nor a comment.
take_directives() {
  while IFS= read -r line; do
    case $line in
    '#SBATCH '*)
      set -f
      # shellcheck disable=SC2086 # words
      set -- ${line#'#SBATCH '}
      set +f
      for option; do
        take_option "$option"
      done
      ;;
    '' | '#'*) ;;
    *) return ;;
    esac
  done <"$script"
}

submit() {
  need_controller 'sbatch: error: Batch job submission failed'
  nodes=1 output='' after='' options='' held='' hosts=''
  while [ $# -gt 1 ]; do
    options="$options $1"
    shift
  done
  [ $# -eq 1 ] || error "this fake reads no script from stdin"
  script=$1
  [ -r "$script" ] || error "Unable to open file $script"
  case $(head -n 1 "$script") in
  '#!'*) ;;
  *) error "This does not look like a batch script.  The first line must start with #! followed by the path to an interpreter." ;;
  esac
  ! grep -q "$(printf '\r')" "$script" || error "Batch script contains DOS line breaks (\\r\\n)"
  take_directives
  for option in $options; do
    take_option "$option"
  done
  [ -n "$output" ] || output=slurm-%j.out
  [ "$nodes" -ge 1 ] || error "invalid number of nodes (-N $nodes)"
  start
}

start() {
  cat "$FAKE/shout" >&2 2>/dev/null
  id=1
  while ! mkdir "$jobs/$id" 2>/dev/null; do
    id=$((id + 1))
  done
  cp "$script" "$jobs/$id/script"
  echo "$nodes" >"$jobs/$id/nodes"
  echo "$after" >"$jobs/$id/after"
  printf '%s/%s\n' "$PWD" "$output" >"$jobs/$id/output"
  pwd >"$jobs/$id/folder"
  echo "PENDING Resources" >"$jobs/$id/state"
  [ -z "$hosts" ] || echo "$hosts" >"$jobs/$id/hosts"
  [ -z "$held" ] || : >"$jobs/$id/held"
  # The default configuration takes more nodes than there are.
  if [ "$nodes" -gt 4 ]; then
    echo "PENDING PartitionNodeLimit" >"$jobs/$id/state"
    echo "$id"
    return
  fi
  setsid sh "$FAKE_HOME/run.sh" slurm "$id" >/dev/null 2>&1 </dev/null &
  echo "$id"
}

# --- the others -----------------------------------------------------------------------------------

job_state() {
  { read -r state <"$jobs/$1/state"; } 2>/dev/null && echo "$state"
}

has_ended() {
  case $(job_state "$1") in
  PENDING* | RUNNING* | COMPLETING*) return 1 ;;
  esac
}

squeue_() {
  case $* in
  "-h -t all -j ${5-} -o %T %r") ;;
  "-h -j ${3-} -t RUNNING -o %i")
    ! grep -q ^RUNNING "$jobs/$3/state" || echo "$3"
    exit
    ;;
  *) unrecognized "$1" ;;
  esac
  need_controller slurm_load_jobs\ error
  if [ ! -d "$jobs/$5" ] || { [ -e "$FAKE/forget" ] && has_ended "$5"; }; then
    echo "slurm_load_jobs error: Invalid job id specified" >&2
    exit 1
  fi
  job_state "$5"
}

sacct_() {
  [ "$*" = "-n -X -P -j $5 -o State" ] || unrecognized "$1"
  [ -e "$FAKE/accounting" ] || {
    echo "Slurm accounting storage is disabled" >&2
    exit 1
  }
  [ ! -d "$jobs/$5" ] || job_state "$5" | cut -d ' ' -f 1
}

# Two partitions of four nodes, of which one, h4, is not in the second, and one that is drained in both.
sinfo_() {
  [ "$*" = '-h -N -o %N %P %T' ] || unrecognized "$1"
  need_controller slurm_load_partitions
  { read -r lost <"$FAKE/lost"; } 2>/dev/null || lost=''
  for node in 'h1 debug* idle' 'h1 bench idle' 'h2 debug* mixed' 'h2 bench mixed' 'h3 debug* allocated' 'h3 bench allocated' \
    'h4 debug* idle' 'h5 debug* drained' 'h5 bench drained' 'h6 debug* idle*'; do
    if [ "$lost" = "${node%% *}" ]; then
      echo "${node% *} down*"
    else
      echo "$node"
    fi
  done
}

scontrol_() {
  case $* in
  'release '*) rm "$jobs/$2/held" ;;
  'show config')
    need_controller 'slurm_load_ctl_conf error'
    echo 'ClusterName             = neptune'
    ;;
  'show hostnames '*) printf '%s\n' "$3" | tr ',' '\n' ;;
  '-o show job '*)
    if [ ! -d "$jobs/$4" ] || { [ -e "$FAKE/forget" ] && has_ended "$4"; }; then
      echo "slurm_load_jobs error: Invalid job id specified" >&2
      exit 1
    fi
    echo "JobId=$4 JobName=x UserId=u(1) JobState=$(job_state "$4" | cut -d ' ' -f 1) Reason=None"
    ;;
  *)
    echo "invalid keyword: $*" >&2
    exit 1
    ;;
  esac
}

scancel_() {
  [ $# -eq 1 ] || unrecognized "$1"
  [ -d "$jobs/$1" ] || error "Kill job error on job id $1: Invalid job id specified"
  ! has_ended "$1" || exit 0
  echo 'CANCELLED None' >"$FAKE/kill.$1"
}

echo "$me $*" >>"$FAKE/log"
case $me in
sbatch) submit "$@" ;;
*) "${me}_" "$@" ;;
esac
