// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Allgather: among all processes, or with the neighbors where HOPSCOTCH_SEMANTICS=orthogonal says so.
#include "shim/call/allgather_among_all.hpp"
#include "shim/interpose/intercept.hpp"
#include "shim/papers/orthogonal_call.hpp"

using namespace hopscotch::shim;

HOPSCOTCH_WRAP(Allgather,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
{
    if (to_neighbors(Call::Allgather, comm))
        return neighbor_allgather({}, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    return allgather_among_all(Call::Allgather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, [&] {
        return next.Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    });
}

HOPSCOTCH_WRAP(Allgather_c,
               (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
{
    if (to_neighbors(Call::Allgather_c, comm))
        return neighbor_allgather({}, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    return allgather_among_all(
        Call::Allgather_c, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
        [&] { return next.Allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}
