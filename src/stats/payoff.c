/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/payoff.h"

servet_payoff srv_payoff_of(double low, double high)
{
    if (low > 1 + SRV_PAYOFF_NOISE)
        return SERVET_PAYOFF_PAYS;
    return high < 1 / (1 + SRV_PAYOFF_NOISE) ? SERVET_PAYOFF_LOSES : SERVET_PAYOFF_EVEN;
}
