/* SPDX-License-Identifier: BSD-3-Clause */
/** Texts from outside made fit for JSON. */
#ifndef SRV_PROFILE_UTF8_H
#define SRV_PROFILE_UTF8_H

/** Puts '?' for control characters and for every byte that is not part of well-formed UTF-8. */
void srv_utf8_clean(char *text);

#endif
