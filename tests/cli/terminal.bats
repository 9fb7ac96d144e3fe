#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Nothing that a terminal obeys comes from a file's name, a host's name or a model's: each command of the help
# is called with hostile ones.

load common

setup() {
  private_home
  cd "$BATS_TEST_TMPDIR" || return 1
  # A control character, one of C1, one that turns the direction of text, and a line of its own.
  hostile=$(printf 'a\033[2J\302\233\342\200\256\nrank')
  profile=$SOURCE_ROOT/tests/data/profiles/together.json
}

# clean WORD...: neither stdout nor stderr of the command has such a character, or a line that begins with "rank".
clean() {
  "$@" >printed 2>&1 </dev/null || :
  ! LC_ALL=C grep -q -e "$(printf '\033')" -e "$(printf '\302\233')" -e "$(printf '\342\200\256')" -e '^rank' printed || {
    cat -v printed
    return 1
  }
}

# Arguments of command $1, each of which takes file $2.
arguments() {
  case $1 in
  analyze) printf '%s\n' '' cache layers ;;
  get) printf '%s\n' --all caches.1.bytes ;;
  plot) "$SERVET" plot | sed -n 's/^\([a-z][a-z-]*\) .*/\1/p' ;;
  diff) printf '%s\n' "$profile" "--json $profile" ;;
  map) echo '--processes 2' ;;
  export) echo '--topology pack:2' ;;
  gather) echo '-o packed.tar' ;;
  merge) echo "-o merged $profile" ;;
  measure) echo '--machine' ;;
  *) echo ;;
  esac
}

@test "names of files" {
  local command words
  cp "$profile" "$hostile"
  for command in $(commands); do
    while read -r words; do
      # shellcheck disable=SC2086 # words
      clean "$SERVET" "$command" $words "$hostile"
      # shellcheck disable=SC2086
      clean "$SERVET" "$command" $words "no$hostile"
    done < <(arguments "$command")
  done
}

@test "names of models" {
  mkdir models
  cp "$SOURCE_ROOT/tests/cli/tiny.json" "models/$hostile.json"
  SERVET_MODELS=$PWD/models clean "$SERVET" measure --machines
  grep -q 'Two cores' printed
}

@test "the name of the host and words of a command cannot control the terminal" {
  unshare --uts true 2>/dev/null || skip 'no host can be named here'
  local command words
  for command in check show get report; do
    while read -r words; do
      # shellcheck disable=SC2016,SC2086 # of the inner shell; words
      clean unshare --uts sh -c 'printf %s "$0" >/proc/sys/kernel/hostname && exec "$@"' "${hostile%$'\n'*}" \
        "$SERVET" "$command" $words "$profile"
    done < <(arguments "$command")
  done
  clean "$SERVET" "$hostile"
  clean "$SERVET" show "--$hostile"
  clean "$SERVET" get "$hostile" "$profile"
  clean "$SERVET" map --processes 2 --nodes "$hostile" "$profile"
}
