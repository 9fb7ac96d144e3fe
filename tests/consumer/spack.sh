#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The recipe for Spack is Python, and names options of Meson that there are. Spack itself does not run.
# usage: spack.sh SOURCE_ROOT
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
names=$(mktemp "${TMPDIR:-/tmp}/servet.XXXXXX")
trap 'rm -f "$names"' EXIT
recipe=$1/packaging/spack/packages/servet/package.py

if command -v python3 >/dev/null; then
  ok 'the recipe is Python' python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$recipe"
else
  skip 'the recipe is Python' 'there is no python3'
fi
sed -n -e 's/.*feature("\([a-z]*\)", .*/\1/p' -e 's/.*"-D\([a-z]*\)={0}".*/\1/p' "$recipe" | grep -vx default_library >"$names"
while read -r option; do
  ok "option $option" grep -q "^option('$option'," "$1/meson_options.txt"
done <"$names"
done_testing
