/* SPDX-License-Identifier: BSD-3-Clause */
#include "sample/sampler.h"

#include "core/error.h"

double srv_sampler_now(const srv_sampler *sampler)
{
    return sampler->machine->ops->elapsed(sampler->machine);
}

bool srv_sampler_fits(const srv_sampler *sampler, double seconds)
{
    return srv_deadline_fits(&sampler->deadline, sampler->machine, seconds);
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

static bool is_due(const srv_sampler *sampler, srv_want want, double seconds)
{
    srv_deadline deadline = sampler->deadline;
    if (want == SRV_WANT_SPARE)
        deadline = srv_deadline_spare(&deadline);
    return want == SRV_WANT_OWED ||
           (want != SRV_WANT_NOTHING && srv_deadline_fits(&deadline, sampler->machine, seconds));
}

bool srv_loop_due_at(srv_loop *loop, srv_want want, double seconds, const char *what, double done)
{
    loop->wanted = loop->wanted || want != SRV_WANT_NOTHING;
    if (!is_due(loop->sampler, want, seconds))
        return false;
    loop->visits++;
    loop->code = srv_sampler_tell(loop->sampler, what, done, loop->error);
    return loop->code == SERVET_OK;
}

bool srv_loop_due(srv_loop *loop, srv_want want, double seconds, const char *what)
{
    double done = (loop->round + (double)loop->row / loop->count) / loop->rounds;
    return srv_loop_due_at(loop, want, seconds, what, done);
}
