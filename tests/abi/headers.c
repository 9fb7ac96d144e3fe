/* SPDX-License-Identifier: BSD-3-Clause */
/* The headers that layouts.awk reads, preprocessed. servet/mpi.h declares functions only: their
 * list is the same with every MPI library, and without one, because stub/mpi.h stands for it. */
#include <servet/export.h>
#include <servet/measure.h>
#include <servet/mpi.h>
#include <servet/servet.h>
