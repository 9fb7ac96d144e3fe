# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Messages and quoting.

say() {
  printf '%s\n' "$*"
}

note() {
  printf 'servet: servet-job: %s\n' "$*" >&2
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

# Quotes its argument as one shell word.
quote() {
  case $1 in
  *\'*) printf '%s\n' "$1" | sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/'/" ;;
  *) printf "'%s'\n" "$1" ;;
  esac
}

# Quotes each argument that needs it; separated by blanks.
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

# Writes the output of a command to file $1, completely or not at all.
write_file() {
  written=$1
  shift
  reason=$({ "$@" >"$written.new" && mv -f -- "$written.new" "$written"; } 2>&1) || {
    rm -f -- "$written.new"
    die "cannot write $written: $(of_tool "${written%/*}" "$reason")"
  }
}

move() {
  reason=$(mv -f -- "$1" "$2" 2>&1) || die "cannot move $1: $(of_tool "${2%/*}" "$reason")"
}

# Removes what processes of this host that were killed left as $1.PROCESS, or with .new or .old behind it. The name of
# another host may begin with that of this one and a dot. A container that has the host's name, but not its PIDs, takes
# those of processes outside for killed: their work fails for it (share/doc/decisions.md).
sweep_dead() {
  for remnant in "$1".*; do
    process=${remnant#"$1".}
    process=${process%.new}
    process=${process%.old}
    case $process in
    '' | *[!0-9]*) continue ;;
    esac
    kill -0 "$process" 2>/dev/null || [ -d "/proc/$process" ] || rm -rf -- "$remnant"
  done
}

# The reason that a tool printed last, after the names; else why folder $1 cannot be written. 'I/O error' is what dash
# says of each write that fails, a full disk included; tools say 'Input/output error'.
of_tool() {
  tool_said=${2##*: }
  case $tool_said in
  '' | 'No space left on device' | 'I/O error') why_not "$1" ;;
  *) say "$tool_said" ;;
  esac
}

# The reason why folder $1 cannot be written.
why_not() {
  if [ ! -d "$1" ]; then
    say "the folder does not exist"
  elif [ ! -w "$1" ]; then
    say "the folder is not writable"
  else
    say "is the disk full? $(df -P -- "$1" 2>/dev/null | awk 'NR == 2 { print $4 " KiB are free on " $6 }')"
  fi
}
