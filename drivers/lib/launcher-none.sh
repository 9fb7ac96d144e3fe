# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# One process on the first node.

launcher_text() {
  cat <<'END'
launch() {
  exec "$@"
}
END
}
