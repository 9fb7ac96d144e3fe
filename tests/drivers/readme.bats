#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The examples of README.md compile against an installation as they stand there, with the commands
# that stand there, and find the library without LD_LIBRARY_PATH.
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
  [[ $output == "no profile: "* ]]
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
