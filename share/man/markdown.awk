# SPDX-License-Identifier: BSD-3-Clause
# Writes the guide in Markdown that it reads as a manual page for scdoc: headings, paragraphs, lists, tables of
# calls and blocks of code.
# usage: awk -v page=servet-fortran -v name='what it is' -f markdown.awk GUIDE
BEGIN {
  printf "%s(3)\n\n# NAME\n\n%s - %s\n\n# DESCRIPTION\n", page, page, name
}

# Removes signs of scdoc that have no meaning in the guide.
function plain(text) {
  gsub(/[\\*_<>#~]/, "\\\\&", text)
  return text
}

# `code` and **bold** are bold, *emphasis* is underlined; a link is its text, with the file that it leads to.
function formatted(text, out, part, link) {
  out = ""
  while (match(text, /`[^`]*`|\*\*[^*]*\*\*|\*[^* ][^*]*\*|\[[^]]*\]\([^)]*\)/)) {
    out = out plain(substr(text, 1, RSTART - 1))
    part = substr(text, RSTART, RLENGTH)
    text = substr(text, RSTART + RLENGTH)
    if (part ~ /^`/)
      out = out "*" plain(substr(part, 2, length(part) - 2)) "*"
    else if (part ~ /^\*[^*]/)
      out = out "_" plain(substr(part, 2, length(part) - 2)) "_"
    else if (part ~ /^\*/)
      out = out "*" plain(substr(part, 3, length(part) - 4)) "*"
    else {
      split(substr(part, 2, length(part) - 2), link, /\]\(/)
      out = out plain(link[1])
    }
  }
  return out plain(text)
}

# Comments are for tests.
/^<!--/ { next }

/^```/ {
  in_code = !in_code
  print "```"
  next
}
in_code {
  gsub(/\\/, "\\\\&")
  print
  next
}

/^# / { next }
/^## / {
  print "# " toupper(substr($0, 4))
  next
}

# | call | result |: the call with its result below.
/^\| *(call|---)/ { next }
/^\|/ {
  split(substr($0, 3, length($0) - 4), cell, / \| /)
  printf "%s\n\t%s\n\n", formatted(cell[1]), formatted(cell[2])
  next
}

{ print formatted($0) }

END { print "\n# SEE ALSO\n\n*servet*(1), *servet*(3), *servet-keys*(7)" }
