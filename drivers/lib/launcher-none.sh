# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# One process on the first node.

has_agent() {
  return 1
}

launcher_text() {
  cat <<'END'
launch() {
  exec "$@"
}
END
}
