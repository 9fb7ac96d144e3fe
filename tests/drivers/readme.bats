#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The examples of README.md compile against an installation as they stand there, with the commands
# that stand there, and find the library without LD_LIBRARY_PATH. So do those of the guides, and the
# keys that these name exist.
#
# SOURCE_ROOT: the source tree. BUILD_ROOT: the build.

setup_file() {
  meson install -C "$BUILD_ROOT" --no-rebuild --destdir "$BATS_FILE_TMPDIR/root" >/dev/null
  export PKG_CONFIG_PATH
  PKG_CONFIG_PATH=$(dirname "$(find "$BATS_FILE_TMPDIR/root" -name servet.pc)")
  unset LD_LIBRARY_PATH
  export XDG_DATA_HOME=$BATS_FILE_TMPDIR/data
  mkdir -p "$XDG_DATA_HOME/servet"
  cd "$BATS_FILE_TMPDIR"
  # shellcheck disable=SC2046 # words
  ${CC:-cc} -Wall -Werror -o two_levels "$SOURCE_ROOT/tests/drivers/two_levels.c" \
    $(pkg-config --cflags --libs servet) "-Wl,-rpath,$(pkg-config --variable=libdir servet)"
  ./two_levels "$XDG_DATA_HOME/servet/profile.json"
}

setup() {
  unset SERVET_PROFILE
  cd "$BATS_TEST_TMPDIR"
}

# The code block of README.md in language $1.
block() {
  awk -v fence="\`\`\`$1" '$0 == fence { on = 1; next } /^```/ { on = 0 } on' "$SOURCE_ROOT/README.md"
}

# Code block number $2 in language $1 of the guide $3.
guide_block() {
  awk -v fence="\`\`\`$1" -v number="$2" \
    '$0 == fence { on = ++count == number; next } /^```/ { on = 0 } on' "$SOURCE_ROOT/share/doc/$3"
}

# The command of README.md that begins with $1.
command_line() {
  sed -n "s/^    \($1 .*\)/\1/p" "$SOURCE_ROOT/README.md"
}

# Three square blocks of doubles in 2 MiB: the largest side b with 3 * 8 * b * b <= 2097152 is 295.
@test "the C example of the README runs" {
  block c >block.c
  eval "$(command_line cc) -Wall -Werror"
  run ./block
  [ "$status" -eq 0 ]
  [ "$output" = "block 295" ]
  SERVET_PROFILE=/none run ./block
  [ "$status" -eq 1 ]
  [[ $output == *"/none"* ]]
}

@test "the Fortran example of the README runs" {
  command -v gfortran >/dev/null || skip "no gfortran here"
  pkg-config --exists servet-fortran || skip "built without Fortran"
  block fortran >block.f90
  eval "$(command_line gfortran) -Wall -Werror -Wno-missing-include-dirs"
  run ./block
  [ "$status" -eq 0 ]
  [ "$output" = "block 295" ]
  SERVET_PROFILE=/none run ./block
  [ "$status" -eq 1 ]
}

@test "the C program of the guide compiles, and says that there is no profile" {
  guide_block c 1 guide-c.md >program.c
  # shellcheck disable=SC2046 # words
  ${CC:-cc} -Wall -Wextra -Werror program.c $(pkg-config --cflags --libs servet) \
    "-Wl,-rpath,$(pkg-config --variable=libdir servet)" -o program
  run ./program
  [ "$status" -eq 0 ]
  SERVET_PROFILE=/none run ./program
  [ "$status" -eq 1 ]
}

@test "the Fortran programs of the guide compile, and run without a profile" {
  command -v gfortran >/dev/null || skip "no gfortran here"
  pkg-config --exists servet-fortran || skip "built without Fortran"
  for number in 1 2 3; do
    guide_block fortran "$number" guide-fortran.md >"program$number.f90"
    [ -s "program$number.f90" ]
    # shellcheck disable=SC2046 # words
    gfortran -Wall -Werror -Wno-missing-include-dirs -fopenmp "program$number.f90" \
      $(pkg-config --cflags --libs servet-fortran) \
      "-Wl,-rpath,$(pkg-config --variable=libdir servet)" -o "program$number"
  done
  run ./program1
  [[ $output == "L2: 2048. KiB"* ]]
  SERVET_PROFILE=/none run ./program2
  [[ $output == *"side of a block: 64"*"transposed: T" ]]
  SERVET_PROFILE=/none run ./program3
  [ "$status" -eq 0 ]
  [[ $output == "threads stay where the system puts them: "* ]]
}

# In commands (servet get OPTION... KEY) and between backticks.
keys_of_guides() {
  (
    cd "$SOURCE_ROOT/share/doc"
    sed -n 's/^ *servet get \([^#]*\).*/\1/p' guide-*.md tuning.md faq.md |
      grep -oE '[a-z_]+\.[A-Za-z0-9_.-]+'
    grep -ohE '`(coherence_line|(caches|memory|translation|distance|numa|layers|network|run)\.[._a-zA-Z0-9-]*)`' \
      guide-*.md tuning.md faq.md why-measure.md | tr -d '`'
  ) | sed 's/\.[NM]\./.1./g; s/\.[NM]\./.1./g; s/\.[NM]$/.1/; s/\.BYTES$/.1024/' | sort -u
}

@test "the guides name keys that exist" {
  [ "$(keys_of_guides | wc -l)" -gt 20 ]
  for key in $(keys_of_guides); do
    run "$BUILD_ROOT/servet" get "$key"
    [[ $output != *"unknown key"* ]] || {
      echo "$output"
      return 1
    }
  done
}

# The lines of the README, between those that each project has.
@test "the CMake lines of the README find the installation" {
  command -v cmake >/dev/null || skip "no cmake here"
  block c >block.c
  { echo 'cmake_minimum_required(VERSION 3.13)
project(block C)
add_executable(block block.c)'
    block cmake
    echo 'target_link_libraries(block PRIVATE m)'; } >CMakeLists.txt
  cmake -S . -B by_cmake -DCMAKE_PREFIX_PATH="$(pkg-config --variable=prefix servet)"
  cmake --build by_cmake
  run by_cmake/block
  [ "$output" = "block 295" ]
}

@test "the installation has the man page and the completion" {
  run find "$BATS_FILE_TMPDIR/root" -path '*/bash-completion/completions/servet'
  [ -n "$output" ]
  command -v scdoc >/dev/null || skip "no scdoc here"
  run find "$BATS_FILE_TMPDIR/root" -path '*/man1/servet.1'
  [ -n "$output" ]
}
