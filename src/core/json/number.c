/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/json/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int srv_number_digits(double value)
{
    char text[SRV_NUMBER_TEXT_MAX];
    for (int digits = 15; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return digits;
    }
    return 17;
}

/* Replaces the locale's decimal point, which may have several bytes, by a point. */
static void neutralize(char *text)
{
    size_t whole = strspn(text, "+-0123456789e");
    if (!text[whole])
        return;
    size_t separator = strcspn(text + whole, "+-0123456789e");
    text[whole] = '.';
    memmove(text + whole + 1, text + whole + separator, strlen(text + whole + separator) + 1);
}

void srv_number_text(double value, char text[SRV_NUMBER_TEXT_MAX])
{
    if (value == floor(value) && fabs(value) < 1e18)
        snprintf(text, SRV_NUMBER_TEXT_MAX, "%.0f", value);
    else
        snprintf(text, SRV_NUMBER_TEXT_MAX, "%.*g", srv_number_digits(value), value);
    neutralize(text);
}
