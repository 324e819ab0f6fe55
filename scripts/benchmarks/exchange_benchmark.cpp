// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Times neighborhood exchanges carried in different ways, alternating in one run, and prints one CSV row per case and
// way.
//
//   mpicxx -O2 exchange_benchmark.cpp exchanges.cpp -o exchange_benchmark
//   mpiexec -n P exchange_benchmark [key=value ...]
//     dimensions=3 values=3,5     the stencils, as in exchanges.hpp
//     ints=1,10,100               block sizes in MPI_INT; of a halo, cells along an edge of the array
//     functions=alltoall,ialltoallv,allgather_init,mixedv,halo,...
//                                 prefix i: nonblocking and wait, suffix _init: start and wait
//     ways=native,plain,trivial,merged,combining,auto       (native and plain need no preload)
//     seconds=0.3                 time spent per case and way
//     most=64                     MiB of one buffer; larger cases are left out
//
// Columns: ranks, dimensions, values, neighbors, function, ints, way, samples, microseconds (median over samples of the
// slowest process), ratio (native time over this time).
#include "exchanges.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace
{

struct Options {
    std::vector<int> dimensions{3};
    std::vector<int> values{3};
    std::vector<int> ints{1, 10, 100};
    std::vector<std::string> functions{"alltoall"};
    std::vector<std::string> ways{"native", "plain", "trivial", "merged", "combining", "auto"};
    double seconds = 0.3;
    std::size_t most_bytes = std::size_t{64} << 20; // of one buffer; larger cases are left out
};

std::vector<std::string> split(const std::string& text)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');)
        parts.push_back(part);
    return parts;
}

std::vector<int> numbers(const std::string& text)
{
    std::vector<int> values;
    for (const std::string& part : split(text))
        values.push_back(std::atoi(part.c_str()));
    return values;
}

Options parse(int argc, char** argv)
{
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const auto equal = argument.find('=');
        const std::string key = argument.substr(0, equal);
        const std::string value = equal == std::string::npos ? "" : argument.substr(equal + 1);
        if (key == "dimensions")
            options.dimensions = numbers(value);
        else if (key == "values")
            options.values = numbers(value);
        else if (key == "ints")
            options.ints = numbers(value);
        else if (key == "functions")
            options.functions = split(value);
        else if (key == "ways")
            options.ways = split(value);
        else if (key == "seconds")
            options.seconds = std::atof(value.c_str());
        else if (key == "most")
            options.most_bytes = static_cast<std::size_t>(std::atoi(value.c_str())) << 20;
        else {
            std::fprintf(stderr, "exchange_benchmark: unknown argument '%s'\n", argument.c_str());
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
    }
    return options;
}

double median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Seconds of `repeats` exchanges on the slowest process.
double sample(const Exchange& exchange, int repeats)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < repeats; ++i)
        exchange();
    double elapsed = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &elapsed, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return elapsed;
}

void measure(const Options& options, const Neighborhood& neighborhood, int values, const std::string& function,
             int ints)
{
    Buffers buffers = make_buffers(neighborhood, function, ints, options.most_bytes);
    if (buffers.total > options.most_bytes)
        return free_buffers(buffers);
    constexpr int samples = 9;
    std::vector<Exchange> exchanges;
    std::vector<Requests> requests(options.ways.size());
    std::vector<int> repeats;
    for (std::size_t w = 0; w < options.ways.size(); ++w) {
        exchanges.push_back(make_exchange(function, neighborhood, buffers, options.ways[w], requests[w]));
        sample(exchanges.back(), 40); // the tuner's trial, caches, connections
        const double once = sample(exchanges.back(), 3) / 3;
        repeats.push_back(std::clamp(static_cast<int>(options.seconds / samples / once), 1, 20000));
    }
    MPI_Bcast(repeats.data(), static_cast<int>(repeats.size()), MPI_INT, 0, MPI_COMM_WORLD);
    std::vector<std::vector<double>> times(options.ways.size());
    for (int s = 0; s < samples; ++s)
        for (std::size_t w = 0; w < options.ways.size(); ++w)
            times[w].push_back(sample(exchanges[w], repeats[w]) / repeats[w]);

    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double reference = 0.0;
    for (std::size_t w = 0; w < options.ways.size(); ++w)
        if (options.ways[w] == "native")
            reference = median(times[w]);
    for (std::size_t w = 0; rank == 0 && w < options.ways.size(); ++w)
        std::printf("%d,%d,%d,%d,%s,%d,%s,%d,%.3f,%.3f\n", size, neighborhood.dimensions, values,
                    neighborhood.neighbors(), function.c_str(), ints, options.ways[w].c_str(), samples * repeats[w],
                    1e6 * median(times[w]), reference / median(times[w]));
    std::fflush(stdout);
    for (Requests& kept : requests)
        if (kept.persistent != MPI_REQUEST_NULL)
            MPI_Request_free(&kept.persistent);
    free_buffers(buffers);
}

} // namespace

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    const Options options = parse(argc, argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        std::printf("ranks,dimensions,values,neighbors,function,ints,way,samples,microseconds,ratio\n");
    for (const int dimensions : options.dimensions)
        for (const int values : options.values)
            for (const std::string& function : options.functions)
                for (const int ints : options.ints) { // each with communicators of its own, as in a program of one size
                    Neighborhood neighborhood = make_neighborhood(dimensions, values, options.ways);
                    measure(options, neighborhood, values, function, ints);
                    free_neighborhood(neighborhood);
                }
    MPI_Finalize();
    return 0;
}
