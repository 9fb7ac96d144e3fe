/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Searches folders of profiles. Such a place has profile.json and, in folders of any name, the
 * profiles of other clusters and types of nodes: NAME/profile.json.
 */
#ifndef SRV_PROFILE_FILE_PLACES_H
#define SRV_PROFILE_FILE_PLACES_H

#include <stdbool.h>

#include "servet/profile.h"

/** How well a profile fits this node, the best last. */
typedef enum srv_place_fit {
    SRV_PLACE_NONE,  /**< there is no profile */
    SRV_PLACE_OTHER, /**< it is of other nodes only */
    SRV_PLACE_ALIKE, /**< of this node's type */
    SRV_PLACE_LISTED /**< it lists this node, or cannot be read: opening it reports the reason */
} srv_place_fit;

/** Writes the user's place, by the XDG standard. Returns false if the environment names none, or if
 * it is too long. In a set-uid program, the environment is ignored. */
bool srv_place_of_user(char place[SERVET_ERROR_FILE_MAX]);

/** Searches a place. Writes the path of the profile that fits best, or else of the first one, into
 * `path`; "" if there is none. */
srv_place_fit srv_place_search(const char *place, char path[SERVET_ERROR_FILE_MAX]);

#endif
