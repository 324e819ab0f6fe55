// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The buffer arguments of a call, of each form once: their blocks, and the arguments themselves.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/plan/algorithm.hpp"
#include "shim/blocks/block_layout.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <tuple>
#include <type_traits>

namespace hopscotch::shim
{

/// The place of a block of the program.
struct UserBlock {
    const void* address;
    MPI_Count count;
    MPI_Datatype type;
};

/// Throws: Refused{MPI_ERR_TYPE} for a null type; the MPI library would not report it on a communicator of the program.
inline MPI_Aint demand_extent(MPI_Datatype type)
{
    demand(type != MPI_DATATYPE_NULL, MPI_ERR_TYPE);
    return proven_extent(type);
}

/// Throws: Refused unless n counts are there, and none is negative.
template <class Count>
void demand_counts(const Count* counts, std::size_t n)
{
    demand(counts != nullptr || n == 0, MPI_ERR_ARG);
    demand(std::all_of(counts, counts + n, [](Count count) { return count >= 0; }), MPI_ERR_COUNT);
}

// Each form has
//   Count: the type of its counts
//   individual, common: the collectives that receive such blocks, of each neighbor its own, or the one that all get
//   layout(n, kept): its n blocks, as the functions of BlockLayout make them
//   (i): block i
//   demand_right(n): throws Refused for counts, types and arrays that no neighborhood collective takes
//   arguments(): of an MPI function, in their order

/// All blocks alike, one after the other.
template <class Counts>
struct RegularBlocks {
    using Count = Counts;
    static constexpr auto individual = schedules::Collective::alltoall, common = schedules::Collective::allgather;

    const void* buffer;
    Count count;
    MPI_Datatype type;

    BlockLayout layout(std::size_t, KeptBlocks&) const { return BlockLayout::regular(buffer, count, type); }
    UserBlock operator()(int i) const { return {moved(buffer, i * (demand_extent(type) * count)), count, type}; }
    void demand_right(std::size_t) const
    {
        demand(count >= 0, MPI_ERR_COUNT);
        demand(type != MPI_DATATYPE_NULL, MPI_ERR_TYPE);
    }
    auto arguments() const { return std::tuple(const_cast<void*>(buffer), count, type); }
};
template <class Count>
RegularBlocks(const void*, Count, MPI_Datatype) -> RegularBlocks<Count>;

/// The one block of an allgather's send buffer, for every index.
template <class Count>
struct SingleBlock : RegularBlocks<Count> {
    BlockLayout layout(std::size_t, KeptBlocks&) const
    {
        return BlockLayout::single(this->buffer, this->count, this->type);
    }
    UserBlock operator()(int) const { return {this->buffer, this->count, this->type}; }
};
template <class Count>
SingleBlock(const void*, Count, MPI_Datatype) -> SingleBlock<Count>;

/// The v forms.
template <class Counts, class Displacement>
struct VaryingBlocks {
    using Count = Counts;
    static constexpr auto individual = schedules::Collective::alltoallv, common = schedules::Collective::allgatherv;

    const void* buffer;
    const Count* counts;
    const Displacement* displacements;
    MPI_Datatype type;

    BlockLayout layout(std::size_t n, KeptBlocks&) const
    {
        return BlockLayout::varying(buffer, counts, displacements, type, n);
    }
    UserBlock operator()(int i) const
    {
        return {moved(buffer, displacements[i] * demand_extent(type)), counts[i], type};
    }
    void demand_right(std::size_t n) const
    {
        demand(type != MPI_DATATYPE_NULL, MPI_ERR_TYPE);
        demand_counts(counts, n);
        demand(displacements != nullptr || n == 0, MPI_ERR_ARG);
    }
    auto arguments() const { return std::tuple(const_cast<void*>(buffer), counts, displacements, type); }
};
template <class Count, class Displacement>
VaryingBlocks(const void*, const Count*, const Displacement*, MPI_Datatype) -> VaryingBlocks<Count, Displacement>;

/// The w forms. In a neighborhood displacements are of type MPI_Aint.
template <class Counts, class Displacement>
struct GeneralBlocks {
    using Count = Counts;
    static constexpr auto individual = schedules::Collective::alltoallw, common = schedules::Collective::allgatherv;

    const void* buffer;
    const Count* counts;
    const Displacement* displacements;
    const MPI_Datatype* types;

    BlockLayout layout(std::size_t n, KeptBlocks& kept) const
    {
        return BlockLayout::general(buffer, counts, displacements, types, n, &kept);
    }
    UserBlock operator()(int i) const { return {moved(buffer, displacements[i]), counts[i], types[i]}; }
    void demand_right(std::size_t n) const
    {
        demand_counts(counts, n);
        demand(types != nullptr || n == 0, MPI_ERR_ARG);
        demand(std::count(types, types + n, MPI_DATATYPE_NULL) == 0, MPI_ERR_TYPE);
        demand(displacements != nullptr || n == 0, MPI_ERR_ARG);
    }
    auto arguments() const { return std::tuple(const_cast<void*>(buffer), counts, displacements, types); }
};
template <class Count, class Displacement>
GeneralBlocks(const void*, const Count*, const Displacement*, const MPI_Datatype*)
    -> GeneralBlocks<Count, Displacement>;

/// Both buffers of a call of a neighborhood collective.
template <class Send, class Receive>
struct Buffers {
    static constexpr schedules::Collective collective =
        std::is_same_v<Send, SingleBlock<typename Send::Count>> ? Receive::common : Receive::individual;

    Send send;
    Receive receive;

    /// Its blocks, as Communicator::blocks_of takes them.
    Layouts operator()(const schedules::Edges& edges, KeptBlocks& kept) const
    {
        return {send.layout(edges.destinations.size(), kept), receive.layout(edges.sources.size(), kept)};
    }

    bool in_place() const noexcept { return send.buffer == MPI_IN_PLACE || receive.buffer == MPI_IN_PLACE; }

    /// Calls a function of MPI with these arguments, and with those that come behind.
    template <class Function, class... Behind>
    int call(Function&& function, Behind... behind) const
    {
        return std::apply([&](auto... arguments) { return function(arguments..., behind...); },
                          std::tuple_cat(send.arguments(), receive.arguments()));
    }

    /// Throws: Refused for arguments that no collective in a neighborhood with these edges takes.
    void demand_right(const schedules::Edges& edges) const
    {
        demand(!in_place(), MPI_ERR_BUFFER);
        send.demand_right(edges.destinations.size());
        receive.demand_right(edges.sources.size());
    }
};
template <class Send, class Receive>
Buffers(Send, Receive) -> Buffers<Send, Receive>;

} // namespace hopscotch::shim
