# SPDX-License-Identifier: BSD-3-Clause
# Writes each block of code of a document into a file FOLDER/LINE.LANGUAGE: those between fences, and indented ones,
# which are commands of a shell. What comments of the form <!-- with: ...; ... --> before a fragment of a program declare
# goes into FOLDER/LINE.with.
# usage: awk -v folder=FOLDER -f blocks.awk DOCUMENT
function begin(language, at) {
  file = sprintf("%s/%04d.%s", folder, at, language == "" ? "none" : language)
  printf "" >file
  if (with != "")
    printf "%s", with >(sprintf("%s/%04d.with", folder, at))
  with = ""
}

/^```/ {
  fenced = !fenced
  if (fenced)
    begin(substr($0, 4), NR + 1)
  else
    close(file)
  next
}
fenced { print >file; next }

/^<!-- with: .* -->$/ {
  text = substr($0, 12, length($0) - 15)
  gsub(/; */, "\n", text)
  with = with text "\n"
  next
}

/^    / && (blank || indented) {
  if (!indented)
    begin("sh", NR)
  indented = 1
  print substr($0, 5) >file
  next
}
{
  if (indented)
    close(file)
  indented = 0
  blank = $0 == ""
}
