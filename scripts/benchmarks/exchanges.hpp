// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Neighborhood exchanges that benchmarks time: stencils on process grids, buffers, and one call in each form and way.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// One stencil on the processes of a communicator, with one communicator per way.
struct Neighborhood {
    MPI_Comm processes = MPI_COMM_NULL; // not owned
    int dimensions = 0;
    std::vector<int> shifts; // shifts of all neighbors
    std::vector<int> destinations;
    std::vector<int> sources;
    std::map<std::string, MPI_Comm> communicators;

    int neighbors() const { return static_cast<int>(destinations.size()); }
    const int* shift_of(int neighbor) const { return shifts.data() + neighbor * dimensions; }
};

/// The paper's stencils: every shift takes `values` values from -1 on; values = 1: the 2 d nearest neighbors along the
/// axes. Under the preload the info key hopscotch_algorithm gives each way its algorithm; `native` is called behind the
/// preload, `mapped` is `auto` with ranks that Hopscotch may reorder, `plain`, `plain_init`, `copy` and `packed`
/// exchange by themselves. Collective: over the processes.
Neighborhood make_neighborhood(MPI_Comm processes, int dimensions, int values, const std::vector<std::string>& ways);

/// The communicator of one way, made as make_neighborhood does; by the MPI library's own function if `behind`.
/// Collective: over the processes of `grid`.
MPI_Comm make_graph(MPI_Comm grid, const Neighborhood& neighborhood, const std::string& way, bool behind);

/// A periodic Cartesian communicator. Collective: over the processes.
MPI_Comm periodic_grid(MPI_Comm processes, int dimensions);

/// Frees the communicators. Collective: over the processes.
void free_neighborhood(Neighborhood& neighborhood);

/// Whether the MPI library has the function: persistent collectives are of MPI 4.0.
bool has_function(const std::string& function);

/// Buffers, counts and types of one case.
struct Buffers {
    std::vector<char> send;
    std::vector<char> receive;
    std::vector<int> counts;          // elements to and from each neighbor
    std::vector<int> displacements;   // displacements of blocks one behind the other, in elements
    std::vector<MPI_Aint> send_bytes; // displacements of alltoallw
    std::vector<MPI_Aint> receive_bytes;
    std::vector<MPI_Datatype> send_types;
    std::vector<MPI_Datatype> receive_types;
    MPI_Datatype element = MPI_INT;
    int size = 0;          // ints of a block, or the width of a halo's array
    std::size_t total = 0; // bytes received
    bool gather = false;
    bool halo = false;
    bool global = false; // MPI_Allgather
};

/// A case of the function [i]COLLECTIVE[_init]. COLLECTIVE is one of MPI's five, with blocks of `size` ints (alltoallv:
/// as large as a halo's, `size` to the power of an offset's zero shifts, at most `size` squared and 10000 ints; Source:
/// Träff & Hunold, ICPP 2019, section 4.2), or
///
///   global_allgather    MPI_Allgather of blocks of `size` ints
///   mixedv    alltoallv with blocks of `size` ints to corners, some times as much to edges and faces
///   halo      alltoallw of the surface of an array of size^3 doubles with ghost cells, by subarrays; 26 neighbors
///
/// Buffers are allocated if they have at most most_bytes; else `total` gives their size.
Buffers make_buffers(const Neighborhood& neighborhood, const std::string& function, int size, std::size_t most_bytes);

/// True if the MPI library delivers each block into a slot of the block's size, on all processes. MPICH 4.2.1 reverses
/// the order of several blocks from one process; if their sizes then differ, data is lost without an error.
/// Collective: over the processes.
bool sizes_match(const Neighborhood& neighborhood, const Buffers& buffers);

/// Frees the types.
void free_buffers(Buffers& buffers);

/// The objects of one call that must outlive it.
struct Requests {
    MPI_Request persistent = MPI_REQUEST_NULL;
    std::vector<MPI_Request> plain;
    bool plain_is_persistent = false;
};

/// Frees the persistent requests.
void free_requests(Requests& requests);

using Exchange = std::function<void()>;

/// One exchange: `way` is an algorithm; `native`, the MPI library's function behind any preload; `plain`, MPI_Irecv and
/// MPI_Isend to every neighbor; `plain_init`, the same with persistent requests; `packed`, a halo copied by hand to and
/// from the blocks of MPI_Neighbor_alltoallv; `copy`, no exchange but a bound: every process copies as many bytes as it
/// would receive. All arguments must outlive what is returned.
Exchange make_exchange(const std::string& function, const Neighborhood& neighborhood, Buffers& buffers,
                       const std::string& way, Requests& requests);
