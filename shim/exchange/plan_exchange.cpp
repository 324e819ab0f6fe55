// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries collectives that need no schedule: all messages of a process at once.
#include "shim/exchange/plan_exchange.hpp"

#include "shim/blocks/datatype.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <climits>
#include <utility>

namespace hopscotch::shim
{

namespace
{

/// One message; if the library has large counts, of more elements than an int can count.
template <class Buffer, class Start, class StartLarge>
int start_message(const CallPlan::Message& message, Buffer buffer, Start* start, StartLarge* start_large, int tag,
                  MPI_Comm comm, MPI_Request* request)
{
    if (message.count <= INT_MAX)
        return start(buffer, static_cast<int>(message.count), message.type, message.peer, tag, comm, request);
    if (start_large == nullptr)
        return MPI_ERR_COUNT;
    return start_large(buffer, message.count, message.type, message.peer, tag, comm, request);
}

} // namespace

PlanExchange::PlanExchange(CallPlan plan, Channel channel)
    : plan_(std::move(plan)), channel_(std::move(channel)),
      requests_(plan_.receives.size() + plan_.sends.size(), MPI_REQUEST_NULL), statuses_(requests_.size())
{
}

void PlanExchange::begin(const BlockLayout&, const BlockLayout&)
{
    start_counting();
    MPI_Request* request = requests_.data();
    for (const CallPlan::Message& message : plan_.receives)
        fail(start_message(message, message.buffer, next.MPI_Irecv, next.MPI_Irecv_c, channel_.tag, channel_.comm,
                           request++));
    for (const CallPlan::Message& message : plan_.sends)
        fail(start_message(message, static_cast<const void*>(message.buffer), next.MPI_Isend, next.MPI_Isend_c,
                           channel_.tag, channel_.comm, request++));
}

bool PlanExchange::advance()
{
    int flag = 1;
    if (!requests_.empty()) {
        const ReturnedErrors returned;
        const int code =
            next.MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &flag, statuses_.data());
        if (code == MPI_SUCCESS && flag == 0)
            return false;
        if (code != MPI_ERR_IN_STATUS)
            fail(code);
        else
            for (const MPI_Status& status : statuses_)
                if (status.MPI_ERROR != MPI_ERR_PENDING)
                    fail(status.MPI_ERROR);
    }
    count_messages();
    return true;
}

/// Messages to other processes. Their bytes count if the call has succeeded, since then their types exist.
void PlanExchange::count_messages()
{
    int rank = MPI_PROC_NULL;
    next.MPI_Comm_rank(channel_.comm, &rank);
    for (const CallPlan::Message& message : plan_.sends) {
        if (message.peer == MPI_PROC_NULL || message.peer == rank)
            continue;
        MPI_Count size = 0;
        if (error() == MPI_SUCCESS && next.MPI_Type_size_x(message.type, &size) != MPI_SUCCESS)
            size = 0;
        const auto bytes = static_cast<std::size_t>(size * message.count);
        count({1, bytes, bytes, 0});
    }
    count_as_trivial();
}

int run_plan(CallPlan plan, Channel channel)
{
    const bool yields = channel.yields;
    PlanExchange exchange(std::move(plan), std::move(channel));
    exchange.begin({}, {});
    wait(exchange, yields, [] {});
    return exchange.error();
}

MPI_Datatype kept_type(MPI_Datatype type, std::vector<std::shared_ptr<const void>>& kept)
{
    if (is_predefined(type))
        return type;
    MPI_Datatype copy = MPI_DATATYPE_NULL;
    check(next.MPI_Type_dup(type, &copy));
    const auto free = [](MPI_Datatype* held) {
        if (mpi_goes_on())
            next.MPI_Type_free(held);
        delete held;
    };
    kept.push_back(std::shared_ptr<MPI_Datatype>(new MPI_Datatype(copy), free));
    return copy;
}

void keep_types(CallPlan& plan)
{
    MPI_Datatype last = MPI_DATATYPE_NULL;
    MPI_Datatype last_kept = MPI_DATATYPE_NULL;
    for (std::vector<CallPlan::Message>* const messages : {&plan.receives, &plan.sends}) {
        for (CallPlan::Message& message : *messages) {
            if (message.type != last) {
                last = message.type;
                last_kept = kept_type(last, plan.kept);
            }
            message.type = last_kept;
        }
    }
}

} // namespace hopscotch::shim
