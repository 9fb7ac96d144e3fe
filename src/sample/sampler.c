/* SPDX-License-Identifier: BSD-3-Clause */
#include "sample/sampler.h"

#include <math.h>

#include "core/error.h"

double srv_sampler_now(const srv_sampler *sampler)
{
    return sampler->network ? sampler->network->ops->elapsed(sampler->network)
                            : sampler->machine->ops->elapsed(sampler->machine);
}

double srv_sampler_left(const srv_sampler *sampler)
{
    return sampler->deadline.at > 0 ? sampler->deadline.at - srv_sampler_now(sampler) : INFINITY;
}

srv_sampler srv_sampler_within(const srv_sampler *sampler, double seconds)
{
    srv_sampler made = *sampler;
    double end = srv_sampler_now(sampler) + seconds;
    made.deadline.at = made.deadline.at > 0 ? fmin(made.deadline.at, end) : end;
    return made;
}

bool srv_sampler_fits(const srv_sampler *sampler, double seconds)
{
    bool fits = seconds <= srv_sampler_left(sampler);
    if (!fits && sampler->deadline.cut)
        *sampler->deadline.cut = true;
    return fits;
}

int srv_sampler_tell(const srv_sampler *sampler, const char *what, double done, servet_error *error)
{
    if (sampler->progress && sampler->progress(sampler->context, what, done))
        return srv_fail(error, SERVET_EINTERRUPTED, "interrupted");
    return SERVET_OK;
}

srv_loop srv_loop_of(const srv_sampler *sampler, int count, int rounds, servet_error *error)
{
    return (srv_loop){sampler, error, count, rounds, .row = -1};
}

bool srv_loop_next(srv_loop *loop)
{
    if (loop->code != SERVET_OK || loop->count == 0 || loop->rounds == 0)
        return false;
    if (++loop->row < loop->count)
        return true;
    bool goes_on = loop->wanted && ++loop->round < loop->rounds;
    loop->row = 0;
    loop->wanted = false;
    return goes_on;
}

bool srv_sampler_due(const srv_sampler *sampler, srv_want want, double seconds)
{
    if (want == SRV_WANT_SPARE)
        return seconds <= srv_sampler_left(sampler);
    return want == SRV_WANT_OWED ||
           (want != SRV_WANT_NOTHING && srv_sampler_fits(sampler, seconds));
}

bool srv_loop_due_at(srv_loop *loop, srv_want want, double seconds, const char *what, double done)
{
    loop->wanted = loop->wanted || want != SRV_WANT_NOTHING;
    if (!srv_sampler_due(loop->sampler, want, seconds))
        return false;
    loop->visits++;
    if (what)
        loop->code = srv_sampler_tell(loop->sampler, what, done, loop->error);
    return loop->code == SERVET_OK;
}

bool srv_loop_due(srv_loop *loop, srv_want want, double seconds, const char *what)
{
    double done = (loop->round + (double)loop->row / loop->count) / loop->rounds;
    return srv_loop_due_at(loop, want, seconds, what, done);
}
