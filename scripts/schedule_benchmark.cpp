// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What detection and schedules cost a process when a communicator is made, without MPI: over stencils up to 3124
// neighbors and grids up to 2^20 processes.
//
//   g++ -std=c++17 -O3 -I . scripts/schedule_benchmark.cpp schedules/*.cpp -o schedule_benchmark &&
//   ./schedule_benchmark
//
// Columns: processes, dimensions, values per shift, neighbors t, then microseconds (median of 9): forming the stencil
// from the neighbor list and comparing both lists with it (explains), placing a process (place), the schedules of
// alltoall and allgather; last, all of them in nanoseconds per t d.
#include "schedules/allgather.hpp"
#include "schedules/alltoall.hpp"
#include "schedules/infer.hpp"
#include "schedules/neighborhood.hpp"

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

} // namespace

int main()
{
    std::printf("      p  d  n     t   explain     place  alltoall  allgather  ns/(t d)\n");
    for (const int processes : {1 << 12, 1 << 20})
        for (int dimensions = 2; dimensions <= 5; ++dimensions)
            for (int values = 3; values <= 5; ++values)
                measure(dimensions, values, processes);
    return 0;
}
