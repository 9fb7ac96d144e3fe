/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/numbers.h"

srv_numbers srv_numbers_begin(void)
{
    srv_numbers numbers = {.plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
    if (numbers.plain)
        numbers.before = uselocale(numbers.plain);
    return numbers;
}

void srv_numbers_end(srv_numbers numbers)
{
    if (!numbers.plain)
        return;
    uselocale(numbers.before);
    freelocale(numbers.plain);
}
