#%Module1.0
# SPDX-License-Identifier: BSD-3-Clause
# The module servet/CLUSTER for Environment Modules: PREFIX/share/modulefiles/servet/CLUSTER
set file [file normalize $ModulesCurrentModulefile]
set cluster [file tail $file]
set prefix $file
foreach level {servet modulefiles share prefix} {
    set prefix [file dirname $prefix]
}

module-whatis "What the hardware of $cluster is like, as Servet has measured it"

setenv SERVET_PROFILE $prefix/share/servet/$cluster/profile.json

# A profile may be installed apart from the programs.
if {[file isfile $prefix/bin/servet]} {
    prepend-path PATH $prefix/bin
    prepend-path MANPATH $prefix/share/man
    prepend-path LD_LIBRARY_PATH $prefix/@LIBDIR@
    prepend-path PKG_CONFIG_PATH $prefix/@LIBDIR@/pkgconfig
}
