/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"
#include "fit_room.h"

#include <stdlib.h>

srv_shapes *shapes;
srv_fitter *fitter, *other_fitter;

int fit_room_make(void **state)
{
    (void)state;
    shapes = malloc(sizeof *shapes);
    fitter = malloc(sizeof *fitter);
    other_fitter = malloc(sizeof *other_fitter);
    assert_non_null(shapes);
    assert_non_null(fitter);
    assert_non_null(other_fitter);
    srv_shapes_init(shapes, 4096);
    return 0;
}

int fit_room_free(void **state)
{
    (void)state;
    free(other_fitter);
    free(fitter);
    free(shapes);
    return 0;
}
