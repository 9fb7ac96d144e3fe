# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# The options: their table, the help, and their values from the command line, earlier runs, the
# environment and the site's file, in this order. The option --mpi-args ends up in $opt_mpi_args.

# Each row: the option's name, the kind of its value (a function check_KIND below), the value's name in the help, the help.
option_table="\
scheduler      scheduler NAME        $scheduler_words (default: auto)
nodes          counts    N[,N...]    number of nodes; several: one job each, one common profile
tasks-per-node tasks     N|all       processes per node (default: all, one on each core)
message-size   sizes     S[,S...]    largest message, such as 32M (default); several: one job each
time           time      T           time limit: minutes, H:MM:SS or D-HH:MM:SS (default: 30)
partition      word      NAME        partition or queue (default: the scheduler's choice)
account        word      NAME        account to charge
constraint     word      TEXT        node feature, in the scheduler's syntax
classes        classes   C=TEXT[,..] unlike nodes: own jobs for each class C, on nodes with feature TEXT
extra          line      TEXT        additional options for the scheduler, on one line, unchanged
only           list      LIST        benchmarks to run, see servet-mpi(1) (default: all)
budget         seconds   S           seconds for measuring (default: 90 % of the time limit)
exclusive      answer    yes|no      request nodes without other jobs (default: yes)
launcher       launcher  NAME        $launcher_words (default: auto)
mpi-args       line      TEXT        additional arguments of the launcher, separated by blanks
name           name      NAME        name of the cluster (default: its name in the scheduler)
prefix         path      DIR         --install into DIR/share/servet/NAME (default: Servet's prefix)
output         path      DIR         output folder of the jobs (default: ./servet-NAME)
config         path      FILE        site configuration (default: PREFIX/share/servet/site.conf)
dry-run        flag      -           print the job scripts and do nothing
wait           flag      -           wait until the jobs have ended, and show progress
resume         flag      -           submit the missing runs of the measurement in --output
status         flag      -           report the state of the measurement in --output, and what to do next
any-nodes      flag      -           --resume on any nodes, not only on those of the interrupted run
install        flag      -           install the profile where programs find it
force          flag      -           --install a profile that is not fit for use, too
help           flag      -           print this help
version        flag      -           print the version"

option_help() {
  say "$option_table" | awk '{
    name = "--" $1 ($3 == "-" ? "" : " " $3)
    if ($1 == "partition") name = "--partition, --queue " $3
    text = $0
    sub(/^[^ ]+ +[^ ]+ +[^ ]+ +/, "", text)
    printf "  %-26s %s%s\n", name, (length(name) > 26 ? sprintf("\n%29s", "") : ""), text
  }'
}

# " NAME=KIND" for each option.
option_kinds=''
while read -r name kind text; do
  option_kinds="$option_kinds $name=$kind"
done <<END
$option_table
END

# "NAME=VARIABLE" for each option that takes a value, with the variable of the environment.
option_variables=$(say "$option_table" | awk '$2 != "flag" {
  name = toupper($1)
  gsub(/-/, "_", name)
  print $1 "=SERVET_" name
}')

# Sets $kind to that of option $1; fails if there is no such option.
find_kind() {
  kind=${option_kinds#*" $1="}
  kind=${kind%% *}
  case "$option_kinds " in
  *" $1=$kind "*) ;;
  *) kind='' && return 1 ;;
  esac
}

# Sets $variable to the name of option $1's variable.
find_variable() {
  variable=opt_$1
  while :; do
    case $variable in
    *-*) variable=${variable%%-*}_${variable#*-} ;;
    *) return ;;
    esac
  done
}

# Prints the completions of the last word for a shell, one in each line: an option, a tab and its help; or a value; or
# :files or :folders.
complete_words() {
  before='' word=''
  for next; do
    before=$word word=$next
  done
  [ "$before" != --queue ] || before=--partition
  find_kind "${before#--}" || :
  # shellcheck disable=SC2086 # names
  case $kind in
  scheduler) printf '%s\n' auto $schedulers ;;
  launcher) printf '%s\n' auto $launchers ;;
  tasks) say all ;;
  answer) printf '%s\n' yes no ;;
  list) ! program=$(find_program servet-mpi) || "$program" --complete measure --only '' 2>/dev/null || : ;;
  path) if [ "$before" = --config ]; then say :files; else say :folders; fi ;;
  flag | '') complete_options ;;
  esac
}

complete_options() {
  say "$option_table" | awk '{
    option = $1
    sub(/^[^ ]+ +[^ ]+ +[^ ]+ +/, "")
    printf "--%s\t%s\n", option, $0
    if (option == "partition") printf "--queue\t%s\n", $0
  }'
}

value_options='' flag_options=''
for option in $option_kinds; do
  case $option in
  *=flag) flag_options="$flag_options ${option%=*}" ;;
  *) value_options="$value_options ${option%=*}" ;;
  esac
done

# --- values ---------------------------------------------------------------------------------------

# Each check gets the source of the value, which its message names, and the value. It exits if the value is wrong.
wrong() {
  usage_error "$1 must be $3, not '$2'"
}

check_scheduler() {
  # shellcheck disable=SC2086 # names
  is_one_of "$2" auto $schedulers || wrong "$1" "$2" "$scheduler_words"
}

check_launcher() {
  # shellcheck disable=SC2086 # names
  is_one_of "$2" auto $launchers || wrong "$1" "$2" "$launcher_words"
}

is_count() {
  case $1 in
  '' | 0* | *[!0-9]* | ???????*) return 1 ;;
  esac
}

is_size() {
  case $1 in
  *[KMG]) is_count "${1%?}" ;;
  *) is_count "$1" ;;
  esac
}

# Succeeds if list $2 is not empty and each of its parts passes test $1.
each_is() {
  rest=$2,
  while [ -n "$rest" ]; do
    "$1" "${rest%%,*}" || return 1
    rest=${rest#*,}
  done
}

check_counts() {
  each_is is_count "$2" ||
    wrong "$1" "$2" "a number from 1 to 999999, or several, separated by commas"
}

check_sizes() {
  each_is is_size "$2" ||
    wrong "$1" "$2" "a size in bytes (suffixes K M G), or several, separated by commas"
}

check_tasks() {
  [ "$2" = all ] || is_count "$2" || wrong "$1" "$2" "a number from 1 to 999999, or all"
}

check_time() {
  [ "$(seconds_of "$2")" -gt 0 ] ||
    wrong "$1" "$2" "a time: minutes, MM:SS, H:MM:SS, D-HH, D-HH:MM or D-HH:MM:SS"
}

check_answer() {
  case $2 in
  yes | no) ;;
  *) wrong "$1" "$2" "yes or no" ;;
  esac
}

check_seconds() {
  case $2 in
  *[!0-9.]* | *.*.* | . | '') wrong "$1" "$2" "a non-negative number of seconds (0: no limit)" ;;
  esac
}

# Accepts a word that schedulers and shells take literally from a line of a script.
check_word() {
  case $2 in
  '' | -* | *[!]A-Za-z0-9_.,:@%+=/*'&|()[!<>^~'-]*)
    wrong "$1" "$2" "one word of letters, digits and _.,:@%+=/*&|()[]!<>^~-"
    ;;
  esac
}

# NAME=FEATURE. The name becomes part of the names of runs; names that measurements assign are reserved.
is_class() {
  case ${1%%=*} in
  [!A-Za-z]* | *[!A-Za-z0-9_-]* | default | other-*) return 1 ;;
  esac
  case $1 in
  ?*=?*) ;;
  *) return 1 ;;
  esac
}

check_classes() {
  check_word "$1" "$2"
  each_is is_class "$2" ||
    wrong "$1" "$2" "NAME=FEATURE, or several, separated by commas; NAME is a word of letters, digits, _ and -"
  say "$2" | tr ',' '\n' | awk -F = 'seen[$1]++ { exit 1 }' || wrong "$1" "$2" "a list without a name twice"
}

check_list() {
  case $2 in
  '' | *[!a-z0-9,-]*) wrong "$1" "$2" "a list of benchmarks, separated by commas" ;;
  esac
}

check_line() {
  case $2 in
  *"$newline"*) wrong "$1" "$2" "one line" ;;
  esac
}

# The cluster's name becomes the name of a folder beside Servet's own folders, and is printed in scripts and messages.
check_name() {
  case $2 in
  '' | .* | */* | *[[:cntrl:]]*)
    wrong "$1" "$2" "a folder name without slashes, control characters and a leading dot"
    ;;
  models | schema | drivers | modulefile | machines | profile.json* | raw | site.conf)
    wrong "$1" "$2" "a name that Servet does not use for its own files"
    ;;
  esac
}

check_path() {
  [ -n "$2" ] || wrong "$1" "$2" "a path"
}

newline='
'

# The seconds of a time in any of Slurm's six formats; 0 if it is invalid.
seconds_of() {
  printf '%s\n' "$1" | awk '
    NR > 1 || !/^([0-9]+-[0-9]+(:[0-9]+)?(:[0-9]+)?|[0-9]+(:[0-9]+)?(:[0-9]+)?)$/ { bad = 1; exit }
    {
      days = 0
      rest = $0
      if (dashed = sub(/^[0-9]+-/, "", rest)) days = $0 + 0
      n = split(rest, part, ":")
      if (dashed || n == 3) seconds = part[1] * 3600 + part[2] * 60 + part[3]
      else seconds = part[1] * 60 + part[2]
      seconds += days * 86400
    }
    END { printf "%d\n", (bad || seconds > 31536000) ? 0 : seconds }'
}

# --- reading --------------------------------------------------------------------------------------

# Sets option $1 to value $2, given by $3.
set_option() {
  find_kind "$1"
  "check_$kind" "$3" "$2"
  find_variable "$1"
  eval "$variable=\$2"
}

# Sets an option that has no value yet.
default_option() {
  find_variable "$1"
  eval "given=\${$variable+given}"
  [ -n "$given" ] || set_option "$@"
}

# Sets the option in word $1, whose value may be word $2. Sets $taken to the number of words that it used.
parse_option() {
  option=${1#--}
  option=${option%%=*}
  [ "$option" != queue ] || option=partition
  find_kind "$option" || usage_error "unknown option '${1%%=*}'"
  taken=1
  case $kind:$1 in
  flag:*=*) usage_error "--$option takes no value" ;;
  flag:*)
    find_variable "$option"
    eval "$variable=yes"
    ;;
  *:*=*) set_option "$option" "${1#*=}" "--$option" ;;
  *)
    [ $# -gt 1 ] || usage_error "--$option needs a value"
    set_option "$option" "$2" "--$option"
    taken=2
    ;;
  esac
}

parse_options() {
  for option in $flag_options; do
    find_variable "$option"
    eval "$variable=''"
  done
  while [ $# -gt 0 ]; do
    case $1 in
    -h) set -- --help ;;
    --?*) ;;
    *) usage_error "'$1' is not an option" ;;
    esac
    parse_option "$@"
    shift "$taken"
  done
}

options_of_environment() {
  for pair in $option_variables; do
    option=${pair%=*} variable=${pair#*=}
    eval "value=\${$variable-}"
    [ -z "$value" ] || default_option "$option" "$value" "$variable"
  done
}

# Reads lines `option = value`; the value is the literal text to the end of the line.
options_of_file() {
  number=0
  while read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    case $line in
    '' | '#'*) continue ;;
    esac
    option=$(printf '%s\n' "${line%%=*}" | tr -d '[:blank:]')
    value=$(printf '%s\n' "${line#*=}" | sed 's/^[[:blank:]]*//')
    find_kind "$option" || kind=none
    case $kind:$line in
    none:* | flag:*) ;;
    *=*)
      default_option "$option" "$value" "$1:$number: $option"
      continue
      ;;
    esac
    usage_error "$1:$number: expected OPTION = VALUE with an option that takes a value, not '$line'"
  done <"$1"
}

# Writes, for every option that has a value, a call that sets it. --output is not among them, as the folder may be moved.
print_options() {
  for option in $value_options; do
    [ "$option" != output ] || continue
    find_variable "$option"
    eval "given=\${$variable+given}; value=\${$variable-}"
    [ -z "$given" ] || say "default_option $option $(quote "$value") settings"
  done
}
