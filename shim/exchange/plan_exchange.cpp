// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries collectives that need no schedule: all messages of a process at once.
#include "shim/exchange/plan_exchange.hpp"

#include "shim/blocks/datatype.hpp"
#include "shim/group/point_to_point.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <utility>

namespace hopscotch::shim
{

PlanExchange::PlanExchange(CallPlan plan, Channel channel)
    : plan_(std::move(plan)), channel_(std::move(channel)),
      requests_(plan_.receives.size() + plan_.sends.size(), MPI_REQUEST_NULL), statuses_(requests_.size())
{
}

void PlanExchange::begin(const BlockLayout&, const BlockLayout&)
{
    start_counting();
    MPI_Request* request = requests_.data();
    for (const CallPlan::Message& each : plan_.receives)
        fail(start_receive(channel_.comm, each.buffer, static_cast<std::size_t>(each.count), each.peer, channel_.tag,
                           *request++, each.type));
    for (const CallPlan::Message& each : plan_.sends)
        fail(start_send(channel_.comm, each.buffer, static_cast<std::size_t>(each.count), each.peer, channel_.tag,
                        *request++, each.type));
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
