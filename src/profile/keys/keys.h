/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The names of single facts, from the schema (profile/shape.h), and the fact that each names.
 *
 * A key is the names of the members on the way from a core type, a class or the profile, joined by
 * points. A list is followed by a number, which patterns call N, and M in a second list, or by
 * "count". The name of an inner member (srv_field.is_inner) is left out.
 */
#ifndef SRV_PROFILE_KEYS_KEYS_H
#define SRV_PROFILE_KEYS_KEYS_H

#include "profile/query/find.h"
#include "profile/shape/shape.h"
#include "servet/keys.h"

/** Numbers in a key, as N and M in its pattern. */
enum { SRV_KEY_INDICES_MAX = 2 };

/** Room for a key with its numbers. */
enum { SRV_KEY_NAME_MAX = 128 };

/** One key: where its fact is, and how it is held. */
typedef struct srv_key {
    char pattern[SRV_KEY_NAME_MAX]; /**< "caches.N.bytes" */
    srv_label label;
    bool is_item; /**< it names items of the list `field`, and not the list */
    srv_way way;
    size_t offset; /**< in the struct found there */
    srv_type type; /**< of a list of anything but sets, the number of its items is meant */
    const srv_field *field;
    const srv_derived *derived; /**< or NULL */
} srv_key;

/** True if the character of a pattern stands for a number. */
bool srv_is_placeholder(char symbol);

/** The key with its numbers: "caches.2.bytes". */
void srv_key_name(const srv_key *key, const int *index, char name[SRV_KEY_NAME_MAX]);

/** Called for each key; false ends the walk. */
typedef bool srv_key_visit(const srv_key *key, void *context);

/** Visits all keys. False: a visit ended it. */
bool srv_keys_walk(srv_key_visit *visit, void *context);

/** A query for one fact: the node, the key, and the place of the answer. */
typedef struct srv_request {
    const servet_profile *profile;
    const servet_at *at;
    const char *name; /**< the key as it was given */
    servet_error *error;
    srv_key key;
    int index[SRV_KEY_INDICES_MAX]; /**< its numbers */
    srv_aspect aspect;
    const void *fact;        /**< NULL: to be worked out */
    servet_value worked_out; /**< computed fact that `fact` then points to */
} srv_request;

/** Parses request->name. False: it is no key. */
bool srv_request_parse(srv_request *request);

/** The same, and finds the stored fact that it means; NULL for one that is worked out. Errors: as
 * servet_profile_get(). */
int srv_request_find(srv_request *request);

/** The same, also for computed facts. Errors also: SERVET_EUNMEASURED for facts that are not known.
 */
int srv_request_answer(srv_request *request);

/** The modes that were seen of a value that was found, in seconds where it is in these. Errors:
 * SERVET_EUNMEASURED. */
int srv_request_modes(const srv_request *request, servet_modes *modes);

/** Checks that the profile answers here: facts of all classes together describe their cluster, and
 * do not apply to other machines. Errors: SERVET_EOTHER. */
int srv_check_here(const servet_profile *profile, const servet_at *at, servet_error *error);

/** Trust in the answer. */
servet_trust srv_request_trust(const srv_request *request);

/** The answer, or the part of it that is meant, as text. Errors: as servet_profile_get(). */
int srv_request_print(const srv_request *request, char *text, size_t size);

/** True if the key is one of a measured value. */
bool srv_key_is_value(const srv_key *key);

/** True if it is computed for each query, and not stored. */
bool srv_key_is_computed(const srv_key *key);

/** The fact of a key in the struct that its steps lead to; NULL: it has none. */
const void *srv_key_member(const srv_key *key, const void *item);

/** True if the fact at `at` is known. */
bool srv_key_is_known(const srv_key *key, const void *at);

/** True if the part is one of srv_request_trust(). */
bool srv_is_trust(srv_aspect aspect);

/** Reports that there is no such key, or that its fact was not measured. */
int srv_key_unknown(const char *key, servet_error *error);
int srv_not_measured(const char *key, servet_error *error);

/** True if the fact of a key is one of communication; others belong to a class. */
bool srv_key_of_communication(const srv_key *key);

/** The value of a key's fact at `at`, exactly so for numbers; false if it is neither. */
bool srv_key_value(const srv_key *key, const void *at, servet_value *value);

/** The fact at `at` as text, `name` being its key. Errors: as servet_profile_get(). */
int srv_key_print(const srv_key *key, const void *at, const char *name, char *text, size_t size,
                  servet_error *error);

#endif
