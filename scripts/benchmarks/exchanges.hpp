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

/// One stencil on all processes, with one communicator per way.
struct Neighborhood {
    int dimensions = 0;
    std::vector<int> shifts; // of all neighbors
    std::vector<int> destinations;
    std::vector<int> sources;
    std::map<std::string, MPI_Comm> communicators;

    int neighbors() const { return static_cast<int>(destinations.size()); }
    const int* shift_of(int neighbor) const { return shifts.data() + neighbor * dimensions; }
};

/// The paper's stencils: every shift takes `values` values from -1 on; values = 1: the 2 d nearest neighbors along the
/// axes. Under the preload the info key hopscotch_algorithm gives each way its algorithm; `native` is called behind the
/// preload, `plain`, `copy` and `packed` exchange by themselves. Collective: over MPI_COMM_WORLD.
Neighborhood make_neighborhood(int dimensions, int values, const std::vector<std::string>& ways);

/// Frees the communicators. Collective: over MPI_COMM_WORLD.
void free_neighborhood(Neighborhood& neighborhood);

/// Buffers, counts and types of one case.
struct Buffers {
    std::vector<char> send;
    std::vector<char> receive;
    std::vector<int> counts;          // elements to and from each neighbor
    std::vector<int> displacements;   // of blocks that lie one behind the other, in elements
    std::vector<MPI_Aint> send_bytes; // displacements of alltoallw
    std::vector<MPI_Aint> receive_bytes;
    std::vector<MPI_Datatype> send_types;
    std::vector<MPI_Datatype> receive_types;
    MPI_Datatype element = MPI_INT;
    int size = 0;          // ints of a block, or the width of a halo's array
    std::size_t total = 0; // bytes received
    bool gather = false;
    bool halo = false;
};

/// A case of the function [i]COLLECTIVE[_init]. COLLECTIVE is one of MPI's five, with blocks of `size` ints (alltoallv:
/// as large as a halo's, `size` to the power of an offset's zero shifts, at most `size` squared and 10000 ints; Source:
/// Träff & Hunold, ICPP 2019, section 4.2), or
///
///   mixedv    alltoallv with blocks of `size` ints to corners, some times as much to edges and faces
///   halo      alltoallw of the surface of an array of size^3 doubles with ghost cells, by subarrays; 26 neighbors
///
/// Buffers are allocated if they have at most most_bytes; else `total` says how many they would have.
Buffers make_buffers(const Neighborhood& neighborhood, const std::string& function, int size, std::size_t most_bytes);

/// Frees the types.
void free_buffers(Buffers& buffers);

/// What one call needs longer than it lasts.
struct Requests {
    MPI_Request persistent = MPI_REQUEST_NULL;
    std::vector<MPI_Request> plain;
};

using Exchange = std::function<void()>;

/// One exchange: `way` is an algorithm; `native`, the MPI library's function behind any preload; `plain`, MPI_Irecv and
/// MPI_Isend to every neighbor; `packed`, a halo copied by hand to and from the blocks of MPI_Neighbor_alltoallv;
/// `copy`, no exchange but a bound: every process copies as many bytes as it would receive.
/// All arguments must outlive what is returned.
Exchange make_exchange(const std::string& function, const Neighborhood& neighborhood, Buffers& buffers,
                       const std::string& way, Requests& requests);
