# SPDX-License-Identifier: BSD-3-Clause
# Runs after headers.awk. Writes the Fortran interfaces of structs and functions, each below its C name
# or declaration: without -v only=HEADER, module servet_raw for all headers; with it, module
# servet_raw_comm for that header, which uses the types of servet_raw.
#
#   C                            component                  argument
#   int, enum, double, bool, ..  integer(c_int), ..         the same, by value
#   int *, double *              type(c_ptr)                integer(c_int), .., intent(inout)
#   const int *, const double *  type(c_ptr)                type(c_ptr): many of them, or NULL
#   char [N]                     character(kind=c_char)
#   char *                                                  array to be written into
#   const char *                 type(c_ptr)                array that a null character ends
#   servet_cache                 type(raw_cache)            type(raw_cache), by value
#   servet_cache *               type(c_ptr)                type(raw_cache); in, or inout if not const
#   T x[]                                                   array of T
#   any other pointer            type(c_ptr)                type(c_ptr); T ** is inout
#
# All components are initialized to zero. A function that returns a text and changes nothing is pure, so
# that a specification expression can compute the length of a result.

END {
  print "! SPDX-License-Identifier: BSD-3-Clause"
  print "!"
  put_comment("", "Made from the C headers: change those. Not part of the Fortran interface, which is " \
    "the module servet.")
  print "module servet_raw" (only ? "_comm" : "")
  print "  use, intrinsic :: iso_c_binding"
  print "  use " (only ? "servet_raw" : "servet_constants")
  print "  implicit none"
  print "  public"
  for (i = 1; i <= structs && !only; i++)
    derived(struct[i])
  print "\n  interface"
  for (i = 1; i <= routines; i++)
    if ((!only || header[routine[i]] == only) && !unbound(routine[i]))
      bound(routine[i])
  print "\n  end interface"
  print "\nend module servet_raw" (only ? "_comm" : "")
}

function derived(id,   i)
{
  print "\n  ! struct " id
  print "  type, bind(c) :: raw_" fortran_name(id)
  for (i = 1; i <= parts[id]; i++)
    component(id, i)
  print "  end type raw_" fortran_name(id)
}

function component(id, i,   what)
{
  what = value_type(id SUBSEP i)
  put("    " what " :: " name[id, i] (room[id, i] ? "(" tolower(room[id, i]) ")" : "") \
    (what ~ /^type\(raw/ ? "" : " = " raw_zero(what)))
}

# Type of a component, or of the result of a function.
function value_type(id)
{
  if (stars[id] != "")
    return "type(c_ptr)"
  return form[type[id]] == "struct" ? "type(raw_" fortran_name(type[id]) ")" : number_kind(type[id])
}

# Fortran has no MPI_Comm: a function that takes one has a twin that takes the handle of Fortran.
function unbound(id,   i)
{
  for (i = 1; i <= parts[id]; i++)
    if (type[id, i] == "MPI_Comm")
      return 1
  return 0
}

function bound(id,   i, what, list, result)
{
  print ""
  put_comment("    ", prototype[id])
  what = form[type[id]] == "void" && stars[id] == "" ? "subroutine" : "function"
  for (i = 1; i <= parts[id]; i++)
    list = list (i > 1 ? ", " : "") name[id, i]
  result = what == "function" ? " result(returned)" : ""
  put("    " (pure(id) ? "pure " : "") what " raw_" fortran_name(id) "(" list ") " \
    "bind(c, name='" id "')" result)
  print "      import"
  for (i = 1; i <= parts[id]; i++)
    put("      " argument_type(id SUBSEP i) " :: " name[id, i] argument_room(id SUBSEP i))
  if (result)
    print "      " value_type(id) " :: returned"
  print "    end " what " raw_" fortran_name(id)
}

function argument_type(id)
{
  if (stars[id] == "" && !room[id])
    return value_type(id) ", intent(in), value"
  if (stars[id] == "**")
    return "type(c_ptr), intent(inout)"
  if (form[type[id]] == "opaque" || form[type[id]] == "void" ||
      (form[type[id]] == "number" && const[id] && type[id] != "char" && !room[id]))
    return "type(c_ptr), intent(in), value"
  return (form[type[id]] == "struct" ? "type(raw_" fortran_name(type[id]) ")" : number_kind(type[id])) \
    (const[id] ? ", intent(in)" : ", intent(inout)")
}

function argument_room(id)
{
  return room[id] || (type[id] == "char" && stars[id] == "*") ? "(*)" : ""
}

function pure(id,   i)
{
  if (!(type[id] == "char" && stars[id] == "*"))
    return 0
  for (i = 1; i <= parts[id]; i++)
    if (argument_type(id SUBSEP i) ~ /inout/)
      return 0
  return 1
}
