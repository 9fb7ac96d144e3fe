/* SPDX-License-Identifier: BSD-3-Clause */
/** Structs as words of a line, and back, by a list of their items. */
#ifndef SRV_MACHINE_RECORDED_ITEMS_H
#define SRV_MACHINE_RECORDED_ITEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** How an item is held in C. */
typedef enum srv_item_type {
    SRV_ITEM_WHOLE,  /**< bool, int, or 8 bytes, by `size` */
    SRV_ITEM_COUNT,  /**< size_t: of samples */
    SRV_ITEM_SEED,   /**< uint64_t; of requests */
    SRV_ITEM_NUMBER, /**< double, written with 7 digits; NaN and infinity are numbers, too */
    SRV_ITEM_SHORT,  /**< float, written with 4 digits: of many */
    SRV_ITEM_EXACT,  /**< double, whole bytes */
    SRV_ITEM_TEXT,   /**< char[size] */
    SRV_ITEM_STRING, /**< char *, owned */
    SRV_ITEM_LIST,   /**< structs of nothing but `size` ints each, by a pointer; of requests */
} srv_item_type;

typedef struct srv_item {
    srv_item_type type;
    size_t offset; /**< in its struct, in bytes */
    size_t size;   /**< bytes; of LIST: ints in an element */
    size_t count;  /**< LIST: offset of the int that counts the elements */
    bool loose;    /**< of a request: another value requests another sample of the same */
} srv_item;

/** The items of a struct. */
typedef struct srv_items {
    const srv_item *item; /**< NULL: there is no struct */
    int count;
    size_t size; /**< of the struct, in bytes */
} srv_items;

/** Writes a blank and the number of structs, then their items; loosely: "*" for loose ones. */
void srv_items_write(const srv_items *items, const void *structs, int count, bool loosely,
                     FILE *stream);

/**
 * Reads the items of `count` structs from all of the text, without their number. STRING is set
 * in any case, and the caller's. Errors: SERVET_EFORMAT (also for a number that no machine gives),
 * SERVET_EMEMORY.
 */
int srv_items_read(const srv_items *items, const char *text, void *structs, int count);

/** A word between blanks. */
typedef struct srv_word {
    const char *text;
    size_t length;
} srv_word;

/** Takes the next word off `*text`; its length is 0 at the end. */
srv_word srv_word_next(const char **text);

/** True if a word is this text. */
bool srv_word_is(srv_word word, const char *text);

#endif
