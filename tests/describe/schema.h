/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SRV_TESTS_DESCRIBE_SCHEMA_H
#define SRV_TESTS_DESCRIBE_SCHEMA_H

#include "core/json/shape.h"

/** The schema of a document that is such a struct; the caller owns it. */
json_t *schema_create(const srv_shape *shape, const char *title, const char *description);

#endif
