/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/relation.h"

#include "sim/random.h"
#include "sim/system.h"

static int domain_of(const srv_model *model, int domain, const srv_member *member)
{
    return srv_numa_domain(model, domain, member->pu, member->node);
}

static bool are_close(const srv_model *model, int pu, int other)
{
    bool close = srv_system_core(model, pu) == srv_system_core(model, other);
    for (int row = 0; row < model->cache_count && !close; row++)
        close = srv_system_shares(model, &model->cache[row], pu, other);
    return close;
}

/* --- groups ----------------------------------------------------------------------------------- */

static void join(int *group, int count, int one, int other)
{
    int kept = one < other ? one : other, lost = one < other ? other : one;
    for (int i = 0; i < count; i++)
        group[i] = group[i] == lost ? kept : group[i];
}

void srv_relation_groups(const srv_model *model, const srv_member *member, int count, int *group)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (group[i] != group[j] && are_close(model, member[i].pu, member[j].pu))
                join(group, count, group[i], group[j]);
}

/* --- sums ------------------------------------------------------------------------------------- */

/* The resources that two members share, one bit for each. */
static uint64_t shared(const srv_model *model, const srv_member *one, const srv_member *other)
{
    uint64_t bits = srv_system_core(model, one->pu) == srv_system_core(model, other->pu);
    for (int row = 0; row < model->cache_count; row++)
        bits = bits << 1 | srv_system_shares(model, &model->cache[row], one->pu, other->pu);
    for (int i = 0; i < model->domain_count; i++)
        bits = bits << 1 | (domain_of(model, i, one) == domain_of(model, i, other));
    for (int i = 0; i < model->distance_count; i++)
        bits = bits << 1 | (one->pu / model->distance[i].pus == other->pu / model->distance[i].pus);
    return bits;
}

/* The resources that a member uses, alone. */
static uint64_t own(const srv_model *model, const srv_member *member)
{
    const srv_model_remote *remote = srv_numa_remote(model, member->pu, member->node);
    double ghz = srv_system_ghz(model, member->pu);
    uint64_t bits = remote ? (uint64_t)(remote - model->remote) + 1 : 0;
    for (int row = 0; row < model->cache_count; row++)
        bits = bits << 1 | srv_system_covers(model, &model->cache[row], member->pu);
    return srv_mix_bytes(bits, &ghz, sizeof ghz);
}

uint64_t srv_relation_sum(const srv_model *model, const srv_member *member, const int *group,
                          int count, int of)
{
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        if (group[i] != of)
            continue;
        uint64_t words[] = {member[i].work, own(model, &member[i])};
        sum = srv_mix_bytes(sum, words, sizeof words);
        for (int j = 0; j < i; j++) {
            uint64_t bits = group[j] == of ? shared(model, &member[i], &member[j]) : 0;
            sum = group[j] == of ? srv_mix_bytes(sum, &bits, sizeof bits) : sum;
        }
    }
    return sum;
}

/* --- groups that are alike -------------------------------------------------------------------- */

/* Member number `n` of the first group. */
static int first_at(const int *group, int n)
{
    int i = 0;
    for (; group[i] != 0 || n > 0; i++)
        n -= group[i] == 0;
    return i;
}

static int place_in_group(const int *group, int i)
{
    int n = 0;
    for (int j = group[i]; j < i; j++)
        n += group[j] == group[i];
    return n;
}

/* Groups with a member that uses the same instance of a domain as `of`. */
static int users_of(const srv_model *model, int domain, const srv_member *member, const int *group,
                    int count, int of)
{
    int instance = domain_of(model, domain, &member[of]), users = 0;
    for (int first = 0; first < count; first++)
        for (int i = first; i < count && group[first] == first; i++)
            if (group[i] == first && domain_of(model, domain, &member[i]) == instance) {
                users++;
                break;
            }
    return users;
}

static bool are_sums_equal(const srv_model *model, const srv_member *member, const int *group,
                           int count)
{
    uint64_t sum = srv_relation_sum(model, member, group, count, 0);
    bool equal = true;
    for (int i = 1; i < count && equal; i++)
        if (group[i] == i)
            equal = srv_relation_sum(model, member, group, count, i) == sum;
    return equal;
}

static bool are_alike(const srv_model *model, const srv_member *member, const int *group, int count,
                      int *like, double (*share)[SRV_MODEL_DOMAINS_MAX])
{
    bool alike = are_sums_equal(model, member, group, count);
    for (int i = 0; i < count && alike; i++) {
        like[i] = first_at(group, place_in_group(group, i));
        for (int d = 0; d < model->domain_count; d++) {
            share[i][d] = users_of(model, d, member, group, count, i);
            alike = alike && share[i][d] == share[like[i]][d];
        }
    }
    return alike;
}

void srv_relation_find(const srv_model *model, const srv_member *member, const int *group,
                       int count, int *like, double (*share)[SRV_MODEL_DOMAINS_MAX])
{
    if (are_alike(model, member, group, count, like, share))
        return;
    for (int i = 0; i < count; i++) {
        like[i] = i;
        for (int d = 0; d < model->domain_count; d++)
            share[i][d] = 1;
    }
}
