#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The frame that all commands share: usage, help, exit statuses, one-line errors.

load common

setup() {
  private_home
}

@test "no arguments is a usage error" {
  servet
  fails 2 "*--help*"
}

@test "--version prints name and version" {
  servet --version
  [ "$status" -eq 0 ]
  [[ $output =~ ^servet\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
}

@test "--help and -h are the same and go to stdout" {
  servet --help
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  local long=$output
  servet -h
  [ "$status" -eq 0 ]
  [ "$output" = "$long" ]
}

@test "an unknown command is a usage error that names it" {
  servet mesure
  fails 2 "*'mesure'*"
}

@test "a message stays one line whatever the word holds" {
  servet $'two\nlines\e[31m'
  fails 2 "*two?lines?*"
}

@test "an output that takes nothing is a failure" {
  [ -c /dev/full ] || skip "no /dev/full here"
  run bash -c '"$SERVET" --help 2>&1 >/dev/full'
  [ "$status" -eq 1 ]
  [ "${#lines[@]}" -eq 1 ]
  [[ $output == "servet: "* ]]
  run bash -c '"$SERVET" --version 2>&1 >&-'
  [ "$status" -eq 1 ]
  [ "${#lines[@]}" -eq 1 ]
  [[ $output == "servet: "* ]]
}

# --- the same for every command -------------------------------------------------------------------

# Options of command $1 in the man page: the bold words at the start of the entries of its section.
man_options() {
  awk -v command="$1" '
    /^#/ { on = $0 == "## " command }
    on && /^\*-/ { while (match($0, /\*--[a-z-]+\*/)) {
      print substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH) } }
  ' "$SOURCE_ROOT/share/man/servet.1.scd"
}

known_keys() {
  "$SERVET" get --keys | cut -d ' ' -f 1
}

# What bash offers after the words given, the last of them being begun.
completions() {
  bash -c '. "$0" && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && _servet && printf "%s\n" "${COMPREPLY[@]}"' \
    "$SOURCE_ROOT/share/completions/servet" "$@"
}

same() {
  diff <(sort -u <<<"$1") <(sort -u <<<"$2")
}

@test "the commands are those of the man page and of the completion" {
  [ "$(commands | wc -l)" -ge 5 ]
  same "$(commands)" "$(sed -n '/^# COMMANDS/,/^# KEYS/s/^## //p' "$SOURCE_ROOT/share/man/servet.1.scd")"
  same "$(commands)" "$(completions "$SERVET" '' | grep -v '^-')"
}

@test "the options of each command are those of the man page" {
  local command
  for command in $(commands); do
    same "$(options "$command" | grep -vx -e --help)" "$(man_options "$command")"
  done
}

@test "the options of each command are those of the completion" {
  local command
  for command in $(commands); do
    same "$(options "$command")" "$(completions "$SERVET" "$command" --)"
  done
}

@test "each command has --help and -h, with its usage, wherever they stand" {
  local command
  for command in $(commands); do
    servet "$command" --help
    [ "$status" -eq 0 ]
    [[ $output == "usage: servet $command"* ]]
    servet "$command" -h
    [ "$status" -eq 0 ]
    [[ $output == "usage: servet $command"* ]]
  done
}

@test "each command refuses an unknown option and names it" {
  local command
  for command in $(commands); do
    servet "$command" --no-such-option
    fails 2 "*--no-such-option*"
    servet "$command" -Z
    fails 2 "*-Z*"
  done
}

# Options of command $1 that take a value (or, with "flag", that take none).
options_with() {
  "$SERVET" "$1" --help | if [ "${2-}" = flag ]; then
    sed -n 's/^  .\{4\}\(--[a-z-]*\)   *[^ ].*/\1/p' | grep -v '^--help$'
  else
    sed -n 's/^  .\{4\}\(--[a-z-]*\) [^ ].*/\1/p'
  fi
}

@test "an option without its value, or with one it does not take, is a usage error" {
  local command option count=0
  for command in $(commands); do
    for option in $(options_with "$command"); do
      servet "$command" "$option"
      fails 2 "*$option needs *"
      servet "$command" "$option="
      fails 2 "*$option: '' is not *"
      count=$((count + 1))
    done
    for option in $(options_with "$command" flag); do
      servet "$command" "$option=yes"
      fails 2 "*$option takes no value*"
      count=$((count + 1))
    done
  done
  [ "$count" -ge 10 ]
}

@test "too many operands are a usage error" {
  local command
  for command in show get check; do
    servet "$command" a b c
    fails 2 "*unexpected '?'*"
  done
}

@test "a size beyond all numbers is none" {
  local size
  for size in 1e300T 1e308K inf nan -1 1KB ''; do
    servet measure --max-bytes="$size"
    fails 2 "*--max-bytes: '$size' is not a size*"
  done
}

@test "after -- everything is an operand" {
  servet show -- --help
  fails 1 "*--help*"
}

@test "--option=value is --option value" {
  servet measure --pages=none
  fails 2 "*none*"
  local attached=$stderr
  servet measure --pages none
  fails 2 "*none*"
  [ "$stderr" = "$attached" ]
}

@test "the keys of get are those of the man page" {
  [ "$(known_keys | wc -l)" -ge 10 ]
  same "$(known_keys)" "$(sed -n '/^# KEYS/,/^# FILES/s/^\*\([a-z].*\)\*$/\1/p' "$SOURCE_ROOT/share/man/servet.1.scd" |
    sed 's/\*, \*/\n/g')"
}

@test "the keys that the completion offers are known ones" {
  local key
  for key in $(completions "$SERVET" get ''); do
    known_keys | tr M N | grep -qx -e "${key//[0-9]/N}"
  done
}
