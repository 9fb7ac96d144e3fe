# SPDX-License-Identifier: BSD-3-Clause
# Turns the preprocessed public headers into a C program that prints what programs have compiled in:
#   struct NAME SIZE, and a line OFFSET DECLARATION for each member
#   enum NAME SIZE, and a line CONSTANT VALUE for each constant ("enum" alone: of no type)
#   function PROTOTYPE

BEGIN {
  print "/* SPDX-License-Identifier: BSD-3-Clause */\n/* Made by layouts.awk. */"
  print "#include <stddef.h>\n#include <stdio.h>\n"
  print "#include <servet/export.h>\n#include <servet/measure.h>\n#include <servet/servet.h>\n"
  print "int main(void)\n{"
  print "    if (sizeof(void *) != 8)\n        return 77;"
}

/^#/ { next }
{ read_line($0) }

END {
  print "    return 0;\n}"
}

# Statements end with a semicolon outside of all braces.
function read_line(line,   i, c)
{
  for (i = 1; i <= length(line); i++) {
    c = substr(line, i, 1)
    depth += (c == "{") - (c == "}")
    if (c == ";" && depth == 0) {
      statement(code)
      code = ""
    } else
      code = code c
  }
  code = code " "
}

function statement(code)
{
  gsub(/[ \t]+/, " ", code)
  gsub(/_Bool/, "bool", code)
  if (match(code, /typedef struct (servet|degr)_[a-z0-9_]+ \{/))
    structure(substr(code, RSTART))
  else if (match(code, /(typedef )?enum (servet_[a-z0-9_]+ )?\{ *SERVET_/))
    enumeration(substr(code, RSTART))
  else if (sub(/^.*__attribute__ ?\(\(visibility\("default"\)\)\) /, "", code)) {
    gsub(/"/, "\\\"", code)
    print "    puts(\"function " code "\");"
  }
}

function structure(code,   name, piece, count, i)
{
  split(code, piece, " ")
  name = piece[3]
  print "    printf(\"struct " name " %zu\\n\", sizeof(" name "));"
  sub(/^[^{]*\{/, "", code)
  sub(/\}[^}]*$/, "", code)
  count = split(code, piece, ";")
  for (i = 1; i <= count; i++)
    if (piece[i] !~ /^ *$/)
      members(name, trimmed(piece[i]))
}

# "int requests_low, requests_high" are two; a pointer to a function has commas of its own.
function members(name, text,   piece, count, i, base)
{
  if (text ~ /\(/) {
    match(text, /\(\*[a-z0-9_]+\)/)
    member(name, substr(text, RSTART + 2, RLENGTH - 3), text)
    return
  }
  count = split(text, piece, / *, */)
  base = piece[1]
  sub(/[ *]*[a-z0-9_]+(\[[^]]*\])?$/, "", base)
  for (i = 1; i <= count; i++)
    member(name, bare(piece[i]), i == 1 ? piece[1] : base " " piece[i])
}

# "const char *cores" is called "cores".
function bare(text)
{
  sub(/\[[^]]*\]$/, "", text)
  match(text, /[a-z0-9_]+$/)
  return substr(text, RSTART)
}

function member(name, id, text)
{
  print "    printf(\"  %zu " text "\\n\", offsetof(" name ", " id "));"
}

function enumeration(code,   name, piece, count, i)
{
  name = ""
  if (match(code, /enum servet_[a-z0-9_]+/))
    name = substr(code, RSTART, RLENGTH)
  print name == "" ? "    puts(\"enum\");" : "    printf(\"" name " %zu\\n\", sizeof(" name "));"
  sub(/^[^{]*\{/, "", code)
  sub(/\}[^}]*$/, "", code)
  count = split(code, piece, ",")
  for (i = 1; i <= count; i++) {
    sub(/=.*/, "", piece[i])
    name = trimmed(piece[i])
    if (name != "")
      print "    printf(\"  " name " %d\\n\", (int)" name ");"
  }
}

function trimmed(text)
{
  gsub(/^ +| +$/, "", text)
  return text
}
