# SPDX-License-Identifier: BSD-3-Clause
# Runs after headers.awk. Writes a test that compares the layout of every struct of the raw layer with the
# C compiler's: with -v c=1 the C functions that return sizes and offsets, otherwise the Fortran program.

END {
  if (c)
    write_c()
  else
    write_fortran()
}

function write_c(   i, j, id)
{
  print "/* SPDX-License-Identifier: BSD-3-Clause */"
  print "/* Made from the C headers. */"
  print "#include <stddef.h>\n#include <string.h>\n\n#include <servet/servet.h>\n"
  print "void known_layout(const char *name, int *at, int *size);\n"
  print "/* The offset of the member \"STRUCT.MEMBER\", and the size of it or of the struct \"STRUCT\". */"
  print "void known_layout(const char *name, int *at, int *size)\n{"
  print "    static const struct {\n        const char *name;\n        size_t at, size;\n    } known[] = {"
  for (i = 1; i <= structs; i++) {
    id = struct[i]
    printf "        {\"%s\", 0, sizeof(%s)},\n", id, id
    for (j = 1; j <= parts[id]; j++)
      printf "        {\"%s.%s\", offsetof(%s, %s), sizeof(((%s *)0)->%s)},\n", id, name[id, j], id, name[id, j], id, name[id, j]
  }
  print "    };\n    *at = *size = -1;"
  print "    for (size_t i = 0; i < sizeof known / sizeof *known; i++)"
  print "        if (strcmp(known[i].name, name) == 0) {"
  print "            *at = (int)known[i].at;\n            *size = (int)known[i].size;\n        }\n}"
}

function write_fortran(   i, j, id, member)
{
  print "! SPDX-License-Identifier: BSD-3-Clause\n!"
  print "! Made from the C headers: the structs of the raw layer are those of C."
  print "program layout"
  print "  use, intrinsic :: iso_c_binding\n  use servet_raw\n  use tap\n  implicit none\n"
  print "  interface\n    subroutine known_layout(name, at, size) bind(c, name='known_layout')\n      import"
  print "      character(kind=c_char), intent(in) :: name(*)"
  print "      integer(c_int), intent(out) :: at, size\n    end subroutine known_layout\n  end interface\n"
  print "  character(kind=c_char), parameter :: chars(1) = c_null_char\n"
  for (i = 1; i <= structs; i++)
    print "  call of_" fortran_name(struct[i]) "()"
  print "  call done_testing()\n\ncontains\n"
  print "  subroutine is(name, first, here, bytes)"
  print "    character(len=*), intent(in) :: name"
  print "    type(c_ptr), intent(in) :: first, here"
  print "    integer, intent(in) :: bytes"
  print "    integer(c_int) :: at, size\n"
  print "    call known_layout(name // c_null_char, at, size)"
  print "    call is_int(int(transfer(here, 0_c_intptr_t) - transfer(first, 0_c_intptr_t)), int(at), name // ' begins')"
  print "    call is_int(bytes, int(size), 'size of ' // name)"
  print "  end subroutine is"
  for (i = 1; i <= structs; i++) {
    id = struct[i]
    print "\n  subroutine of_" fortran_name(id) "()"
    print "    type(raw_" fortran_name(id) "), target :: x\n"
    print "    call is('" id "', c_loc(x), c_loc(x), size(transfer(x, chars)))"
    for (j = 1; j <= parts[id]; j++) {
      member = "x%" name[id, j]
      put("    call is('" id "." name[id, j] "', c_loc(x), c_loc(" member (room[id, j] ? "(1)" : "") \
        "), size(transfer(" member ", chars)))")
    }
    print "  end subroutine of_" fortran_name(id)
  }
  print "\nend program layout"
}
