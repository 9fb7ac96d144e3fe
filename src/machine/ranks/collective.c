/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/transport.h"

MPI_Comm srv_collective_join(const srv_transport *transport, const int *ranks, int count)
{
    MPI_Group all, some;
    MPI_Comm group;
    MPI_Comm_group(transport->comm, &all);
    MPI_Group_incl(all, count, ranks, &some);
    MPI_Comm_create_group(transport->comm, some, SRV_TAG_MESSAGE, &group);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    return group;
}

/* Arguments of an operation. */
typedef struct call {
    void *out, *in;
    int bytes, doubles;
    MPI_Comm group;
    MPI_Request *request; /* of a non-blocking one */
} call;

#define OPERATION(name, blocking, beginning)                                                       \
    static void name(const call *on)                                                               \
    {                                                                                              \
        if (on->request)                                                                           \
            beginning;                                                                             \
        else                                                                                       \
            blocking;                                                                              \
    }

OPERATION(barrier, MPI_Barrier(on->group), MPI_Ibarrier(on->group, on->request))
OPERATION(broadcast, MPI_Bcast(on->out, on->bytes, MPI_BYTE, 0, on->group),
          MPI_Ibcast(on->out, on->bytes, MPI_BYTE, 0, on->group, on->request))
OPERATION(reduce, MPI_Reduce(on->out, on->in, on->doubles, MPI_DOUBLE, MPI_SUM, 0, on->group),
          MPI_Ireduce(on->out, on->in, on->doubles, MPI_DOUBLE, MPI_SUM, 0, on->group, on->request))
OPERATION(allreduce, MPI_Allreduce(on->out, on->in, on->doubles, MPI_DOUBLE, MPI_SUM, on->group),
          MPI_Iallreduce(on->out, on->in, on->doubles, MPI_DOUBLE, MPI_SUM, on->group, on->request))
OPERATION(allgather,
          MPI_Allgather(on->out, on->bytes, MPI_BYTE, on->in, on->bytes, MPI_BYTE, on->group),
          MPI_Iallgather(on->out, on->bytes, MPI_BYTE, on->in, on->bytes, MPI_BYTE, on->group,
                         on->request))
OPERATION(alltoall,
          MPI_Alltoall(on->out, on->bytes, MPI_BYTE, on->in, on->bytes, MPI_BYTE, on->group),
          MPI_Ialltoall(on->out, on->bytes, MPI_BYTE, on->in, on->bytes, MPI_BYTE, on->group,
                        on->request))

/* Non-blocking ones take other algorithms, and are for ranks that share a core with others, which
 * would wait for each other's time slices. */
void srv_collective_run(const srv_transport *transport, MPI_Comm group, servet_collective_op op,
                        void *out, void *in, int bytes)
{
    static void (*const operations[SERVET_COLLECTIVE_COUNT])(const call *on) = {
        [SERVET_COLLECTIVE_BARRIER] = barrier,     [SERVET_COLLECTIVE_BROADCAST] = broadcast,
        [SERVET_COLLECTIVE_REDUCE] = reduce,       [SERVET_COLLECTIVE_ALLREDUCE] = allreduce,
        [SERVET_COLLECTIVE_ALLGATHER] = allgather, [SERVET_COLLECTIVE_ALLTOALL] = alltoall,
    };
    MPI_Request request;
    operations[op](&(call){.out = out,
                           .in = in,
                           .bytes = bytes,
                           .doubles = bytes / (int)sizeof(double),
                           .group = group,
                           .request = transport->share_cores ? &request : NULL});
    if (transport->share_cores)
        (void)srv_transport_await_any(transport, &request, 1);
}
