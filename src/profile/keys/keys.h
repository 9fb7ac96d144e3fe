/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The keys: names of single facts, made from the schema (profile/shape/shape.h), and the facts that
 * they name.
 *
 * A key has the names of the members on the way from a core type, a class or the profile, joined by
 * points. The name of a list is followed by a number, or by "count"; patterns have N for the
 * number, and M in a second list. The name of an inner member (srv_field.is_inner) is left out.
 */
#ifndef SRV_PROFILE_KEYS_KEYS_H
#define SRV_PROFILE_KEYS_KEYS_H

#include "profile/query/find.h"
#include "profile/shape/shape.h"
#include "servet/keys.h"

/** Limit of the numbers in a key, such as N and M in its pattern. */
enum { SRV_KEY_INDICES_MAX = 2 };

/** Room for a key with its numbers. */
enum { SRV_KEY_NAME_MAX = 128 };

/** One key: the place of its fact, and the type of the fact. */
typedef struct srv_key {
    char pattern[SRV_KEY_NAME_MAX]; /**< "caches.N.bytes" */
    srv_label label;
    bool is_item; /**< the key names items of the list `field`, not the list */
    srv_way way;
    size_t offset; /**< offset of the fact in the struct that was found */
    srv_type type; /**< type of the fact; of a list without sets, the fact is the length */
    const srv_field *field;
    const srv_derived *derived; /**< derived answer; NULL: a stored fact */
} srv_key;

/** Returns true if the character in a pattern stands for a number. */
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
    const void *fact;        /**< NULL: to be computed */
    servet_value worked_out; /**< the computed fact, to which `fact` then points */
} srv_request;

/** Parses request->name. Returns false if it is not a key. */
bool srv_request_parse(srv_request *request);

/** Parses request->name and finds the stored fact; NULL for a computed one. Errors: as
 * servet_profile_get(). */
int srv_request_find(srv_request *request);

/** Does what srv_request_find() does, and computes the fact if it is not stored. Errors: also
 * SERVET_EUNMEASURED (the fact is not known). */
int srv_request_answer(srv_request *request);

/** Finds the modes of a value that was found; times are in seconds. Errors: SERVET_EUNMEASURED. */
int srv_request_modes(const srv_request *request, servet_modes *modes);

/** Checks that the profile may answer on this node: facts of the whole profile describe its
 * cluster, not other machines. Errors: SERVET_EOTHER. */
int srv_check_here(const servet_profile *profile, const servet_at *at, servet_error *error);

/** Trust in the answer. */
servet_trust srv_request_trust(const srv_request *request);

/** Returns true if the fact of the key is a measured value. */
bool srv_key_is_value(const srv_key *key);

/** Returns true if the fact is computed for each query, and not stored. */
bool srv_key_is_computed(const srv_key *key);

/** Returns the fact of a key in the struct to which its steps lead; NULL: there is none. */
const void *srv_key_member(const srv_key *key, const void *item);

/** Returns true if the fact at `at` is known. */
bool srv_key_is_known(const srv_key *key, const void *at);

/** Returns true if srv_request_trust() answers this part. */
bool srv_is_trust(srv_aspect aspect);

/** Reports that there is no such key, or that its fact was not measured. */
int srv_key_unknown(const char *key, servet_error *error);
int srv_not_measured(const char *key, servet_error *error);

/** Returns true if the fact of a key belongs to communication; otherwise it belongs to a class. */
bool srv_key_of_communication(const srv_key *key);

/** Stores the value of a key's fact at `at`; a number becomes an exact value. Returns false if it
 * is neither. */
bool srv_key_value(const srv_key *key, const void *at, servet_value *value);

/** Prints the fact at `at`, whose key is `name`, as text. Errors: as servet_profile_get(). */
int srv_key_print(const srv_key *key, const void *at, const char *name, char *text, size_t size,
                  servet_error *error);

#endif
