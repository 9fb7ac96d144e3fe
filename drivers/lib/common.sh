# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Messages and quoting.

say() {
  printf '%s\n' "$*"
}

# A sed script that replaces, in UTF-8, control characters (U+0080 to U+009F), separators of lines, and characters that
# change the direction of text.
# shellcheck disable=SC2059 # numbers of characters
obeyed=$(printf "s/\302[\200-\237]/?/g; s/\330\234/?/g; s/\342\200[\216\217\250-\256]/?/g; s/\342\201[\246-\251]/?/g")

# Replaces by '?' every character on stdin that a terminal would obey, except for ends of lines.
harmless() {
  LC_ALL=C tr '\001-\011\013-\037\177' '?' | LC_ALL=C sed "$obeyed"
}

# Prints its words as one line that is safe for a terminal: texts of programs and users may contain any character.
one_line() {
  case $* in
  *[!' '-~]*) { printf '%s' "$*" | tr '\n' '?' && say; } | harmless ;;
  *) say "$*" ;;
  esac
}

note() {
  printf 'servet: servet-job: %s\n' "$(one_line "$*")" >&2
}

die() {
  note "$*"
  exit 1
}

usage_error() {
  note "$* (see --help)"
  exit 2
}

have() {
  command -v "$1" >/dev/null 2>&1
}

# Reads lines "NODE STATE" and prints the number of nodes in each state, such as " (1 drained, 2 inval)"; without lines,
# nothing.
count_states() {
  awk '{ count[$2]++ } END { for (state in count) print count[state], state }' | sort -k 2 |
    awk '{ printf "%s%s", (NR > 1 ? ", " : " ("), $0 } END { if (NR) print ")" }'
}

# Quotes its argument as one shell word.
quote() {
  case $1 in
  *\'*) printf '%s\n' "$1" | sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/'/" ;;
  *) printf "'%s'\n" "$1" ;;
  esac
}

# Prints its arguments, separated by blanks, and quotes those that need it.
quote_words() {
  separator=''
  for word; do
    case $word in
    '' | *[!A-Za-z0-9_./=,:@%+-]*) word=$(quote "$word") ;;
    esac
    printf '%s%s' "$separator" "$word"
    separator=' '
  done
}

# Writes the output of a command to file $1, completely or not at all. The command must not be a function that writes in
# several steps: shells ignore `set -e` before `||`, so that a failed step would be missing in the file.
write_file() {
  written=$1
  shift
  set +e
  text=$(set -e && "$@")
  status=$?
  set -e
  [ "$status" -eq 0 ] || die "cannot write $written: its text cannot be composed (status $status)"
  reason=$({ say "$text" >"$written.new" && mv -f -- "$written.new" "$written"; } 2>&1) || {
    discard "$written.new"
    die "cannot write $written: $(of_tool "${written%/*}" "$reason")"
  }
}

move() {
  reason=$(mv -f -- "$1" "$2" 2>&1) || die "cannot move $1: $(of_tool "${2%/*}" "$reason")"
}

# Removes files and folders that must not stay.
remove() {
  for remnant; do
    { [ ! -e "$remnant" ] && [ ! -L "$remnant" ]; } || reason=$(rm -rf -- "$remnant" 2>&1) ||
      die "cannot remove $remnant: $(of_tool "${remnant%/*}" "$reason")"
  done
}

# Removes files and folders if that is possible. Those that stay do no harm, and a later call removes them.
discard() {
  rm -rf -- "$@" 2>/dev/null || :
}

# A zombie has ended, although its status was not read; some containers never read it.
is_zombie() {
  grep -q '^State:[[:blank:]]*Z' "/proc/$1/status" 2>/dev/null
}

# Removes remnants of killed processes of this host: $1.PROCESS, $1.PROCESS.new and $1.PROCESS.old. The name of another
# host may begin with the name of this host and a dot. A container that has the host's name but not its process numbers
# finds the processes of the host dead, and its work then makes theirs fail (share/doc/dev/decisions.md).
sweep_dead() {
  for remnant in "$1".*; do
    process=${remnant#"$1".}
    process=${process%.new}
    process=${process%.old}
    case $process in
    '' | *[!0-9]*) continue ;;
    esac
    if is_zombie "$process" || ! { kill -0 "$process" 2>/dev/null || [ -d "/proc/$process" ]; }; then
      discard "$remnant"
    fi
  done
}

# Prints the reason at the end of a tool's message $2, or else the reason why folder $1 cannot be written. dash prints
# 'I/O error' for each write that fails, even on a full disk; tools print 'Input/output error'.
of_tool() {
  tool_said=${2##*: }
  case $tool_said in
  '' | 'No space left on device' | 'I/O error') why_not "$1" ;;
  *) say "$tool_said" ;;
  esac
}

# Prints the reason why folder $1 cannot be written.
why_not() {
  if [ ! -d "$1" ]; then
    say "the folder does not exist"
  elif [ ! -w "$1" ]; then
    say "the folder is not writable"
  else
    say "is the disk full? $(df -P -- "$1" 2>/dev/null | awk 'NR == 2 { print $4 " KiB are free on " $6 }')"
  fi
}
