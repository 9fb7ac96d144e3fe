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
