#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copies compiled modules out of the private folder of a library, where Meson leaves them.
# usage: copy-modules.sh FROM TO NAME...
set -eu
from=$1 to=$2
shift 2
for name in "$@"; do
  cp "$from/$name.mod" "$to"
done
