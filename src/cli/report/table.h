/* SPDX-License-Identifier: BSD-3-Clause */
/** Tables of the report. */
#ifndef SRV_CLI_REPORT_TABLE_H
#define SRV_CLI_REPORT_TABLE_H

enum { REPORT_COLUMNS_MAX = 16, REPORT_ROWS_MAX = 64, REPORT_CELL_MAX = 80 };

/** A table that is being filled; the first row has the heads of the columns. */
typedef struct report_table {
    int columns, rows;
    char align[REPORT_COLUMNS_MAX]; /**< 'l' or 'r' for each column */
    char cell[REPORT_ROWS_MAX][REPORT_COLUMNS_MAX][REPORT_CELL_MAX];
} report_table;

/** Begins a table without rows and columns. */
void report_table_begin(report_table *table);

/** Adds a column with its head, aligned to the left ('l') or right ('r'), before rows are added. */
void report_table_column(report_table *table, char align, const char *head);

/** Adds a row; `cells` has a text for each column; they are copied. Rows beyond the last that fits
 * are dropped. */
void report_table_row(report_table *table, const char *const cells[]);

/** Prints the table on stdout, indented by two blanks, without blanks at the ends of lines. */
void report_table_print(const report_table *table);

/** Columns of numbers, such as numbers of threads, from small to large. */
typedef struct report_numbers {
    int number[REPORT_COLUMNS_MAX];
    int count;
} report_numbers;

/** Adds the powers of two up to `count`, and `count`, as far as there is room. */
void report_numbers_add(report_numbers *numbers, int count);

/** Adds a column of numbers for each. */
void report_table_numbers(report_table *table, const report_numbers *numbers);

#endif
