// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries collectives that need no schedule: all messages of a process at once, then an action on the received data.
#include "shim/hop/call_plan.hpp"

#include "shim/base/clock.hpp"
#include "shim/blocks/datatype.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <climits>
#include <dlfcn.h>

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

/// Carried by the messages of its plan, every time it is started.
class PlanRequest final : public Request
{
  public:
    PlanRequest(CallPlan plan, Channel channel, SelectionEntry& entry, std::shared_ptr<Communicator> record,
                MPI_Comm comm, bool persistent)
        : Request(entry, std::move(record), comm, persistent), plan_(std::move(plan)), channel_(std::move(channel))
    {
    }

    void start() override
    {
        activate();
        messages_.emplace(plan_, channel_);
    }

    bool advance() override
    {
        if (!messages_->complete())
            return false;
        error_ = messages_->conclude(plan_);
        messages_.reset();
        count_plan(entry_, plan_, channel_, 0, error_);
        become_complete();
        return true;
    }

    bool yields() const noexcept override { return channel_.yields; }
    void idle() override { channel_.yields ? give_way() : relax(); }

  private:
    CallPlan plan_;
    Channel channel_;
    std::optional<PlannedMessages> messages_;
};

/// The bytes sent to processes other than `rank` by a call that has succeeded, so its types exist.
std::size_t sent_bytes(const CallPlan& plan, int rank)
{
    std::size_t bytes = 0;
    for (const CallPlan::Message& message : plan.sends) {
        MPI_Count size = 0;
        if (message.peer != MPI_PROC_NULL && message.peer != rank &&
            next.MPI_Type_size_x(message.type, &size) == MPI_SUCCESS)
            bytes += static_cast<std::size_t>(size * message.count);
    }
    return bytes;
}

} // namespace

PlannedMessages::PlannedMessages(const CallPlan& plan, const Channel& channel)
    : requests_(plan.receives.size() + plan.sends.size(), MPI_REQUEST_NULL), statuses_(requests_.size())
{
    if (plan.preparation != nullptr)
        plan.preparation();
    MPI_Request* request = requests_.data();
    for (const CallPlan::Message& message : plan.receives)
        keep(start_message(message, message.buffer, next.MPI_Irecv, next.MPI_Irecv_c, channel.tag, channel.comm,
                           request++));
    for (const CallPlan::Message& message : plan.sends)
        keep(start_message(message, static_cast<const void*>(message.buffer), next.MPI_Isend, next.MPI_Isend_c,
                           channel.tag, channel.comm, request++));
}

bool PlannedMessages::complete()
{
    if (requests_.empty())
        return true;
    int flag = 0;
    const ReturnedErrors returned;
    const int code = next.MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &flag, statuses_.data());
    if (code == MPI_SUCCESS)
        return flag != 0;
    if (code != MPI_ERR_IN_STATUS) {
        keep(code);
        return true;
    }
    for (const MPI_Status& status : statuses_)
        if (status.MPI_ERROR != MPI_ERR_PENDING)
            keep(status.MPI_ERROR);
    return true;
}

int PlannedMessages::conclude(const CallPlan& plan)
{
    if (error_ == MPI_SUCCESS && plan.conclusion != nullptr)
        keep(guarded_by([](int) {}, plan.conclusion));
    return error_;
}

int run_plan(const CallPlan& plan, const Channel& channel)
{
    PlannedMessages messages(plan, channel);
    progress_until([&messages] { return messages.complete(); }, [&channel] { channel.yields ? give_way() : relax(); });
    return messages.conclude(plan);
}

void count_plan(SelectionEntry& entry, const CallPlan& plan, const Channel& channel, std::uint64_t elapsed,
                int code) noexcept
{
    if (!counting())
        return;
    int rank = MPI_PROC_NULL;
    next.MPI_Comm_rank(channel.comm, &rank);
    std::uint64_t messages = 0;
    for (const CallPlan::Message& message : plan.sends)
        messages += message.peer != MPI_PROC_NULL && message.peer != rank ? 1 : 0;
    EntryCounters& counters = entry.counters;
    ++counters.calls;
    counters.failed += code != MPI_SUCCESS ? 1 : 0;
    counters.messages += messages;
    counters.messages_trivial += messages;
    const std::uint64_t bytes = code == MPI_SUCCESS ? sent_bytes(plan, rank) : 0;
    counters.bytes += bytes;
    counters.payload_bytes += bytes;
    counters.ticks += elapsed;
    if (elapsed != 0)
        add_duration(entry, elapsed);
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

namespace
{

/// All types of a plan's messages stay valid as long as the plan.
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

} // namespace

MPI_Request request_for(CallPlan plan, Channel channel, SelectionEntry& entry, std::shared_ptr<Communicator> record,
                        MPI_Comm comm, bool persistent)
{
    keep_types(plan);
    return give_request(
        std::make_shared<PlanRequest>(std::move(plan), std::move(channel), entry, std::move(record), comm, persistent),
        ticks());
}

bool completes_requests() noexcept
{
    static const bool ours = [] {
        Dl_info found;
        Dl_info own;
        const void* const wait = dlsym(RTLD_DEFAULT, "PMPI_Wait");
        return wait != nullptr && dladdr(wait, &found) != 0 &&
               dladdr(reinterpret_cast<const void*>(&completes_requests), &own) != 0 &&
               found.dli_fbase == own.dli_fbase;
    }();
    return ours;
}

} // namespace hopscotch::shim
