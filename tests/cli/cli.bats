#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Exit statuses, one-line errors, operands, and the keys of `servet get`; commands.bats has what holds for every
# command.

load common

setup() {
  private_home
}

@test "a message stays one line whatever the word holds" {
  servet $'two\nlines\e[31m'
  fails 2 "*two?lines?*"
}

@test "a full output device is a failure" {
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

@test "a full output device is the reason, whatever else fails after it and whatever is printed" {
  [ -c /dev/full ] || skip "no /dev/full here"
  for words in 'measure --machines' "get --all --json $(of_this_node node)"; do
    # shellcheck disable=SC2086
    run bash -c '"$SERVET" "$@" 2>&1 >/dev/full' full $words
    [ "$status" -eq 1 ]
    [ "$output" = "servet: cannot write to standard output: No space left on device" ]
  done
}

@test "too many operands are a usage error" {
  local command
  for command in show get check diff; do
    servet "$command" a b c
    fails 2 "*unexpected '?'*"
  done
}

@test "a size beyond the largest integer is refused" {
  local size
  for size in 1e300T 1e308K inf nan -1 1KB ''; do
    servet measure --max-bytes="$size"
    fails 2 "*--max-bytes must be whole bytes such as *, not '$size'"
  done
}

@test "every word after -- is an operand" {
  servet show -- --help
  fails 1 "*--help*"
}

@test "as an output file, - is standard output; an output folder of this name is refused" {
  local together words
  together=$(of_this_node together)
  cd "$BATS_TEST_TMPDIR" || return 1
  for words in report 'plot memory --format svg' 'export --format reframe' merge 'map -n 2'; do
    # shellcheck disable=SC2086
    servet $words "$together"
    [ "$status" -eq 0 ]
    [ -n "$output" ]
    local without=$output
    # shellcheck disable=SC2086
    servet $words -o - "$together"
    [ "$status" -eq 0 ]
    [ "$output" = "$without" ]
  done
  servet measure --machine dunnington -o -
  fails 2 "servet: --output must be a name (./- *"
  [ ! -e - ]
}

@test "--option=value is --option value" {
  servet measure --pages=none
  fails 2 "*none*"
  local attached=${stderr:?}
  servet measure --pages none
  fails 2 "*none*"
  [ "$stderr" = "$attached" ]
}

known_keys() {
  "$SERVET" get --keys | cut -d ' ' -f 1
}

@test "the man page lists the keys of get" {
  [ "$(known_keys | wc -l)" -ge 10 ]
  same "$(known_keys)" "$(sed -n 's/^\*\([a-z].*\)\*$/\1/p' "$SOURCE_ROOT/share/man/servet-keys.7.scd")"
}

@test "the completion offers only known keys" {
  local offered
  offered=$(completions "$SERVET" get '' | sed 's/\.[0-9]*\./.N./g; s/\.[0-9]*\./.N./g; s/\.[0-9]*$/.N/' | sort -u)
  [ -n "$offered" ]
  [ -z "$(comm -23 <(printf '%s\n' "$offered") <(known_keys | tr M N | sort -u))" ]
}

@test "help names the range of each option that takes a number" {
  local command
  for command in $(commands); do
    servet "$command" --help
    ! grep -E -e "--[a-z-]+ (N|S|R|T|SIZE|BYTES) " <<<"$output" | grep -vE -e "--pages|\[[0-9].* to [0-9].*\]" || return 1
  done
  servet measure --votes 65
  fails 2 "*--votes must be a whole number from 1 to 64*"
}
