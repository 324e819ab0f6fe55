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

#include <algorithm>
#include <vector>

namespace hopscotch::shim
{

/// The place of a block of the program.
struct UserBlock {
    const void* address;
    MPI_Count count;
    MPI_Datatype type;
};

/// The form of completion of a collective, and the handle of one that completes later.
struct CallForm {
    Completion completion = Completion::blocking;
    MPI_Request* request = nullptr;
    MPI_Info info = MPI_INFO_NULL; // for a persistent call
    bool prepares = false;         // nothing is exchanged: everything that the first call would make is made

    bool later() const noexcept { return completion != Completion::blocking; }
    bool persistent() const noexcept { return completion == Completion::persistent; }
};

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

    /// A collective of the program on `user`; `send(i)` and `receive(i)` give its blocks as UserBlock if no algorithm
    /// carries it. Collective: over `user`; one that completes later is local but for a persistent one. Throws:
    /// MpiError, std::bad_alloc.
    template <class MakeLayouts, class Send, class Receive>
    void call(Call call, Collective collective, const CallForm& call_form, MPI_Comm user, MakeLayouts&& layouts,
              Send&& send, Receive&& receive, Hooks hooks = {})
    {
        if (call_form.later())
            call_later(call, collective, call_form, user, layouts, send, receive, std::move(hooks));
        else
            check(call_now(call, collective, layouts, send, receive));
    }

    /// A blocking one. Returns its code if it went by plain messages.
    template <class MakeLayouts, class Send, class Receive>
    int call_now(Call call, Collective collective, MakeLayouts&& layouts, Send&& send, Receive&& receive) const
    {
        const auto by_messages = [&](const Shifts& by = {}) {
            return run_plan(plan(send, receive, by), channels_.numbered(Channels::plans));
        };
        Communicator* const own_record = record();
        if (own_record == nullptr)
            return by_messages();
        own_record->set_up_for_good();
        return run_blocking_call(*own_record, call, collective, layouts, by_messages);
    }

    /// The same, one message per neighbor, all at once or one neighbor after the other. Requires for the latter: block
    /// i arrives from a process that sends its own block i here, as in Cartesian neighborhoods. Source: Träff & Hunold,
    /// ICPP 2019, Listing 4.
    template <class Send, class Receive>
    int plain(Send&& send, Receive&& receive) const
    {
        return run_plan(plan(send, receive), channels_.numbered(Channels::plans));
    }
    template <class Send, class Receive>
    int one_by_one(Send&& send, Receive&& receive) const
    {
        int error = MPI_SUCCESS;
        for (std::size_t i = 0; i < edges_.sources.size(); ++i) {
            CallPlan one;
            add_receive(one, receive, i);
            add_send(one, send, i);
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
    template <class MakeLayouts, class Send, class Receive>
    void call_later(Call call, Collective collective, const CallForm& call_form, MPI_Comm user, MakeLayouts&& layouts,
                    Send&& send, Receive&& receive, Hooks hooks)
    {
        const std::uint64_t begin = ticks();
        Communicator* const own_record = record();
        SelectionEntry* entry = own_record == nullptr ? &unknown_entry(call, user) : nullptr;
        std::shared_ptr<StagedBuffers> staged;
        if (own_record != nullptr) {
            Layouts blocks = own_record->blocks_of(layouts);
            if (may_be_on_devices() && hooks.before_start == nullptr) // else they are ours
                staged = find_staged(*own_record, collective, blocks);
            if (staged != nullptr)
                blocks = staged->blocks();
            entry = &entry_of_request(*own_record, call, collective, call_form.completion, blocks);
            if (entry->choice.algorithm != Algorithm::native) {
                CallDetails details{std::move(staged), nullptr, nullptr, std::move(hooks)};
                *call_form.request =
                    make_request(share_communicator(comm()), user, *entry, collective, call_form.completion,
                                 std::move(blocks), *call_form.request, begin, &details);
                return;
            }
        }
        CallPlan made = plan(send, receive, staged != nullptr ? staged->shifts() : Shifts());
        made.hooks = std::move(hooks);
        run_counted(std::move(made), channel_of(call_form), *entry, call_form, user, std::move(staged));
    }

    template <class Send, class Receive>
    CallPlan plan(Send&& send, Receive&& receive, const Shifts& by = {}) const
    {
        CallPlan made;
        for (std::size_t i = 0; i < edges_.sources.size(); ++i)
            add_receive(made, receive, i);
        for (std::size_t i = 0; i < edges_.destinations.size(); ++i)
            add_send(made, send, i);
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

/// Throws: Refused{MPI_ERR_TYPE} for a null type; the MPI library would not report it on a communicator of the program.
inline MPI_Aint demand_extent(MPI_Datatype type)
{
    demand(type != MPI_DATATYPE_NULL, MPI_ERR_TYPE);
    return proven_extent(type);
}

/// Block i of a buffer with blocks one after the other; of the v forms; of the w forms. The types' extents are looked
/// up once, at the first request for a block.
inline auto regular_blocks(const void* buffer, MPI_Count count, MPI_Datatype type)
{
    return [=, extent = MPI_Aint{-1}](int i) mutable {
        if (extent == -1)
            extent = demand_extent(type);
        return UserBlock{static_cast<const char*>(buffer) + i * (extent * count), count, type};
    };
}

template <class Count, class Displacement>
auto varying_blocks(const void* buffer, const Count* counts, const Displacement* displacements, MPI_Datatype type)
{
    return [=, extent = MPI_Aint{-1}](int i) mutable {
        if (extent == -1)
            extent = demand_extent(type);
        return UserBlock{static_cast<const char*>(buffer) + displacements[i] * extent, counts[i], type};
    };
}

template <class Count>
auto general_blocks(const void* buffer, const Count* counts, const MPI_Aint* displacements, const MPI_Datatype* types)
{
    return [=](int i) { return UserBlock{static_cast<const char*>(buffer) + displacements[i], counts[i], types[i]}; };
}

inline auto single_block(const void* buffer, MPI_Count count, MPI_Datatype type)
{
    return [=](int) { return UserBlock{buffer, count, type}; };
}

/// Throws: Refused for buffers, counts and types no neighborhood collective takes.
void demand_arguments(const void* send_buffer, MPI_Count send_count, MPI_Datatype send_type, const void* receive_buffer,
                      MPI_Count receive_count, MPI_Datatype receive_type);
template <class Count>
void demand_counts(const Count* counts, std::size_t n)
{
    demand(counts != nullptr || n == 0, MPI_ERR_ARG);
    demand(std::all_of(counts, counts + n, [](Count count) { return count >= 0; }), MPI_ERR_COUNT);
}
void demand_types(const MPI_Datatype* types, std::size_t n);

/// Not in MPI: every source block of its own type.
template <class Count>
auto allgatherw_layouts(const void* send_buffer, MPI_Count send_count, MPI_Datatype send_type, void* receive_buffer,
                        const Count* receive_counts, const MPI_Aint* displacements, const MPI_Datatype* receive_types)
{
    return [=](const Graph& graph, KeptBlocks& kept) {
        return Layouts{BlockLayout::single(send_buffer, send_count, send_type),
                       BlockLayout::general(receive_buffer, receive_counts, displacements, receive_types,
                                            graph.edges.sources.size(), &kept)};
    };
}

/// For a call that the MPI library does not know: it cannot report wrong arguments. Throws: WrongArgument.
template <class MakeLayouts>
void demand_layouts(const schedules::Edges& edges, MakeLayouts&& layouts)
{
    Graph graph;
    graph.edges = edges;
    KeptBlocks kept;
    layouts(graph, kept);
}

} // namespace hopscotch::shim
