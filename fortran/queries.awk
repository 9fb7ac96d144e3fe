# SPDX-License-Identifier: BSD-3-Clause
# Runs before headers.awk. Reads queries.txt, which comes after the headers.
#
#   queries, query[1..]           the C functions that are called
#   procedure_of[FUNCTION], saying[FUNCTION]    the procedure's name; the fact for its error message
#   special_code[FUNCTION], special_text[FUNCTION]    a code with its own message
#   row_of[FUNCTION]                 FILE:LINE
#   arguments[FUNCTION], argument[FUNCTION, i], optional[FUNCTION, i]
#   items, item[1..]                   structs whose comment names their list: List "network.slow_links"
#   public_type[STRUCT]                of which a type is made for Fortran, with a function to_X()
#   given[STRUCT]                      structs that C reads, which have a function from_X(), too

BEGIN {
  # Queries of placements are in servet_maps.f90.
  public_type["servet_map_cost"] = public_type["servet_map_idle"] = public_type["servet_map_weight"] = 1
  # These types are in servet_values.f90, which gives the reason.
  by_hand["servet_value"] = by_hand["servet_modes"] = 1
  fortran_kind["int"] = "integer"
  fortran_kind["long long"] = "integer(c_long_long)"
  fortran_kind["double"] = "real(c_double)"
  fortran_kind["bool"] = "logical"
  # Numbers that begin with 0 in C and with 1 in Fortran.
  from_1["index"] = from_1["node"] = from_1["from"] = from_1["to"] = 1
}

FILENAME ~ /queries\.txt$/ {
  place = FILENAME ":" FNR
  if (!/^(#|$)/)
    read_query()
  next
}

END {
  for (i = 1; i <= structs; i++)
    if (about[struct[i]] ~ /List "/)
      public_type[item[++items] = struct[i]] = 1
}

function read_query(   id, list, i, count, each)
{
  id = $1
  if (!match($0, / [a-z0-9_]+\([^)]*\)/) || !(id in prototype))
    fail("no query, or no function '" id "' in the headers before")
  query[++queries] = id
  row_of[id] = place
  procedure_of[id] = list = substr($0, RSTART + 1, RLENGTH - 2)
  saying[id] = tidy(substr($0, RSTART + RLENGTH))
  if (match(saying[id], / \| [a-z_]+: /)) {
    special_code[id] = substr(saying[id], RSTART + 3, RLENGTH - 5)
    special_text[id] = substr(saying[id], RSTART + RLENGTH)
    saying[id] = substr(saying[id], 1, RSTART - 1)
  }
  sub(/\(.*/, "", procedure_of[id])
  sub(/.*\(/, "", list)
  arguments[id] = count = split(list, each, /, */)
  for (i = 1; i <= count; i++) {
    optional[id, i] = sub(/\?$/, "", each[i])
    argument[id, i] = each[i]
  }
  for (i = 1; i <= parts[id]; i++)
    if (form[type[id, i]] == "struct" && !const[id, i] && type[id, i] != "servet_error") {
      public_type[type[id, i]] = 1
      if (stars[id, i] room[id, i] == "")
        given[type[id, i]] = 1
    }
}

# The initial value of a variable.
function nothing(base)
{
  if (base == "char" || form[base] == "enum")
    return "''"
  return base == "bool" ? ".false." : 0
}

# A result of C, converted for Fortran.
function converted(id, i, raw,   base)
{
  base = type[id, i]
  if (form[base] == "enum")
    return "f_word(raw_" fortran_name(namer[base]) "(" raw "))"
  if (form[base] == "struct")
    return "to_" fortran_name(base) "(" raw ")"
  return base == "int" ? "int(" raw ")" (name[id, i] in from_1 ? " + 1" : "") : raw
}

# True if a struct points to texts: to_X() is then a subroutine, which allocates.
function has_texts(id,   i)
{
  for (i = parts[id]; i > 0 && !(type[id, i] == "char" && stars[id, i]); i--)
    ;
  return i
}

# An argument of Fortran, converted for C.
function given_to_c(id, i, value,   base)
{
  base = type[id, i]
  if (form[base] == "enum")
    return "word_number(raw_" fortran_name(namer[base]) ", " value ")"
  if (form[base] == "struct")
    return "from_" fortran_name(base) "(" value ")"
  if (base == "bool")
    return "logical(" value ", c_bool)"
  return base == "int" ? "int(" value (name[id, i] in from_1 ? " - 1" : "") ", c_int)" : value
}

# The text of a C comment, in the words of Fortran.
function in_fortran(text,   out)
{
  gsub(/[.,;] [Oo]wned by the profile/, "", text)
  gsub(/ Both texts are owned by the profile\./, "", text)
  gsub(/NULL/, "''", text)
  gsub(/`\*/, "`", text)
  gsub(/at->core/, "core", text)
  gsub(/\(from 0\)/, "(from 1)", text)
  while (match(text, /SERVET_[A-Z0-9_]+|servet_[a-z0-9_]+\(\)/)) {
    out = out substr(text, 1, RSTART - 1) fortran_word(substr(text, RSTART, RLENGTH))
    text = substr(text, RSTART + RLENGTH)
  }
  return out text
}

# SERVET_ERANGE, servet_cache_get()
function fortran_word(word)
{
  if (sub(/\(\)$/, "", word))
    return public_name(word) "()"
  return tolower(word)
}

function public_name(word)
{
  sub(/^servet_(profile_)?/, "", word)
  sub(/_get$/, "", word)
  return word
}
