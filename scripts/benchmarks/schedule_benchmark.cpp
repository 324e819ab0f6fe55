// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What detection and schedules cost a process when a communicator is made, without MPI: over stencils up to 3124
// neighbors and grids up to 2^20 processes.
//
//   g++ -std=c++17 -O3 -I . scripts/benchmarks/schedule_benchmark.cpp schedules/*/*.cpp -o schedule_benchmark &&
//   ./schedule_benchmark
//
// Columns: processes, dimensions, values per shift, neighbors t, then microseconds (median of 9): forming the stencil
// from the neighbor list and comparing both lists with it (explains), placing a process (place), the schedules of
// alltoall and allgather; last, all of them in nanoseconds per t d. Then what it costs a process to find its rank on
// nodes of 64 by each mapper: nanoseconds, mean of all processes.
#include "schedules/grid/infer.hpp"
#include "schedules/grid/neighborhood.hpp"
#include "schedules/mapping/mapping.hpp"
#include "schedules/plan/allgather.hpp"
#include "schedules/plan/alltoall.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

using namespace hopscotch::schedules;

namespace
{

double median_microseconds(const std::function<void()>& action)
{
    constexpr int samples = 9;
    std::vector<double> times;
    for (int i = 0; i < samples; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        action();
        times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
    }
    std::sort(times.begin(), times.end());
    return times[samples / 2];
}

/// d shifts of `values` values each, on a torus of about `processes` processes.
void measure(int dimensions, int values, int processes)
{
    std::vector<int> dims(static_cast<std::size_t>(dimensions), 1);
    for (int left = processes, k = 0; left > 1; left /= 2, k = (k + 1) % dimensions)
        dims[static_cast<std::size_t>(k)] *= 2;
    const Topology topology(dims, std::vector<bool>(dims.size(), true));
    Stencil wanted(dimensions, {});
    const Stencil all = grid(dimensions, values, -1);
    for (int i = 0; i < all.size(); ++i)
        if (hops(all, i) > 0)
            wanted.append(all.offset(i));
    const int rank = topology.size() / 3;
    const Edges edges = edges_of(topology, wanted, rank);
    Stencil stencil;
    Neighborhood neighborhood;
    bool explained = true;
    const double detection = median_microseconds([&] {
        stencil = sorted(offsets(topology, rank, edges.destinations));
        explained = explains(topology, stencil, rank, edges.destinations, edges.sources) && explained;
    });
    const double placing = median_microseconds([&] { neighborhood = place(topology, stencil, edges); });
    const double alltoall = median_microseconds([&] { combining_alltoall(neighborhood); });
    const double allgather =
        median_microseconds([&] { combining_allgather(neighborhood, best_dimension_order(stencil)); });
    const double sum = detection + placing + alltoall + allgather;
    std::printf("%7d  %d  %d  %4d  %8.1f  %8.1f  %8.1f  %8.1f  %6.1f%s\n", topology.size(), dimensions, values,
                stencil.size(), detection, placing, alltoall, allgather,
                1e3 * sum / (stencil.size() * stencil.dimensions()), explained ? "" : "  not explained!");
}

/// The mean over all processes of a mesh, with one neighbor each way along each dimension.
void measure_mapping(const std::vector<int>& dims)
{
    const Topology topology(dims, std::vector<bool>(dims.size(), false));
    const std::vector<int> node_sizes(static_cast<std::size_t>(topology.size() / 64), 64);
    for (const Mapper mapper : {Mapper::hyperplane, Mapper::k_d_tree, Mapper::stencil_strips, Mapper::bricks}) {
        const Mapping mapping(mapper, topology, star(topology.dimensions(), 1), node_sizes);
        int last = 0;
        const double microseconds = median_microseconds([&] {
            for (int process = 0; process < topology.size(); ++process)
                last = std::max(last, mapping.rank(process));
        });
        std::printf("%-16s  %-16s  %8.1f%s\n", to_string(topology).c_str(), to_string(mapper).c_str(),
                    1e3 * microseconds / topology.size(), last == topology.size() - 1 ? "" : "  wrong ranks!");
    }
}

} // namespace

int main()
{
    std::printf("      p  d  n     t   explain     place  alltoall  allgather  ns/(t d)\n");
    for (const int processes : {1 << 12, 1 << 20})
        for (int dimensions = 2; dimensions <= 5; ++dimensions)
            for (int values = 3; values <= 5; ++values)
                measure(dimensions, values, processes);
    std::printf("grid              mapper            ns/rank\n");
    measure_mapping({1024, 1024});
    measure_mapping({128, 128, 64});
    return 0;
}
