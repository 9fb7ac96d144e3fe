# SPDX-License-Identifier: BSD-3-Clause
# Writes the Fortran module servet_constants from the public C headers, so that no number or word is
# typed twice:   awk -f constants.awk error.h value.h ... > servet_constants.f90
#
#   X(NAME, VALUE, "text")      a list with values: integer constant
#   X(NAME, "text")             a list of words:    character constant with the text
#   enum { NAME = VALUE, ... }; limits:             integer constants
#   #define NAME (VALUE)                            integer constant

BEGIN {
  word_max = 32
  print "! Generated from the C headers by constants.awk: do not edit."
  print "module servet_constants"
  print "  implicit none"
  print "  public"
  print ""
  integer("SERVET_WORD_MAX", word_max)
}

/^ +X\(SERVET_[A-Z0-9_]+, -?[0-9]+, "/ {
  split($0, part, /[(,)]/)
  integer(part[2], part[3] + 0)
  next
}

/^ +X\(SERVET_[A-Z0-9_]+, "/ {
  split($0, part, /[(,]/)
  split($0, quoted, "\"")
  word(part[2], quoted[2])
}

/^enum \{.*\};/ {
  count = split($0, part, /[{,}]/)
  for (i = 2; i < count; i++) {
    split(part[i], pair, "=")
    gsub(/ /, "", pair[1])
    integer(pair[1], pair[2] + 0)
  }
}

/^#define SERVET_[A-Z_]+ +\(-?[0-9]+\)/ {
  value = $3
  gsub(/[()]/, "", value)
  integer($2, value)
}

END {
  print "end module servet_constants"
  if (!integers || !words)
    fail("found no list of constants")
}

function integer(name, value)
{
  integers++
  printf "  integer, parameter :: %s = %d\n", tolower(name), value
}

function word(name, text)
{
  if (length(text) > word_max || text ~ /'/)
    fail(name ": the text does not fit a Fortran word")
  words++
  printf "  character(len=*), parameter :: %s = '%s'\n", tolower(name), text
}

function fail(text)
{
  print "constants.awk: " text > "/dev/stderr"
  exit 1
}
