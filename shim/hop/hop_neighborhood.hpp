// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries neighborhoods of ours on a communicator of their own: like those of the program, or over plain messages.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "shim/call/neighborhood_call.hpp"
#include "shim/call/nonblocking_call.hpp"
#include "shim/call/registry.hpp"
#include "shim/hop/channels.hpp"
#include "shim/hop/hop_border.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <vector>

namespace hopscotch::shim
{

/// The function of MPI that a blocking call of ours is counted as.
Call call_of(Collective collective) noexcept;

/// Lists of neighbors, with the record, if there is one, that lets the library carry their collectives. Without it, or
/// if the record says so, they go by plain messages.
class HopNeighborhood
{
  public:
    /// On a private communicator of its own; parallel edges match in list order. `graph`: edges, and if it is
    /// isomorphic topology and stencil. Collective: over comm.
    HopNeighborhood(Call created_by, MPI_Comm comm, const Graph& graph);

    /// The lists of a communicator of the program. Collective: over comm, unless it has a record with a private
    /// communicator.
    HopNeighborhood(MPI_Comm comm, schedules::Edges lists);

    /// The communicator of the record.
    MPI_Comm comm() const noexcept { return comm_; }
    const schedules::Edges& edges() const noexcept { return edges_; }

    /// Null if the library is not active, or has no record of comm().
    Communicator* record() const noexcept { return runtime().active ? record_ : nullptr; }

    Channels& channels() noexcept { return channels_; }

    /// A collective of the program on `user`, counted as `call_of` says. Collective: over `user`; one that completes
    /// later is local but for a persistent one. Throws: MpiError, std::bad_alloc.
    template <class Buffers>
    void call(const CallForm& call_form, MPI_Comm user, const Buffers& buffers, Hooks hooks = {})
    {
        if (call_form.later())
            call_later(call_form, user, buffers, std::move(hooks));
        else
            check(call_now(buffers));
    }

    /// A blocking one. Returns its code if it went by plain messages.
    template <class Buffers>
    int call_now(const Buffers& buffers) const
    {
        const auto by_messages = [&](const Shifts& by = {}) {
            return run_plan(plan(buffers, by), channels_.numbered(Channels::plans));
        };
        Communicator* const own_record = record();
        if (own_record == nullptr)
            return by_messages();
        own_record->set_up_for_good();
        return BlockingCall(*own_record, call_of(Buffers::collective), Buffers::collective, buffers, by_messages).run();
    }

    /// The same, one neighbor after the other, by a message each. Requires: block i arrives from a process that sends
    /// its own block i here, as in Cartesian neighborhoods. Source: Träff & Hunold, ICPP 2019, Listing 4.
    template <class Buffers>
    int one_by_one(const Buffers& buffers) const
    {
        int error = MPI_SUCCESS;
        for (std::size_t i = 0; i < edges_.sources.size(); ++i) {
            CallPlan one;
            add_receive(one, buffers.receive, i);
            add_send(one, buffers.send, i);
            const int code = run_plan(one, channels_.numbered(Channels::plans));
            error = error != MPI_SUCCESS ? error : code;
        }
        return error;
    }

    /// The channel of a call that a plan carries. Of a persistent one collective: processes that go on to refuse its
    /// arguments have taken part. Throws: MpiError.
    Channel channel_of(const CallForm& call_form);

    /// A call on `user` that a plan carries in the form asked for, counted under the entry. `staged`: its buffers;
    /// null: ordinary memory. Throws: MpiError, std::bad_alloc.
    void run_counted(CallPlan plan, Channel channel, SelectionEntry& entry, const CallForm& call_form, MPI_Comm user,
                     std::shared_ptr<StagedBuffers> staged = nullptr);

    /// Leads an exchange on these blocks through a call on `user` in the form asked for, made at time stamp `begin` and
    /// counted under the entry. Throws: MpiError, std::bad_alloc.
    void lead(std::shared_ptr<Exchange> exchange, Layouts blocks, SelectionEntry& entry, const CallForm& call_form,
              MPI_Comm user, std::uint64_t begin, CallDetails details);

  private:
    template <class Buffers>
    void call_later(const CallForm& call_form, MPI_Comm user, const Buffers& buffers, Hooks hooks)
    {
        const RequestedCall called{call_of(Buffers::collective), Buffers::collective, call_form, user, comm(), ticks()};
        Communicator* const own_record = record();
        const auto by_messages = [&](SelectionEntry& entry, std::shared_ptr<StagedBuffers> staged) {
            CallPlan made = plan(buffers, staged != nullptr ? staged->shifts() : Shifts());
            made.hooks = std::move(hooks);
            run_counted(std::move(made), channel_of(call_form), entry, call_form, user, std::move(staged));
            return MPI_SUCCESS;
        };
        if (own_record == nullptr)
            return check(by_messages(unknown_entry(called.call, user), nullptr));
        const auto details = [&](std::shared_ptr<StagedBuffers> staged) {
            return std::optional(CallDetails{std::move(staged), nullptr, nullptr, std::move(hooks)});
        };
        const bool are_the_programs = hooks.before_start == nullptr; // the buffers; else they are ours
        check(lead_to_request(*own_record, called, are_the_programs, buffers, details, by_messages));
    }

    template <class Buffers>
    CallPlan plan(const Buffers& buffers, const Shifts& by) const
    {
        CallPlan made;
        for (std::size_t i = 0; i < edges_.sources.size(); ++i)
            add_receive(made, buffers.receive, i);
        for (std::size_t i = 0; i < edges_.destinations.size(); ++i)
            add_send(made, buffers.send, i);
        for (CallPlan::Message& message : made.receives)
            message.buffer = by.received(message.buffer);
        for (CallPlan::Message& message : made.sends)
            message.buffer = const_cast<void*>(by.sent(message.buffer));
        return made;
    }

    template <class Receive>
    void add_receive(CallPlan& made, Receive&& receive, std::size_t i) const
    {
        if (edges_.sources[i] == schedules::no_rank)
            return;
        const UserBlock block = receive(static_cast<int>(i));
        made.receive(const_cast<void*>(block.address), block.count, block.type, edges_.sources[i]);
    }
    template <class Send>
    void add_send(CallPlan& made, Send&& send, std::size_t i) const
    {
        if (edges_.destinations[i] == schedules::no_rank)
            return;
        const UserBlock block = send(static_cast<int>(i));
        made.send(block.address, block.count, block.type, edges_.destinations[i]);
    }

    schedules::Edges edges_;
    std::shared_ptr<PrivateCommunicator> own_; // null: messages travel on the record's
    MPI_Comm comm_;
    Communicator* record_ = nullptr; // lives as long as comm_
    Channels channels_;
};

/// Throws: Refused for a request that is not there, or that the program could not complete, since its completion
/// functions are not ours.
void demand_request(const CallForm& call_form);

/// The edges of these lists; parallel ones match in list order. Entries no_rank carry nothing.
schedules::Edges edges_in_order(int rank, std::vector<int> sources, std::vector<int> destinations);

/// Throws: Refused{MPI_ERR_TOPOLOGY} on all processes if messages could wait for ever: an edge is named by one of its
/// processes only, or a rank does not exist. Collective: over comm, the communicator of these lists.
void demand_both_ends(MPI_Comm comm, const schedules::Edges& edges);

} // namespace hopscotch::shim
