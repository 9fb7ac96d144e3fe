#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# `servet measure --machine`: which models there are, where they are looked for, and files that are
# none.

load common

setup() {
  private_home
  unset SERVET_MODELS
  cd "$BATS_TEST_TMPDIR" || return 1
}

# The smallest model, with one word replaced by another where two are given.
model() {
  sed "s/${1-@}/${2-}/" <<'JSON'
{
  "model": 1,
  "about": "As little as a model can say",
  "cores": 1, "clock_ghz": 1,
  "caches": [{"level": 1, "bytes": "32K", "ways": 8, "latency_cycles": 4}],
  "memory": {"bytes": "1G", "latency_ns": 80, "core_bytes_per_second": 1e9}
}
JSON
}

shipped() {
  find "$SOURCE_ROOT/share/models" -name '*.json' -printf '%f\n' | sed 's/\.json$//' | sort
}

# The names on stdout.
names() {
  cut -d ' ' -f 1 <<<"$output"
}

@test "a program in the build tree finds the models" {
  servet measure --machine nobody -o out
  fails 1 "servet: no model 'nobody'; 'servet measure --machines' lists the models"
}

@test "a user's folder of models is searched first" {
  export SERVET_MODELS=$BATS_TEST_TMPDIR/models
  mkdir models
  model >models/dempsey.json
  model >models/mine.json
  servet measure --machine dempsey --only cache --max-bytes 256K -q -o out
  [ "$status" -eq 0 ]
  servet get caches.1.bytes out
  [ "$output" = 32768 ]
  servet measure --machines
  [ "$(names)" = "dempsey"$'\n'"mine"$'\n'"$(shipped | grep -vx dempsey)" ]
}

@test "--machines lists all models with their descriptions" {
  servet measure --machines
  [ "$status" -eq 0 ]
  [ "$(names)" = "$(shipped)" ]
  [[ $output == *"dunnington "*"Four six-core Intel Xeon E7450"* ]]
  [ "$(grep -c '^[a-z0-9-]*  *[A-Z].*' <<<"$output")" -eq "$(shipped | wc -l)" ]
}

@test "--machines reports the error in a bad file" {
  export SERVET_MODELS=$BATS_TEST_TMPDIR/models
  mkdir models
  model '"cores": 1' '"cores": 0.5' >models/bad.json
  model >models/zen4-server.json
  servet measure --machines
  [ "$status" -eq 0 ]
  [[ $output == "bad  "*"models/bad.json:4: cores: "*$'\nzen4-server  '*"As little as a model can say"$'\na64fx '* ]]
  [ "$(names | sort)" = "$( (shipped && echo bad) | sort)" ]
}

# Completions of bash for --machine $1.
offers() {
  bash -c '. "$0" && compopt() { :; } && COMP_WORDS=("$SERVET" measure --machine "$1") COMP_CWORD=3 && _servet &&
    printf "%s\n" "${COMPREPLY[@]}"' "$SOURCE_ROOT/share/completions/servet" "$1"
}

@test "the completion of --machine offers names and files" {
  mkdir here
  cd here || return 1
  model >den.json
  [ "$(offers '' | sort)" = "$( (shipped && echo den.json) | sort)" ]
  [ "$(offers de | sort)" = $'dempsey\nden.json' ]
}

# Completions of bash after these words of a command line; bash then quotes them as names of files.
offers_after() {
  bash -c 'compopt() { echo "compopt $*"; } && . "$0" && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && _servet &&
    printf "%s\n" "${COMPREPLY[@]}"' "$SOURCE_ROOT/share/completions/servet" "$SERVET" "$@"
}

@test "the completion runs no command that is the name of a model or a folder" {
  export SERVET_MODELS=$BATS_TEST_TMPDIR/models
  local name='$(touch${IFS}ran)'
  mkdir models here here/den "here/$name"
  model >"models/$name.json"
  cd here || return 1
  offers_after measure --machine '' | grep -qxF "$name"
  offers_after analyze '' | grep -qxF "$name"
  [ "$(offers_after analyze '' | head -n 1)" = 'compopt -o filenames' ]
  [ "$(offers_after analyze de)" = $'compopt -o filenames\nden' ]
  [ "$(ls)" = "$(printf '%s\n' "$name" den)" ]
}

@test "the message on a bad file names the line, the member and the value" {
  model '"32K"' 32768.5 >bad.json
  servet measure --machine bad.json -o out
  fails 1 'servet: bad.json:5: caches\[0\].bytes: 32768.5 is no whole number of bytes'
  model '"ways": 8' '"ways": 128, "replacement": "tree-plru"' >bad.json
  servet measure --machine bad.json -o out
  fails 1 'servet: bad.json:5: caches\[0\].ways: 128 ways, but tree-plru has at most 64'
  model '"32K"' '"256G"' >bad.json
  servet measure --machine bad.json -o out
  fails 1 'servet: bad.json:5: caches\[0\].bytes: 274877906944 bytes, not within 8 to 4294967296'
}

@test "a path that is not a file is refused at once, as a model and as a profile" {
  mkfifo pipe.json
  status=0
  timeout 60 "$SERVET" measure --machine pipe.json -o out 2>stderr || status=$?
  [ "$status" -eq 1 ]
  [ "$(cat stderr)" = 'servet: pipe.json: nothing came through this pipe' ]
  status=0
  timeout 60 "$SERVET" show pipe.json 2>stderr || status=$?
  [ "$status" -eq 1 ]
  [ "$(cat stderr)" = 'servet: pipe.json: nothing came through this pipe' ]
}
