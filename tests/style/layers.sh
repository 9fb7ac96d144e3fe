#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checks which file in src/ may use which other, by includes and by symbols, without dependency cycles. Usage: layers.sh
# SOURCE_ROOT [ARCHIVE...]
set -eu
build=$PWD
cd "$1"
. tests/tap.sh
shift
export LC_ALL=C

# The files (patterns of the shell, without src/) and what they may use beside themselves, the first row
# that fits; `api`: what public headers declare. In facts/ the role of a file is what its name begins with.
rules() {
  cat <<'END'
core/*                core/*
stats/*               core/* stats/*
machine/*             core/* stats/* machine/*
sim/*                 core/* stats/* machine/machine.* machine/network.* machine/order.* machine/samples.* machine/slots.* sim/* api
sample/*              core/* stats/* machine/* sample/*
profile/*             core/* stats/* profile/*
map/*                 core/* stats/* profile/* map/*
place/*               core/* profile/* map/nodes/* place/*
advice/*              core/* profile/* place/* advice/* api
export/*              core/* machine/* export/* api
facts/*/benchmark*    core/* stats/* machine/* sample/* facts/*/benchmark*
facts/*/detect*       core/* stats/* facts/*/detect*
facts/*/raw*          core/* stats/* facts/*/raw*
facts/*/stage*        core/* stats/* machine/* sample/* profile/* facts/* run/*
facts/*/report*       cli/report/* core/cache.* core/human.* api
facts/*               core/* stats/* machine/* sample/* profile/* facts/* run/*
run/*                 core/* stats/* machine/* sim/* sample/* profile/* run/* facts/facts.* facts/network.* facts/speed.*
cli/*                 cli/* facts/*/report* core/cache.* core/error.* core/file.* core/grow.* core/human.* core/memory_stream.* core/ranges.* core/text.* core/names.* core/units.* api
comm/*                core/* machine/* comm/* api
mpi/*                 core/* stats/* machine/* sim/* sample/* profile/* facts/* run/* cli/* mpi/*
END
}

# Every #include of the C files under the folders given, as "FILE NAME", with its <> or "".
includes() {
  find "$@" -name '*.[ch]' -exec awk '
    /^[ \t]*#[ \t]*include[ \t]*[<"]/ { sub(/^[^<"]*/, ""); print FILENAME, $1 }
  ' {} +
}

# "FILE USED" of src/, both without src/: what is included from there, by full name or beside the file.
include_edges() {
  (cd src && includes .) | sed 's,^\./,,' | while read -r file name; do
    name=${name#\"}
    name=${name%\"}
    for used in "$name" "${file%/*}/$name"; do
      if [ -f "src/$used" ]; then
        printf '%s %s\n' "$file" "$used"
        break
      fi
    done
  done
}

# The same, of files whose objects need what another one's define.
symbol_edges() {
  [ $# -eq 0 ] || {
    (cd src && find . -name '*.c') | sed 's,^\./,,'
    for archive; do nm -A "$build/$archive"; done
  } | awk '
    # The source of an object, by its name in the folder of the archive.
    function source_of(archive, object) {
      sub(/^.*\/src\//, "", archive)
      sub(/[^\/]*$/, "", archive)
      sub(/^.*\//, "", object)
      sub(/\.o$/, "", object)
      while (sub(/^\.\._/, "", object)) sub(/[^\/]*\/$/, "", archive)
      gsub(/\//, "_", archive)
      return source[archive object]
    }
    !/ / { name = $1; gsub("/", "_", name); source[name] = $1; next }
    {
      split($1, part, ":")
      file = source_of(part[1], part[2])
      if (!file) next
      if ($(NF - 1) == "U") needs[file " " $NF]
      else if ($(NF - 1) ~ /^[A-Z]$/) definer[$NF] = file
    }
    END {
      for (need in needs) {
        split(need, part, " ")
        if (part[2] in definer && definer[part[2]] != part[1])
          print part[1], definer[part[2]], part[2] ~ /^servet_/ ? "api" : ""
      }
    }'
}

# Selects the edges that no rule allows.
forbidden() {
  rules_text=$(rules) awk '
    function glob(pattern) {
      gsub(/\./, "\\.", pattern)
      gsub(/\*/, ".*", pattern)
      return "^" pattern "$"
    }
    BEGIN {
      count = split(ENVIRON["rules_text"], row, "\n")
      for (i = 1; i <= count; i++) {
        words[i] = split(row[i], word, " ")
        for (j = 1; j <= words[i]; j++) {
          word_of[i, j] = word[j]
          pattern[i, j] = glob(word[j])
        }
      }
    }
    {
      for (i = 1; i <= count && $1 !~ pattern[i, 1]; i++) {}
      for (j = 2; i <= count && j <= words[i]; j++)
        if ($2 ~ pattern[i, j] || ($3 && $3 == word_of[i, j])) next
      print $1 " uses " $2
    }'
}

# Selects the edges that lie on a circle; a file and its header are one.
circles() {
  awk '
    { sub(/\.[ch]$/, "", $1); sub(/\.[ch]$/, "", $2) }
    $1 != $2 { edge[$1 " " $2] }
    # A file that uses no other, or that no other uses, is in no cycle.
    function trim(   gone, uses, used, e, part) {
      do {
        gone = 0
        split("", uses)
        split("", used)
        for (e in edge) { split(e, part, " "); uses[part[1]]; used[part[2]] }
        for (e in edge) {
          split(e, part, " ")
          if (!(part[2] in uses) || !(part[1] in used)) { delete edge[e]; gone = 1 }
        }
      } while (gone)
    }
    # Is true if `goal` is used by `from`, directly or not.
    function leads(from, goal,   todo, count, seen, i, e, part) {
      todo[count = 1] = from
      for (i = 1; i <= count; i++)
        for (e in after) {
          split(e, part, " ")
          if (part[1] == todo[i] && !(part[2] in seen)) { seen[part[2]]; todo[++count] = part[2] }
        }
      return goal in seen
    }
    END {
      trim()
      for (e in edge) after[e]
      for (e in edge) { split(e, part, " "); if (leads(part[2], part[1])) print e }
    }' | sort
}

# Selects the edges between folders. In facts/ and run/ roles of files decide who may use whom, and profile/ is one
# component in many folders.
between_folders() {
  grep -vE '(^| )(facts|run|profile)/' | awk '{
    sub(/\/[^\/]*$/, "", $1)
    sub(/\/[^\/]*$/, "", $2)
    if ($1 != $2) print $1, $2
  }'
}

# includers HEADER FOLDER...: files that include <HEADER> outside these folders of src/.
includers() {
  header=$1
  shift
  includes src include fortran | while read -r file name; do
    case $name in "<$header>" | "\"$header\"") ;; *) continue ;; esac
    for folder in "$@"; do
      # shellcheck disable=SC2254 # a pattern it is
      case $file in src/$folder/*) continue 2 ;; esac
    done
    printf '%s includes %s\n' "$file" "$name"
  done
}

by_symbols=$(symbol_edges "$@")
edges=$(
  include_edges
  printf '%s\n' "$by_symbols"
)
[ $# -eq 0 ] || ok "the archives say which object needs which" [ -n "$by_symbols" ]
clean "a file uses only what its folder and role may" "$(printf '%s\n' "$edges" | forbidden | sort -u)"
clean "there are no dependency cycles of files" "$(printf '%s\n' "$edges" | circles)"
clean "there are no dependency cycles of folders" "$(printf '%s\n' "$edges" | between_folders | circles)"
clean "public headers include only public and standard ones" "$(
  includes include | grep '"' | grep -v '"servet/' || :
)"
clean "MPI stays in src/machine/ranks and src/comm" "$(
  includers mpi.h machine/ranks comm | grep -v '^include/servet/mpi.h ' || :
  includers servet/mpi.h comm
)"
clean "hwloc stays in src/machine/hardware and src/export" "$(includers hwloc.h machine/hardware export)"
clean "jansson stays with the formats and the programs" "$(includers jansson.h core/json profile cli mpi)"
clean "the pure files read no clock and start no thread" "$(
  for header in time.h sys/time.h pthread.h threads.h; do
    includers "$header" machine run profile cli | grep -v '^src/\(facts/[a-z0-9]*/\(benchmark\|stage\)\)' || :
  done
)"

# Statements of programs that print a part of a value by a format of printf(), as "FILE LINE": what is not known would be
# "nan", and what is large would have all its digits. Data for gnuplot has nine of them.
unclean_numbers() {
  find src/cli src/mpi src/advice src/facts -name '*.c' -exec awk '
    FNR == 1 { text = "" }
    { text = text $0 }
    /[;}{]$/ {
      gsub(/HUMAN\([^;]*, [0-9]\)/, "", text)
      if (text ~ /"[^"]*%[-.0-9*]*[efg]/ && text ~ /[.>](value|low|high)[^_a-z]/ && text ~ /printf|add_line|add_note|html_text|SRV_SAY|SRV_WHY/)
        print FILENAME, FNR
      text = ""
    }' {} + | grep -v -e '^src/cli/plot/draw_gnuplot\.c ' -e '^src/facts/[a-z0-9]*/\(stage\|detect\|raw\|benchmark\)' || :
}
clean "numbers of facts are printed by core/human.c" "$(unclean_numbers)"

# Calls in src/ that open a file to read it, as "FILE LINE", in other files than core/text.c and those that read what only
# the kernel writes, sync a folder, go through folders, or check the owner of the default profile.
openers() {
  find src -name '*.c' -exec awk '
    /(^|[^a-z_])(fopen|freopen|open|openat) *\(/ { call = ""; going = 1 }
    going { call = call $0 }
    going && /;/ {
      if (call ~ /fopen *\([^;]*"r|freopen *\(|O_RDONLY|O_RDWR/) print FILENAME, FNR
      going = 0
    }' {} + | grep -v -e '^src/core/\(text\|file\|host\|quota\)\.c ' \
    -e '^src/machine/hardware/\(absence\|arena\|core_noise\|foreign\|memory\|topology\)\.c ' \
    -e '^src/machine/ranks/\(client\|rank_location\)\.c ' \
    -e '^src/cli/output/\(at_work\|series\)\.c ' -e '^src/profile/file/lookup\.c ' || :
}
clean "files of users are opened by core/text.c" "$(openers)"
clean "the host's name is that of srv_host_name(), which is clean" "$(
  grep -rlE 'nodename|gethostname' src | grep -v -e '^src/core/\(host\|file\)\.c$' -e '^src/cli/\(output\|commands/gather\)' || :
)"
done_testing
