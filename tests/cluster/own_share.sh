#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Lets a rank use the cable of its own that cluster_shares laid: own_share.sh PROGRAM [ARGUMENT]...
export OMPI_MCA_btl_tcp_if_include="10.77.$OMPI_COMM_WORLD_LOCAL_RANK.0/24"
exec "$@"
