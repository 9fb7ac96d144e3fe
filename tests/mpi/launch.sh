#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Starts ranks on this host: launch.sh RANKS PROGRAM [ARGUMENT]...
# Sets the options without which launchers refuse several ranks on few cores, or root.
# A rank that waits gives way: other tests may want the cores, too.
set -eu
ranks=$1
shift
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_base_warn_component_unused=0
exec "${MPIEXEC:-mpiexec}" -n "$ranks" "$@"
