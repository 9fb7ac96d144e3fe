/* SPDX-License-Identifier: BSD-3-Clause */
/** Working memory of fits, which is too large for the stack: a group's setup and teardown. */
#ifndef SRV_TESTS_FIT_ROOM_H
#define SRV_TESTS_FIT_ROOM_H

#include "facts/cache/detect_model.h"

/** Shapes of pages of 4 KiB, and two fitters, not set. */
extern srv_shapes *shapes;
extern srv_fitter *fitter, *other_fitter;

int fit_room_make(void **state);
int fit_room_free(void **state);

#endif
