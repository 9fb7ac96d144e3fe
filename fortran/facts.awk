# SPDX-License-Identifier: BSD-3-Clause
# Runs after queries.awk and headers.awk. Writes two modules: servet_facts has the Fortran types of the C
# structs, servet_conversions has the functions that convert C structs to these types.
#
#   C                   Fortran
#   int, long long      integer, integer(c_long_long)
#   double, bool        real(c_double), logical
#   enum                character(len=servet_word_max), the name of the number
#   const char *        character(len=:), allocatable
#   char [N]            character(len=N)
#   servet_value        type(servet_value), and so on
#   int [N], double [N] arrays of these

BEGIN {
  # Values that are neither 0, unknown nor empty before anything was queried.
  initial["servet_numa", "number"] = initial["servet_accelerator", "node"] = initial["servet_place", "core"] = "-1"
  initial["servet_map_cost", "limit"] = "servet_limit_none"
}

END {
  for (i = 1; i <= structs; i++)
    if (struct[i] in public_type && !(struct[i] in by_hand))
      made[++mades] = struct[i]

  opening("servet_facts", "What queries return, as Fortran types. A variable that nothing was read into " \
    "holds unknown values, empty texts and zeros.")
  for (i = 1; i <= mades; i++)
    print "  public :: " made[i]
  for (i = 1; i <= mades; i++)
    derived(made[i])
  print "\nend module servet_facts"

  opening("servet_conversions", "From what C fills in to what Fortran programs see. Not part of the " \
    "Fortran interface, which is the module servet.")
  print "  public"
  print "\ncontains"
  for (i = 1; i <= mades; i++) {
    conversion("to", "raw", "fact", made[i])
    if (made[i] in given)
      conversion("from", "fact", "raw", made[i])
  }
  print "\nend module servet_conversions"
}

function opening(module, about)
{
  print "! SPDX-License-Identifier: BSD-3-Clause"
  print "!"
  put_comment("", "Made from the C headers: change those. " about)
  print "module " module
  print "  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_long_long"
  print "  use servet_constants"
  print "  use servet_values"
  if (module == "servet_conversions")
    print "  use servet_facts\n  use servet_raw\n  use servet_text"
  print "  implicit none"
  if (module == "servet_facts")
    print "  private\n"
}

function derived(id,   i)
{
  print ""
  put_comment("  ", in_fortran(about[id]))
  print "  type :: " id
  for (i = 1; i <= parts[id]; i++)
    component(id, i)
  print "  end type " id
}

function component(id, i,   text, said)
{
  text = "    " type_of(id, i) initial_of(id, i)
  said = in_fortran(about[id, i])
  if (form[type[id, i]] == "enum")
    said = said (said == "" ? "" : "; ") "one of " tolower(words[type[id, i]]) "*"
  if (said != "" && length(text) <= 49 && length(said) <= 48) {
    printf "%-50s ! %s\n", text, said
    return
  }
  put_comment("    ", said)
  put(text)
}

function type_of(id, i,   base, called)
{
  base = type[id, i]
  called = " :: " name[id, i]
  if (base == "char" && stars[id, i] == "*")
    return "character(len=:), allocatable" called
  if (stars[id, i] != "")
    cannot(id, i)
  if (base == "char")
    return "character(len=" tolower(room[id, i]) ")" called
  if (room[id, i])
    called = called "(" tolower(room[id, i]) ")"
  if (form[base] == "enum")
    return "character(len=servet_word_max)" called
  if (form[base] == "struct" && base in public_type && !room[id, i])
    return "type(" base ")" called
  if (!(base in fortran_kind))
    cannot(id, i)
  return fortran_kind[base] called
}

function cannot(id, i)
{
  fail(id "." name[id, i] " follows no rule of facts.awk: convert the struct in servet_values.f90", where[id])
}

function initial_of(id, i)
{
  if ((id, name[id, i]) in initial)
    return " = " initial[id, name[id, i]]
  return stars[id, i] != "" || form[type[id, i]] == "struct" ? "" : " = " nothing(type[id, i])
}

# Function to_X(raw) or from_X(fact), or subroutine to_X(raw, fact, code).
function conversion(direction, from, to, id,   i, source, head, target)
{
  source = "    type(" (from == "raw" ? "raw_" fortran_name(id) : id) "), intent(in) :: " from
  target = "type(" (to == "raw" ? "raw_" fortran_name(id) : id) ")"
  head = direction "_" fortran_name(id)
  if (to == "fact" && has_texts(id)) {
    print "\n  subroutine " head "(raw, fact, code)\n" source
    print "    " target ", intent(inout) :: fact\n    integer, intent(inout) :: code\n"
    head = "subroutine " head
  } else {
    print "\n  function " head "(" from ") result(" to ")\n" source
    print "    " target " :: " to "\n"
    head = "function " head
  }
  for (i = 1; i <= parts[id]; i++)
    put("    " (to == "raw" ? "raw%" name[id, i] " = " given_to_c(id, i, "fact%" name[id, i]) : told(id, i)))
  print "  end " head
}

# The statement that fills in a component from the value of C.
function told(id, i,   names)
{
  names = "(raw%" name[id, i] ", fact%" name[id, i]
  if (type[id, i] == "char")
    return stars[id, i] ? "call new_text" names ", code)" : "call copy_text" names ")"
  if (form[type[id, i]] == "struct" && has_texts(type[id, i]))
    cannot(id, i)
  return "fact%" name[id, i] " = " converted(id, i, "raw%" name[id, i])
}
