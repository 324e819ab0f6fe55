// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Times neighborhood exchanges carried in different ways, alternating in one run, and prints one CSV row per case and
// way.
//
//   mpiexec -n P exchange_benchmark [key=value ...]
//     dimensions=3 values=3,5     the paper's stencils: every shift takes `values` values from -1 on;
//                                 values=1: the 2 d nearest neighbors along the axes
//     ints=1,10,100               block sizes in MPI_INT
//     functions=alltoall,allgather,alltoallv,ialltoall,...  (prefix i: nonblocking + wait, suffix _init: start + wait)
//     ways=native,plain,trivial,merged,combining,auto       (native and plain need no preload)
//     seconds=0.3                 time spent per case and way
//
// Columns: ranks, dimensions, values, neighbors, function, ints, way, samples, microseconds (median over samples of the
// slowest process), ratio (native time over this time).
// Under the preload a communicator's algorithm is chosen by the info key hopscotch_algorithm; `native` is called behind
// the preload, `plain` is MPI_Irecv and MPI_Isend to every neighbor. `copy` is no exchange but a bound: every process
// copies as many bytes as it would receive once, within its own memory.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <map>
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
        else {
            std::fprintf(stderr, "exchange_benchmark: unknown argument '%s'\n", argument.c_str());
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
    }
    return options;
}

/// The MPI library's own function, behind any preload.
template <class Function>
Function native(Function, const char* name)
{
    static void* const library = [] {
        void* handle = dlopen("libmpich.so.12", RTLD_LAZY | RTLD_NOLOAD);
        return handle != nullptr ? handle : dlopen("libmpi.so.12", RTLD_LAZY | RTLD_NOLOAD);
    }();
    void* symbol = library != nullptr ? dlsym(library, name) : nullptr;
    if (symbol == nullptr) {
        std::fprintf(stderr, "exchange_benchmark: no native %s\n", name);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return reinterpret_cast<Function>(symbol);
}

/// One stencil on all processes, with one communicator per way.
struct Neighborhood {
    int dimensions = 0;
    std::vector<int> shifts; // of all neighbors
    std::vector<int> destinations;
    std::vector<int> sources;
    std::map<std::string, MPI_Comm> communicators;

    int neighbors() const { return static_cast<int>(destinations.size()); }
};

Neighborhood make_neighborhood(int dimensions, int values, const std::vector<std::string>& ways)
{
    Neighborhood result;
    result.dimensions = dimensions;
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<int> dims(static_cast<std::size_t>(dimensions), 0);
    std::vector<int> periods(dims.size(), 1);
    MPI_Dims_create(size, dimensions, dims.data());
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims.data(), periods.data(), 0, &grid);
    int rank = 0;
    MPI_Comm_rank(grid, &rank);
    std::vector<int> here(dims.size());
    MPI_Cart_coords(grid, rank, dimensions, here.data());

    const int shifts_along = std::max(values, 3);
    int all = 1;
    for (int k = 0; k < dimensions; ++k)
        all *= shifts_along;
    for (int number = 0; number < all; ++number) {
        std::vector<int> shift(dims.size());
        int rest = number;
        int hops = 0;
        for (std::size_t k = dims.size(); k-- > 0; rest /= shifts_along) {
            shift[k] = rest % shifts_along - 1;
            hops += shift[k] != 0 ? 1 : 0;
        }
        if (hops == 0 || (values == 1 && hops > 1))
            continue;
        std::vector<int> to(here);
        std::vector<int> from(here);
        for (std::size_t k = 0; k < dims.size(); ++k) {
            to[k] += shift[k];
            from[k] -= shift[k];
        }
        int destination = 0;
        int source = 0;
        MPI_Cart_rank(grid, to.data(), &destination);
        MPI_Cart_rank(grid, from.data(), &source);
        result.destinations.push_back(destination);
        result.sources.push_back(source);
        result.shifts.insert(result.shifts.end(), shift.begin(), shift.end());
    }
    for (const std::string& way : ways) {
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "hopscotch_algorithm", way == "plain" || way == "copy" ? "native" : way.c_str());
        MPI_Comm& graph = result.communicators[way];
        MPI_Dist_graph_create_adjacent(grid, result.neighbors(), result.sources.data(), MPI_UNWEIGHTED,
                                       result.neighbors(), result.destinations.data(), MPI_UNWEIGHTED, info, 0, &graph);
        MPI_Info_free(&info);
    }
    MPI_Comm_free(&grid);
    return result;
}

/// Buffers and counts of one case.
struct Buffers {
    std::vector<int> send;
    std::vector<int> receive;
    std::vector<int> counts;
    std::vector<int> displacements;
    int ints = 0;
    bool gather = false;
    bool varying = false;
    std::size_t total = 0;
};

/// Blocks of alltoallv are as large as a halo's: m^(d-z) for an offset with z non-zero shifts, at most m^2 and 10000
/// ints. Source: Träff & Hunold, ICPP 2019, section 4.2.
int halo_ints(const Neighborhood& neighborhood, int neighbor, int ints)
{
    int zero_shifts = 0;
    for (int k = 0; k < neighborhood.dimensions; ++k)
        if (neighborhood.shifts[static_cast<std::size_t>(neighbor * neighborhood.dimensions + k)] == 0)
            ++zero_shifts;
    return static_cast<int>(std::min(std::pow(ints, std::min(zero_shifts, 2)), 10000.0));
}

Buffers make_buffers(const Neighborhood& neighborhood, const std::string& function, int ints)
{
    Buffers buffers;
    buffers.ints = ints;
    buffers.gather = function.find("allgather") != std::string::npos;
    buffers.varying = function.find("allto") != std::string::npos ? function.find("alltoallv") != std::string::npos
                                                                  : function.find("allgatherv") != std::string::npos;
    std::size_t total = 0;
    for (int i = 0; i < neighborhood.neighbors(); ++i) {
        const int count = buffers.varying && !buffers.gather ? halo_ints(neighborhood, i, ints) : ints;
        buffers.counts.push_back(count);
        buffers.displacements.push_back(static_cast<int>(total));
        total += static_cast<std::size_t>(count);
    }
    buffers.total = total;
    return buffers;
}

void allocate(Buffers& buffers)
{
    buffers.send.assign(buffers.gather ? static_cast<std::size_t>(buffers.ints) : buffers.total, 1);
    buffers.receive.assign(buffers.total, 0);
}

void plain(const Neighborhood& neighborhood, Buffers& buffers, MPI_Comm comm, std::vector<MPI_Request>& requests)
{
    const int t = neighborhood.neighbors();
    requests.resize(static_cast<std::size_t>(2 * t));
    for (int j = 0; j < t; ++j) {
        const auto slot = static_cast<std::size_t>(j);
        MPI_Irecv(buffers.receive.data() + buffers.displacements[slot], buffers.counts[slot], MPI_INT,
                  neighborhood.sources[slot], 0, comm, &requests[slot]);
    }
    for (int i = 0; i < t; ++i) {
        const auto slot = static_cast<std::size_t>(i);
        const int* from = buffers.gather ? buffers.send.data() : buffers.send.data() + buffers.displacements[slot];
        MPI_Isend(from, buffers.gather ? buffers.ints : buffers.counts[slot], MPI_INT, neighborhood.destinations[slot],
                  0, comm, &requests[static_cast<std::size_t>(t) + slot]);
    }
    MPI_Waitall(2 * t, requests.data(), MPI_STATUSES_IGNORE);
}

/// The bytes a process would receive, copied once within its own memory.
void copy_once(Buffers& buffers)
{
    for (std::size_t j = 0; j < buffers.counts.size(); ++j) {
        const auto place = static_cast<std::size_t>(buffers.displacements[j]);
        std::memcpy(buffers.receive.data() + place, buffers.send.data() + (buffers.gather ? 0 : place),
                    static_cast<std::size_t>(buffers.counts[j]) * sizeof(int));
    }
}

using Exchange = std::function<void()>;

#define CALL(behind, name) (behind ? native(&MPI_##name, "PMPI_" #name) : &MPI_##name)

Exchange blocking(const std::string& function, Buffers& b, MPI_Comm comm, bool behind)
{
    if (function == "alltoall") {
        auto* call = CALL(behind, Neighbor_alltoall);
        return [=, &b] { call(b.send.data(), b.ints, MPI_INT, b.receive.data(), b.ints, MPI_INT, comm); };
    }
    if (function == "allgather") {
        auto* call = CALL(behind, Neighbor_allgather);
        return [=, &b] { call(b.send.data(), b.ints, MPI_INT, b.receive.data(), b.ints, MPI_INT, comm); };
    }
    if (function == "allgatherv") {
        auto* call = CALL(behind, Neighbor_allgatherv);
        return [=, &b] {
            call(b.send.data(), b.ints, MPI_INT, b.receive.data(), b.counts.data(), b.displacements.data(), MPI_INT,
                 comm);
        };
    }
    auto* call = CALL(behind, Neighbor_alltoallv);
    return [=, &b] {
        call(b.send.data(), b.counts.data(), b.displacements.data(), MPI_INT, b.receive.data(), b.counts.data(),
             b.displacements.data(), MPI_INT, comm);
    };
}

Exchange nonblocking(const std::string& function, Buffers& b, MPI_Comm comm, bool behind)
{
    auto* wait = CALL(behind, Wait);
    if (function == "ialltoall") {
        auto* call = CALL(behind, Ineighbor_alltoall);
        return [=, &b] {
            MPI_Request request;
            call(b.send.data(), b.ints, MPI_INT, b.receive.data(), b.ints, MPI_INT, comm, &request);
            wait(&request, MPI_STATUS_IGNORE);
        };
    }
    if (function == "iallgather") {
        auto* call = CALL(behind, Ineighbor_allgather);
        return [=, &b] {
            MPI_Request request;
            call(b.send.data(), b.ints, MPI_INT, b.receive.data(), b.ints, MPI_INT, comm, &request);
            wait(&request, MPI_STATUS_IGNORE);
        };
    }
    auto* call = CALL(behind, Ineighbor_alltoallv);
    return [=, &b] {
        MPI_Request request;
        call(b.send.data(), b.counts.data(), b.displacements.data(), MPI_INT, b.receive.data(), b.counts.data(),
             b.displacements.data(), MPI_INT, comm, &request);
        wait(&request, MPI_STATUS_IGNORE);
    };
}

Exchange persistent(const std::string& function, Buffers& b, MPI_Comm comm, bool behind, MPI_Request& request)
{
    if (function == "alltoall_init")
        CALL(behind, Neighbor_alltoall_init)
    (b.send.data(), b.ints, MPI_INT, b.receive.data(), b.ints, MPI_INT, comm, MPI_INFO_NULL, &request);
    else if (function == "allgather_init") CALL(behind, Neighbor_allgather_init)(
        b.send.data(), b.ints, MPI_INT, b.receive.data(), b.ints, MPI_INT, comm, MPI_INFO_NULL, &request);
    else CALL(behind, Neighbor_alltoallv_init)(b.send.data(), b.counts.data(), b.displacements.data(), MPI_INT,
                                               b.receive.data(), b.counts.data(), b.displacements.data(), MPI_INT, comm,
                                               MPI_INFO_NULL, &request);
    auto* start = CALL(behind, Start);
    auto* wait = CALL(behind, Wait);
    return [=, &request] {
        start(&request);
        wait(&request, MPI_STATUS_IGNORE);
    };
}

Exchange make_exchange(const std::string& function, const Neighborhood& neighborhood, Buffers& buffers,
                       const std::string& way, MPI_Request& request, std::vector<MPI_Request>& requests)
{
    const MPI_Comm comm = neighborhood.communicators.at(way);
    const bool behind = way == "native";
    if (way == "copy")
        return [&] { copy_once(buffers); };
    if (way == "plain")
        return [&, comm] { plain(neighborhood, buffers, comm, requests); };
    if (function.find("_init") != std::string::npos)
        return persistent(function, buffers, comm, behind, request);
    if (function[0] == 'i')
        return nonblocking(function, buffers, comm, behind);
    return blocking(function, buffers, comm, behind);
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
    Buffers buffers = make_buffers(neighborhood, function, ints);
    if (buffers.total * sizeof(int) > options.most_bytes)
        return;
    allocate(buffers);
    constexpr int samples = 9;
    std::vector<Exchange> exchanges;
    std::vector<MPI_Request> persistent_requests(options.ways.size(), MPI_REQUEST_NULL);
    std::vector<MPI_Request> requests;
    std::vector<int> repeats;
    for (std::size_t w = 0; w < options.ways.size(); ++w) {
        exchanges.push_back(
            make_exchange(function, neighborhood, buffers, options.ways[w], persistent_requests[w], requests));
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
    for (MPI_Request& request : persistent_requests)
        if (request != MPI_REQUEST_NULL)
            MPI_Request_free(&request);
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
                    for (auto& entry : neighborhood.communicators)
                        MPI_Comm_free(&entry.second);
                }
    MPI_Finalize();
    return 0;
}
