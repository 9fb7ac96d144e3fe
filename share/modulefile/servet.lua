-- SPDX-License-Identifier: BSD-3-Clause
-- The module servet/CLUSTER for Lmod: PREFIX/share/modulefiles/servet/CLUSTER.lua
local cluster = myModuleVersion()
local prefix = myFileName():match("^(.*)/[^/]+/[^/]+/[^/]+/[^/]+$")

whatis("What the hardware of " .. cluster .. " is like, as Servet has measured it")

setenv("SERVET_PROFILE", pathJoin(prefix, "share/servet", cluster, "profile.json"))

-- A profile may be installed apart from the programs.
if isFile(pathJoin(prefix, "bin/servet")) then
  prepend_path("PATH", pathJoin(prefix, "bin"))
  prepend_path("MANPATH", pathJoin(prefix, "share/man"))
  prepend_path("LD_LIBRARY_PATH", pathJoin(prefix, "@LIBDIR@"))
  prepend_path("PKG_CONFIG_PATH", pathJoin(prefix, "@LIBDIR@/pkgconfig"))
end
