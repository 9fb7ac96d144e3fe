/* SPDX-License-Identifier: BSD-3-Clause */
/** The format of model files, and their conversion to srv_model. */
#ifndef SRV_MODEL_FORMAT_H
#define SRV_MODEL_FORMAT_H

#include "core/json/shape.h"
#include "sim/model.h"

/** The format this library reads. */
enum { SRV_MODEL_VERSION = 1 };

/** A whole file. srv_model_complete() derives the members that it omits, of `model` and its rows.
 */
typedef struct srv_model_file {
    int version;
    int cores, smt; /**< of the node; 0: given by `core_type`, or absent */
    double clock_ghz;
    char *os_numbering; /**< owned; NULL: as the logical numbers */
    int oversubscription_count;
    srv_model model;
} srv_model_file;

/** The rows of the file. */
extern const srv_shape srv_model_file_shape;

/**
 * Appends to the path `list`, its item `row` (-1: none) and the `member` of that item (NULL: none).
 */
srv_json_path *srv_model_at(srv_json_path *where, const char *list, int row, const char *member);

/**
 * Derives the members that the file omits: core types and their PUs, OS numbers, the PUs of caches
 * and domains, the description of the node. The file has passed srv_check(). Errors: where->code
 * where it contradicts itself, SERVET_EMEMORY.
 */
int srv_model_complete(srv_model_file *file, srv_json_path *where);

/** Refuses a complete model that contradicts itself. Errors: where->code. */
int srv_model_check(const srv_model *model, srv_json_path *where);

/** Checks the rows of caches. */
int srv_model_check_caches(const srv_model *model, srv_json_path *where);

bool srv_is_power_of_two(double number);

/** Checks the network of a complete file and fills in its oversubscription. Errors: where->code. */
int srv_model_complete_network(srv_model_file *file, srv_json_path *where);

#endif
