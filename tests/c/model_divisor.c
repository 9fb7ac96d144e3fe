/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares with the division of the machine where rounding could fail: next to multiples. */
#include "test.h"

#include "sim/divisor.h"

static void expect_division(uint32_t x, uint32_t value)
{
    srv_divisor divisor = srv_divisor_of(value);
    uint32_t quotient = srv_quotient(x, &divisor);
    assert_int_equal(quotient, x / value);
    assert_int_equal(srv_rest(x, quotient, &divisor), x % value);
}

TEST(quotients_are_exact)
{
    static const uint32_t values[] = {1,     2,          3,          5,          6,         7,
                                      28,    64,         96,         641,        65535,     65536,
                                      65537, 0x7fffffff, 0x80000000, 0x80000001, UINT32_MAX};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        uint32_t most = UINT32_MAX / values[i];
        for (uint32_t times = most; times > most - 1000 && times > 0; times--) {
            expect_division(times * values[i], values[i]);
            expect_division(times * values[i] - 1, values[i]);
        }
        expect_division(0, values[i]);
        expect_division(UINT32_MAX, values[i]);
    }
}
