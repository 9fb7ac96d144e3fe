#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program compiled for today's headers runs with a library that has a further member and a further function, as
# share/doc/abi.md says how to add them; and a program that calls that function does not start with today's library.
# usage: grown.sh MESON SOURCE_ROOT BUILD_ROOT versioned|plain LIBSERVET MAKE_PROFILE CC
# (plain: the linker knows no versions)
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
meson=$1 source=$2 build=$3 kind=$4 today=$5 make_profile=$6 cc=$7
folder=$(mktemp -d "${TMPDIR:-/tmp}/servet.XXXXXX")
trap 'rm -rf "$folder"' EXIT
tree=$folder/tree
SERVET_PROFILE=$folder/profile.json
export SERVET_PROFILE
unset LD_LIBRARY_PATH

# rewrite FILE AWK_PROGRAM
# shellcheck disable=SC2317 # called through ok
rewrite() {
  awk "$2" "$tree/$1" >"$folder/new" && cp "$folder/new" "$tree/$1"
}

# shellcheck disable=SC2317,SC2016 # called through ok; not for the shell
grow() {
  mkdir "$tree"
  for part in CHANGELOG.md CITATION.cff LICENSE README.md drivers examples fortran include meson.build meson_options.txt share src; do
    cp -r "$source/$part" "$tree"
  done
  rewrite include/servet/profile.h '
    /^} servet_cache;/ { sub(/SERVET_RESERVED\(8\)/, "double grown; SERVET_RESERVED(7)", line) }
    NR > 1 { print line }
    { line = $0 }
    END { print line }'
  rewrite src/profile/query/kind.c '{ sub(/servet_cache_get/, "get_cache"); print }'
  cat >>"$tree/src/profile/query/kind.c" <<'END'
int servet_cache_get(const servet_profile *profile, const servet_at *at, int level,
                     servet_cache *cache)
{
    int code = get_cache(profile, at, level, cache);
    if (code == SERVET_OK)
        cache->grown = 0.5;
    return code;
}
END
  rewrite include/servet/version.h.in '{ print } /servet_version/ { print "SERVET_API int servet_grown(void);" }'
  echo 'int servet_grown(void) { return 7; }' >>"$tree/src/core/version.c"
  echo 'SERVET_0.2 { global: servet_grown; } SERVET_0.1;' >>"$tree/src/abi/servet.map"
  CC=$cc "$meson" setup "$folder/build" "$tree" -Dbuildtype=plain -Dtests=false -Ddocs=disabled \
    -Dfortran=disabled -Dmpi=disabled -Dscotch=disabled &&
    "$meson" compile -C "$folder/build" servet:shared_library
}

# shellcheck disable=SC2317 # called through ok
compile() { # NAME SOURCE_ROOT BUILD_ROOT LIBRARY GROWN
  "$cc" "-DGROWN=$5" "-I$2/include" "-I$3/include" "$source/tests/abi/grown.c" "$4" -o "$folder/$1"
}

# shellcheck disable=SC2317 # called through ok
with() { # LIBRARY PROGRAM
  LD_LIBRARY_PATH=$(dirname "$1") "$folder/$2" 2>&1
}

ok 'the known profile is written' "$make_profile" "$SERVET_PROFILE"
ok 'a grown library is built' grow
grown=$folder/build/src/libservet.so.0
ok 'a program for today is built' compile old "$source" "$build" "$today" 0
ok 'a program for the grown library is built' compile new "$tree" "$folder/build" "$grown" 1

answer='level 2: 2.09715e+06 B'
same "today's program with today's library" "$(with "$today" old)" "$answer
reserved: zero"
same "today's program with the grown library" "$(with "$grown" old)" "$answer
reserved: in use"
same 'the grown program with the grown library' "$(with "$grown" new)" "$answer
grown: 0.5 by 7"
if [ "$kind" = versioned ]; then
  holds "the grown program with today's library" "$(with "$today" new)" "*version \`SERVET_0.2' not found*"
else
  skip "the grown program with today's library" 'the linker knows no versions'
fi
done_testing
