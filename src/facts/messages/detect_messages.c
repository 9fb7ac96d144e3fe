/* SPDX-License-Identifier: BSD-3-Clause */
/* The protocols of a curve that another tool measured. */
#include "core/error.h"
#include "facts/messages/detect.h"
#include "servet/network.h"

int servet_analyze_messages(const servet_curve *curve, servet_protocol protocols[], int size,
                            int *count, servet_error *error)
{
    servet_protocol found[SRV_PROTOCOLS_MAX];
    const srv_message_curve seen = {curve->bytes, curve->latency, (int)curve->n, NULL};
    if (curve->unit != SERVET_UNIT_SECOND)
        return srv_fail(error, SERVET_EARGUMENT, "the times of messages must be seconds");
    if (curve->n < SRV_PROTOCOL_POINTS_MIN || curve->n > SERVET_MESSAGE_SIZES_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "messages of %d to %d sizes are needed",
                        SRV_PROTOCOL_POINTS_MIN, SERVET_MESSAGE_SIZES_MAX);
    int code = srv_detect_protocols(&seen, SRV_MESSAGE_NOISE, found, count, error);
    for (int i = 0; i < *count && i < size && code == SERVET_OK; i++)
        protocols[i] = found[i];
    return code;
}
