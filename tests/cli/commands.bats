#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Rules for every program with commands: parser, help, manual page and completion agree. SERVET may be any of these
# programs.

load common

setup() {
  private_home
  name=${SERVET##*/}
  page=$SOURCE_ROOT/share/man/$name.1.scd
}

@test "no arguments is a usage error" {
  servet
  fails 2 "*--help*"
}

@test "--version prints name and version" {
  servet --version
  [ "$status" -eq 0 ]
  [[ $output =~ ^$name\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
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

@test "the man page and the completion have all commands" {
  [ "$(commands | wc -l)" -ge 1 ]
  same "$(commands)" "$(sed -n '/^# COMMANDS/,/^# /s/^## //p' "$page")"
  same "$(commands)" "$(completions "$SERVET" '' | grep -v '^-')"
}

# Options of command $1 in the man page: the bold words at the start of the entries of its section.
man_options() {
  awk -v command="$1" '
    /^#/ { on = $0 == "## " command }
    on && /^\*-/ { while (match($0, /\*--[a-z0-9-]+\*/)) {
      print substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH) } }
  ' "$page"
}

@test "the man page has the options of each command" {
  local command
  for command in $(commands); do
    same "$(options "$command" | grep -vx -e --help)" "$(man_options "$command")"
  done
}

@test "the completion has the options of each command" {
  local command
  for command in $(commands); do
    same "$(options "$command")" "$(completions "$SERVET" "$command" --)"
  done
}

@test "each command accepts --help and -h at any place and prints its usage" {
  local command
  for command in $(commands); do
    servet "$command" --help
    [ "$status" -eq 0 ]
    [[ $output == "usage: $name $command"* ]]
    servet "$command" -h
    [ "$status" -eq 0 ]
    [[ $output == "usage: $name $command"* ]]
  done
}

@test "an unknown command is a usage error that names it" {
  servet mesure
  fails 2 "*'mesure'*"
}

@test "each command refuses an unknown option, names it and refers to --help" {
  local command
  for command in $(commands); do
    servet "$command" --no-such-option
    fails 2 "*--no-such-option*$name $command --help*"
    servet "$command" -Z
    fails 2 "*-Z*"
  done
}

# Options of command $1 that take a value (or, with "flag", that take none).
options_with() {
  "$SERVET" "$1" --help | if [ "${2-}" = flag ]; then
    sed -n 's/^  .\{4\}\(--[a-z0-9-]*\)   *[^ ].*/\1/p' | grep -v '^--help$'
  else
    sed -n 's/^  .\{4\}\(--[a-z0-9-]*\) [^ ].*/\1/p'
  fi
}

@test "an option without its value, or with one it does not take, is a usage error" {
  local command option count=0
  for command in $(commands); do
    for option in $(options_with "$command"); do
      servet "$command" "$option"
      fails 2 "*$option needs *"
      servet "$command" "$option="
      fails 2 "*$option must be *, not ''"
      count=$((count + 1))
    done
    for option in $(options_with "$command" flag); do
      servet "$command" "$option=yes"
      fails 2 "*$option takes no value*"
      count=$((count + 1))
    done
  done
  [ "$count" -ge 5 ]
}

# Completions of zsh and fish after the words given: the first is the program, the last is being typed. They are those
# of bash.
in_zsh() {
  zsh -fc 'compdef() { :; }
    _files() { print -r -- FILES; }
    _describe() { local one; for one in "${(@P)4}"; do print -r -- "${one%%:*}"; done; }
    completion=$1; shift; words=("$@"); CURRENT=$#; . $completion' - "$SOURCE_ROOT/share/completions/_servet" "$@" |
    grep -e "^${*: -1}"
}

in_fish() {
  local program=$1 line
  shift
  printf -v line ' %s' "$@"
  PATH=$(dirname "$program"):$PATH XDG_CONFIG_HOME=$HOME/fish fish --no-config -c \
    'source $argv[1]; complete -C "$argv[2]"' "$SOURCE_ROOT/share/completions/servet.fish" "$name$line" | cut -f 1
}

# like_bash FUNCTION: for commands and all options of each, and for the values of some.
like_bash() {
  local command
  same "$("$1" "$SERVET" '')" "$(completions "$SERVET" '')"
  for command in $(commands); do
    same "$("$1" "$SERVET" "$command" --)" "$(completions "$SERVET" "$command" --)"
  done
  same "$("$1" "$SERVET" measure --only '')" "$(completions "$SERVET" measure --only '')"
  [ "$(completions "$SERVET" measure --only '' | wc -l)" -ge 6 ]
}

@test "zsh completes as bash does" {
  command -v zsh >/dev/null || skip 'no zsh here'
  like_bash in_zsh
}

@test "fish completes as bash does" {
  command -v fish >/dev/null || skip 'no fish here'
  like_bash in_fish
}

@test "each option that takes one of some words lists them in its help, and the completion offers these" {
  local command option word
  for command in $(commands); do
    for option in $("$SERVET" "$command" --help | sed -n 's/^  .*\(--[a-z0-9-]*\) \(NAME\|KIND\|FORMAT\|CLASS\|ORDER\) .*: .* (default.*/\1/p'); do
      for word in $(completions "$SERVET" "$command" "$option" ''); do
        "$SERVET" "$command" --help | grep -e "$option " | grep -qw -e "$word"
      done
      [ -n "$(completions "$SERVET" "$command" "$option" '')" ]
    done
  done
}

@test "the completion runs no command that is the name of a file" {
  local command
  local name='$(touch${IFS}ran)'
  mkdir "$BATS_TEST_TMPDIR/here"
  cd "$BATS_TEST_TMPDIR/here" || return 1
  mkdir "$name"
  for command in $(commands); do
    completions "$SERVET" "$command" '' >/dev/null 2>&1
  done
  [ "$(ls)" = "$name" ]
}
