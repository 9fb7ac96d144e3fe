/* SPDX-License-Identifier: BSD-3-Clause */
/** The format of model files, and their conversion to srv_model. */
#ifndef SRV_MODEL_FORMAT_H
#define SRV_MODEL_FORMAT_H

#include "core/json/shape.h"
#include "sim/model.h"

/** The format this library reads. */
enum { SRV_MODEL_VERSION = 1 };

/** The address that indexes a cache; the model stores whether it is virtual. */
#define SRV_INDEXING_LIST(X)                                                                       \
    X(SRV_INDEXED_AS_USUAL, "usual") /* virtually at level 1, physically below */                  \
    X(SRV_INDEXED_VIRTUALLY, "virtual")                                                            \
    X(SRV_INDEXED_PHYSICALLY, "physical")

#define SRV_FORMAT_ENUM_(name, text) name,
typedef enum srv_indexing { SRV_INDEXING_LIST(SRV_FORMAT_ENUM_) SRV_INDEXING_COUNT } srv_indexing;
#undef SRV_FORMAT_ENUM_

/** A row of "kinds". */
typedef struct srv_core_type_row {
    char name[SERVET_NAME_MAX];
    int cores, smt;
    double clock_ghz, memory_bytes_per_second;
} srv_core_type_row;

/** A row of "caches": the members of the model, and those that they are derived from. */
typedef struct srv_cache_row {
    srv_model_cache cache;
    char core_type[SERVET_NAME_MAX]; /**< core type that has it; "": all */
    int shared_by;                   /**< PUs; 0: those of one core */
    srv_indexing indexing;
} srv_cache_row;

/** A row of "flops". */
typedef struct srv_flops_row {
    srv_model_flops flops;
    char core_type[SERVET_NAME_MAX]; /**< core type that has them; "": all */
} srv_flops_row;

/** A whole file. srv_model_complete() adds the members that `model` lacks after reading. */
typedef struct srv_model_file {
    int version;
    int cores, smt; /**< of the node; 0: given by `core_type`, or absent */
    double clock_ghz;
    char *os_numbering; /**< owned; NULL: as the logical numbers */
    int core_type_count, cache_count, flops_count;
    srv_core_type_row core_type[SRV_MODEL_DOMAINS_MAX];
    srv_cache_row cache[SRV_MODEL_CACHES_MAX];
    srv_flops_row flops[SRV_MODEL_FLOPS_MAX];
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
