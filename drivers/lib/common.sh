# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Words to people, and quoting.

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

# Its argument as one word of a shell, whatever is in it.
quote() {
  printf '%s\n' "$1" | sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/'/"
}

# Each argument so, if it needs it; with blanks between.
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

# Writes what a command prints to file $1 as a whole, or not at all.
write_file() {
  written=$1
  shift
  if { "$@" >"$written.new"; } 2>/dev/null && mv -f -- "$written.new" "$written"; then
    return 0
  fi
  rm -f -- "$written.new"
  die "cannot write $written: $(why_not "${written%/*}")"
}

# Why nothing can be written into folder $1.
why_not() {
  if [ ! -d "$1" ]; then
    say "the folder does not exist"
  elif [ ! -w "$1" ]; then
    say "the folder is not writable"
  else
    say "is the disk full? $(df -P -- "$1" 2>/dev/null | awk 'NR == 2 { print $4 " KiB are free on " $6 }')"
  fi
}
