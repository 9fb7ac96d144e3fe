/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "stats/nonneg.h"

/* Normal equations of `n` columns of four rows. */
static srv_normal normal_of(int n, double column[][4], const double *values)
{
    srv_normal normal;
    memset(&normal, 0, sizeof normal);
    normal.n = n;
    for (int i = 0; i < n; i++)
        for (int row = 0; row < 4; row++) {
            normal.right[i] += column[i][row] * values[row];
            for (int j = 0; j < n; j++)
                normal.matrix[i][j] += column[i][row] * column[j][row];
        }
    return normal;
}

TEST(exact_solution_is_found)
{
    double columns[][4] = {{1, 1, 1, 1}, {0, 1, 1, 1}, {0, 0, 0.5, 1}};
    const double values[] = {2, 5, 5.5, 6}; /* 2, 3 and 1 of the columns */
    double x[3];
    srv_normal normal = normal_of(3, columns, values);
    srv_nonneg_solve(&normal, x);
    assert_float_equal(x[0], 2, 1e-9);
    assert_float_equal(x[1], 3, 1e-9);
    assert_float_equal(x[2], 1, 1e-9);
}

TEST(negative_unknowns_become_zero)
{
    double columns[][4] = {{1, 1, 1, 1}, {0, 0, 1, 1}};
    const double values[] = {4, 4, 2, 2}; /* falls: 4 and -2 */
    double x[2];
    srv_normal normal = normal_of(2, columns, values);
    srv_nonneg_solve(&normal, x);
    assert_float_equal(x[0], 3, 1e-9); /* the mean, all that is left */
    assert_true(x[1] == 0);
}

TEST(dependent_columns_are_dropped)
{
    double columns[][4] = {{1, 1, 1, 1}, {2, 2, 2, 2}, {0, 0, 0, 0}};
    const double values[] = {3, 3, 3, 3};
    double x[3];
    srv_normal normal = normal_of(3, columns, values);
    srv_nonneg_solve(&normal, x);
    assert_float_equal(x[0] + 2 * x[1], 3, 1e-9);
    assert_true(x[2] == 0);
}
