#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Debian packages hold what Meson installs: each line of packaging/debian/*.install names something that is installed,
# and nothing that is installed is in no package. Usage: packages.sh SOURCE_ROOT BUILD_ROOT PREFIX LIBDIR [MISSING_PART]
# The nightly test `debian` builds them; this one takes no time.
set -eu
cd "$1"
. tests/tap.sh
list=$2/meson-info/intro-installed.json prefix=$3 libdir=$4 missing=${5-}

# The paths in Debian of the files under the prefix.
installed() {
  tr ',' '\n' <"$list" | sed -n 's/.*": "\([^"]*\)"[}]*$/\1/p' |
    sed "s|^$prefix/$libdir/|usr/lib/any/|; s|^$prefix/|usr/|" | sort
}

patterns() {
  sed 's/[[:space:]]*$//; /^#/d; /^$/d' packaging/debian/*.install | sort -u
}

# covers PATTERN PATH: the path, or a folder that it is in, fits.
# shellcheck disable=SC2254 # a pattern of files
covers() {
  case $2 in
    $1 | $1/*) ;;
    *) return 1 ;;
  esac
}

# A folder may be installed whole.
unknown() {
  for pattern in $patterns; do
    found=''
    for path in $paths; do
      if covers "$pattern" "$path" || covers "$path" "$pattern"; then
        found=yes
        break
      fi
    done
    [ "$found" ] || echo "$pattern"
  done
}

unpacked() {
  for path in $paths; do
    found=''
    for pattern in $patterns; do
      if covers "$pattern" "$path"; then
        found=yes
        break
      fi
    done
    [ "$found" ] || echo "$path"
  done
}

if [ "$missing" ]; then
  echo "1..0 # SKIP built without $missing"
  exit
fi
paths=$(installed) patterns=$(patterns)
set -f # patterns of lists are no files here
ok 'Meson tells what it installs' [ "$(echo "$paths" | wc -l)" -gt 50 ]
version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build)
same 'version of the Debian package' "$(sed -n '1s/^servet (\(.*\)) .*/\1/p' packaging/debian/changelog)" "$version"
same 'version to cite' "$(sed -n 's/^version: //p' CITATION.cff)" "$version"
clean 'lines of packaging/debian/*.install that name nothing installed' "$(unknown)"
clean 'installed files in no line of packaging/debian/*.install' "$(unpacked)"
done_testing
