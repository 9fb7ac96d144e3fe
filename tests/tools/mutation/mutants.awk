# SPDX-License-Identifier: BSD-3-Clause
# Lists every mutant of a file in C or sh: FILE, LINE, COLUMN, OPERATOR and the mutated line, tabs between. What is in
# comments and strings stays as it is. Variables: language (c or sh), name (of the file as it is listed).

BEGIN {
  split(language == "c" ? "< <=,<= <,> >=,>= >,== !=,!= ==,+ -,- +,* /,/ *,&& ||,|| &&,+= -=,-= +=" : \
    "-lt -le,-le -lt,-gt -ge,-ge -gt,-eq -ne,-ne -eq,= !=,!= =,&& ||,|| &&,-n -z,-z -n,+ -,- +", pairs, ",")
  for (i in pairs) {
    split(pairs[i], pair, " ")
    instead[pair[1]] = pair[2]
  }
  instead_of_value["true"] = "false"
  instead_of_value["false"] = "true"
  instead_of_value["0"] = instead_of_value["SERVET_OK"] = instead_of_value["NULL"] = "1"
}

function blank(length_, text) {
  for (text = ""; length_ > 0; length_--)
    text = text "\001"
  return text
}

# The line with comments and strings blanked out, columns as they are.
function code_of(line, code) {
  code = line
  if (language == "sh") {
    if (code ~ /^ *#/)
      return ""
    while (match(code, /'[^']*'/))
      code = substr(code, 1, RSTART - 1) blank(RLENGTH) substr(code, RSTART + RLENGTH)
    return code
  }
  if (in_comment && !sub(/^.*\*\//, blank(index(code, "*/") + 1), code))
    return ""
  in_comment = 0
  while (match(code, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/\*([^*]|\*[^\/])*\*\//))
    code = substr(code, 1, RSTART - 1) blank(RLENGTH) substr(code, RSTART + RLENGTH)
  if (match(code, /\/\*/)) {
    in_comment = 1
    code = substr(code, 1, RSTART - 1)
  }
  return code ~ /^#/ ? "" : code
}

function mutant(column, length_, new, operator) {
  printf "%s\t%d\t%d\t%s\t%s\n", name, NR, column, operator, \
    substr($0, 1, column - 1) new substr($0, column + length_)
}

# Words between blanks: operators.
function operators(code, start, word) {
  start = 1
  while (match(substr(code, start), / [^ ]+ /)) {
    word = substr(code, start + RSTART, RLENGTH - 2)
    if (word in instead)
      mutant(start + RSTART, RLENGTH - 2, instead[word], "operator")
    start += RSTART + RLENGTH - 2
  }
}

# A number that is no part of a word or of another number, one more and one less.
function constants(code, start, number, column, before, after) {
  start = 1
  while (match(substr(code, start), /[0-9][0-9]*(\.[0-9]+)?/)) {
    column = start + RSTART - 1
    number = substr(code, column, RLENGTH)
    before = substr(code, column - 1, 1)
    after = substr(code, column + RLENGTH, 1)
    start = column + RLENGTH
    if ((column > 1 && before ~ /[A-Za-z0-9_.$>&\/-]/) || after ~ /[A-Za-z0-9_.\/>]/)
      continue
    mutant(column, RLENGTH, number + 1, "constant")
    if (number > 0)
      mutant(column, RLENGTH, number - 1, "constant")
  }
}

# The column of the parenthesis that closes the one at `column`; 0 if it is on another line.
function closing(code, column, depth, letter) {
  for (depth = 0; column <= length(code); column++) {
    letter = substr(code, column, 1)
    depth += (letter == "(") - (letter == ")")
    if (depth == 0)
      return column
  }
  return 0
}

function conditions(code, start, end) {
  if (language == "sh") {
    if (match(code, /^ *(if|elif|while) /) && code !~ /while read|\|/)
      mutant(RLENGTH + 1, 0, "! ", "condition")
    return
  }
  if (!match(code, /(if|while) \(/))
    return
  start = RSTART + RLENGTH - 1
  end = closing(code, start)
  if (end)
    mutant(start, end - start + 1, "(!" substr($0, start, end - start + 1) ")", "condition")
}

# A statement that is a call and nothing else; `open` tells whether the line goes on with that before.
function calls(code, open) {
  if (language == "c" ? !open && code ~ /^ +[a-z_0-9]+\(.*\);$/ : !open && code ~ /^ +[a-z_]+( |$)[^;&|(){]*$/ && \
      code !~ /^ *(if|elif|else|fi|then|do|done|for|while|case|esac|return|exit|shift|local|break|continue)( |$)/) {
    match(code, /^ +/)
    mutant(RLENGTH + 1, length($0) - RLENGTH, language == "c" ? ";" : ":", "call")
  }
}

function values(code, value, column) {
  if (language == "sh") {
    if (match(code, /(return|exit)( [0-9]+)?$/))
      mutant(RSTART, RLENGTH, substr(code, RSTART, RLENGTH) ~ / [1-9]/ ? "return 0" : "return 1", "value")
    return
  }
  if (!match(code, /return [^;]+;/))
    return
  column = RSTART + 7
  value = substr(code, column, RLENGTH - 8)
  mutant(column, RLENGTH - 8, value in instead_of_value ? instead_of_value[value] : "0", "value")
}

# Two arguments that stand side by side, neither of which is an expression; fmin and fmax do not care.
function arguments(code, start, before, both, comma, first, second) {
  start = 1
  while (match(substr(code, start), /[(,] ?[a-zA-Z_0-9.&>-]+, [a-zA-Z_0-9.&>-]+[,)]/)) {
    before = substr(code, 1, start + RSTART - 1)
    both = substr(code, start + RSTART, RLENGTH - 2)
    comma = index(both, ",")
    first = substr(both, 1, comma - 1)
    second = substr(both, comma + 2)
    start += RSTART
    if (language == "c" && code ~ /^ / && before !~ /f(min|max)\($/ && first != second)
      mutant(start, length(both), (sub(/^ /, "", first) ? " " : "") second ", " first, "arguments")
    start += comma - 1
  }
}

{
  code = code_of($0)
  operators(code)
  constants(code)
  conditions(code)
  calls(code, open)
  values(code)
  arguments(code)
  open = language == "c" ? code !~ /[;{}:] *$|^ *$|\)$/ : code ~ /(\\|&&|\|\||\|)$/
}
