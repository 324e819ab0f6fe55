// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Jobs to try schedules on: process grids, stencils, neighbor lists in any order, and the expected blocks.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/plan/schedule.hpp"
#include "test/schedules/plan/simulator.hpp"

#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

/// All processes of a program: the grid, the stencil in the program's order, and the neighbor lists passed to MPI.
struct Job {
    hopscotch::schedules::Topology topology;
    hopscotch::schedules::Stencil stencil;
    std::vector<hopscotch::schedules::Edges> edges;

    /// The stencil as schedules are planned on it: canonical and sorted.
    hopscotch::schedules::Stencil planned_stencil() const;
    /// Process `rank` of an isomorphic job.
    hopscotch::schedules::Neighborhood neighborhood(int rank) const;
};

std::string describe(const Job& job);

/// The process at an offset, worked out coordinate by coordinate, or no_rank: no code in common with
/// Topology::neighbor.
int plain_neighbor(const hopscotch::schedules::Topology& topology, int rank, const std::vector<int>& offset);

/// A job with shuffled lists: each process lists the neighbors of the stencil in an order of its own and keeps or
/// leaves out those beyond a mesh border; parallel edges match in any way.
Job shuffled_job(const hopscotch::schedules::Topology& topology, const hopscotch::schedules::Stencil& stencil,
                 std::mt19937& random);

/// A job without any structure: a random directed graph with parallel edges, loops and entries no_rank.
Job random_graph(int processes, int most_edges, std::mt19937& random);

/// The graph of some edges, each from a process to another; lists in any order, with entries no_rank.
Job job_of(int processes, const std::vector<std::pair<int, int>>& edges, std::mt19937& random);

/// The graph of all edges that the function wants; lists by rank.
Job graph_where(int processes, const std::function<bool(int from, int to)>& has_edge);

/// Every grid of the given dimensions with sizes 1..most, torus, mesh and everything between.
std::vector<hopscotch::schedules::Topology> grids(int dimensions, int most);

/// Symmetric, asymmetric, sparse, repeated, zero, far beyond small grids, empty.
std::vector<hopscotch::schedules::Stencil> stencils(int dimensions, std::mt19937& random);

hopscotch::schedules::Stencil random_stencil(int dimensions, int size, int radius, std::mt19937& random);

/// Calls the function with a job for every small grid and stencil: 1 to 4 dimensions.
void for_every_small_job(const std::function<void(const Job&)>& try_out);

/// Calls the function with one random, larger job for each seed 1..seeds; the seed is for the failure message.
void for_random_jobs(unsigned seeds, const std::function<void(const Job&, unsigned seed)>& try_out);

enum class TestedOperation { alltoall, allgather };

/// The block that belongs in receive slot j of a process; nothing for a slot without source.
Label promised(const Job& job, TestedOperation operation, int rank, std::size_t j);

/// Plans, validates and simulates all processes of the job and compares every receive slot with the block that the
/// neighbor lists promise it. Empty if all is right, else one sentence with the first fault and the job.
std::string fault(const Job& job, TestedOperation operation,
                  const std::function<hopscotch::schedules::Schedule(const Job&, int rank)>& plan);
