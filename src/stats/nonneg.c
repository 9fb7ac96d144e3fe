/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/nonneg.h"

#include <math.h>

/* If a pivot is below this share of its diagonal, the column depends on the other columns. */
static const double PIVOT_MIN = 1e-10;

/* Cholesky decomposition; the position of a dependent unknown, or -1. */
static int factor(const srv_normal *normal, const int *use, int m,
                  double lower[SRV_NONNEG_MAX][SRV_NONNEG_MAX])
{
    for (int i = 0; i < m; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = normal->matrix[use[i]][use[j]];
            for (int k = 0; k < j; k++)
                sum -= lower[i][k] * lower[j][k];
            if (i > j)
                lower[i][j] = sum / lower[j][j];
            else if (!(sum > PIVOT_MIN * normal->matrix[use[i]][use[i]]))
                return i;
            else
                lower[i][i] = sqrt(sum);
        }
    }
    return -1;
}

static void substitute(const srv_normal *normal, const int *use, int m,
                       double lower[SRV_NONNEG_MAX][SRV_NONNEG_MAX], double *solution)
{
    for (int i = 0; i < m; i++) {
        solution[i] = normal->right[use[i]];
        for (int k = 0; k < i; k++)
            solution[i] -= lower[i][k] * solution[k];
        solution[i] /= lower[i][i];
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int k = i + 1; k < m; k++)
            solution[i] -= lower[k][i] * solution[k];
        solution[i] /= lower[i][i];
    }
}

void srv_nonneg_solve(const srv_normal *normal, double *x)
{
    double lower[SRV_NONNEG_MAX][SRV_NONNEG_MAX], solution[SRV_NONNEG_MAX];
    int use[SRV_NONNEG_MAX], m = normal->n;
    for (int i = 0; i < m; i++) {
        use[i] = i;
        x[i] = 0;
    }
    while (m > 0) {
        int drop = factor(normal, use, m, lower);
        if (drop < 0) {
            substitute(normal, use, m, lower, solution);
            for (int i = 0; i < m; i++)
                if (solution[i] < 0 && (drop < 0 || solution[i] < solution[drop]))
                    drop = i;
        }
        if (drop < 0)
            break;
        for (m--; drop < m; drop++)
            use[drop] = use[drop + 1];
    }
    for (int i = 0; i < m; i++)
        x[use[i]] = solution[i];
}
