// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Turns the arguments of the five neighborhood collectives into blocks. The functions take the graph, since only its
// neighbor lists give the length of the argument arrays, and the lists that the communicator has kept.
#pragma once

#include "shim/call/neighborhood_call.hpp"

namespace hopscotch::shim
{

inline bool in_place(const void* send_buffer, const void* receive_buffer) noexcept
{
    return send_buffer == MPI_IN_PLACE || receive_buffer == MPI_IN_PLACE;
}

inline auto alltoall_layouts(const void* send_buffer, MPI_Count send_count, MPI_Datatype send_type,
                             void* receive_buffer, MPI_Count receive_count, MPI_Datatype receive_type)
{
    return [=](const Graph&, KeptBlocks&) {
        return Layouts{BlockLayout::regular(send_buffer, send_count, send_type),
                       BlockLayout::regular(receive_buffer, receive_count, receive_type)};
    };
}

inline auto allgather_layouts(const void* send_buffer, MPI_Count send_count, MPI_Datatype send_type,
                              void* receive_buffer, MPI_Count receive_count, MPI_Datatype receive_type)
{
    return [=](const Graph&, KeptBlocks&) {
        return Layouts{BlockLayout::single(send_buffer, send_count, send_type),
                       BlockLayout::regular(receive_buffer, receive_count, receive_type)};
    };
}

template <class Count, class Displacement>
auto allgatherv_layouts(const void* send_buffer, MPI_Count send_count, MPI_Datatype send_type, void* receive_buffer,
                        const Count* receive_counts, const Displacement* displacements, MPI_Datatype receive_type)
{
    return [=](const Graph& graph, KeptBlocks&) {
        return Layouts{BlockLayout::single(send_buffer, send_count, send_type),
                       BlockLayout::varying(receive_buffer, receive_counts, displacements, receive_type,
                                            graph.edges.sources.size())};
    };
}

template <class Count, class Displacement>
auto alltoallv_layouts(const void* send_buffer, const Count* send_counts, const Displacement* send_displacements,
                       MPI_Datatype send_type, void* receive_buffer, const Count* receive_counts,
                       const Displacement* receive_displacements, MPI_Datatype receive_type)
{
    return [=](const Graph& graph, KeptBlocks&) {
        return Layouts{BlockLayout::varying(send_buffer, send_counts, send_displacements, send_type,
                                            graph.edges.destinations.size()),
                       BlockLayout::varying(receive_buffer, receive_counts, receive_displacements, receive_type,
                                            graph.edges.sources.size())};
    };
}

template <class Count>
auto alltoallw_layouts(const void* send_buffer, const Count* send_counts, const MPI_Aint* send_displacements,
                       const MPI_Datatype* send_types, void* receive_buffer, const Count* receive_counts,
                       const MPI_Aint* receive_displacements, const MPI_Datatype* receive_types)
{
    return [=](const Graph& graph, KeptBlocks& kept) {
        return Layouts{BlockLayout::general(send_buffer, send_counts, send_displacements, send_types,
                                            graph.edges.destinations.size(), &kept),
                       BlockLayout::general(receive_buffer, receive_counts, receive_displacements, receive_types,
                                            graph.edges.sources.size(), &kept)};
    };
}

} // namespace hopscotch::shim
