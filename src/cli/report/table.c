/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/table.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void report_table_begin(report_table *table)
{
    table->columns = 0;
    table->rows = 1;
}

void report_table_column(report_table *table, char align, const char *head)
{
    if (table->columns == REPORT_COLUMNS_MAX)
        return;
    table->align[table->columns] = align;
    snprintf(table->cell[0][table->columns++], REPORT_CELL_MAX, "%s", head);
}

void report_table_row(report_table *table, const char *const cells[])
{
    if (table->rows == REPORT_ROWS_MAX)
        return;
    for (int i = 0; i < table->columns; i++)
        snprintf(table->cell[table->rows][i], REPORT_CELL_MAX, "%s", cells[i]);
    table->rows++;
}

static int width_of(const report_table *table, int column)
{
    int width = 0;
    for (int i = 0; i < table->rows; i++) {
        int length = (int)strlen(table->cell[i][column]);
        width = length > width ? length : width;
    }
    return width;
}

/* Prints a row. Blanks are printed only if a text follows them. */
static void print_row(const report_table *table, int row)
{
    int blanks = 2;
    for (int i = 0; i < table->columns; i++) {
        const char *cell = table->cell[row][i];
        int length = (int)strlen(cell), rest = width_of(table, i) - length;
        int before = table->align[i] == 'r' ? rest : 0;
        if (length)
            printf("%*s%s", blanks + before, "", cell);
        blanks = length ? 2 + rest - before : blanks + rest + 2;
    }
    putchar('\n');
}

void report_table_print(const report_table *table)
{
    for (int i = 0; i < table->rows; i++)
        print_row(table, i);
}

/* --- numbers ---------------------------------------------------------------------------------- */

static void insert(report_numbers *numbers, int number)
{
    int at = 0;
    while (at < numbers->count && numbers->number[at] < number)
        at++;
    bool known = at < numbers->count && numbers->number[at] == number;
    if (known || numbers->count == REPORT_COLUMNS_MAX - 1)
        return;
    memmove(&numbers->number[at + 1], &numbers->number[at],
            (size_t)(numbers->count - at) * sizeof numbers->number[0]);
    numbers->number[at] = number;
    numbers->count++;
}

void report_numbers_add(report_numbers *numbers, int count)
{
    for (int number = 1; number <= count; number++)
        if (number == count || (number & (number - 1)) == 0)
            insert(numbers, number);
}

void report_table_numbers(report_table *table, const report_numbers *numbers)
{
    char head[16];
    for (int i = 0; i < numbers->count; i++) {
        snprintf(head, sizeof head, "%d", numbers->number[i]);
        report_table_column(table, 'r', head);
    }
}
