# SPDX-License-Identifier: BSD-3-Clause
# Runs after queries.awk and headers.awk. Writes the module servet_profile_queries: the procedures of an
# open profile, each of which calls one C function.
#
# Arguments that the C function reads:
#   int, double             integer, real(c_double)
#   const char *            character(len=*)
#   enum                    character(len=*), the name of the number
#   servet_place            type(servet_place): struct X through from_X()
# Results of the C function; after a failure, they are unknown, empty or 0:
#   int *                   integer
#   const char **           character(len=:), allocatable; also for a text that the function returns
#   servet_cache *          type(servet_cache): struct X through to_X()
#   T x[], int size         x(:), up to its size
# A set of cores (const char **cores) may also be integer, allocatable :: cores(:). The procedure is then
# generic: the type of that argument decides.
#
# Generic procedure item() has a form for each struct that is an item of a list.

END {
  print "! SPDX-License-Identifier: BSD-3-Clause"
  print "!"
  put_comment("", "Made from the C headers and queries.txt: change those. Queries that an open " \
    "profile answers.\n\n`node_class` is the name of a node class, by default that of this node; " \
    "`core` is the operating system's number of a core (from 0), by default of the one that the " \
    "calling thread runs on. Indices, levels, layers and nodes count from 1. After a failure, results are unknown, empty or " \
    "0. Module servet_errors describes `stat` and `errmsg`.")
  print "module servet_profile_queries"
  print "  use, intrinsic :: iso_c_binding"
  print "  use servet_constants\n  use servet_conversions\n  use servet_cores\n  use servet_errors\n  use servet_facts"
  print "  use servet_profile_base\n  use servet_raw\n  use servet_text\n  use servet_values"
  print "  implicit none\n  private\n\n  public :: profile_queries\n"
  print "  type, extends(profile_base) :: profile_queries\n  contains"
  for (i = 1; i <= queries; i++)
    binding(query[i], procedure_of[query[i]])
  for (i = 1; i <= items; i++)
    print "    procedure, private :: item_" fortran_name(item[i])
  for (i = 1; i <= items; i++)
    print "    generic :: item => item_" fortran_name(item[i])
  print "  end type profile_queries\n\ncontains"
  for (i = 1; i <= queries; i++) {
    procedure(query[i])
    if (gives_set(query[i]))
      set_procedure(query[i])
  }
  for (i = 1; i <= items; i++)
    item_procedure(item[i])
  print "\nend module servet_profile_queries"
}

function item_procedure(id,   called)
{
  called = fortran_name(id)
  print ""
  put_comment("  ", "An item of the list at `path`. `numbers` has a number for each list on the path; the last one is the item's (from 1).")
  put("  recursive subroutine item_" called "(self, path, numbers, item, node_class, stat, errmsg)")
  print "    class(profile_queries), intent(in) :: self"
  print "    character(len=*), intent(in) :: path"
  print "    integer, intent(in) :: numbers(:)"
  print "    type(" id "), intent(out) :: item"
  print "    character(len=*), intent(in), optional :: node_class"
  print "    integer, intent(out), optional :: stat"
  print "    character(len=*), intent(inout), optional :: errmsg"
  print "    type(raw_" called "), target :: c_item"
  print "    character(kind=c_char) :: bytes(1)"
  print "    integer :: code\n"
  print "    if (closed(self, stat, errmsg)) return"
  put("    call fetch_item(self, path, numbers, c_loc(c_item), size(transfer(c_item, bytes), kind=c_size_t), node_class, code)")
  if (has_texts(id))
    print "    if (code == servet_ok) call to_" called "(c_item, item, code)"
  else
    print "    if (code == servet_ok) item = to_" called "(c_item)"
  print "    call finish_about(code, '{}', stat, errmsg, last_of(numbers), name=path)"
  print "  end subroutine item_" called
}

function binding(id, called)
{
  if (!gives_set(id)) {
    print "    procedure :: " called " => profile_" called
    return
  }
  print "    procedure, private :: " called "_text => profile_" called
  print "    procedure, private :: " called "_set => profile_" called "_set"
  print "    generic :: " called " => " called "_text, " called "_set"
}

# True if the function returns a set of cores of a node.
function gives_set(id,   i)
{
  i = part_called(id, "cores")
  return i && stars[id, i] == "**"
}

# Prints the same procedure with the set as numbers.
function set_procedure(id,   i, list, passed_on)
{
  split("", given_argument)
  result = at = ""
  for (i = 1; i <= arguments[id]; i++) {
    list = list ", " argument[id, i]
    passed_on = passed_on (argument[id, i] == "cores" ? "text" : argument[id, i]) ", "
  }
  print ""
  put_comment("  ", "The same, with the cores as numbers. After a failure, the array is empty.")
  put("  recursive subroutine profile_" procedure_of[id] "_set(self" list ", stat, errmsg)")
  print "    class(profile_queries), intent(in) :: self"
  for (i = 1; i <= arguments[id]; i++)
    if (argument[id, i] == "cores")
      print "    integer, allocatable, intent(out) :: cores(:)"
    else
      dummy(id, argument[id, i], optional[id, i] ? ", optional" : "")
  print "    integer, intent(out), optional :: stat"
  print "    character(len=*), intent(inout), optional :: errmsg"
  print "    character(len=:), allocatable :: text"
  print "    integer :: failed"
  print ""
  put("    call profile_" procedure_of[id] "(self, " passed_on "stat, errmsg)")
  print "    if (present(stat)) then"
  print "      if (stat /= servet_ok) then"
  print "        allocate(cores(0), stat=failed)"
  print "        return"
  print "      end if"
  print "    end if"
  print "    call servet_cores_from_text(text, cores, stat, errmsg)"
  print "  end subroutine profile_" procedure_of[id] "_set"
}

function procedure(id,   i, list)
{
  result = at = ""
  explained = 0
  split("", given_argument)
  for (i = 1; i <= arguments[id]; i++)
    list = list ", " argument[id, i]

  print ""
  put_comment("  ", in_fortran(about[id]))
  put("  recursive subroutine profile_" procedure_of[id] "(self" list ", stat, errmsg)")
  print "    class(profile_queries), intent(in) :: self"
  for (i = 1; i <= arguments[id]; i++)
    dummy(id, argument[id, i], optional[id, i] ? ", optional" : "")
  print "    integer, intent(out), optional :: stat"
  print "    character(len=*), intent(inout), optional :: errmsg"
  variables(id)
  print ""
  for (i = 1; i <= parts[id]; i++)
    cleared(id, i)
  if (result)
    print "    " result " = ''"
  print "    if (closed(self, stat, errmsg)) return"
  print "    code = servet_ok"
  if (has_at(id))
    print "    call set_place(at, code" at ")"
  for (i = 1; i <= parts[id]; i++)
    prepared(id, i)
  call_c(id)
  for (i = 1; i <= parts[id]; i++)
    fetched(id, i)
  finished(id)
  print "  end subroutine profile_" procedure_of[id]
}

# --- declarations ----------------------------------------------------------------------------------

# Prints an argument of the procedure: a parameter of the C function, a part of its servet_at, or the text that it returns.
function dummy(id, called, optional,   k, said)
{
  given_argument[called] = 1
  k = part_called(id, called)
  if (k) {
    said = form[type[id, k]] == "enum" ? " ! one of " tolower(words[type[id, k]]) "*" : ""
    put("    " dummy_type(id, k) optional " :: " called (room[id, k] ? "(:)" : "") said)
  } else if (has_at(id) && (called == "node_class" || called == "core")) {
    at = at ", " called "=" called
    print "    " (called == "core" ? "integer" : "character(len=*)") ", intent(in)" optional " :: " called
  } else if (type[id] == "char" && !result) {
    result = called
    print "    character(len=:), allocatable, intent(out) :: " called
  } else
    fail(id "() has no argument '" called "'", row_of[id])
}

# The number of the C function's parameter with this name; 0 if there is none.
function part_called(id, called,   i)
{
  for (i = parts[id]; i > 0 && name[id, i] != called; i--)
    ;
  return i
}

# True if the C function has a parameter servet_at.
function has_at(id,   i)
{
  for (i = parts[id]; i > 0 && type[id, i] != "servet_at"; i--)
    ;
  return i
}

function dummy_type(id, i,   base, intent)
{
  base = type[id, i]
  intent = ", intent(" (is_answer(id, i) ? "out" : "in") ")"
  if (form[base] == "struct")
    return "type(" base ")" intent
  if (base == "char" || form[base] == "enum")
    return "character(len=" (stars[id, i] == "**" ? ":), allocatable" : "*)") intent
  if (!(base in fortran_kind))
    fail("no rule of procedures.awk for '" name[id, i] "' of " id "()", where[id])
  return fortran_kind[base] intent
}

# True for a result that the C function fills in.
function is_answer(id, i)
{
  return name[id, i] in given_argument &&
    (stars[id, i] == "**" || (stars[id, i] room[id, i] && !const[id, i]))
}

# True for a text that the C function reads.
function is_text(id, i)
{
  return type[id, i] == "char" && name[id, i] in given_argument && !is_answer(id, i)
}

function variables(id,   i, list)
{
  if (has_at(id))
    print "    type(place), target :: at"
  for (i = 1; i <= parts[id]; i++) {
    if (is_answer(id, i))
      print "    " raw_type(id, i) (room[id, i] ? ", allocatable" : "") " :: c_" name[id, i] (room[id, i] ? "(:)" : "")
    if (is_text(id, i))
      print "    character(kind=c_char), allocatable :: c_" name[id, i] "(:)"
    if (room[id, i] && is_answer(id, i))
      list = ", failed, i"
    explained = explained || type[id, i] == "servet_error"
  }
  if (explained)
    print "    type(raw_error) :: error"
  if (result)
    print "    type(c_ptr) :: c_" result
  print "    integer :: code" list
}

function raw_type(id, i)
{
  if (stars[id, i] == "**")
    return "type(c_ptr)"
  return form[type[id, i]] == "struct" ? "type(raw_" fortran_name(type[id, i]) ")" : number_kind(type[id, i])
}

# --- statements ------------------------------------------------------------------------------------

# Sets a result to its value after a failure. A struct has initial values, except for its texts.
function cleared(id, i,   base, k)
{
  if (!is_answer(id, i))
    return
  base = type[id, i]
  if (form[base] != "struct")
    print "    " name[id, i] " = " (room[id, i] ? -1 : nothing(base))
  else
    for (k = 1; k <= parts[base]; k++)
      if (type[base, k] == "char" && stars[base, k])
        print "    " name[id, i] "%" name[base, k] " = ''"
}

# Prepares an argument that needs memory before the C function is called.
function prepared(id, i)
{
  if (is_text(id, i))
    print "    call to_c(" name[id, i] ", c_" name[id, i] ", code)"
  else if (is_answer(id, i) && room[id, i]) {
    print "    allocate(c_" name[id, i] "(size(" name[id, i] ")), stat=failed)"
    print "    if (failed /= 0) code = servet_ememory"
  }
}

function call_c(id,   i, list)
{
  for (i = 1; i <= parts[id]; i++) {
    list = list (i > 1 ? ", " : "") passed(id, i)
    if (is_answer(id, i) && form[type[id, i]] != "struct" && !room[id, i])
      print "    c_" name[id, i] " = " raw_zero(raw_type(id, i))
  }
  if (result) {
    print "    c_" result " = c_null_ptr"
    put("    if (code == servet_ok) c_" result " = raw_" fortran_name(id) "(" list ")")
    print "    if (code == servet_ok .and. .not. c_associated(c_" result ")) code = servet_erange"
    print "    call new_text(c_" result ", " result ", code)"
  } else
    put("    if (code == servet_ok) code = int(raw_" fortran_name(id) "(" list "))")
}

function passed(id, i,   called)
{
  called = name[id, i]
  if (is_answer(id, i) || is_text(id, i))
    return "c_" called
  if (called in given_argument)
    return given_to_c(id, i, called)
  if (called == "profile")
    return "handle_of(self)"
  if (type[id, i] == "servet_at")
    return "at%raw"
  if (called == "error")
    return "error"
  if (called == "size" && i > 1 && room[id, i - 1])
    return "size(" name[id, i - 1] ", kind=c_int)"
  fail(id "() has an argument '" called "', too", row_of[id])
}

function fetched(id, i,   called)
{
  called = name[id, i]
  if (!is_answer(id, i))
    return
  if (room[id, i]) {
    print "    do i = 1, min(int(c_count), size(" called "))"
    print "      " called "(i) = " converted(id, i, "c_" called "(i)")
    print "    end do"
  } else if (stars[id, i] == "**")
    print "    if (code == servet_ok) call new_text(c_" called ", " called ", code)"
  else if (has_texts(type[id, i]))
    print "    if (code == servet_ok) call to_" fortran_name(type[id, i]) "(c_" called ", " called ", code)"
  else
    put("    if (code == servet_ok) " called " = " converted(id, i, "c_" called))
}

# "ratio by {degradation} {at}": a text becomes part of the message, a number is its end.
function finished(id,   piece, count, i, what, number, called)
{
  if (explained) {
    print "    call finish_error(code, error, stat, errmsg)"
    return
  }
  count = split(saying[id], piece, /[{}]/)
  for (i = 1; i <= count; i++)
    if (i % 2)
      what = what piece[i]
    else if (!(piece[i] in given_argument))
      fail(id "() has no argument '" piece[i] "' for its message", row_of[id])
    else if (piece[i] == "core" || type[id, part_called(id, piece[i])] == "int")
      number = ", " piece[i]
    else {
      what = what "{}"
      called = ", name=" piece[i]
    }
  sub(/ *$/, "", what)
  what = "'" what "'"
  if (id in special_code) {
    print "    if (code == " special_code[id] ") then"
    print "      call finish_about(code, " what ", stat, errmsg" number called ", because= &"
    print "                        '" special_text[id] "')"
    print "      return"
    print "    end if"
  }
  put("    call finish_about(code, " what ", stat, errmsg" number called ")")
}
