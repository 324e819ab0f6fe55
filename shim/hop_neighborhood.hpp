// Neighborhoods of ours on a communicator of their own: carried like those of the program, or over plain messages.
#pragma once

#include "schedules/neighborhood.hpp"
#include "shim/graph.hpp"
#include "shim/hop_border.hpp"
#include "shim/neighborhood_call.hpp"

#include <vector>

namespace hopscotch::shim
{

/// A communicator of the same processes without topology and attributes, which returns errors.
class PrivateCommunicator
{
  public:
    /// Collective: over comm. Throws: MpiError.
    explicit PrivateCommunicator(MPI_Comm comm);
    ~PrivateCommunicator();
    PrivateCommunicator(const PrivateCommunicator&) = delete;
    PrivateCommunicator& operator=(const PrivateCommunicator&) = delete;

    MPI_Comm get() const noexcept { return comm_; }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Messages that are started together and waited for together; the first error is kept, and all the others travel even
/// so. Between two processes they match in the order of their start.
class Transfers
{
  public:
    explicit Transfers(MPI_Comm comm, int tag = 0) : comm_(comm), tag_(tag) {}

    void receive(void* buffer, int count, MPI_Datatype type, int source);
    void send(const void* buffer, int count, MPI_Datatype type, int destination);

    /// Waits for all. Returns the first error.
    int finish();

  private:
    void keep(int code) noexcept
    {
        if (error_ == MPI_SUCCESS)
            error_ = code;
    }

    MPI_Comm comm_;
    int tag_;
    int error_ = MPI_SUCCESS;
    std::vector<MPI_Request> requests_;
};

/// Where a block of the program lies.
struct UserBlock {
    const void* address;
    int count;
    MPI_Datatype type;
};

/// Lists of neighbors on a private communicator, with the record that lets the shim carry its collectives. Parallel
/// edges match in list order.
class PrivateNeighborhood
{
  public:
    /// Collective: over comm. `graph`: edges, and where it is isomorphic topology and stencil.
    PrivateNeighborhood(Call created_by, MPI_Comm comm, const Graph& graph);

    MPI_Comm comm() const noexcept { return comm_.get(); }
    const schedules::Edges& edges() const noexcept { return edges_; }

    /// The record of comm(); null where the shim is not active.
    Communicator* record() const noexcept { return runtime().active ? record_ : nullptr; }

    /// A blocking collective; `send(i)` and `receive(i)` give its blocks as UserBlock where no way of ours carries it.
    /// Throws: MpiError, std::bad_alloc.
    template <class MakeLayouts, class Send, class Receive>
    int call(Call call, Collective collective, MakeLayouts&& layouts, Send&& send, Receive&& receive) const
    {
        Communicator* const known = record();
        if (known == nullptr)
            return plain(send, receive);
        return carried_call(*known, call, collective, layouts, [&] { return plain(send, receive); });
    }

    /// The same over one message per neighbor, all at once.
    template <class Send, class Receive>
    int plain(Send&& send, Receive&& receive) const
    {
        Transfers transfers(comm());
        for (std::size_t i = 0; i < edges_.sources.size(); ++i)
            if (edges_.sources[i] != schedules::no_rank)
                start_receive(transfers, receive(static_cast<int>(i)), edges_.sources[i]);
        for (std::size_t i = 0; i < edges_.destinations.size(); ++i)
            if (edges_.destinations[i] != schedules::no_rank)
                start_send(transfers, send(static_cast<int>(i)), edges_.destinations[i]);
        return transfers.finish();
    }

    /// The same, one neighbor after the other. Requires: block i comes from where a block i goes to, as in Cartesian
    /// neighborhoods. Source: Träff & Hunold, ICPP 2019, Listing 4.
    template <class Send, class Receive>
    int one_by_one(Send&& send, Receive&& receive) const
    {
        int error = MPI_SUCCESS;
        for (std::size_t i = 0; i < edges_.sources.size(); ++i) {
            Transfers transfers(comm());
            if (edges_.sources[i] != schedules::no_rank)
                start_receive(transfers, receive(static_cast<int>(i)), edges_.sources[i]);
            if (edges_.destinations[i] != schedules::no_rank)
                start_send(transfers, send(static_cast<int>(i)), edges_.destinations[i]);
            const int code = transfers.finish();
            error = error != MPI_SUCCESS ? error : code;
        }
        return error;
    }

  private:
    static void start_receive(Transfers& transfers, const UserBlock& block, int source)
    {
        transfers.receive(const_cast<void*>(block.address), block.count, block.type, source);
    }
    static void start_send(Transfers& transfers, const UserBlock& block, int destination)
    {
        transfers.send(block.address, block.count, block.type, destination);
    }

    PrivateCommunicator comm_;
    schedules::Edges edges_;
    Communicator* record_ = nullptr; // lives as long as comm_
};

/// The edges of these lists; parallel ones match in list order. Entries no_rank carry nothing.
schedules::Edges edges_in_order(int rank, std::vector<int> sources, std::vector<int> destinations);

/// Throws: Refused{MPI_ERR_TOPOLOGY} on all processes when messages could wait for ever: an edge is named by one of its
/// processes only, or a rank does not exist. Collective: over comm, whose lists these are.
void demand_both_ends(MPI_Comm comm, const schedules::Edges& edges);

/// Throws: Refused{MPI_ERR_TYPE} for no type, of which the MPI library would tell no communicator of the program.
inline MPI_Aint demand_extent(MPI_Datatype type)
{
    demand(type != MPI_DATATYPE_NULL, MPI_ERR_TYPE);
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    check(next.Type_get_extent(type, &lower, &extent));
    return extent;
}

/// Block i of a buffer with blocks one after the other; of the v forms; of the w forms. The types' extents are looked
/// up once, when a block is asked for.
inline auto regular_blocks(const void* buffer, int count, MPI_Datatype type)
{
    return [=, extent = MPI_Aint{-1}](int i) mutable {
        if (extent == -1)
            extent = demand_extent(type);
        return UserBlock{static_cast<const char*>(buffer) + i * (extent * count), count, type};
    };
}

inline auto varying_blocks(const void* buffer, const int* counts, const int* displacements, MPI_Datatype type)
{
    return [=, extent = MPI_Aint{-1}](int i) mutable {
        if (extent == -1)
            extent = demand_extent(type);
        return UserBlock{static_cast<const char*>(buffer) + displacements[i] * extent, counts[i], type};
    };
}

inline auto general_blocks(const void* buffer, const int* counts, const MPI_Aint* displacements,
                           const MPI_Datatype* types)
{
    return [=](int i) { return UserBlock{static_cast<const char*>(buffer) + displacements[i], counts[i], types[i]}; };
}

inline auto single_block(const void* buffer, int count, MPI_Datatype type)
{
    return [=](int) { return UserBlock{buffer, count, type}; };
}

/// Throws: Refused for buffers, counts and types no neighborhood collective takes.
void demand_arguments(const void* send_buffer, int send_count, MPI_Datatype send_type, const void* receive_buffer,
                      int receive_count, MPI_Datatype receive_type);
void demand_counts(const int* counts, std::size_t n);
void demand_types(const MPI_Datatype* types, std::size_t n);

} // namespace hopscotch::shim
