/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/recorded/network_entry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/recorded/entry.h"
#include "machine/recorded/runs.h"

/* Digits of the shortest time of an answer, and of the longest one: a double holds no more. */
enum { DIGITS = 5, DIGITS_MAX = 15 };

/* Unit of the spread within quartiles, which needs fewer digits. */
static const double COARSE = 10;

/* No record has more: what is beyond has been damaged. */
static const double SAMPLES_MAX = 1e9;

enum { NOISE_DIGITS = 4, BYTES_DIGITS = 15, SECONDS_DIGITS = 7 };

/* --- probes ----------------------------------------------------------------------------------- */

static void write_seconds(double seconds, bool loosely, FILE *stream)
{
    if (loosely)
        fputs(" *", stream);
    else
        fprintf(stream, " %.*g", SECONDS_DIGITS, seconds);
}

_Static_assert(sizeof(srv_rank_pair) == 2 * sizeof(int), "a pair is two numbers");

static void write_exchange(const void *probe, bool loosely, FILE *stream)
{
    const srv_exchange *exchange = probe;
    if (srv_batch_of(exchange) > 1)
        fprintf(stream, "batch %d ", exchange->batch);
    fprintf(stream, "pass %d %d %.*g", (int)exchange->flow, (int)exchange->buffers, BYTES_DIGITS,
            exchange->bytes);
    write_seconds(exchange->seconds, loosely, stream);
    fprintf(stream, " %d", exchange->count);
    srv_runs_write(&exchange->pairs->from, 2, exchange->count, stream);
}

static void describe_exchange(const void *probe, char *text, size_t size)
{
    const srv_exchange *exchange = probe;
    if (srv_batch_of(exchange) > 1)
        snprintf(text, size, "batches of %d messages of %.0f bytes", exchange->batch,
                 exchange->bytes);
    else
        snprintf(text, size, "messages of %.0f bytes between %d pairs", exchange->bytes,
                 exchange->count);
}

static void write_glances(const void *probe, bool loosely, FILE *stream)
{
    const srv_glances *glances = probe;
    fputs("noise", stream);
    write_seconds(glances->seconds, loosely, stream);
    fprintf(stream, " %d", glances->count);
    srv_runs_write(glances->ranks, 1, glances->count, stream);
}

static void describe_glances(const void *probe, char *text, size_t size)
{
    const srv_glances *glances = probe;
    snprintf(text, size, "noise on %d cores", glances->count);
}

/* --- times ------------------------------------------------------------------------------------ */

enum { EXACT_MAX = 22 };

/* Exact up to that. */
static double power_of_ten(int exponent)
{
    double power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

static long long in_units(double seconds, int exponent)
{
    return llround(exponent < 0 ? seconds * power_of_ten(-exponent)
                                : seconds / power_of_ten(exponent));
}

static double from_units(double units, int exponent)
{
    return exponent < 0 ? units / power_of_ten(-exponent) : units * power_of_ten(exponent);
}

static bool is_known(const srv_spread *time)
{
    return isfinite(time->median) && isfinite(time->minimum) && isfinite(time->low) &&
           isfinite(time->high);
}

static int exponent_of(const srv_spread *times, int count)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < count; i++) {
        if (!is_known(&times[i]) || times[i].median <= 0)
            continue;
        least = fmin(least, times[i].median);
        most = fmax(most, times[i].high);
    }
    if (isinf(least))
        return 0;
    return (int)fmax(floor(log10(least)) + 1 - DIGITS, floor(log10(most)) + 1 - DIGITS_MAX);
}

static void write_time(const srv_spread *time, size_t samples, int exponent, FILE *stream)
{
    if (!is_known(time)) {
        fputs(" nan", stream);
        return;
    }
    long long minimum = in_units((time->median - time->minimum) / COARSE, exponent);
    long long low = in_units((time->median - time->low) / COARSE, exponent);
    long long high = in_units((time->high - time->median) / COARSE, exponent);
    fprintf(stream, " %lld", in_units(time->median, exponent));
    if (minimum || low || high || time->n != samples)
        fprintf(stream, ",%lld,%lld,%lld", minimum, low, high);
    if (time->n != samples)
        fprintf(stream, ",%zu", time->n);
}

static void write_times(const void *probe, const void *answer, FILE *stream)
{
    const srv_spread *times = answer;
    int count = ((const srv_exchange *)probe)->count;
    size_t samples = count > 0 ? times[0].n : 0;
    int exponent = exponent_of(times, count);
    fprintf(stream, " %zu %d", samples, exponent);
    for (int i = 0; i < count; i++)
        write_time(&times[i], samples, exponent, stream);
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool is_end(char c)
{
    return c == ' ' || c == '\0';
}

/* Up to `most` whole numbers with commas between them; how many there are, -1 for other things. */
static int read_numbers(const char **text, double *numbers, int most)
{
    char *end;
    for (int n = 0; n < most; n++, ++*text) {
        numbers[n] = (double)strtoll(*text, &end, 10);
        if (end == *text)
            return -1;
        *text = end;
        if (is_end(*end))
            return n + 1;
        if (*end != ',')
            return -1;
    }
    return -1;
}

static bool read_unknown(const char **text)
{
    bool unknown = strncmp(*text, "nan", 3) == 0 && is_end((*text)[3]);
    *text += unknown ? 3 : 0;
    return unknown;
}

static bool read_time(const char **text, size_t samples, int exponent, srv_spread *time)
{
    double unit[5] = {0, 0, 0, 0, (double)samples};
    if (*(*text)++ != ' ')
        return false;
    *time = (srv_spread){NAN, NAN, NAN, NAN, samples};
    if (read_unknown(text))
        return true;
    int n = read_numbers(text, unit, 5);
    time->median = from_units(unit[0], exponent);
    time->minimum = from_units(unit[0] - COARSE * unit[1], exponent);
    time->low = from_units(unit[0] - COARSE * unit[2], exponent);
    time->high = from_units(unit[0] + COARSE * unit[3], exponent);
    if (!(unit[4] >= 0 && unit[4] <= SAMPLES_MAX))
        return false;
    time->n = (size_t)unit[4];
    return n == 1 || n >= 4;
}

static bool read_times(const void *probe, const char *text, void *answer)
{
    int count = ((const srv_exchange *)probe)->count;
    char *end;
    size_t samples = strtoull(text, &end, 10);
    bool whole = end != text;
    text = end;
    long exponent = strtol(text, &end, 10);
    whole = whole && end != text && exponent >= -EXACT_MAX && exponent <= EXACT_MAX;
    text = end;
    for (int i = 0; i < count && whole; i++)
        whole = read_time(&text, samples, (int)exponent, (srv_spread *)answer + i);
    return whole && *text == '\0';
}

/* --- noise ------------------------------------------------------------------------------------ */

/* Numbers of parts: of the core, and of absence, which follow if it is known. */
enum { CORE_PARTS = 4, NOISE_PARTS = 8 };

static void write_part(double part, char before, FILE *stream)
{
    if (isnan(part)) /* some C libraries write "-nan" */
        fprintf(stream, "%cnan", before);
    else
        fprintf(stream, "%c%.*g", before, NOISE_DIGITS, part);
}

static void write_noises(const void *probe, const void *answer, FILE *stream)
{
    const srv_glances *glances = probe;
    for (int i = 0; i < glances->count; i++) {
        const srv_rank_noise *noise = (const srv_rank_noise *)answer + glances->ranks[i];
        const srv_noise *core = &noise->core;
        const srv_absence *absence = &noise->absence;
        const double part[NOISE_PARTS] = {core->lost,       core->steal,    core->others,
                                          core->ghz,        absence->share, absence->longest,
                                          absence->foreign, absence->moved};
        for (int k = 0; k < (isnan(absence->share) ? CORE_PARTS : NOISE_PARTS); k++)
            write_part(part[k], k > 0 ? ',' : ' ', stream);
    }
}

static bool read_noise(const char **text, srv_rank_noise *noise)
{
    double part[NOISE_PARTS] = {0};
    int k = 0;
    for (; k < CORE_PARTS || (k < NOISE_PARTS && **text == ','); k++) {
        char *end;
        if (*(*text)++ != (k > 0 ? ',' : ' '))
            return false;
        part[k] = strtod(*text, &end);
        if (end == *text || !srv_is_timing(part[k]))
            return false;
        *text = end;
    }
    bool is_moved = part[7] > 0;
    *noise = (srv_rank_noise){.core = {part[0], part[1], part[2], part[3]},
                              .absence = {part[4], part[5], part[6], is_moved}};
    if (k == CORE_PARTS)
        noise->absence = SRV_ABSENCE_UNKNOWN;
    return k == CORE_PARTS || k == NOISE_PARTS;
}

static bool read_noises(const void *probe, const char *text, void *answer)
{
    const srv_glances *glances = probe;
    bool whole = true;
    for (int i = 0; i < glances->count && whole; i++)
        whole = read_noise(&text, (srv_rank_noise *)answer + glances->ranks[i]);
    return whole && *text == '\0';
}

/* --- entries ---------------------------------------------------------------------------------- */

/* A new probe needs its type here, and a function each in the recorder and the replay. */
_Static_assert(sizeof(srv_network_ops) == 7 * sizeof(void (*)(void)),
               "each probe has an entry type");

struct srv_network_entry_type {
    void (*write)(const void *probe, bool loosely, FILE *stream);
    void (*describe)(const void *probe, char *text, size_t size);
    void (*write_answer)(const void *probe, const void *answer, FILE *stream);
    /* Reads the text behind "="; true if it is whole. */
    bool (*read_answer)(const void *probe, const char *text, void *answer);
};

srv_network_entry srv_entry_pass(const srv_exchange *exchange, srv_spread *times)
{
    static const struct srv_network_entry_type type = {write_exchange, describe_exchange,
                                                       write_times, read_times};
    return (srv_network_entry){&type, exchange, times};
}

srv_network_entry srv_entry_glances(const srv_glances *glances, srv_rank_noise *noises)
{
    static const struct srv_network_entry_type type = {write_glances, describe_glances,
                                                       write_noises, read_noises};
    return (srv_network_entry){&type, glances, noises};
}

void srv_network_probe_write(const srv_network_entry *entry, bool loosely, FILE *stream)
{
    entry->type->write(entry->probe, loosely, stream);
}

void srv_network_probe_describe(const srv_network_entry *entry, char text[SERVET_NAME_MAX])
{
    entry->type->describe(entry->probe, text, SERVET_NAME_MAX);
}

void srv_network_answer_write(const srv_network_entry *entry, FILE *stream)
{
    fputs(" =", stream);
    entry->type->write_answer(entry->probe, entry->answer, stream);
}

int srv_network_answer_read(const char *text, const srv_network_entry *entry)
{
    int refused = srv_refusal_read(text);
    if (refused != SERVET_OK)
        return refused;
    text += strspn(text, " ");
    return *text == '=' && entry->type->read_answer(entry->probe, text + 1, entry->answer)
               ? SERVET_OK
               : SERVET_EFORMAT;
}
