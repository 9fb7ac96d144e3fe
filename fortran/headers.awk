# SPDX-License-Identifier: BSD-3-Clause
# Reads the public C headers, from which all Fortran interfaces are generated, for the script that follows:
#   awk -f headers.awk -f raw.awk error.h value.h ... > servet_raw.f90
# A header comes after the headers whose types it uses. A declaration that cannot be read, or has a
# type that is not declared, stops the script with FILE:LINE. The result:
#
#   structs, struct[1..]         names of structs, and of functions, in their order
#   routines, routine[1..]
#   about[NAME], where[NAME]     the comment above the declaration; its FILE:LINE
#   parts[NAME]                  members of a struct, parameters of a function; part i has
#     name[NAME, i], about[NAME, i], and a type as below
#   type[NAME]                   what a function returns: "int", "servet_cache", ...
#     stars[NAME], const[NAME]     "*" or "**" for pointers; whether the target is constant
#     room[NAME, i]                "8" of `int x[8]`, " " of `int x[]`, "" of no array
#   prototype[NAME]              the declaration of a function
#   form[TYPE]                   "number", "void", "enum", "struct" or "opaque"
#   number_kind(TYPE)            how Fortran sees it: "integer(c_int)"; raw_zero() of that: "0"
#   namer[ENUM], words[ENUM]     the function that returns the name of a number; the prefix of the
#                                names, such as "SERVET_UNIT_"

BEGIN {
  c_kind["int"] = c_kind["MPI_Fint"] = "integer(c_int)"
  c_kind["size_t"] = "integer(c_size_t)"
  c_kind["uint64_t"] = "integer(c_int64_t)"
  c_kind["long long"] = "integer(c_long_long)"
  c_kind["double"] = "real(c_double)"
  c_kind["bool"] = "logical(c_bool)"
  c_kind["char"] = "character(kind=c_char)"
  for (i in c_kind)
    form[i] = "number"
  form["void"] = "void"
  form["FILE"] = form["MPI_Comm"] = "opaque"
}

FNR == 1 {
  if (plain(code) != "")
    fail("'" plain(code) "' has no end")
  file = FILENAME
  sub(/.*\//, "", file)
  code = ""
}

# Skips preprocessor lines, their continuations, and lines for C++ only.
macro || (!commented && /^#/) {
  if (/^#define/)
    list = substr($2, 1, index($2, "(") - 1)
  if (match($0, /X\(SERVET_[A-Z0-9_]+/))
    prefix[list] = common(prefix[list], substr($0, RSTART + 2, RLENGTH - 2))
  macro = /\\$/
  next
}
!commented && /^(extern "C" \{|\})$/ {
  next
}

{
  if (plain(code) == "")
    place = FILENAME ":" FNR
  code = code " " uncommented($0)
  if (code ~ /; *$/ && balanced(code)) {
    declaration(code)
    code = ""
  }
}

END {
  if (!failed && plain(code) != "")
    fail("'" plain(code) "' has no end")
  if (failed)
    exit 1
}

# The common prefix of two names, up to an underscore.
function common(a, b,   i)
{
  if (a == "")
    return b
  while (i < length(a) && substr(a, i + 1, 1) == substr(b, i + 1, 1))
    i++
  a = substr(a, 1, i)
  sub(/[^_]*$/, "", a)
  return a
}

# --- comments: "@3 " stands for the third comment, "@3< " if it describes the code before it ---------

function uncommented(text,   code, at)
{
  if (commented) {
    sub(/^ *\*( |$)/, "", text)
    if (text ~ /^(- |$)/)
      text = "\n" text
  }
  for (;;) {
    if (commented) {
      at = index(text, "*/")
      comment = comment " " (at ? substr(text, 1, at - 1) : text)
      if (!at)
        return code
      commented = 0
      code = code mark(comment)
      text = substr(text, at + 2)
    }
    at = index(text, "/*")
    if (!at)
      return code text
    code = code substr(text, 1, at - 1)
    text = substr(text, at + 2)
    comment = ""
    commented = 1
  }
}

function mark(comment,   back)
{
  if (comment !~ /^ \*/)
    return ""
  back = comment ~ /^ \*</
  sub(/^ \*<?/, "", comment)
  remark[++remarks] = tidy(comment)
  return " @" remarks (back ? "<" : "") " "
}

function plain(code)
{
  gsub(/@[0-9]+<? /, "", code)
  return tidy(code)
}

function tidy(text)
{
  gsub(/ +/, " ", text)
  gsub(/ ?\n[ \n]*/, "\n", text)
  gsub(/^[ \n]+|[ \n]+$/, "", text)
  return text
}

function balanced(code)
{
  return gsub(/\{/, "", code) == gsub(/\}/, "", code)
}

# The text of the comment that the last mark in the code stands for.
function comment_of(code)
{
  if (!match(code, /@[0-9]+ [^@]*$/))
    return ""
  return remark[substr(code, RSTART + 1) + 0]
}

# --- declarations ----------------------------------------------------------------------------------

function declaration(code,   text, word, comment)
{
  text = plain(code)
  split(text, word, /[ ;{]+/)
  comment = match(code, /^[ @0-9]*@[0-9]+ /) ? comment_of(substr(code, 1, RLENGTH)) : ""
  if (text ~ /^typedef struct [a-z0-9_]+ [a-z0-9_]+;$/)
    form[word[3]] = "opaque"
  else if (text ~ /^typedef struct [a-z0-9_]+ \{/)
    read_struct(word[3], code, comment)
  else if (text ~ /^typedef enum [a-z0-9_]+ \{/) {
    form[word[3]] = "enum"
    words[word[3]] = prefix[substr(word[4], 1, index(word[4], "(") - 1)]
  }
  else if (text ~ /^SERVET_API [^(]*\([^()]*\);$/)
    read_function(text, comment)
  else if (text !~ /^enum |^_?[sS]tatic_assert\(|^typedef char servet_no_/)
    fail("cannot read '" text "'")
}

function read_struct(owner, code, comment,   piece, count, i, head, first)
{
  struct[++structs] = owner
  known(owner, comment)
  sub(/^[^{]*\{/, "", code)
  sub(/\}[^}]*$/, "", code)
  count = split(code, piece, ";")
  for (i = 1; i <= count; i++) {
    while (match(piece[i], /^ *@[0-9]+< /)) {
      head = substr(piece[i], RSTART, RLENGTH)
      about[owner, first] = remark[substr(head, index(head, "@") + 1) + 0]
      piece[i] = substr(piece[i], RLENGTH + 1)
    }
    if (plain(piece[i]) == "")
      continue
    first = parts[owner] + 1
    about[owner, first] = comment_of(piece[i])
    members(owner, plain(piece[i]))
  }
  form[owner] = "struct"
}

# "int requests_low, requests_high": the first one has the comment of both.
function members(owner, text,   piece, count, i, base)
{
  count = split(text, piece, /, */)
  base = piece[1]
  sub(/[ *]*[^ *]+$/, " ", base)
  for (i = 1; i <= count; i++)
    part(owner, i == 1 ? piece[1] : base piece[i])
}

function read_function(text, comment,   open, head, piece, count, i, id)
{
  sub(/^SERVET_API /, "", text)
  open = index(text, "(")
  head = substr(text, 1, open - 1)
  match(head, /[a-z0-9_]+$/)
  id = substr(head, RSTART)
  routine[++routines] = id
  known(id, comment)
  prototype[id] = text
  typed(id, substr(head, 1, RSTART - 1))
  text = substr(text, open + 1)
  sub(/\);$/, "", text)
  count = text == "void" ? 0 : split(text, piece, /, */)
  for (i = 1; i <= count; i++)
    part(id, piece[i])
  if (count == 1 && form[type[id, 1]] == "enum" && type[id] == "char")
    namer[type[id, 1]] = id
}

function known(id, comment)
{
  about[id] = comment
  where[id] = place
  header[id] = file
  parts[id] = 0
}

# "const char *key", "servet_place places[]", "char os[SERVET_NAME_MAX]"
function part(owner, text,   i, size)
{
  i = ++parts[owner]
  size = ""
  if (match(text, /\[[^]]*\]$/)) {
    size = substr(text, RSTART + 1, RLENGTH - 2)
    if (size == "")
      size = " "
    text = substr(text, 1, RSTART - 1)
  }
  room[owner, i] = size
  if (!match(text, /[a-z0-9_]+$/))
    fail("cannot read '" text "'")
  name[owner, i] = substr(text, RSTART)
  typed(owner SUBSEP i, substr(text, 1, RSTART - 1))
}

function typed(id, text)
{
  const[id] = text ~ /^const /
  gsub(/const /, "", text)
  stars[id] = text
  gsub(/[^*]/, "", stars[id])
  gsub(/ *\** *$/, "", text)
  if (!(text in form))
    fail("type '" text "' is not known here")
  type[id] = text
}

# --- for the scripts that follow -------------------------------------------------------------------

# `at` is FILE:LINE; by default the beginning of the current declaration.
function fail(text, at)
{
  print (at == "" ? place : at) ": " text > "/dev/stderr"
  failed = 1
  exit 1
}

# Prints a line of Fortran, broken at blanks where it is too long.
function put(text)
{
  broken(text, " &", "    ", 99)
}

# Prints the paragraphs of a comment, broken likewise.
function put_comment(indent, text,   count, paragraph, i)
{
  count = split(text, paragraph, "\n")
  for (i = 1; i <= count; i++)
    broken(indent "!" (paragraph[i] == "" ? "" : " ") paragraph[i], "", "! ", 99)
}

function broken(text, end, begin, most,   indent, at)
{
  match(text, /^ */)
  indent = substr(text, 1, RLENGTH)
  while (length(text) > most) {
    at = most - length(end)
    while (substr(text, at, 1) != " ")
      at--
    print substr(text, 1, at - 1) end
    text = indent begin substr(text, at + 1)
  }
  print text
}

function number_kind(type)
{
  return c_kind[form[type] == "enum" ? "int" : type]
}

function raw_zero(kind)
{
  if (kind ~ /c_ptr/)
    return "c_null_ptr"
  return kind ~ /char/ ? "c_null_char" : kind ~ /bool/ ? ".false." : 0
}

function fortran_name(id)
{
  sub(/^servet_/, "", id)
  return id
}
