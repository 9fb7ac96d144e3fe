/* SPDX-License-Identifier: BSD-3-Clause */
/** Memory for the messages of a rank. */
#ifndef SRV_RANKS_MESSAGE_MEMORY_H
#define SRV_RANKS_MESSAGE_MEMORY_H

#include <stddef.h>

/** Pages that the calling thread has touched; NULL if there are none. */
void *srv_message_memory_take(size_t bytes);

void srv_message_memory_release(void *base, size_t bytes);

#endif
