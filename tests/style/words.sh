#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Words that the field has a term for stay away: share/doc/glossary.md has the terms. Usage: words.sh SOURCE_ROOT
set -eu
cd "$1"
. tests/tap.sh

# Whole words, also between underscores, in code, comments and names of files. Instead:
#   asker, question probe, query; churn turn over, turnover; contest false sharing; crew openmp team; crowd concurrent
#   messages; deal assign; desk request queue; duty task; handover line transfer; is fine is valid, may be NULL; judge
#   compare, verdict; lane load path; law of turns cyclic accesses; lent out returned; meetings pairwise latencies;
#   passage exchange; preside coordinate; price cost; prices message costs; roster rank table; sight binding; tournament
#   round-robin schedule; trail JSON path; untold missing, unverified; vigil monitor; worth having memory-level
#   parallelism, saturation. A dot stands for the blank of two words.
retired='(are|is)[[:blank:]]fine askers? churn(s|ing)? contests? crews? crowds? dealing deals? dealt desks? dut(y|ies) for.want.of handovers? judg(e[ds]?|ing|ements?) lanes? law.of.turns lent.out meetings? passages? preside[ds]? presiding prices? rosters? sight(ed|ing|ings)? tournaments? trails? unasked untold vigils? walkers? whom.to.(ask|tell) worth.having'

# In code and its tests. Instead: ask probe (a machine, a network), query (a profile), request (a user); question probe,
# query; in question, under way queried, in flight.
retired_in_code='ask(s|ed|ing)? dear folk in.question questions? under.way'

# In the source and the headers, too, where "nobody" is never the name of a user or host.
retired_in_source='nobody who.shares'

# Phrases that have to be read twice. Instead: N times, N of them, all that, the same number, the size of; is reported, is
# distinguished; fix, repair; the ones that.
clumsy='so.many as.many.as as.much.as told.apart (is|are).told mend(s|ed|ing)? of.those.that does.although there.are.so'

# Members of public structs and their keys.
public_names='(nodes|pages)_asked'

# Still to come, where they are: walk (eviction trials, public names); seat (Fortran and public names); kind, look
# (comments of src); shape (schema or miss curve: src/core, src/profile, src/facts).

# pattern_of WORDS: a regular expression of them as whole words.
pattern_of() {
  printf '(^|[^a-z])(%s)([^a-z]|$)' "$(printf '%s' "$1" | tr ' ' '|')"
}

pattern=$(pattern_of "$retired")

sources() {
  find src include fortran drivers tests examples share/doc share/man README.md CONTRIBUTING.md -type f ! -path 'tests/data/*' ! -path tests/style/words.sh
}

# Comments that begin like a fragment: a comment is a whole sentence, or names what it describes.
fragments() {
  # shellcheck disable=SC2016 # of awk
  sources | grep -E '^(src|include|fortran|drivers|examples|tests)/' | LC_ALL=C xargs awk '
    FNR == 1 { before = "" }
    { text = $0 }
    sub(/^[[:blank:]]*(\/\*\*?<?|[#!])[[:blank:]]+/, "", text) { begins = before !~ /^[[:blank:]]*[#!][[:blank:]]/ || /\/\*/ }
    before ~ /^[[:blank:]]*\/\*\*?$/ && sub(/^[[:blank:]]*\*[[:blank:]]*/, "", text) { begins = 1 }
    begins && text ~ /^(What|Which|Whether|Of|By|As|So|From|That) / { print FILENAME ":" FNR ":" $0 }
    { begins = 0; before = $0 }'
}

# Terms of the glossary, in its order.
terms() {
  sed -n 's/^\*\*\([^*]*\)\*\*.*/\1/p' share/doc/glossary.md | tr '[:upper:]' '[:lower:]'
}

clean "no retired word in a file" "$(sources | LC_ALL=C xargs grep -niE "$pattern" || :)"
clean "no retired word in code" "$(sources | grep -E '^(src|include|fortran|drivers|tests|examples)/' |
  LC_ALL=C xargs grep -niE "$(pattern_of "$retired_in_code")" | grep -vE "$public_names")"
clean "no retired word in the source" "$(sources | grep -E '^(src|include)/' |
  LC_ALL=C xargs grep -niE "$(pattern_of "$retired_in_source")" || :)"
clean "no phrase that has to be read twice" "$(sources | LC_ALL=C xargs grep -niE "$(pattern_of "$clumsy")" || :)"
clean "no retired word in the name of a file" "$(sources | grep -iE "$pattern" || :)"
clean "no comment begins like a fragment" "$(fragments)"
clean "the glossary is in alphabetical order" "$(terms | LC_ALL=C sort -c 2>&1 || :)"
clean "the glossary says each term once" "$(terms | sort | uniq -d)"
done_testing
