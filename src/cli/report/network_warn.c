/* SPDX-License-Identifier: BSD-3-Clause */
/* Warns about communication: slow nodes, slow links, and facts that were measured under noise. */
#include "cli/report/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/text.h"
#include "core/human.h"
#include "servet/network.h"

/* Warns about slow nodes, which are left out of rings if enough other nodes remain. */
static void warn_nodes(document *to, const servet_profile *profile, int nodes)
{
    servet_value value;
    servet_ratio ratio = {.nodes = nodes};
    (void)servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, 1, &ratio);
    for (int i = 0; i < nodes; i++)
        if (servet_network_slowness(profile, i, &value) == SERVET_OK &&
            value.value >= SERVET_SLOW_NODE)
            document_warning(to, "%s: its messages take %s times as long as those of other nodes%s",
                             servet_network_node(profile, i), HUMAN(value.value, 3),
                             ratio.nodes < nodes ? "; bandwidth loss is that of the others" : "");
}

/* Writes the name of a node, or "nodes 0-3". */
static void name_nodes(const servet_profile *profile, const char *nodes, char text[SERVET_TEXT_MAX])
{
    const char *name = strpbrk(nodes, ",-") ? NULL : servet_network_node(profile, atoi(nodes));
    snprintf(text, SERVET_TEXT_MAX, "%s%s", name ? "" : "nodes ", name ? name : nodes);
}

/* Warns about slow links. Rings contain them, but messages across them are left out of the mean. */
static void warn_links(document *to, const servet_profile *profile)
{
    servet_slow_link link;
    servet_ratio ratio;
    bool rings = servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, 1, &ratio) == SERVET_OK;
    for (int i = 1; SERVET_ITEM(profile, "network.slow_links", &link, i) == SERVET_OK; i++) {
        char from[SERVET_TEXT_MAX], other[SERVET_TEXT_MAX];
        name_nodes(profile, link.from, from);
        name_nodes(profile, link.to, other);
        document_warning(to,
                         "slow link between %s and %s: its messages take %s times as long as "
                         "others of both%s%s",
                         from, other, HUMAN(link.factor.value, 3),
                         link.trusted ? "" : " (not trusted)",
                         rings ? "; bandwidth loss is that of the others" : "");
    }
}

void report_warn_network(document *to, const servet_profile *profile)
{
    servet_network network = {0};
    const servet_at any = {servet_profile_class_name(profile, 0), SERVET_ANY_CORE};
    (void)servet_network_get(profile, &network);
    warn_nodes(to, profile, network.nodes);
    warn_links(to, profile);
    report_doubts(to, profile, &any, true);
    report_modes_network(to, profile);
    document_join_doubts(to);
}
