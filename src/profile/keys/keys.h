/* SPDX-License-Identifier: BSD-3-Clause */
/** The names of single facts, from the schema (profile/shape.h), and the fact that each names.
 */
#ifndef SRV_PROFILE_KEYS_KEYS_H
#define SRV_PROFILE_KEYS_KEYS_H

#include "profile/query/find.h"
#include "profile/shape/shape.h"

/** Numbers in a key, as N and M in its pattern. */
enum { SRV_KEY_INDICES_MAX = 2 };

/** One key: where its fact is, and how it is held. */
typedef struct srv_key {
    srv_label label;
    srv_way way;
    size_t offset; /**< in the struct found there */
    srv_type type; /**< of a list of anything but sets, the number of its items is meant */
    const srv_field *field;
    const srv_derived *derived; /**< or NULL */
} srv_key;

/** What is done with each key; false ends the walk. */
typedef bool srv_key_visit(const srv_key *key, void *context);

/** Visits all keys. False: a visit ended it. */
bool srv_keys_walk(srv_key_visit *visit, void *context);

/** A parsed query. */
typedef struct srv_request {
    srv_key key;
    int index[SRV_KEY_INDICES_MAX]; /**< its numbers */
    srv_aspect aspect;
} srv_request;

/** Parses the query `text`. False: it is no key. */
bool srv_key_find(const char *text, srv_request *request);

/** Whether the key is one of a measured value. */
bool srv_key_is_value(const srv_key *key);

/** Whether it is computed for each query, and not stored. */
bool srv_key_is_asked(const srv_key *key);

/** The fact of a key in the struct that its steps lead to; NULL: it has none. */
const void *srv_key_member(const srv_key *key, const void *item);

/** Finds the stored fact that a key means; NULL for one that is worked out. Errors: as
 * servet_profile_get(). */
int srv_key_fact(const servet_profile *profile, const servet_at *at, const char *key,
                 srv_request *request, const void **fact, servet_error *error);

/** The same, and what is worked out into `*worked_out`, to which `*fact` then points. Errors also:
 * what is not known is SERVET_EUNMEASURED. */
int srv_key_answer(const servet_profile *profile, const servet_at *at, const char *key,
                   srv_request *request, servet_value *worked_out, const void **fact,
                   servet_error *error);

/** Whether the fact at `at` is known. */
bool srv_key_is_known(const srv_key *key, const void *at);

/** Whether the fact of a key, `fact`, is to be trusted. */
servet_trust srv_key_trust(const servet_profile *profile, const servet_at *at, const char *key,
                           const srv_request *request, const void *fact);

/** Whether the part is one of srv_key_trust(). */
bool srv_is_trust(srv_aspect aspect);

/** Reports that there is no such key. */
int srv_key_unknown(const char *key, servet_error *error);

/** Whether the fact of a key is one of communication; others belong to a class. */
bool srv_key_of_communication(const srv_key *key);

/** The modes of the fact that has the key `name`, in a list of them; NULL: none were seen. */
const srv_bimodal *srv_modes_find(const srv_list *kept, const char *name);

/** The pattern that differs least from `text`. */
const char *srv_key_nearest(const char *text);

/** The value that a key's fact at `at` is, exactly so for numbers; false for what is neither. */
bool srv_key_value(const srv_key *key, const void *at, servet_value *value);

/** The fact at `at` as text, `name` being its key. Errors: as servet_profile_get(). */
int srv_key_print(const srv_key *key, const void *at, const char *name, char *text, size_t size,
                  servet_error *error);

/** Modes as text, a line each: what it is in the unit of the key, and its share. One mode is the
 * value, all the time. */
int srv_key_print_modes(const srv_key *key, const servet_value *value, const servet_modes *modes,
                        const char *name, char *text, size_t size, servet_error *error);

/** A part of a value of that key that is none of these, and none of srv_is_trust(). */
int srv_key_print_aspect(const srv_key *key, const servet_value *value, srv_aspect aspect,
                         const char *name, char *text, size_t size, servet_error *error);

/** A part of trust. */
int srv_key_print_trust(const servet_trust *trust, srv_aspect aspect, const char *name, char *text,
                        size_t size, servet_error *error);

#endif
