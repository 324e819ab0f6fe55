// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Neighborhood exchanges that benchmarks time: stencils on process grids, buffers, and one call in each form and way.
#include "exchanges.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <link.h>
#include <numeric>
#include <utility>

namespace
{

/// One of the objects loaded: a handle of it if the MPI library is behind it, whatever it is called.
int try_object(dl_phdr_info* info, std::size_t, void* found)
{
    const std::string name = info->dlpi_name;
    if (name.find("libmp") == std::string::npos)
        return 0;
    void* const library = dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr || dlsym(library, "PMPI_Init") == nullptr)
        return 0;
    *static_cast<void**>(found) = library;
    return 1;
}

/// The MPI library's own function, behind any preload; null if it has none of this name.
void* symbol_behind(const char* name)
{
    static void* const library = [] {
        void* found = nullptr;
        dl_iterate_phdr(&try_object, &found);
        return found;
    }();
    return library == nullptr ? nullptr : dlsym(library, name);
}

template <class Function>
Function native(Function, const char* name)
{
    void* const symbol = symbol_behind(name);
    if (symbol == nullptr) {
        std::fprintf(stderr, "measure: no native %s\n", name);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return reinterpret_cast<Function>(symbol);
}

bool contains(const std::string& text, const char* part)
{
    return text.find(part) != std::string::npos;
}

int rank_at(MPI_Comm grid, const std::vector<int>& here, const std::vector<int>& shift, int sign)
{
    std::vector<int> there(here);
    for (std::size_t k = 0; k < here.size(); ++k)
        there[k] += sign * shift[k];
    int rank = 0;
    MPI_Cart_rank(grid, there.data(), &rank);
    return rank;
}

int zero_shifts(const Neighborhood& neighborhood, int neighbor)
{
    const int* const shift = neighborhood.shift_of(neighbor);
    return static_cast<int>(std::count(shift, shift + neighborhood.dimensions, 0));
}

int count_of(const Neighborhood& neighborhood, const std::string& function, int neighbor, int size)
{
    const int zero = std::min(zero_shifts(neighborhood, neighbor), 2);
    if (contains(function, "mixedv")) {
        constexpr int times_corner[] = {1, 6, 40};
        return size * times_corner[zero];
    }
    if (contains(function, "alltoallv"))
        return static_cast<int>(std::min(std::pow(size, zero), 10000.0));
    return contains(function, "halo") ? static_cast<int>(std::pow(size, zero)) : size;
}

/// A part of an array of `size` cells a dimension with one ghost cell around: along each dimension all inner cells if
/// the shift is 0, else the outermost inner cell on that side, or the ghost cell beyond it.
MPI_Datatype surface(const int* shift, int size, bool ghost)
{
    const int full[] = {size + 2, size + 2, size + 2};
    int part[3];
    int start[3];
    for (int k = 0; k < 3; ++k) {
        part[k] = shift[k] == 0 ? size : 1;
        start[k] = shift[k] <= 0 ? 1 : size;
        if (ghost && shift[k] != 0)
            start[k] = shift[k] < 0 ? 0 : size + 1;
    }
    MPI_Datatype type;
    MPI_Type_create_subarray(3, full, part, start, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

/// A message from and to every neighbor, started or made persistent.
template <class Receive, class Send>
void plain(const Neighborhood& neighborhood, Buffers& b, MPI_Comm comm, std::vector<MPI_Request>& requests,
           Receive receive, Send send)
{
    const int t = neighborhood.neighbors();
    requests.resize(static_cast<std::size_t>(2 * t));
    for (int j = 0; j < t; ++j) {
        const auto slot = static_cast<std::size_t>(j);
        receive(b.receive.data() + b.receive_bytes[slot], b.halo ? 1 : b.counts[slot], b.receive_types[slot],
                neighborhood.sources[slot], b.halo ? j : 0, comm, &requests[slot]);
    }
    for (int i = 0; i < t; ++i) {
        const auto slot = static_cast<std::size_t>(i);
        send(b.send.data() + b.send_bytes[slot], b.halo ? 1 : b.counts[slot], b.send_types[slot],
             neighborhood.destinations[slot], b.halo ? i : 0, comm, &requests[static_cast<std::size_t>(t) + slot]);
    }
}

void wait_for_all(std::vector<MPI_Request>& requests)
{
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

/// The bytes a process would receive, copied once within its own memory.
void copy_once(Buffers& b)
{
    for (std::size_t j = 0; j < b.counts.size(); ++j)
        std::memcpy(b.receive.data() + b.receive_bytes[j], b.send.data() + b.send_bytes[j],
                    static_cast<std::size_t>(b.counts[j]) * sizeof(int));
}

/// Copies the surface towards one neighbor to a block, or a block to the ghost cells: one row at a time.
void copy_surface(const int* shift, int size, bool ghost, char* array, char* block)
{
    const auto range = [&](int k) {
        const int side = ghost ? 1 : 0;
        return shift[k] == 0 ? std::pair{1, size + 1}
                             : (shift[k] < 0 ? std::pair{1 - side, 2 - side} : std::pair{size + side, size + side + 1});
    };
    const auto [first, last] = range(2);
    const std::size_t bytes = static_cast<std::size_t>(last - first) * sizeof(double);
    for (int x = range(0).first; x < range(0).second; ++x)
        for (int y = range(1).first; y < range(1).second; ++y, block += bytes) {
            const auto place =
                (static_cast<std::size_t>(x) * static_cast<std::size_t>(size + 2) + static_cast<std::size_t>(y)) *
                    static_cast<std::size_t>(size + 2) +
                static_cast<std::size_t>(first);
            char* const row = array + place * sizeof(double);
            ghost ? std::memcpy(row, block, bytes) : std::memcpy(block, row, bytes);
        }
}

Exchange packed(const Neighborhood& neighborhood, Buffers& b, MPI_Comm comm)
{
    const auto bytes = static_cast<std::size_t>(b.displacements.back() + b.counts.back()) * sizeof(double);
    std::vector<char> out(bytes);
    std::vector<char> in(bytes);
    return [&neighborhood, &b, comm, out, in]() mutable {
        const auto block = [&b](std::vector<char>& blocks, int i) {
            return blocks.data() +
                   static_cast<std::size_t>(b.displacements[static_cast<std::size_t>(i)]) * sizeof(double);
        };
        for (int i = 0; i < neighborhood.neighbors(); ++i)
            copy_surface(neighborhood.shift_of(i), b.size, false, b.send.data(), block(out, i));
        MPI_Neighbor_alltoallv(out.data(), b.counts.data(), b.displacements.data(), MPI_DOUBLE, in.data(),
                               b.counts.data(), b.displacements.data(), MPI_DOUBLE, comm);
        for (int i = 0; i < neighborhood.neighbors(); ++i) {
            const int* const shift = neighborhood.shift_of(i);
            const int from[] = {-shift[0], -shift[1], -shift[2]};
            copy_surface(from, b.size, true, b.receive.data(), block(in, i));
        }
    };
}

enum class Form { blocking, nonblocking, persistent };

Form form_of(const std::string& function)
{
    if (contains(function, "_init"))
        return Form::persistent;
    return function[0] == 'i' ? Form::nonblocking : Form::blocking;
}

/// A call of one collective in a form, or the functions that start and complete it.
template <class Blocking, class Nonblocking, class Init, class... Arguments>
Exchange in_form(Form form, bool behind, Blocking blocking, Nonblocking nonblocking, Init init, MPI_Comm comm,
                 MPI_Request* request, Arguments... arguments)
{
    auto* const wait = behind ? native(&MPI_Wait, "PMPI_Wait") : &MPI_Wait;
    auto* const start = behind ? native(&MPI_Start, "PMPI_Start") : &MPI_Start;
    if (form == Form::blocking)
        return [=] { blocking(arguments..., comm); };
    if (form == Form::nonblocking)
        return [=] {
            nonblocking(arguments..., comm, request);
            wait(request, MPI_STATUS_IGNORE);
        };
    init(arguments..., comm, MPI_INFO_NULL, request);
    return [=] {
        start(request);
        wait(request, MPI_STATUS_IGNORE);
    };
}

#define FUNCTION(name) (behind ? native(&MPI_##name, "PMPI_" #name) : &MPI_##name)
#ifdef NO_PERSISTENT
#define INIT_FUNCTION(what) [](auto...) {}
#else
#define INIT_FUNCTION(what) FUNCTION(Neighbor_##what##_init)
#endif
#define IN_FORM(what, ...)                                                                                             \
    in_form(form_of(function), behind, FUNCTION(Neighbor_##what), FUNCTION(Ineighbor_##what), INIT_FUNCTION(what),     \
            comm, request, __VA_ARGS__)

Exchange collective(const std::string& function, Buffers& b, MPI_Comm comm, bool behind, MPI_Request* request)
{
    char* const send = b.send.data();
    char* const receive = b.receive.data();
    const int* const counts = b.counts.data();
    const int* const displacements = b.displacements.data();
    static const std::vector<int> ones(4096, 1);
    if (b.global) {
        auto* const allgather = FUNCTION(Allgather);
        return [=, size = b.size] { allgather(send, size, MPI_INT, receive, size, MPI_INT, comm); };
    }
    if (contains(function, "allgatherv"))
        return IN_FORM(allgatherv, send, b.size, MPI_INT, receive, counts, displacements, MPI_INT);
    if (contains(function, "allgather"))
        return IN_FORM(allgather, send, b.size, MPI_INT, receive, b.size, MPI_INT);
    if (contains(function, "alltoallw") || b.halo) {
        const int* const numbers = b.halo ? ones.data() : counts;
        return IN_FORM(alltoallw, send, numbers, b.send_bytes.data(), b.send_types.data(), receive, numbers,
                       b.receive_bytes.data(), b.receive_types.data());
    }
    if (contains(function, "alltoallv") || contains(function, "mixedv"))
        return IN_FORM(alltoallv, send, counts, displacements, MPI_INT, receive, counts, displacements, MPI_INT);
    return IN_FORM(alltoall, send, b.size, MPI_INT, receive, b.size, MPI_INT);
}

} // namespace

MPI_Comm periodic_grid(MPI_Comm processes, int dimensions)
{
    int size = 0;
    MPI_Comm_size(processes, &size);
    std::vector<int> dims(static_cast<std::size_t>(dimensions), 0);
    const std::vector<int> periods(dims.size(), 1);
    MPI_Dims_create(size, dimensions, dims.data());
    MPI_Comm grid;
    MPI_Cart_create(processes, dimensions, dims.data(), periods.data(), 0, &grid);
    return grid;
}

MPI_Comm make_graph(MPI_Comm grid, const Neighborhood& neighborhood, const std::string& way, bool behind)
{
    const bool by_itself = way == "plain" || way == "plain_init" || way == "copy";
    const bool mapped = way == "mapped";
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "hopscotch_algorithm",
                 by_itself ? "native" : (way == "packed" || mapped ? "auto" : way.c_str()));
    MPI_Info_set(info, "hopscotch_reorder", mapped ? "on" : "off");
    MPI_Comm graph;
    auto* const create = FUNCTION(Dist_graph_create_adjacent);
    create(grid, neighborhood.neighbors(), neighborhood.sources.data(), MPI_UNWEIGHTED, neighborhood.neighbors(),
           neighborhood.destinations.data(), MPI_UNWEIGHTED, info, mapped ? 1 : 0, &graph);
    MPI_Info_free(&info);
    return graph;
}

Neighborhood make_neighborhood(MPI_Comm processes, int dimensions, int values, const std::vector<std::string>& ways)
{
    Neighborhood result;
    result.processes = processes;
    result.dimensions = dimensions;
    MPI_Comm grid = periodic_grid(processes, dimensions);
    int rank = 0;
    MPI_Comm_rank(grid, &rank);
    std::vector<int> here(static_cast<std::size_t>(dimensions));
    MPI_Cart_coords(grid, rank, dimensions, here.data());
    const int shifts_along = std::max(values, 3);
    const int all = static_cast<int>(std::lround(std::pow(shifts_along, dimensions)));
    for (int number = 0; number < all; ++number) {
        std::vector<int> shift(here.size());
        int rest = number;
        for (std::size_t k = shift.size(); k-- > 0; rest /= shifts_along)
            shift[k] = rest % shifts_along - 1;
        const auto hops = dimensions - std::count(shift.begin(), shift.end(), 0);
        if (hops == 0 || (values == 1 && hops > 1))
            continue;
        result.destinations.push_back(rank_at(grid, here, shift, 1));
        result.sources.push_back(rank_at(grid, here, shift, -1));
        result.shifts.insert(result.shifts.end(), shift.begin(), shift.end());
    }
    for (const std::string& way : ways)
        result.communicators[way] = make_graph(grid, result, way, false);
    MPI_Comm_free(&grid);
    return result;
}

void free_neighborhood(Neighborhood& neighborhood)
{
    for (auto& entry : neighborhood.communicators)
        MPI_Comm_free(&entry.second);
}

Buffers make_buffers(const Neighborhood& neighborhood, const std::string& function, int size, std::size_t most_bytes)
{
    Buffers b;
    b.size = size;
    b.global = function == "global_allgather";
    b.gather = contains(function, "allgather");
    b.halo = contains(function, "halo");
    const std::size_t element = b.halo ? sizeof(double) : sizeof(int);
    int total = 0;
    for (int i = 0; i < neighborhood.neighbors(); ++i) {
        const int* const shift = neighborhood.shift_of(i);
        b.counts.push_back(count_of(neighborhood, function, i, size));
        b.displacements.push_back(total);
        total += b.counts.back();
        const auto place = static_cast<MPI_Aint>(static_cast<std::size_t>(b.displacements.back()) * element);
        b.send_bytes.push_back(b.halo || b.gather ? 0 : place);
        b.receive_bytes.push_back(b.halo ? 0 : place);
        // The block of neighbor i comes from the other side.
        const std::vector<int> from = b.halo ? std::vector<int>{-shift[0], -shift[1], -shift[2]} : std::vector<int>{};
        b.send_types.push_back(b.halo ? surface(shift, size, false) : MPI_INT);
        b.receive_types.push_back(b.halo ? surface(from.data(), size, true) : MPI_INT);
    }
    int processes = 0;
    MPI_Comm_size(neighborhood.processes, &processes);
    b.total = (b.global ? static_cast<std::size_t>(processes) * static_cast<std::size_t>(size)
                        : static_cast<std::size_t>(total)) *
              element;
    const auto array = static_cast<std::size_t>(std::pow(size + 2, 3)) * sizeof(double);
    const std::size_t bytes = b.halo ? array : b.total;
    if (bytes <= most_bytes) {
        b.send.assign(b.gather ? static_cast<std::size_t>(size) * element : bytes, 1);
        b.receive.assign(bytes, 0);
    } else {
        b.total = bytes;
    }
    return b;
}

bool sizes_match(const Neighborhood& neighborhood, const Buffers& buffers)
{
    const std::vector<int>& sizes = buffers.counts;
    if (std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end())
        return true;
    auto* const exchange = native(&MPI_Neighbor_alltoallv, "PMPI_Neighbor_alltoallv");
    const std::vector<int> ones(sizes.size(), 1);
    std::vector<int> places(sizes.size());
    std::iota(places.begin(), places.end(), 0);
    std::vector<int> arrived(sizes.size());
    exchange(sizes.data(), ones.data(), places.data(), MPI_INT, arrived.data(), ones.data(), places.data(), MPI_INT,
             neighborhood.communicators.begin()->second);
    int match = arrived == sizes ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &match, 1, MPI_INT, MPI_MIN, neighborhood.processes);
    return match != 0;
}

void free_buffers(Buffers& buffers)
{
    if (!buffers.halo)
        return;
    for (auto* types : {&buffers.send_types, &buffers.receive_types})
        for (MPI_Datatype& type : *types)
            MPI_Type_free(&type);
}

Exchange make_exchange(const std::string& function, const Neighborhood& neighborhood, Buffers& buffers,
                       const std::string& way, Requests& requests)
{
    const MPI_Comm comm = neighborhood.communicators.at(way);
    if (way == "copy")
        return [&] { copy_once(buffers); };
    if (way == "plain")
        return [&, comm] {
            plain(neighborhood, buffers, comm, requests.plain, &MPI_Irecv, &MPI_Isend);
            wait_for_all(requests.plain);
        };
    if (way == "plain_init") {
        plain(neighborhood, buffers, comm, requests.plain, &MPI_Recv_init, &MPI_Send_init);
        requests.plain_is_persistent = true;
        return [&] {
            MPI_Startall(static_cast<int>(requests.plain.size()), requests.plain.data());
            wait_for_all(requests.plain);
        };
    }
    if (way == "packed")
        return packed(neighborhood, buffers, comm);
    return collective(function, buffers, comm, way == "native", &requests.persistent);
}

void free_requests(Requests& requests)
{
    if (requests.persistent != MPI_REQUEST_NULL)
        MPI_Request_free(&requests.persistent);
    for (MPI_Request& request : requests.plain)
        if (requests.plain_is_persistent)
            MPI_Request_free(&request);
}

bool has_function(const std::string& function)
{
#ifdef NO_PERSISTENT
    return !contains(function, "_init");
#else
    return !contains(function, "_init") || symbol_behind("PMPI_Neighbor_alltoall_init") != nullptr;
#endif
}
