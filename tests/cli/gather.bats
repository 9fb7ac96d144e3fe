#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# servet gather: what it takes along, and whose names it leaves behind.

load common

# A run of a recorded machine, as ada may have made it on her node.
setup() {
  private_home
  cd "$BATS_TEST_TMPDIR" || return 1
  mkdir -p out/raw
  cp "$SOURCE_ROOT"/tests/data/machines/zen4-guest/m1/* out/raw
  rm out/raw/answers-c* out/raw/answers-[dls]* out/raw/answers-memory.txt
  sed -i -e '/^run/s,%$,--machine%20/home/ada/secret.json%20--votes%203,' \
    -e '/^describe/s,node1,lovelace-7.analytical.org,' \
    -e '/^describe/s,% %$,arch=x86_64%20cpu=AuthenticAMD/25/17/1%20model=AMD_Ryzen_7_w/_Graphics%20pus=2 %,' out/raw/answers-machine.txt
  "$SERVET" analyze out --json >profile.json 2>/dev/null
  mv profile.json out
  echo "# of $(hostname) by $(id -un)" >>out/raw/sharing-L3.csv
  echo 'a diary' >out/raw/diary.txt
}

# packs FROM [AS]: packs a folder, and unpacks the archive into folder AS (report).
packs() {
  servet gather "$1" -o report.tar
  [ "$status" -eq 0 ]
  rm -rf "${2-report}"
  mkdir "${2-report}"
  tar -C "${2-report}" -xf report.tar
}

# nobody FOLDER: nothing in it says who or where.
nobody() {
  [ -z "$(grep -riE 'ada|lovelace|analytical|secret|/home' "$1")" ]
  [ -z "$(grep -rwF -e "$(hostname)" -e "$(id -un)" "$1")" ]
}

@test "profile and series are gathered without names and paths" {
  grep -q lovelace out/profile.json
  grep -q /home/ada out/profile.json
  USER=ada packs out
  [[ $output == "report.tar: "*" files"*"replaced:"*"hosts and users ("*"paths ("* ]]
  nobody report
  grep -q '"node1"' report/profile.json
  grep -q -e '--machine PATH --votes 3' report/profile.json
  grep -q 'cpu=AuthenticAMD/25/17/1 model=AMD_Ryzen_7_w/_Graphics ' report/profile.json # the fingerprint is whole
  [ ! -e report/raw/diary.txt ]
  for file in cache-all-lines distance sharing-L1; do
    cmp "out/raw/$file.csv" "report/raw/$file.csv"
  done
}

@test "a gathered profile has the same values and no names" {
  packs out
  servet show report
  [ "$status" -eq 0 ]
  servet analyze report --json
  [ "$status" -eq 0 ]
  [ "$output" == "$(sed -e 's/lovelace-7.analytical.org/node1/' -e 's,/home/ada/secret.json,PATH,' out/profile.json)" ]
}

@test "a folder of series alone is accepted" {
  packs out/raw
  nobody report
  [ ! -e report/profile.json ]
  cmp out/raw/distance.csv report/raw/distance.csv
}

@test "the network of a job is gathered, with nodes that only its recording names" {
  mkdir -p job/raw
  cp "$SOURCE_ROOT"/tests/data/machines/ring-of-hosts/m1/* job/raw
  servet analyze job --json
  local then=$output
  sed -i -e '/^hosts/s/node\([0-9]\)/lovelace-\1.analytical.org/g' -e 's/^describe 0 = 1 node1/describe 0 = 1 lovelace-1.analytical.org/' \
    -e 's, --only, --output%20/home/ada/x%20--only,' job/raw/answers-network-1.txt
  sed 's/lovelace-/ada-/g' job/raw/answers-network-1.txt >job/raw/answers-network-2.txt
  grep -q 'ada-3.analytical.*' job/raw/answers-network-2.txt
  grep -q lovelace-6 job/raw/answers-network-1.txt
  packs job
  nobody report
  for file in layers access; do
    cmp "job/raw/answers-network-1-$file.txt" "report/raw/answers-network-1-$file.txt"
  done
  rm report/raw/answers-network-2.txt
  servet analyze report --json
  [ "$status" -eq 0 ]
  [ "$(sed 's/--output PATH //' <<<"$output")" == "$then" ]
}

@test "names are replaced by words, members of objects keep their names" {
  sed -i -e 's/lovelace-7.analytical.org/cores/' out/profile.json out/raw/answers-machine.txt
  packs out
  servet show report
  [ "$status" -eq 0 ]
  grep -q '"hostname": "node1"' report/profile.json
}

@test "an empty folder is refused" {
  mkdir empty
  servet gather empty -o other.tar
  fails 1 "servet: empty: the folder contains no measurement"
  [ ! -e other.tar ]
  servet gather out
  fails 2 "*gather*-o*"
}

@test "only an archive is written, and it replaces one" {
  local name before
  before=$(md5sum out/raw/answers-machine.txt)
  for name in - report out/raw/answers-machine.txt; do
    servet gather out -o "$name"
    fails 2 "*gather needs -o FILE.tar, a name that ends in .tar*"
    [ ! -e report ]
  done
  [ "$(md5sum out/raw/answers-machine.txt)" = "$before" ]
  echo old >report.tar
  servet gather out -o report.tar
  [ "$status" -eq 0 ]
  tar -tf report.tar | grep -q answers-machine.txt
}

@test "an archive that cannot be completed is removed" {
  rm out/raw/sharing-L3.csv
  ln -s nowhere out/raw/sharing-L3.csv
  servet gather out -o report.tar
  fails 1 "servet: out/raw/sharing-L3.csv: cannot open: No such file or directory"
  [ ! -e report.tar ]
}

# refuses FILE: gather says in a moment that it does not pack this one, and packs nothing.
refuses() {
  in_time 10 gather out -o report.tar
  fails 1 "servet: out/$1"
  [ ! -e report.tar ]
}

@test "only files of the folder that are series are packed" {
  echo 'root:x:0:0:root:/root:/bin/sh' >secret
  ln -s ../../secret out/raw/answers-zz.txt
  refuses 'raw/answers-zz.txt: a link that leads out of its folder*'
  ln -f secret out/raw/answers-zz.txt
  refuses 'raw/answers-zz.txt:1: this is no line of a recording*'
  mv out/raw/answers-zz.txt out/raw/cache-zz.csv
  refuses 'raw/cache-zz.csv:1: this is no row of a series*'
  printf 'bytes,ns\n\0secret\n' >out/raw/cache-zz.csv
  refuses 'raw/cache-zz.csv:2: not a text file'
  rm out/raw/cache-zz.csv
  local name
  for name in answers-zz.txt answers-network-1.txt cache-zz.csv; do
    mkfifo "out/raw/$name"
    refuses "raw/$name: not a regular file"
    ln -sf /dev/zero "out/raw/$name"
    refuses "raw/$name: not a regular file"
    rm "out/raw/$name"
  done
  mv out/raw/distance.csv out/raw/distance.txt
  ln -s distance.txt out/raw/distance.csv # stays within the folder
  packs out
  mv out/profile.json .
  ln -s ../profile.json out/profile.json
  rm report.tar
  refuses 'profile.json: a link that leads out of its folder*'
}

@test "names of files hold no names of hosts" {
  mv out/raw/cache-all-lines.csv out/raw/cache-lovelace-7.analytical.org-lines.csv
  mv out/raw/cache-all-pages.csv out/raw/cache-lovelace-7-pages.csv
  packs out
  [ -z "$(find report | grep -e lovelace -e analytical)" ]
  cmp out/raw/cache-lovelace-7.analytical.org-lines.csv report/raw/cache-node1-lines.csv
  cmp out/raw/cache-lovelace-7-pages.csv report/raw/cache-node1-pages.csv
}

@test "remnants of a killed gather are removed by the next one" {
  echo half >"report.tar.$(uname -n).4711-0"
  packs out
  [ -z "$(find . -name '*4711*')" ]
}
