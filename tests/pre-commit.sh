#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs the checks before each commit, in about a minute: build without warnings, then the fast tests. As a hook: ln -s
# ../../tests/pre-commit.sh .git/hooks/pre-commit
set -eu
cd "$(git rev-parse --show-toplevel)"
[ -f build/build.ninja ] || meson setup build -Dwerror=true -Dtests=true
ninja -C build
exec meson test -C build --no-rebuild --suite fast --quiet
