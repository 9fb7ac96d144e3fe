/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The facts that a correct profile of a simulated platform has, from the routes, latencies and
 * bandwidths that SimGrid reads in the platform: truth PLATFORM.xml HOSTS LATENCY_FACTORS
 * BANDWIDTH_FACTORS [CABLE=BANDWIDTH]. HOSTS has a line for each rank; the factors are those of
 * smpi/lat-factor and smpi/bw-factor; the cable is slow, and would have this bandwidth. It prints
 * lines FACT|KEY|VALUE|TOLERANCE; without a tolerance the value is text. Nothing of Servet is
 * linked.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <xbt/dynar.h>

/* Errors that a user does not notice: of times, of bandwidths and ratios. */
static const double TIME = 0.15, RATE = 0.10;

/* Messages that distinguish layers, short ones, and those of rings. */
static const double LAYER_BYTES = 32768, SHORT_BYTES = 8, RING_BYTES = 32 << 20;

/* A layer costs so much more than the one before (share/doc/detection.md). */
static const double APART = 1.17;

/* A host or a cable is slow if its messages take so much longer than those of the others. */
static const double SLOW = 1.5, SLOWNESS = 0.25;

enum { HOSTS_MAX = 1024, LINKS_MAX = 64, LAYERS_MAX = 8, NAME_SIZE = 128 };

/* --- the platform ----------------------------------------------------------------------------- */

/* The way of a message between two hosts. */
typedef struct route {
    int count, link[LINKS_MAX]; /* numbers of links */
    double latency, bandwidth;  /* s; of the slowest link, bytes/s */
    double sound;               /* the bandwidth if no cable were slow */
} route;

typedef struct platform {
    int ranks, hosts, per_host;
    sg_host_t host[HOSTS_MAX];
    char name[HOSTS_MAX][NAME_SIZE];
    int links;
    sg_link_t *link;
    double *capacity;
    bool *shared; /* of each link: by all messages */
    bool slow[HOSTS_MAX];
    route *routes; /* hosts * hosts */
    const char *latency_factors, *bandwidth_factors;
    char cable[NAME_SIZE]; /* one that is slow, or "" */
    double sound;          /* its bandwidth if it were not */
} platform;

static void *get_memory(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        exit(2);
    return memory;
}

static int number_of(const platform *on, sg_link_t link)
{
    for (int i = 0; i < on->links; i++)
        if (on->link[i] == link)
            return i;
    exit(2);
}

/* A cable is a link for each direction: u1_UP and u1_DOWN. */
static bool is_sick(const platform *on, sg_link_t link)
{
    size_t length = strlen(on->cable);
    return length && strncmp(sg_link_get_name(link), on->cable, length) == 0 &&
           sg_link_get_name(link)[length] == '_';
}

static route find_route(const platform *on, int from, int to)
{
    route found = {.bandwidth = INFINITY, .sound = INFINITY};
    unsigned i;
    sg_link_t link;
    xbt_dynar_t links = xbt_dynar_new(sizeof(sg_link_t), NULL);
    sg_host_get_route(on->host[from], on->host[to], links);
    xbt_dynar_foreach(links, i, link)
    {
        if (found.count == LINKS_MAX)
            exit(2);
        found.link[found.count++] = number_of(on, link);
        found.latency += sg_link_get_latency(link);
        found.bandwidth = fmin(found.bandwidth, sg_link_get_bandwidth(link));
        found.sound =
            fmin(found.sound, is_sick(on, link) ? on->sound : sg_link_get_bandwidth(link));
    }
    xbt_dynar_free(&links);
    return found;
}

static const route *way(const platform *on, int from, int to)
{
    return &on->routes[from * on->hosts + to];
}

static void read_hosts(platform *on, const char *path)
{
    char name[NAME_SIZE];
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%127s", name) == 1) {
        on->ranks++;
        if (on->hosts && strcmp(on->name[on->hosts - 1], name) == 0)
            continue;
        on->host[on->hosts] = sg_host_by_name(name);
        strcpy(on->name[on->hosts++], name);
    }
    if (file)
        fclose(file);
    if (on->hosts == 0)
        exit(2);
    on->per_host = on->ranks / on->hosts;
}

static void read_platform(platform *on, const char *hosts)
{
    read_hosts(on, hosts);
    on->links = (int)sg_link_count();
    on->link = sg_link_list();
    on->capacity = get_memory((size_t)on->links, sizeof *on->capacity);
    on->shared = get_memory((size_t)on->links, sizeof *on->shared);
    for (int i = 0; i < on->links; i++) {
        on->capacity[i] = sg_link_get_bandwidth(on->link[i]);
        on->shared[i] = sg_link_is_shared(on->link[i]);
    }
    on->routes = get_memory((size_t)on->hosts * (size_t)on->hosts, sizeof *on->routes);
    for (int i = 0; i < on->hosts; i++)
        for (int j = 0; j < on->hosts; j++)
            if (i != j || on->per_host > 1)
                on->routes[i * on->hosts + j] = find_route(on, i, j);
}

/* --- the time of a message -------------------------------------------------------------------- */

/* The factor of a size in a list "BYTES:FACTOR;..." : that of the largest bound below it. */
static double factor_of(const char *list, double bytes)
{
    double best = -1, factor = 1, bound, value;
    int length;
    for (; sscanf(list, "%lf:%lf%n", &bound, &value, &length) == 2;
         list += length + (list[length] == ';'))
        if (bound < bytes && bound > best) {
            best = bound;
            factor = value;
        }
    return factor;
}

static double one_way(const platform *on, const route *by, double bandwidth, double bytes)
{
    return by->latency * factor_of(on->latency_factors, bytes) +
           bytes / (bandwidth * factor_of(on->bandwidth_factors, bytes));
}

/* Half of a round trip; `sound`: if no cable were slow. */
static double round_trip(const platform *on, int a, int b, double bytes, bool sound)
{
    const route *there = way(on, a, b), *back = way(on, b, a);
    return (one_way(on, there, sound ? there->sound : there->bandwidth, bytes) +
            one_way(on, back, sound ? back->sound : back->bandwidth, bytes)) /
           2;
}

/* The factor by which the slow cable delays messages between two hosts; 1: it is not on their way.
 */
static double delay_of(const platform *on, int a, int b)
{
    return round_trip(on, a, b, LAYER_BYTES, false) / round_trip(on, a, b, LAYER_BYTES, true);
}

static bool is_sound(const platform *on, int a, int b)
{
    return !on->slow[a] && !on->slow[b];
}

/* Layers are those of the platform with slow cables, but as if no host were slow. */
static double seconds_of(const platform *on, int a, int b, double bytes)
{
    return round_trip(on, a, b, bytes, !is_sound(on, a, b));
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *numbers, int count)
{
    qsort(numbers, (size_t)count, sizeof *numbers, by_size);
    return (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
}

/* The least factor by which messages of a host are delayed: by its own cable. */
static double slowness_of(const platform *on, int host)
{
    double least = INFINITY;
    for (int i = 0; i < on->hosts; i++)
        least = i == host ? least : fmin(least, delay_of(on, i, host));
    return least;
}

/* --- layers ----------------------------------------------------------------------------------- */

/* Hosts that a layer and the ones before it join: of each host, the first one of its group. */
typedef struct partition {
    int group[HOSTS_MAX];
} partition;

static int find_root(const int *group, int i)
{
    while (group[i] != i)
        i = group[i];
    return i;
}

/* Joins hosts whose messages take at most these seconds. */
static void join(const platform *on, double bytes, double seconds, partition *layer)
{
    int *group = layer->group;
    for (int i = 0; i < on->hosts; i++)
        group[i] = i;
    for (int i = 0; i < on->hosts; i++)
        for (int j = 0; j < i; j++)
            if (seconds_of(on, i, j, bytes) <= seconds) {
                int a = find_root(group, i), b = find_root(group, j);
                group[a > b ? a : b] = a > b ? b : a;
            }
    for (int i = 0; i < on->hosts; i++)
        group[i] = find_root(group, i);
}

/* Is true if each pair within a group costs at most these seconds: then the groups are all that
 * there is to tell. */
static bool is_whole(const platform *on, double bytes, double seconds, const partition *layer)
{
    for (int i = 0; i < on->hosts; i++)
        for (int j = 0; j < i; j++)
            if (layer->group[i] == layer->group[j] && seconds_of(on, i, j, bytes) > seconds)
                return false;
    return true;
}

/* The costs of all pairs, ascending, which the caller frees. */
static double *list_costs(const platform *on, double bytes, int *pairs)
{
    double *cost = get_memory((size_t)on->hosts * (size_t)on->hosts, sizeof *cost);
    *pairs = 0;
    for (int i = 0; i < on->hosts; i++)
        for (int j = 0; j < i; j++)
            cost[(*pairs)++] = seconds_of(on, i, j, bytes);
    qsort(cost, (size_t)*pairs, sizeof *cost, by_size);
    return cost;
}

/* Costs are cut where the next is clearly higher and the pairs below the cut form groups. */
static int find_layers(const platform *on, double bytes, partition *layers)
{
    int count = 0, pairs;
    double *cost = list_costs(on, bytes, &pairs);
    for (int i = 0; i < pairs && count < LAYERS_MAX; i++) {
        if (i + 1 < pairs && cost[i + 1] < APART * cost[i])
            continue;
        join(on, bytes, cost[i], &layers[count]);
        count += is_whole(on, bytes, cost[i], &layers[count]);
    }
    free(cost);
    return count;
}

/* The median time of messages between hosts that this layer joins and the one before does not. */
static double seconds_of_layer(const platform *on, const partition *now, const partition *before,
                               double bytes)
{
    double *cost = get_memory((size_t)on->hosts * (size_t)on->hosts, sizeof *cost);
    int pairs = 0;
    for (int i = 0; i < on->hosts; i++)
        for (int j = 0; j < i; j++)
            if (now->group[i] == now->group[j] && (!before || before->group[i] != before->group[j]))
                cost[pairs++] = seconds_of(on, i, j, bytes);
    double seconds = median(cost, pairs);
    free(cost);
    return seconds;
}

/* "0-3:0,8:0" */
static void print_group(const platform *on, const partition *layer, int first)
{
    const char *between = "";
    for (int i = first, end; i < on->hosts; i = end + 1) {
        end = i;
        if (layer->group[i] != first)
            continue;
        while (end + 1 < on->hosts && layer->group[end + 1] == first)
            end++;
        printf(end > i ? "%s%d-%d" : "%s%d", between, i, end);
        printf(on->per_host > 1 ? ":0-%d" : ":0", on->per_host - 1);
        between = ",";
    }
}

static void print_groups(const platform *on, const partition *layer, int number)
{
    const char *between = "";
    printf("groups of a layer|layers.%d.groups|", number);
    for (int first = 0; first < on->hosts; first++) {
        if (layer->group[first] != first)
            continue;
        printf("%s", between);
        print_group(on, layer, first);
        between = " ";
    }
    printf("|\n");
}

/* The time of a message of the layer's pairs: of the size that distinguishes layers, and of others.
 * Without a layer the pair is of two processes of the first host. */
static void print_times(const platform *on, const partition *now, const partition *before,
                        int number)
{
    static const int sizes[] = {1, 1000, 12345, 200000, 1 << 20, 32 << 20};
    for (int i = -1; i < (int)(sizeof sizes / sizeof *sizes); i++) {
        double bytes = i < 0 ? LAYER_BYTES : sizes[i];
        double seconds =
            now ? seconds_of_layer(on, now, before, bytes) : seconds_of(on, 0, 0, bytes);
        if (i < 0)
            printf("latency of a layer|layers.%d.latency_us", number);
        else
            printf("time of a message|layers.%d.time_us.%d", number, sizes[i]);
        printf("|%.9g|%g\n", 1e6 * seconds, TIME);
    }
}

/* Processes of one host are a layer of their own. */
static int print_layer_of_hosts(const platform *on)
{
    if (on->per_host < 2)
        return 0;
    print_times(on, NULL, NULL, 1);
    printf("groups of a layer|layers.1.groups|");
    for (int i = 0; i < on->hosts; i++)
        printf(i ? " %d:0-%d" : "%d:0-%d", i, on->per_host - 1);
    printf("|\n");
    return 1;
}

/* Short messages tell where those of the layers' size do not. */
static void print_layers(const platform *on)
{
    partition *layers = get_memory(LAYERS_MAX, sizeof *layers);
    int count = find_layers(on, LAYER_BYTES, layers), before = print_layer_of_hosts(on);
    if (count == 1)
        count = find_layers(on, SHORT_BYTES, layers);
    printf("layers|layers.count|%d|0\n", before + count);
    for (int i = 0; i < count; i++) {
        print_times(on, &layers[i], i ? &layers[i - 1] : NULL, before + i + 1);
        print_groups(on, &layers[i], before + i + 1);
    }
    free(layers);
}

/* --- rings ------------------------------------------------------------------------------------ */

/* Messages at once: each link divides what it has among those that cross it (max-min). */
typedef struct flows {
    const platform *on;
    int count;
    const route **by;
    double *rate; /* bytes/s; -1: not known yet */
} flows;

/* The rate of each message that crosses the link, if the others keep theirs; none crosses it:
 * infinite. */
static double share_of(const flows *all, int link)
{
    double left = all->on->capacity[link];
    int crossing = 0;
    for (int i = 0; i < all->count; i++)
        for (int k = 0; k < all->by[i]->count; k++)
            if (all->by[i]->link[k] == link) {
                crossing += all->rate[i] < 0;
                left -= all->rate[i] < 0 ? 0 : all->rate[i];
            }
    if (crossing == 0)
        return INFINITY;
    return all->on->shared[link] ? left / crossing : all->on->capacity[link];
}

static bool crosses(const route *by, int link)
{
    for (int k = 0; k < by->count; k++)
        if (by->link[k] == link)
            return true;
    return false;
}

/* The tightest link gives its messages their rates, then the next one. */
static void share(flows *all)
{
    for (int i = 0; i < all->count; i++)
        all->rate[i] = -1;
    for (;;) {
        int tightest = -1;
        double least = INFINITY;
        for (int link = 0; link < all->on->links; link++) {
            double rate = share_of(all, link);
            if (rate < least) {
                least = rate;
                tightest = link;
            }
        }
        if (tightest < 0)
            return;
        for (int i = 0; i < all->count; i++)
            if (all->rate[i] < 0 && crosses(all->by[i], tightest))
                all->rate[i] = least;
    }
}

/* The mean time of a message from each host to the one at a distance, with some processes each,
 * without those over the slow cable. Two hosts that send to each other wait for the slower message.
 */
static double ring(const platform *on, const int *host, int hosts, int processes, int distance)
{
    flows all = {.on = on, .count = hosts * processes};
    double factor = factor_of(on->bandwidth_factors, RING_BYTES);
    all.by = get_memory((size_t)all.count, sizeof *all.by);
    all.rate = get_memory((size_t)all.count, sizeof *all.rate);
    for (int i = 0; i < all.count; i++) {
        int from = i / processes;
        all.by[i] = way(on, host[from], host[(from + distance) % hosts]);
    }
    share(&all);
    double sum = 0;
    int counted = 0;
    for (int i = 0; i < all.count; i++) {
        int back = 2 * distance == hosts ? (i + all.count / 2) % all.count : i;
        bool apart = all.by[i]->bandwidth < all.by[i]->sound;
        double latency = all.by[i]->latency * factor_of(on->latency_factors, RING_BYTES);
        sum += apart ? 0 : latency + RING_BYTES / (factor * fmin(all.rate[i], all.rate[back]));
        counted += !apart;
    }
    free(all.by);
    free(all.rate);
    return sum / counted;
}

/* Rings are of the sound hosts. With several processes of a host, as many send in all each time,
 * where there are hosts for that and none is slow. */
static void print_rings(const platform *on)
{
    int host[HOSTS_MAX] = {0}, hosts = 0;
    for (int i = 0; i < on->hosts; i++)
        if (!on->slow[i])
            host[hosts++] = i;
    double first = ring(on, host, hosts, 1, 1);
    for (int d = 1; d <= hosts / 2; d++)
        printf("ratDist|network.distance_ratio.%d|%.9g|%g\n", d,
               ring(on, host, hosts, 1, d) / first, RATE);
    bool constant = hosts == on->hosts && hosts >= 2 * on->per_host;
    int all = constant ? 2 * on->per_host : hosts;
    first = ring(on, host, all, 1, 1);
    for (int n = 1; n <= on->per_host; n++)
        printf("ratNC|network.access_ratio.%d|%.9g|%g\n", n,
               ring(on, host, constant ? all / n : all, n, 1) / first, RATE);
}

/* --- random halves ---------------------------------------------------------------------------- */

/* Random divisions, whose median bandwidth is near that of all. */
enum { DIVISIONS = 25 };

/* The bandwidth in each direction of a division, which has an order of its own: neighbours in it
 * are couples, whose hosts wait for the slower message of both. */
static double divide(const platform *on, const int *order)
{
    int couples = on->hosts / 2, each = on->per_host;
    flows all = {.on = on, .count = 2 * couples * each};
    double total = 0, bytes = RING_BYTES / each;
    double factor = factor_of(on->bandwidth_factors, bytes);
    double delay = factor_of(on->latency_factors, bytes);
    all.by = get_memory((size_t)all.count, sizeof *all.by);
    all.rate = get_memory((size_t)all.count, sizeof *all.rate);
    for (int i = 0; i < all.count; i++) {
        int a = order[i / (2 * each) * 2], b = order[i / (2 * each) * 2 + 1];
        all.by[i] = i % 2 ? way(on, b, a) : way(on, a, b);
    }
    share(&all);
    for (int i = 0; i < all.count; i += 2)
        total += bytes / (delay * all.by[i]->latency +
                          bytes / (factor * fmin(all.rate[i], all.rate[i + 1])));
    free(all.by);
    free(all.rate);
    return total;
}

static void shuffle(int *order, int count)
{
    for (int i = count - 1; i > 0; i--) {
        int k = (int)(random() % (i + 1)), last = order[i];
        order[i] = order[k];
        order[k] = last;
    }
}

/* Slow hosts, and those behind the slow cable: most of their messages cross it. */
static bool is_outlier(const platform *on, int host)
{
    int delayed = 0;
    for (int i = 0; i < on->hosts; i++)
        delayed += i != host && delay_of(on, i, host) > SLOW;
    return on->slow[host] || 2 * delayed > on->hosts;
}

static void print_halves(const platform *on)
{
    double total[DIVISIONS];
    int *order = get_memory((size_t)on->hosts, sizeof *order);
    for (int i = 0; i < on->hosts; i++)
        order[i] = i;
    for (int d = 0; d < DIVISIONS; d++) {
        shuffle(order, on->hosts);
        total[d] = divide(on, order);
    }
    printf("random halves|network.bisection.bandwidth|%.9g|%g\n", median(total, DIVISIONS), TIME);
    for (int i = 0; i < on->hosts; i++)
        printf("nodes unlike others|network.node_rates.%d.slow|%s|\n", i + 1,
               is_outlier(on, i) ? "yes" : "no");
    free(order);
}

/* --- slow hosts ------------------------------------------------------------------------------- */

static bool find_slow(platform *on)
{
    bool any = false;
    for (int i = 0; i < on->hosts; i++) {
        on->slow[i] = on->hosts > 2 && slowness_of(on, i) > SLOW;
        any = any || on->slow[i];
    }
    return any;
}

static void print_slow(const platform *on, bool any)
{
    if (!any)
        printf("no host is slow|network.slowness.count|-|\n");
    for (int i = 0; i < on->hosts && any; i++)
        printf("%s|network.slowness.%d|%.9g|%g\n", on->slow[i] ? "a slow host" : "a sound host",
               i + 1, on->slow[i] ? slowness_of(on, i) : 1, SLOWNESS);
}

/* The median delay of the slow cable's messages. */
static void print_cable(const platform *on)
{
    double *delay = get_memory((size_t)on->hosts * (size_t)on->hosts, sizeof *delay);
    int count = 0;
    for (int i = 0; i < on->hosts; i++)
        for (int j = 0; j < i; j++)
            if (is_sound(on, i, j) && delay_of(on, i, j) > SLOW)
                delay[count++] = delay_of(on, i, j);
    printf("slow cables|network.slow_links.count|%d|0\n", count > 0);
    if (count)
        printf("factor of a slow cable|network.slow_links.1.factor|%.9g|%g\n", median(delay, count),
               SLOWNESS);
    free(delay);
}

int main(int argc, char **argv)
{
    static platform on;
    simgrid_init(&argc, argv);
    if (argc < 5)
        return 2;
    simgrid_load_platform(argv[1]);
    simgrid_run(); /* nothing, but routes are found from then on */
    on.latency_factors = argv[3];
    on.bandwidth_factors = argv[4];
    if (argc > 5 && sscanf(argv[5], "%127[^=]=%lf", on.cable, &on.sound) != 2)
        return 2;
    read_platform(&on, argv[2]);
    bool any = find_slow(&on);
    print_layers(&on);
    print_rings(&on);
    print_halves(&on);
    print_slow(&on, any);
    print_cable(&on);
    return 0;
}
