/* SPDX-License-Identifier: BSD-3-Clause */
/* What layouts.awk reads, preprocessed. servet/mpi.h has no structs, and needs MPI. */
#include <servet/export.h>
#include <servet/measure.h>
#include <servet/servet.h>
